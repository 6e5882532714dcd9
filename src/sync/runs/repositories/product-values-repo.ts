import { z } from 'zod';
import type { Sql, Tx } from '../../../platform/database/database.ts';
import { windows } from '../../plan/join-repo.ts';
import { chunked, READ_ROWS } from '../../statement-size.ts';
import { specOf } from '../../values/field.ts';
import type { Run } from '../run.ts';

/** The change that told the store a value, and the key of its row. */
type Told = { readonly seq: number; readonly key: string };
/** By product, for a mapping counted from 1. */
type ToldOf = ReadonlyMap<string, Told>;

type Writing = {
  /** Rows that a transaction writes. */
  readonly writeRows: number;
  /** Writes in a transaction that no other attempt comes between. */
  readonly write: (write: (tx: Tx) => Promise<void>) => Promise<void>;
};

const Last = z.object({ last: z.number().nullable() });
const Change = z.object({ seq: z.number(), field: z.string(), product: z.string(), key: z.string() });
const Row = z.object({ key: z.string(), product: z.string().nullable() });

/**
 * The first row of a product tells the store what all its rows say. Once the store has it, those that said the same have
 * agreed on it too: without that, a row that had no value before would not know which side has changed since.
 *
 * Reads and writes a page at a time, each write in its own transaction: repeating one changes nothing more.
 */
export async function shareProductValues(sql: Sql, run: Run, { writeRows, write }: Writing): Promise<void> {
  const told = await listTold(sql, run);
  if (told.size === 0) return;
  for (let after: string | undefined = ''; after !== undefined; ) {
    const rows: z.output<typeof Row>[] = await nextRows(sql, run, after);
    for (const [position, toldOf] of told) {
      const siblings = rows.flatMap(({ key, product }) => {
        const one = product === null ? undefined : toldOf.get(product);
        return one && one.key !== key ? [{ key, seq: one.seq }] : [];
      });
      for (const some of chunked(siblings, writeRows)) await write((tx) => takeTold(tx, run, position, some));
    }
    after = rows.length < READ_ROWS ? undefined : rows.at(-1)?.key;
  }
}

/** What the run told the store of products, by the position of the mapping. */
async function listTold(sql: Sql, { id, settings }: Run): Promise<ReadonlyMap<number, ToldOf>> {
  const fields: readonly string[] = settings.mappings.map(({ store_field }) => store_field);
  const shared = settings.mappings.flatMap(({ store_field: field }) =>
    specOf(field).level === 'product' ? [field] : [],
  );
  const told = new Map<number, Map<string, Told>>();
  if (shared.length === 0) return told;
  const [found] = await sql`select max(seq)::int as last from sync_changes where run_id = ${id}`;
  for (const { after, to } of windows(-1, Last.parse(found).last ?? -1, READ_ROWS)) {
    const rows = await sql`
      select seq, field, product_id as product, key from sync_changes
      where run_id = ${id} and seq > ${after} and seq <= ${to} and side = 'store' and state = 'applied' and kind = 'set'
        and product_id is not null and field = any(${shared}::text[])`;
    for (const { field, product, ...one } of z.array(Change).parse(rows)) {
      const position = fields.indexOf(field) + 1;
      const toldOf = told.get(position) ?? new Map<string, Told>();
      told.set(position, toldOf.set(product, one));
    }
  }
  return told;
}

/** The next rows that were read, in the order of their keys, and the products that the baseline knows them to be of. */
async function nextRows(sql: Sql, { id, config_id }: Run, after: string): Promise<z.output<typeof Row>[]> {
  const rows = await sql`
    select h.key, (
      select b.product_id from sync_base b where b.config_id = ${config_id} and b.key = h.key) as product
    from sync_read_sheet h
    where h.run_id = ${id} and h.key > ${after} and not h.blocked
    order by h.key limit ${READ_ROWS}`;
  return z.array(Row).parse(rows);
}

/**
 * Takes what the store was told into the baseline of these rows, where they say the same. They are sorted by key. The
 * subqueries have each row looked up by its key: without statistics, a join would be planned for a single row.
 */
async function takeTold(
  sql: Sql | Tx,
  { id, config_id }: Run,
  position: number,
  rows: readonly { readonly key: string; readonly seq: number }[],
): Promise<void> {
  const seqs = sql.json(Object.fromEntries(rows.map(({ key, seq }) => [key, seq])));
  await sql`
    update sync_base b set vals[${position}::int] = (
      select c.to_value from sync_changes c where c.run_id = ${id} and c.seq = (${seqs}::jsonb ->> b.key)::int)
    where b.config_id = ${config_id} and b.key between ${rows.at(0)?.key ?? ''} and ${rows.at(-1)?.key ?? ''}
      and ${seqs}::jsonb ? b.key and (
        select bool_or(h.vals[${position}::int] is not distinct from coalesce(c.params ->> 'text', c.to_value)
          and b.vals[${position}::int] is distinct from c.to_value)
        from sync_changes c, sync_read_sheet h
        where c.run_id = ${id} and c.seq = (${seqs}::jsonb ->> b.key)::int and h.run_id = ${id} and h.key = b.key
          and not h.blocked and h.faults[${position}::int] is null)`;
}
