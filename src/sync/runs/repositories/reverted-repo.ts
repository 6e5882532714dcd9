import { z } from 'zod';
import type { Sql, Tx } from '../../../platform/database/database.ts';
import type { SyncError } from '../../change.ts';
import { WRITE_ROWS } from '../../statement-size.ts';
import type { Run } from '../run.ts';

/** A configuration of the cells that a run changes, and those of its fields that the run syncs. */
type Reader = { readonly id: string; readonly fields: readonly (string | null)[] };

/** Applied changes of one batch, by `seq`. */
type Applied = { readonly batch: number; readonly seqs: readonly number[] };

/**
 * Saves the two values that the applied changes of an undo leave, which differ, so that the next run does not repeat what
 * was undone; of a row that was appended or cleared, `row`. In the transaction that marks the changes applied. A change
 * of any other run ends this for its cells, and so does the undo of an undo.
 */
export async function saveReverted(
  sql: Sql | Tx,
  run: Run,
  readers: readonly Reader[],
  { batch, seqs }: Applied,
): Promise<void> {
  await sql`
    delete from sync_reverted r using sync_changes c
    where r.config_id = any(${readers.map(({ id }) => id)}::text[]) and r.key = c.key
      and r.field = case c.kind when 'set' then c.field else 'row' end
      and c.run_id = ${run.id} and c.batch = ${batch} and c.seq = any(${[...seqs]}::int[])`;
  if (run.reverts_run === null) return;
  // Both halves of a sum that is undone say the same, and so do those of a picture, which is in every row of its product.
  for (const { id, fields } of readers)
    await sql`
      insert into sync_reverted (config_id, key, product_id, item_id, field, store_value, sheet_value, run_id)
      select distinct on (c.key, left_as.field) ${id}, c.key, c.product_id, c.item_id, left_as.*, undone.run_id
      from sync_changes c
      join sync_runs reverted on reverted.id = ${run.reverts_run} and reverted.reverts_run is null
      join sync_changes undone on undone.run_id = reverted.id and undone.seq = c.seq
      left join lateral (
        select from_value from sync_changes half
        where (starts_with(undone.field, 'inventory_quantity') or undone.field = 'image') and undone.kind = 'set'
          and half.run_id = undone.run_id and half.field = undone.field and half.side <> undone.side
          and half.state = 'applied'
          and (half.key = undone.key or undone.field = 'image' and half.product_id = undone.product_id)
        order by half.key = undone.key desc, half.seq limit 1
      ) half on true
      cross join lateral (
        select 'row' as field, null as store_value, null as sheet_value where c.kind <> 'set'
        union all
        select c.field, c.to_value, case undone.kind when 'create' then c.from_value
          else coalesce(case undone.field when 'image' then coalesce(half.from_value, undone.params ->> 'text') end,
            undone.base_value, undone.to_value) end
        where c.kind = 'set' and c.side = 'store'
        union all
        select c.field, coalesce(half.from_value, undone.to_value), c.to_value where c.kind = 'set' and c.side = 'sheet'
      ) left_as
      where c.run_id = ${run.id} and c.batch = ${batch} and c.seq = any(${[...seqs]}::int[])
        and c.field <> 'status' and (left_as.field = 'row' or left_as.field = any(${[...fields]}::text[]))
      on conflict (config_id, key, field) do nothing`;
}

const Page = z.object({ last: z.string().nullable(), rows: z.number() });

/**
 * Deletes what the reads of a run show to be over: values that have both changed or are now the same, and rows that both
 * sides or neither have. Only for a run that is applied and has read all.
 */
export async function forgetReverted(sql: Sql | Tx, run: Run): Promise<void> {
  for (let after: string | null = ''; after !== null; ) after = await forgetSome(sql, run, after);
}

/** Checks the next keys after one; returns the last of them, or null when there are no more. */
async function forgetSome(
  sql: Sql | Tx,
  { id, config_id, settings }: Run,
  after: string,
): Promise<string | null> {
  const fields = settings.mappings.map(({ store_field }) => store_field);
  const [row] = await sql`
    with next as materialized (
      select max(key) as last, count(*)::int as rows from (
        select key from sync_reverted where config_id = ${config_id} and key > ${after} order by key limit ${WRITE_ROWS}
      ) following_keys
    ), forgotten as (
      delete from sync_reverted r
      where r.config_id = ${config_id} and r.key > ${after} and r.key <= (select last from next) and not exists (
        select from (select array_position(${fields}::text[], r.field) as nth) cell
        left join sync_read_sheet h on h.run_id = ${id} and h.key = r.key
        left join sync_read_store s on s.run_id = ${id} and s.key = r.key
        where case when r.field = 'row' then (h.key is null) <> (s.key is null)
          else s.vals[nth] is distinct from h.vals[nth]
            and (s.vals[nth] is not distinct from r.store_value or h.vals[nth] is not distinct from r.sheet_value) end)
    )
    select last, rows from next`;
  const { last, rows } = Page.parse(row);
  return rows < WRITE_ROWS ? null : last;
}

const HeldRow = z.object({ key: z.string(), run: z.string() });

/** Notes on the rows that an undone run had appended, which are not appended again. */
export async function listRevertedRows(sql: Sql | Tx, run: Run, limit: number): Promise<SyncError[]> {
  const rows = await sql`
    select r.key, r.run_id as run from sync_reverted r
    where r.config_id = ${run.config_id} and r.field = 'row' and r.run_id is distinct from ${run.request.redo ?? null}
      and exists (select from sync_read_store s where s.run_id = ${run.id} and s.key = r.key)
      and not exists (select from sync_read_sheet h where h.run_id = ${run.id} and h.key = r.key)
    order by r.key limit ${limit}`;
  return z
    .array(HeldRow)
    .parse(rows)
    .map(({ key, run: id }) => ({ key: 'reverted_row', params: { run: id }, sku: key, field: 'key' }));
}
