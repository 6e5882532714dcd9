import { z } from 'zod';
import type { Sql, Tx } from '../../../platform/database/database.ts';
import { chunked } from '../../statement-size.ts';
import type { ChangeOutcome, DamagedCell } from '../apply/change-outcome.ts';
import type { Run } from '../run.ts';

const Named = z.object({ seq: z.number(), field: z.string(), item: z.string() });

/** Marks some changes as sent, before they are. */
export async function markSent(
  sql: Sql | Tx,
  runId: string,
  batch: number,
  seqs: readonly number[],
): Promise<void> {
  await sql`
    update sync_changes set state = 'sent'
    where run_id = ${runId} and batch = ${batch} and state = 'planned' and seq between ${Math.min(...seqs)}
      and ${Math.max(...seqs)} and seq = any(${[...seqs]}::int[])`;
}

export async function saveOutcomes(
  sql: Sql | Tx,
  runId: string,
  batch: number,
  outcomes: readonly ChangeOutcome[],
): Promise<void> {
  const applied = outcomes.filter(({ state }) => state === 'applied').map(({ seq }) => seq);
  for (const chunk of chunked(applied))
    await sql`
      update sync_changes set state = 'applied'
      where run_id = ${runId} and batch = ${batch} and seq between ${Math.min(...chunk)}
        and ${Math.max(...chunk)} and seq = any(${chunk}::int[])`;
  for (const chunk of chunked(outcomes.filter((one) => 'now' in one))) {
    const told = sql.json(Object.fromEntries(chunk.map((one) => [one.seq, 'now' in one && one.now])));
    await sql`
      update sync_changes
      set to_value = ${told}::jsonb ->> seq::text,
        params = coalesce(params, '{}') || jsonb_build_object('text', to_value)
      where run_id = ${runId} and batch = ${batch} and seq = any(${chunk.map(({ seq }) => seq)}::int[])`;
  }
  for (const chunk of chunked(outcomes.filter((one) => 'made' in one))) {
    const ids = sql.json(chunk.map((one) => ({ seq: one.seq, ...('made' in one && one.made) })));
    await sql`
      update sync_changes c
      set variant_id = made."variantId", product_id = made."productId", item_id = made."itemId"
      from jsonb_to_recordset(${ids}::jsonb) as made (seq int, "variantId" text, "productId" text, "itemId" text)
      where c.run_id = ${runId} and c.batch = ${batch} and c.seq = made.seq`;
  }
  for (const chunk of chunked(outcomes.filter(({ state }) => state !== 'applied'))) {
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
}

/**
 * Adapts the cells of the sheet to the outcome of the same field of the same item in the store: they get the value that is
 * tried next, and none that the store rejected.
 */
export async function followInSheet(
  sql: Sql | Tx,
  runId: string,
  batch: number,
  outcomes: readonly ChangeOutcome[],
): Promise<void> {
  const open = new Map(outcomes.filter(({ state }) => state !== 'applied').map((one) => [one.seq, one]));
  for (const [field, told] of adaptations(await namedChanges(sql, runId, batch, [...open.keys()]), open))
    await sql`
      update sync_changes
      set to_value = coalesce(${sql.json(told)}::jsonb -> coalesce(item_id, key) ->> 'to', to_value),
        base_value = coalesce(${sql.json(told)}::jsonb -> coalesce(item_id, key) ->> 'to', base_value),
        state = ${sql.json(told)}::jsonb -> coalesce(item_id, key) ->> 'state',
        code = ${sql.json(told)}::jsonb -> coalesce(item_id, key) ->> 'code',
        params = coalesce(${sql.json(told)}::jsonb -> coalesce(item_id, key) -> 'params', params)
      where run_id = ${runId} and side = 'sheet' and state = 'planned' and field = ${field}
        and ${sql.json(told)}::jsonb ? coalesce(item_id, key)`;
}

/**
 * Gives the cells of pictures what the store has made of them: the address of its copy, or nothing where it has not taken the
 * picture. A picture is in every row of its product. An undo gives a cell back as it was.
 */
export async function followImages(
  sql: Sql | Tx,
  { id, reverts_run }: Run,
  batch: number,
  outcomes: readonly ChangeOutcome[],
): Promise<void> {
  for (const chunk of chunked(outcomes))
    await sql`
      update sync_changes c
      set to_value = case when ${reverts_run === null}::boolean then sent.to_value else c.to_value end,
        state = case sent.state when 'applied' then 'planned' else 'skipped' end,
        variant_id = coalesce(c.variant_id, sent.variant_id), product_id = coalesce(c.product_id, sent.product_id),
        item_id = coalesce(c.item_id, sent.item_id)
      from sync_changes sent
      where sent.run_id = ${id} and sent.batch = ${batch} and sent.seq = any(${chunk.map(({ seq }) => seq)}::int[])
        and sent.side = 'store' and sent.field = 'image' and sent.state <> 'planned'
        and c.run_id = ${id} and c.side = 'sheet' and c.field = 'image' and c.state = 'planned'
        and c.kind = 'set' and (c.product_id = sent.product_id or c.key = sent.key)`;
}

/** The field and the item of changes of the store. */
async function namedChanges(
  sql: Sql | Tx,
  runId: string,
  batch: number,
  seqs: readonly number[],
): Promise<z.output<typeof Named>[]> {
  if (seqs.length === 0) return [];
  const rows = await sql`
    select seq, field, coalesce(item_id, key) as item from sync_changes
    where run_id = ${runId} and batch = ${batch} and side = 'store' and seq = any(${[...seqs]}::int[])`;
  return z.array(Named).parse(rows);
}

/** Rows that are appended elsewhere than planned. */
export async function moveRows(
  sql: Sql | Tx,
  runId: string,
  batch: number,
  moves: readonly { seq: number; row: number }[],
): Promise<void> {
  for (const chunk of chunked(moves)) {
    const rows = sql.json(Object.fromEntries(chunk.map(({ seq, row }) => [seq, row])));
    await sql`
      update sync_changes set row_no = (${rows}::jsonb ->> seq::text)::int
      where run_id = ${runId} and batch = ${batch} and seq = any(${chunk.map(({ seq }) => seq)}::int[])`;
  }
}

/** Saves what cells of the sheet held as it was entered, as `was`, for an undo. */
export async function keepEntered(
  sql: Sql | Tx,
  runId: string,
  batch: number,
  cells: readonly { seq: number; was: string | number }[],
): Promise<void> {
  for (const chunk of chunked(cells)) {
    const entered = sql.json(Object.fromEntries(chunk.map(({ seq, was }) => [seq, { was }])));
    await sql`
      update sync_changes set params = coalesce(params, '{}') || (${entered}::jsonb -> seq::text)
      where run_id = ${runId} and batch = ${batch} and seq = any(${chunk.map(({ seq }) => seq)}::int[])`;
  }
}

/** Saves cells of the sheet that the run has damaged as failures of their rows. */
export async function insertDamage(
  sql: Sql | Tx,
  run: Pick<Run, 'id' | 'account_id'>,
  batch: number,
  cells: readonly DamagedCell[],
): Promise<void> {
  await sql`
    insert into sync_changes (run_id, account_id, seq, key, row_no, field, side, kind, batch, state, code, params)
    select ${run.id}, ${run.account_id}, last + nth::int, key, "row", coalesce(field, 'status'), 'sheet', 'set',
      ${batch}::int, 'failed', code, params
    from (select coalesce(max(seq), 0) as last from sync_changes where run_id = ${run.id}) numbered
    cross join rows from (jsonb_to_recordset(${sql.json([...cells])}::jsonb) as (
      key text, "row" int, field text, code text, params jsonb)
    ) with ordinality as given (key, "row", field, code, params, nth)`;
}

type Told = {
  state: 'planned' | 'skipped';
  to?: string;
  code?: string;
  params?: Record<string, string | number>;
};

/** What the sheet is to follow: by field, then by item. */
function adaptations(
  named: readonly z.output<typeof Named>[],
  settled: ReadonlyMap<number, ChangeOutcome>,
): Map<string, Record<string, Told>> {
  const told = new Map<string, Record<string, Told>>();
  for (const { seq, field, item } of named) {
    const outcome = settled.get(seq);
    if (outcome) told.set(field, { ...told.get(field), [item]: adaptedOf(outcome) });
  }
  return told;
}

function adaptedOf(outcome: ChangeOutcome): Told {
  if (outcome.state === 'applied') return { state: 'planned' };
  if (outcome.state === 'planned') return { state: 'planned', to: outcome.to ?? '' };
  const { code, params } = outcome;
  return { state: 'skipped', code, ...(params && { params: { ...params } }) };
}
