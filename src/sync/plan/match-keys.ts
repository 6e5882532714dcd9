import { z } from 'zod';
import type { Sql, Tx } from '../../platform/database/database.ts';
import type { SyncError } from '../change.ts';
import type { Run } from '../runs/run.ts';
import { chunked } from '../statement-size.ts';
import { type Window, windows } from './join-repo.ts';
import type { Notes } from './notes.ts';

/**
 * Finds the variant of each row by its key: spelled the same, else the only one that differs in nothing but case. Rows
 * and variants that are ambiguous, differ in leading zeros, or have no key, are excluded from the plan. Returns how many
 * variants cannot be written to the sheet for that reason; the rows are counted with the others.
 */
export async function matchKeys(sql: Sql, run: Run, found: KeyOverview, notes: Notes): Promise<number> {
  const { id, direction, settings } = run;
  const { key } = settings.options;
  if (found.ambiguous) {
    await alignSpelling(sql, id, direction === 'store_to_sheet' ? null : keyPosition(run));
    await blockAmbiguous(sql, id);
    for (const row of await blockedRows(sql, id, notes.remaining())) notes.add([rowNote(row, key)]);
  }
  const rows = found.keyless_rows ? await keylessRows(sql, id, notes.remaining()) : [];
  notes.add(rows.map((row) => ({ key: 'missing_key_in_row', params: { key }, row, field: 'key' })));
  // Variants that are not in the sheet are no concern of what is written to the store.
  const skipped = direction === 'sheet_to_store' ? 0 : await noteVariants(sql, run, found, notes);
  if (found.zeros) notes.add((await holdLostZeros(sql, id, found)).map(zerosNote));
  return skipped;
}

/** The mapping of the key, from 1: its cell can only differ in case from what the store has, and the store is right. */
function keyPosition({ settings: { mappings, options } }: Run): number | null {
  const at = mappings.findIndex(({ store_field }) => store_field === options.key);
  return at < 0 ? null : at + 1;
}

function rowNote({ row, key: sku, in_sheet, in_store }: BlockedRow, key: string): SyncError {
  if (in_sheet > 1)
    return { key: 'duplicate_in_sheet', params: { key, count: in_sheet }, row, sku, field: 'key' };
  return { key: 'duplicate_in_store', params: { key, count: in_store }, row, sku, field: 'key' };
}

function zerosNote({ row, sheet, store }: LostZeros): SyncError {
  return { key: 'leading_zeros', params: { sheet, store }, row, sku: store, field: 'key' };
}

async function noteVariants(sql: Sql, run: Run, found: KeyOverview, notes: Notes): Promise<number> {
  const { id, settings } = run;
  const { key } = settings.options;
  const blocked = found.ambiguous
    ? await blockedVariants(sql, id, notes.remaining())
    : { keys: [], count: 0 };
  notes.add(
    blocked.keys.map(({ key: sku, count }) => ({
      key: 'duplicate_in_store',
      params: { key, count },
      sku,
      field: 'key',
    })),
  );
  const keyless = found.keyless_variants > 0 ? await keylessVariants(sql, run, notes.remaining()) : [];
  notes.add(
    keyless.map(({ title: product, link }) => ({
      key: 'missing_key',
      params: { key, product, link },
      field: 'key',
    })),
  );
  return blocked.count + found.keyless_variants;
}

const KeyOverview = z.object({
  /** Some key is there more than once on a side, or spelled differently on the other. */
  ambiguous: z.boolean(),
  /** Some row has no key. */
  keyless_rows: z.boolean(),
  /** How many variants have no key. */
  keyless_variants: z.number(),
  /** Some key is a number with leading zeros. */
  zeros: z.boolean(),
  /** Some variants share an inventory item, and so their stock. */
  shared_items: z.boolean(),
  /** The last row and the last variant that were read. */
  last_row: z.number(),
  last_variant: z.number(),
});
type KeyOverview = z.output<typeof KeyOverview>;

const KeylessVariant = z.object({ title: z.string(), link: z.string() });
const Row = z.object({ row: z.number() });
const BlockedRow = z.object({ row: z.number(), key: z.string(), in_sheet: z.number(), in_store: z.number() });
type BlockedRow = z.output<typeof BlockedRow>;
/** Rows whose keys one statement looks up on the other side. It may have to read that side as a whole. */
const NUMBERS = 10_000;

const KeyOfRow = z.object({ row: z.number(), key: z.string() });
const KeyOfVariant = KeyOfRow.pick({ key: true });
type LostZeros = { readonly row: number; readonly sheet: string; readonly store: string };
const BlockedVariants = z.object({
  count: z.number(),
  keys: z.array(z.object({ key: z.string(), count: z.number() })),
});

export async function findKeyOverview(sql: Sql | Tx, runId: string): Promise<KeyOverview> {
  const [row] = await sql`
    select exists (
      select from (
        select folded, key collate "C" as key, 1 as s, 0 as h from sync_read_store
        where run_id = ${runId} and key is not null
        union all
        select folded, key collate "C", 0, 1 from sync_read_sheet where run_id = ${runId} and key is not null
      ) both_sides
      group by folded having sum(s) > 1 or sum(h) > 1 or min(key) <> max(key)) as ambiguous,
      exists (select from sync_read_sheet where run_id = ${runId} and key is null) as keyless_rows,
      (select count(*)::int from sync_read_store where run_id = ${runId} and key is null) as keyless_variants,
      exists (select from sync_read_store where run_id = ${runId} and key ~ '^0[0-9]')
        or exists (select from sync_read_sheet where run_id = ${runId} and key ~ '^0[0-9]') as zeros,
      exists (select from sync_read_store where run_id = ${runId} group by item_id having count(*) > 1)
        as shared_items,
      coalesce((select max(row_no) from sync_read_sheet where run_id = ${runId}), 0)::int as last_row,
      coalesce((select max(seq) from sync_read_store where run_id = ${runId}), 0)::int as last_variant`;
  return KeyOverview.parse(row);
}

/**
 * Gives rows the spelling of the store where one row and one variant differ in nothing but case. `position` is the
 * mapping of the key, from 1, where its cell is to count as the same, too; else null.
 */
async function alignSpelling(sql: Sql | Tx, runId: string, position: number | null): Promise<void> {
  await sql`
    update sync_read_sheet h
    set key = twin.key, vals = array(
      select case when nth = ${position}::int then twin.key else value end
      from unnest(h.vals) with ordinality as cell (value, nth) order by nth)
    from (
      select max(row_no) as row_no, max(key) filter (where row_no is null) as key
      from (
        select folded, key collate "C" as key, null::int as row_no from sync_read_store
        where run_id = ${runId} and key is not null
        union all
        select folded, key collate "C", row_no from sync_read_sheet where run_id = ${runId} and key is not null
      ) both_sides
      group by folded having count(*) = 2 and count(row_no) = 1 and min(key) <> max(key)
    ) twin
    where h.run_id = ${runId} and h.row_no = twin.row_no`;
}

/**
 * Blocks keys that are there more than once on a side; and those that differ in case only, where it cannot be told
 * which row is which variant.
 */
async function blockAmbiguous(sql: Sql | Tx, runId: string): Promise<void> {
  await sql`
    with judged as materialized (
      select key, s, h, bool_or(h = 0) over same and bool_or(s = 0) over same as is_crossed
      from (
        select folded, key collate "C" as key, sum(s) as s, sum(h) as h
        from (
          select folded, key, 1 as s, 0 as h from sync_read_store where run_id = ${runId} and key is not null
          union all
          select folded, key, 0, 1 from sync_read_sheet where run_id = ${runId} and key is not null
        ) both_sides
        group by folded, key collate "C"
      ) spelling
      window same as (partition by folded)
    ), unclear as materialized (
      select key from judged where s > 1 or h > 1 or (is_crossed and (s = 0 or h = 0))
    ), in_store as (
      update sync_read_store set blocked = true from unclear
      where sync_read_store.run_id = ${runId} and sync_read_store.key = unclear.key
    )
    update sync_read_sheet set blocked = true from unclear
    where sync_read_sheet.run_id = ${runId} and sync_read_sheet.key = unclear.key`;
}

/**
 * Blocks rows whose keys differ from those of variants in nothing but leading zeros, which a spreadsheet drops, with these
 * variants. The rows get the variants' spelling, so that what both sides had agreed on is kept.
 */
async function holdLostZeros(
  sql: Sql | Tx,
  runId: string,
  { last_row: lastRow, last_variant: lastVariant }: KeyOverview,
): Promise<LostZeros[]> {
  const rows: z.output<typeof KeyOfRow>[] = [];
  for (const window of windows(0, lastRow, NUMBERS)) rows.push(...(await unknownNumbers(sql, runId, window)));
  if (rows.length === 0) return [];
  const asked = new Set(rows.map(({ key }) => withoutZeros(key)));
  const missing: string[] = [];
  for (const window of windows(-1, lastVariant, NUMBERS))
    for (const key of await missingNumbers(sql, runId, window))
      if (asked.has(withoutZeros(key))) missing.push(key);
  for (const keys of chunked(missing))
    await sql`
      update sync_read_store set blocked = true where run_id = ${runId} and key = any(${keys}::text[])`;
  // Of several, the first is kept: it is set last.
  const twins = new Map(missing.toSorted((a, b) => (a < b ? 1 : -1)).map((key) => [withoutZeros(key), key]));
  const lost = rows.flatMap(({ row, key: sheet }) => {
    const store = twins.get(withoutZeros(sheet));
    return store === undefined ? [] : [{ row, sheet, store }];
  });
  for (const some of chunked(lost)) {
    const spelled = sql.json(Object.fromEntries(some.map(({ row, store }) => [row, store])));
    await sql`
      update sync_read_sheet set key = ${spelled}::jsonb ->> row_no::text, blocked = true
      where run_id = ${runId} and row_no = any(${some.map(({ row }) => row)}::int[])`;
  }
  return lost;
}

function withoutZeros(key: string): string {
  return key.replace(/^0+/, '');
}

/** Rows in their order whose keys are numbers that the store does not have. */
async function unknownNumbers(
  sql: Sql | Tx,
  runId: string,
  { after, to }: Window,
): Promise<z.output<typeof KeyOfRow>[]> {
  const rows = await sql`
    select row_no as row, key from sync_read_sheet h
    where run_id = ${runId} and row_no > ${after} and row_no <= ${to} and key ~ '^[0-9]+$' and not blocked
      and not exists (select from sync_read_store s where s.run_id = ${runId} and s.key = h.key)
    order by row_no`;
  return z.array(KeyOfRow).parse(rows);
}

/** Keys of variants that are numbers which the sheet does not have. */
async function missingNumbers(sql: Sql | Tx, runId: string, { after, to }: Window): Promise<string[]> {
  const rows = await sql`
    select key from sync_read_store s
    where run_id = ${runId} and seq > ${after} and seq <= ${to} and key ~ '^[0-9]+$' and not blocked
      and not exists (select from sync_read_sheet h where h.run_id = ${runId} and h.key = s.key)`;
  return z
    .array(KeyOfVariant)
    .parse(rows)
    .map(({ key }) => key);
}

/** The first variants without a key: the titles of their products, and their addresses in the store's admin. */
async function keylessVariants(
  sql: Sql | Tx,
  { id, account_id, store_id }: Run,
  limit: number,
): Promise<z.output<typeof KeylessVariant>[]> {
  const rows = await sql`
    select v.title, 'https://' || s.domain || '/admin/products/' || substring(v.product_id from '[^/]*$')
      || '/variants/' || substring(v.variant_id from '[^/]*$') as link
    from sync_read_store v join sync_stores s on s.account_id = ${account_id} and s.id = ${store_id}
    where v.run_id = ${id} and v.key is null order by v.seq limit ${limit}`;
  return z.array(KeylessVariant).parse(rows);
}

async function keylessRows(sql: Sql | Tx, runId: string, limit: number): Promise<number[]> {
  const rows = await sql`
    select row_no as row from sync_read_sheet where run_id = ${runId} and key is null
    order by row_no limit ${limit}`;
  return z
    .array(Row)
    .parse(rows)
    .map(({ row }) => row);
}

/** The first blocked rows, with how many of each side are meant by their keys. */
async function blockedRows(
  sql: Sql | Tx,
  runId: string,
  limit: number,
): Promise<z.output<typeof BlockedRow>[]> {
  const rows = await sql`
    select row, key, in_sheet, in_store
    from (
      select row_no as row, key, count(row_no) over same::int as in_sheet,
        (count(*) over same - count(row_no) over same)::int as in_store
      from (
        select folded, key, row_no from sync_read_sheet where run_id = ${runId} and blocked
        union all
        select folded, key, null from sync_read_store where run_id = ${runId} and blocked
      ) both_sides
      window same as (partition by folded)
    ) counted
    where row is not null order by row limit ${limit}`;
  return z.array(BlockedRow).parse(rows);
}

/** Blocked variants that no row names: the first keys, and how many there are. */
async function blockedVariants(
  sql: Sql | Tx,
  runId: string,
  limit: number,
): Promise<z.output<typeof BlockedVariants>> {
  const [row] = await sql`
    select coalesce(sum(count), 0)::int as count,
      coalesce(jsonb_agg(jsonb_build_object('key', key, 'count', count) order by first)
        filter (where nth <= ${limit}::int), '[]') as keys
    from (
      select min(key) as key, count(*)::int as count, min(seq) as first,
        row_number() over (order by min(seq)) as nth
      from (
        select folded, key, seq from sync_read_store where run_id = ${runId} and blocked
        union all
        select folded, null, null from sync_read_sheet where run_id = ${runId} and blocked
      ) both_sides
      group by folded having count(*) = count(seq)
    ) unnamed`;
  return BlockedVariants.parse(row);
}
