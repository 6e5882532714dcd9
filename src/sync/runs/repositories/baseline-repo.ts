import { z } from 'zod';
import type { Sql, Tx } from '../../../platform/database/database.ts';
import { Mapping, SyncOptions, type SyncSettings } from '../../config.ts';
import { equalMovesAt } from '../../plan/join-repo.ts';
import { chunked } from '../../statement-size.ts';
import { isQuantity, type StoreField } from '../../values/field.ts';
import { foldKey } from '../../values/sync-key.ts';
import type { Run } from '../run.ts';
import { saveReverted } from './reverted-repo.ts';

const Item = z.object({ item: z.string() });
const Told = z.object({
  item: z.string(),
  key: z.string(),
  side: z.enum(['store', 'sheet']),
  value: z.string().nullable(),
});

/** Applied changes of one batch, by `seq`. */
type Applied = { readonly batch: number; readonly seqs: readonly number[] };

/**
 * Takes applied changes into the baseline, in the transaction that marks them applied: into that of every configuration of
 * the same cells, since what one of them has written would look to another as if both sides had changed. Cleared rows are
 * deleted from it.
 */
export async function commitToBaseline(
  sql: Sql | Tx,
  run: Run,
  batch: number,
  seqs: readonly number[],
): Promise<void> {
  if (seqs.length === 0) return;
  const readers = await baselineReaders(sql, run);
  for (const some of chunked(seqs)) {
    const applied = { batch, seqs: some };
    for (const reader of readers)
      await (reader.isOwn ? updateOwn(sql, run, applied) : updateOther(sql, reader, run, applied));
    await deleteCleared(sql, readers, run, applied);
    await saveReverted(sql, run, readers, applied);
  }
}

/** Removes these quantities from the baseline: a person decides which side is right, instead of a sum that may be wrong. */
export async function forgetQuantities(
  sql: Sql | Tx,
  run: Run,
  batch: number,
  seqs: readonly number[],
): Promise<void> {
  for (const { id, field, position } of await quantityReaders(sql, run))
    await sql`
      update sync_base b set vals[${position}::int] = null
      from sync_changes c
      where b.config_id = ${id} and b.key = c.key and c.run_id = ${run.id} and c.field = ${field}
        and c.batch = ${batch} and c.seq = any(${[...seqs]}::int[])`;
}

/** Removes cells from the baseline, by the keys of their rows: a person decides which side is right. */
export async function forgetCells(
  sql: Sql | Tx,
  run: Run,
  cells: readonly { readonly key: string; readonly field: string }[],
): Promise<void> {
  const readers = await baselineReaders(sql, run);
  for (const [field, own] of Map.groupBy(cells, (cell) => cell.field))
    for (const { id, fields } of readers) {
      const position = fields.indexOf(field as StoreField) + 1;
      if (position === 0) continue;
      const keys = own.map(({ key }) => key);
      await sql`
        update sync_base b set vals[${position}::int] = null
        where b.config_id = ${id} and (b.key = any(${keys}::text[]) or b.key in (
          select h.key from sync_read_sheet h
          where h.run_id = ${run.id} and h.folded = any(${keys.map(foldKey)}::text[])))`;
    }
}

/** A quantity that was set for one variant counts for its siblings that share the item, where they were not set themselves. */
export async function shareQuantities(sql: Sql | Tx, run: Run): Promise<void> {
  for (const reader of await quantityReaders(sql, run)) await shareAmong(sql, reader, run);
}

/**
 * A field that was not changed gets the value that both sides were read to agree on, else it stays as it is; so does a
 * quantity that both sides have changed alike, which is not merged yet.
 */
async function updateOwn(sql: Sql | Tx, run: Run, { batch, seqs }: Applied): Promise<void> {
  const { id, config_id, settings } = run;
  const at = equalMovesAt(run);
  const fields = settings.mappings.map(({ store_field }) => store_field);
  const [first, last] = endsOf(seqs);
  await sql`
    with touched as (
      select key, max(variant_id) as variant_id, max(product_id) as product_id, max(item_id) as item_id,
        max(row_no) as row_no, jsonb_object_agg(field, coalesce(base_value, to_value)) as told
      from sync_changes
      where run_id = ${id} and batch = ${batch} and seq between ${first} and ${last} and seq = any(${[...seqs]}::int[])
        and key <> '' and field <> 'status' and kind <> 'clear' and variant_id is not null
      group by key)
    insert into sync_base (config_id, key, variant_id, product_id, item_id, row_no, vals)
    select ${config_id}, t.key, t.variant_id, coalesce(t.product_id, ''), coalesce(t.item_id, ''), t.row_no, array(
      select case when t.told ? f.field then t.told ->> f.field
        when st.key is not null and sh.key is not null and sh.faults[f.nth] is null
          and st.vals[f.nth] is not distinct from sh.vals[f.nth]
          and not (f.nth = any(coalesce(${at}::int[], '{}')) and sync_equal_move(st.vals, b.vals, f.nth))
          then st.vals[f.nth]
        else b.vals[f.nth] end
      from (
        select value as field, ordinality::int as nth
        from jsonb_array_elements_text(${sql.json(fields)}) with ordinality) f
      order by f.nth)
    from touched t
    left join sync_read_store st on st.run_id = ${id} and st.key = t.key and st.variant_id = t.variant_id
    left join sync_read_sheet sh on sh.run_id = ${id} and sh.row_no = t.row_no and sh.key = t.key
    left join sync_base b on b.config_id = ${config_id} and b.key = t.key
    on conflict (config_id, key) do update set variant_id = excluded.variant_id, vals = excluded.vals,
      product_id = excluded.product_id, item_id = excluded.item_id,
      row_no = coalesce(excluded.row_no, sync_base.row_no)`;
}

/** Only rows that it has, and fields that the run has changed: rows that never agreed have no baseline. */
async function updateOther(
  sql: Sql | Tx,
  { id, fields }: BaselineReader,
  run: Run,
  { batch, seqs }: Applied,
): Promise<void> {
  const [first, last] = endsOf(seqs);
  await sql`
    with touched as (
      select key, jsonb_object_agg(field, coalesce(base_value, to_value)) as told
      from sync_changes
      where run_id = ${run.id} and batch = ${batch} and seq between ${first} and ${last}
        and seq = any(${[...seqs]}::int[]) and key <> '' and field <> 'status' and kind <> 'clear'
        and variant_id is not null
      group by key)
    update sync_base b set vals = array(
      select case when t.told ? f.field then t.told ->> f.field else b.vals[f.nth] end
      from (
        select value as field, ordinality::int as nth
        from jsonb_array_elements_text(${sql.json(fields)}) with ordinality) f
      order by f.nth)
    from touched t
    where b.config_id = ${id} and b.key = t.key`;
}

async function deleteCleared(
  sql: Sql | Tx,
  readers: readonly BaselineReader[],
  { id }: Run,
  { batch, seqs }: Applied,
): Promise<void> {
  const [first, last] = endsOf(seqs);
  await sql`
    delete from sync_base b using sync_changes c
    where b.config_id = any(${readers.map((reader) => reader.id)}::text[]) and c.run_id = ${id} and c.kind = 'clear'
      and c.key = b.key and c.field <> 'status'
      and c.batch = ${batch} and c.seq between ${first} and ${last} and c.seq = any(${[...seqs]}::int[])`;
}

/** A quantity of a configuration, and its position in the baseline, from 1. */
type QuantityReader = { readonly id: string; readonly field: StoreField; readonly position: number };

async function quantityReaders(sql: Sql | Tx, run: Run): Promise<QuantityReader[]> {
  const readers = await baselineReaders(sql, run);
  return readers.flatMap(({ id, fields }) =>
    fields.flatMap((field, nth) => (field && isQuantity(field) ? [{ id, field, position: nth + 1 }] : [])),
  );
}

async function shareAmong(sql: Sql | Tx, reader: QuantityReader, { id }: Run): Promise<void> {
  const shared = await sql`
    select item_id as item from sync_base where config_id = ${reader.id} group by item_id having count(*) > 1`;
  const items = z.array(Item).parse(shared);
  for (const some of chunked(items)) {
    const chunk = some.map(({ item }) => item);
    const rows = await sql`
      select item_id as item, key, side, coalesce(base_value, to_value) as value from sync_changes
      where run_id = ${id} and field = ${reader.field} and state = 'applied' and item_id = any(${chunk}::text[])`;
    const told = z.array(Told).parse(rows);
    const toStore = told.filter(({ side }) => side === 'store').map(({ item, value }) => [item, value]);
    const own = told.map(({ key }) => key);
    const values = sql.json(Object.fromEntries(toStore));
    await sql`
      update sync_base set vals[${reader.position}::int] = ${values}::jsonb ->> item_id
      where config_id = ${reader.id} and ${values}::jsonb ? item_id and not key = any(${own}::text[])`;
  }
}

/** Without this range the database scans the whole batch for every chunk of it. */
function endsOf(seqs: readonly number[]): readonly [number, number] {
  return [Math.min(...seqs), Math.max(...seqs)];
}

/** A configuration whose baseline a run updates. */
type BaselineReader = {
  readonly id: string;
  /** The fields that the run updates, in the order of its own mappings; null: one that the run does not sync. */
  readonly fields: readonly (StoreField | null)[];
  /** The run's own, unchanged since the run started. */
  readonly isOwn: boolean;
};

const Found = z.object({
  id: z.string(),
  mappings: z.array(Mapping),
  options: SyncOptions,
  location_id: z.string().nullable(),
});
type Found = z.output<typeof Found>;

/**
 * The configurations of the store and the sheet of a run as they are now, unchanged until the transaction ends: each may
 * have been changed since the run started, also the run's own.
 */
async function baselineReaders(sql: Sql | Tx, run: Run): Promise<BaselineReader[]> {
  const rows = await sql`
    select c.id, c.mappings, c.options, coalesce(c.options ->> 'location_id', s.location_id) as location_id
    from sync_configs c join sync_stores s on s.id = c.store_id
    where c.account_id = ${run.account_id} and c.store_id = ${run.store_id} and c.sheet_id = ${run.sheet_id}
    order by c.seq for share of c`;
  return z
    .array(Found)
    .parse(rows)
    .filter((found) => isSameKey(found, run.settings))
    .map((found) => readerOf(found, run));
}

function readerOf(found: Found, { config_id, settings }: Run): BaselineReader {
  const fields = found.mappings.map((mapping) =>
    isShared(mapping, found, settings) ? mapping.store_field : null,
  );
  const told = settings.mappings.map(({ store_field }) => store_field);
  return {
    id: found.id,
    fields,
    isOwn: found.id === config_id && JSON.stringify(fields) === JSON.stringify(told),
  };
}

/** The same cells, and for quantities the same location. */
function isShared({ store_field, sheet_column }: Mapping, found: Found, settings: SyncSettings): boolean {
  if (columnOf(settings, store_field) !== headerOf(sheet_column)) return false;
  return store_field !== 'inventory_quantity' || isSamePlace(found, settings);
}

/** Rows have the same key, in the same column. */
function isSameKey(found: Found, settings: SyncSettings): boolean {
  const { key, key_column } = settings.options;
  if (key !== found.options.key || key_column !== found.options.key_column) return false;
  return columnOf(found, key) === columnOf(settings, key);
}

function columnOf({ mappings }: Pick<SyncSettings, 'mappings'>, field: string): string | undefined {
  const mapping = mappings.find(({ store_field }) => store_field === field);
  return mapping && headerOf(mapping.sheet_column);
}

function headerOf(column: string): string {
  return foldKey(column.trim());
}

/** The id of a location is its number, or a gid that ends with it. */
function isSamePlace({ location_id }: Found, { options }: SyncSettings): boolean {
  const numberOf = (id: string) => id.slice(id.lastIndexOf('/') + 1);
  if (options.location_id === undefined || location_id === null) return true;
  return numberOf(location_id) === numberOf(options.location_id);
}
