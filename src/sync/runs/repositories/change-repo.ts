import { z } from 'zod';
import type { Sql, Tx } from '../../../platform/database/database.ts';
import type { FencingToken } from '../../../platform/work/attempt.ts';
import type { Change, SyncError } from '../../change.ts';
import { READ_ROWS } from '../../statement-size.ts';

// Written by ourselves from a Change; the states, sides and kinds are checked by the table.
const Row = z.custom<Change>((value) => typeof value === 'object' && value !== null);
const Batch = z.object({ batch: z.number() });
const OpenBatches = z.object({ first: z.number(), last: z.number() });
const Outcomes = z.object({
  /** The first batch with changes that were not sent. */
  planned: z.number().nullable(),
  changed: z.number(),
  failed: z.number(),
  sent: z.number(),
  /** Changes with a note: failed, or skipped for a reason. */
  noted: z.number(),
  /** Quantities that were set in the store. */
  quantities: z.number(),
});
export type Outcomes = z.output<typeof Outcomes>;
const RowNumber = z.object({ row: z.number() });
const Note = z.custom<SyncError>((value) => typeof value === 'object' && value !== null);

/** The first batch that is not done, and the last of all; undefined: all are done. */
export async function openBatches(
  sql: Sql | Tx,
  runId: string,
): Promise<z.output<typeof OpenBatches> | undefined> {
  const [row] = await sql`
    select (
      select batch from sync_changes
      where run_id = ${runId} and batch >= 1 and state in ('planned', 'sent') order by batch limit 1) as first,
      (select max(batch) from sync_changes where run_id = ${runId}) as last`;
  return OpenBatches.safeParse(row).data;
}

/** The first batch from this one on that is not done. */
export async function nextBatch(sql: Sql | Tx, runId: string, from: number): Promise<number | undefined> {
  const [row] = await sql`
    select batch from sync_changes
    where run_id = ${runId} and batch >= ${Math.max(from, 1)} and state in ('planned', 'sent')
    order by batch limit 1`;
  return row && Batch.parse(row).batch;
}

/** The unfinished changes of a batch, in order: all of them, a page at a time. */
export async function listUnfinished(sql: Sql | Tx, runId: string, batch: number): Promise<Change[]> {
  const all: Change[] = [];
  for (let page: Change[] | undefined; page === undefined || page.length === READ_ROWS; all.push(...page))
    page = await nextUnfinished(sql, runId, batch, { after: all.at(-1)?.seq ?? 0, limit: READ_ROWS });
  return all;
}

/** The next unfinished changes of a batch, after one of them. */
export async function nextUnfinished(
  sql: Sql | Tx,
  runId: string,
  batch: number,
  { after, limit }: { readonly after: number; readonly limit: number },
): Promise<Change[]> {
  const rows = await sql`
    select seq, key, row_no as row, variant_id as "variantId", product_id as "productId", item_id as "itemId",
      field, side, kind, from_value as "from", to_value as "to", base_value as base, batch, state, code, params
    from sync_changes
    where run_id = ${runId} and batch = ${batch} and seq > ${after} and state in ('planned', 'sent')
    order by seq limit ${limit}`;
  return z.array(Row).parse(rows);
}

/** The last row that the run writes to, or 0. */
export async function lastRow(sql: Sql | Tx, runId: string): Promise<number> {
  const [row] = await sql`
    select coalesce(max(row_no), 0)::int as "row" from sync_changes where run_id = ${runId} and side = 'sheet'`;
  return RowNumber.parse(row).row;
}

/** Skips the changes of the batch that were not sent, or only the cells of some fields of the sheet. */
export async function skipPlanned(
  sql: Sql | Tx,
  runId: string,
  batch: number,
  fields: readonly string[] | null = null,
): Promise<void> {
  const some = fields && [...fields];
  await sql`
    update sync_changes set state = 'skipped'
    where run_id = ${runId} and batch = ${batch} and state = 'planned'
      and (${some}::text[] is null or (side = 'sheet' and field = any(${some}::text[])))`;
}

/** The first batch from this one on with changes that were not sent. */
export async function nextPlanned(sql: Sql | Tx, runId: string, from: number): Promise<number | undefined> {
  const [row] = await sql`
    select batch from sync_changes
    where run_id = ${runId} and batch >= ${from} and state = 'planned' order by batch limit 1`;
  return row && Batch.parse(row).batch;
}

/**
 * Counts in rows, while the attempt owns the run: rows that changed without a failure, and rows with at least one failure.
 * Undefined: another attempt has the run.
 */
export async function countOutcomes(
  sql: Sql | Tx,
  { accountId, id, attempt }: FencingToken,
): Promise<Outcomes | undefined> {
  const [row] = await sql`
    select counted.*, (
      select batch from sync_changes where run_id = ${id} and batch >= 0 and state = 'planned'
      order by batch limit 1) as planned
    from (
      select count(*) filter (where applied > 0 and failed = 0)::int as changed,
        count(*) filter (where failed > 0)::int as failed, coalesce(sum(sent), 0)::int as sent,
        coalesce(sum(noted), 0)::int as noted, coalesce(sum(quantities), 0)::int as quantities
      from (
        select count(*) filter (where state = 'applied' and is_cell) as applied,
          count(*) filter (where state = 'sent' and is_cell) as sent,
          count(*) filter (where is_noted and is_cell) as failed, count(*) filter (where is_noted) as noted,
          count(*) filter (where state = 'applied' and side = 'store' and starts_with(field, 'inventory_quantity')) as quantities
        from (
          select *, key <> '' and field <> 'status' as is_cell,
            code is not null and state in ('failed', 'skipped') or state = 'failed' as is_noted
          from sync_changes where run_id = ${id}) change
        group by key) each_row) counted
    join sync_runs r on r.account_id = ${accountId} and r.id = ${id} and r.attempt = ${attempt}
      and r.status in ('planning', 'applying')`;
  return row && Outcomes.parse(row);
}

/**
 * The changes that failed or were skipped, and why: one note for each field of an item, and one for a row to create. A product
 * may be created without its picture, which is then a note of its own.
 */
export async function listNotes(sql: Sql | Tx, runId: string, limit: number): Promise<SyncError[]> {
  const rows = await sql`
    select n.note from (
      select distinct on (key, told) seq, jsonb_strip_nulls(jsonb_build_object('key', code, 'params', params,
        'row', row_no, 'sku', nullif(key, ''), 'field', nullif(told, 'status'))) as note
      from (
        select *, case when kind = 'create' and not starts_with(code, 'image_') then 'key' else field end as told
        from sync_changes
        where run_id = ${runId} and state in ('failed', 'skipped') and code is not null) c
      order by key, told, seq) n
    order by n.seq limit ${limit}`;
  return z
    .array(z.object({ note: Note }))
    .parse(rows)
    .map(({ note }) => note);
}

/** Rows of items that are not in the store; undefined where nothing was read. */
export async function staleRows(sql: Sql | Tx, runId: string): Promise<ReadonlySet<number> | undefined> {
  const rows = await sql`
    select (array_agg(h.row_no) filter (where s.key is null and not exists (
      select from sync_changes c
      where c.run_id = h.run_id and c.key = h.key and c.kind = 'create' and c.state = 'applied')))::text as rows
    from sync_read_sheet h left join sync_read_store s on s.run_id = h.run_id and s.key = h.key
    where h.run_id = ${runId} having count(*) > 0`;
  const [row] = z.array(z.object({ rows: z.string().nullable() })).parse(rows);
  return row && new Set(row.rows?.match(/\d+/g)?.map(Number));
}

const ReadRow = z.object({ folded: z.string(), vals: z.array(z.string().nullable()) });

/** The values of rows as the run has read them, by folded key, in the order of the mappings. */
export async function readValues(
  sql: Sql | Tx,
  runId: string,
  keys: readonly string[],
): Promise<ReadonlyMap<string, readonly (string | null)[]>> {
  if (keys.length === 0) return new Map();
  const rows = await sql`
    select folded, to_jsonb(vals) as vals from sync_read_sheet
    where run_id = ${runId} and folded = any(${[...new Set(keys)]}::text[])`;
  return new Map(
    z
      .array(ReadRow)
      .parse(rows)
      .map(({ folded, vals }) => [folded, vals]),
  );
}
