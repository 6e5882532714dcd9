import { z } from 'zod';
import type { Sql, Tx } from '../../../platform/database/database.ts';
import type { Settlement } from '../apply/settlement.ts';

/** Rows one statement changes: well under the time it has. */
const CHUNK = 5_000;

const Named = z.object({ seq: z.number(), field: z.string(), item: z.string() });

/**
 * The SQL of sending changes and of what became of them. Values come as one object that is looked into, never as a table
 * to be joined: of a table it has not counted yet the database would go through all of it for each row of the other.
 */
export function createSettleStore(sql: Sql | Tx) {
  return {
    /** Writes down, before they are, that these are on their way. */
    async send(runId: string, batch: number, seqs: readonly number[]): Promise<void> {
      for (const chunk of chunked(seqs))
        await sql`
          update sync_changes set state = 'sent'
          where run_id = ${runId} and batch = ${batch} and state = 'planned' and seq between ${Math.min(...chunk)}
            and ${Math.max(...chunk)} and seq = any(${chunk}::int[])`;
    },

    async settle(runId: string, batch: number, settlements: readonly Settlement[]): Promise<void> {
      const applied = settlements.filter(({ state }) => state === 'applied').map(({ seq }) => seq);
      for (const chunk of chunked(applied))
        await sql`
          update sync_changes set state = 'applied'
          where run_id = ${runId} and batch = ${batch} and seq between ${Math.min(...chunk)}
            and ${Math.max(...chunk)} and seq = any(${chunk}::int[])`;
      for (const chunk of chunked(settlements.filter(({ state }) => state !== 'applied'))) {
        const told = sql.json(Object.fromEntries(chunk.map((one) => [one.seq, one])));
        await sql`
          update sync_changes
          set state = ${told}::jsonb -> seq::text ->> 'state', code = ${told}::jsonb -> seq::text ->> 'code',
            params = coalesce(${told}::jsonb -> seq::text -> 'params', params),
            from_value = case when ${told}::jsonb -> seq::text ? 'from' then ${told}::jsonb -> seq::text ->> 'from'
              else from_value end,
            to_value = case when ${told}::jsonb -> seq::text ? 'to' then ${told}::jsonb -> seq::text ->> 'to'
              else to_value end,
            base_value = case when ${told}::jsonb -> seq::text ? 'base' then ${told}::jsonb -> seq::text ->> 'base'
              else base_value end
          where run_id = ${runId} and batch = ${batch} and seq = any(${chunk.map(({ seq }) => seq)}::int[])`;
      }
    },

    /**
     * Has the cells of the sheet follow what became of the same field of the same item in the store: the value tried
     * next is theirs too, and what the store does not take they do not get.
     */
    async follow(runId: string, batch: number, settlements: readonly Settlement[]): Promise<void> {
      const open = new Map(
        settlements.filter(({ state }) => state !== 'applied').map((one) => [one.seq, one]),
      );
      for (const [field, told] of tellings(await this.named(runId, batch, [...open.keys()]), open))
        await sql`
          update sync_changes
          set to_value = coalesce(${sql.json(told)}::jsonb -> coalesce(item_id, key) ->> 'to', to_value),
            base_value = coalesce(${sql.json(told)}::jsonb -> coalesce(item_id, key) ->> 'to', base_value),
            state = ${sql.json(told)}::jsonb -> coalesce(item_id, key) ->> 'state',
            code = ${sql.json(told)}::jsonb -> coalesce(item_id, key) ->> 'code',
            params = coalesce(${sql.json(told)}::jsonb -> coalesce(item_id, key) -> 'params', params)
          where run_id = ${runId} and side = 'sheet' and state = 'planned' and field = ${field}
            and ${sql.json(told)}::jsonb ? coalesce(item_id, key)`;
    },

    /** Of which item and field the store was told what. */
    async named(runId: string, batch: number, seqs: readonly number[]): Promise<z.output<typeof Named>[]> {
      if (seqs.length === 0) return [];
      const rows = await sql`
        select seq, field, coalesce(item_id, key) as item from sync_changes
        where run_id = ${runId} and batch = ${batch} and side = 'store' and seq = any(${[...seqs]}::int[])`;
      return z.array(Named).parse(rows);
    },

    /** Rows that are appended elsewhere than planned. */
    async move(runId: string, batch: number, moves: readonly { seq: number; row: number }[]): Promise<void> {
      for (const chunk of chunked(moves)) {
        const rows = sql.json(Object.fromEntries(chunk.map(({ seq, row }) => [seq, row])));
        await sql`
          update sync_changes set row_no = (${rows}::jsonb ->> seq::text)::int
          where run_id = ${runId} and batch = ${batch} and seq = any(${chunk.map(({ seq }) => seq)}::int[])`;
      }
    },
  };
}

type Told = {
  state: 'planned' | 'skipped';
  to?: string;
  code?: string;
  params?: Record<string, string | number>;
};

/** What the sheet is to follow: by field, then by item. */
function tellings(
  named: readonly z.output<typeof Named>[],
  settled: ReadonlyMap<number, Settlement>,
): Map<string, Record<string, Told>> {
  const told = new Map<string, Record<string, Told>>();
  for (const { seq, field, item } of named) {
    const settlement = settled.get(seq);
    if (settlement) told.set(field, { ...told.get(field), [item]: toldOf(settlement) });
  }
  return told;
}

function toldOf(settlement: Settlement): Told {
  if (settlement.state === 'applied') return { state: 'planned' };
  if (settlement.state === 'planned') return { state: 'planned', to: settlement.to ?? '' };
  const { code, params } = settlement;
  return { state: 'skipped', code, ...(params && { params: { ...params } }) };
}

function chunked<T>(items: readonly T[]): T[][] {
  return Array.from({ length: Math.ceil(items.length / CHUNK) }, (_, nth) =>
    items.slice(nth * CHUNK, (nth + 1) * CHUNK),
  );
}
