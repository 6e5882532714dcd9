import { z } from 'zod';
import type { Sql, Tx } from '../../platform/database/database.ts';
import type { Run } from '../runs/run.ts';
import { READ_ROWS } from '../statement-size.ts';
import { fieldsOf, isQuantity } from '../values/field.ts';

export type Window = { readonly after: number; readonly to: number };

/** Splits a range of numbers into windows, so that each statement stays well within the statement timeout. */
export function* windows(after: number, to: number, size: number): Generator<Window> {
  for (let start = after; start < to; start += size) yield { after: start, to: Math.min(start + size, to) };
}

const Values = z.array(z.string().nullable());

const Reverted = z.object({
  field: z.string(),
  store: z.string().nullable(),
  sheet: z.string().nullable(),
  run: z.string(),
});

const JoinedRow = z.object({
  row: z.number(),
  key: z.string(),
  sheet: Values,
  faults: Values.nullable(),
  variant_id: z.string().nullable(),
  product_id: z.string().nullable(),
  item_id: z.string().nullable(),
  store: Values.nullable(),
  /** The unit of its weight and the weight, such as `GRAMS 250`; null: it has none. */
  weighing: z.string().nullable(),
  untracked: z.boolean().nullable(),
  base: Values.nullable(),
  /** What the undo of a run left, by field; `row`: that it was appended or cleared. */
  reverted: z.array(Reverted).nullable(),
});

/** A row of the sheet with its variant and its baseline; without a variant its columns are null. */
export type JoinedRow = z.output<typeof JoinedRow>;

const RowCounts = z.object({
  rows: z.number(),
  keyless: z.number(),
  blocked: z.number(),
  matched: z.number(),
  equal: z.number(),
});
export type RowCounts = z.output<typeof RowCounts>;

const KeyOfRow = z.object({ row: z.number(), key: z.string() });
const Known = z.object({ known: z.number(), missing: z.number(), last: z.string().nullable() });

/**
 * The mappings, from 1, whose cells may have changed alike on both sides and are then not the same (`isEqualMove` in
 * decide.ts); null: none.
 */
export function equalMovesAt({
  settings: { direction, mappings, options },
}: Pick<Run, 'settings'>): number[] | null {
  if (direction !== 'two_way' || !options.quantity_merge) return null;
  const at = mappings.flatMap(({ store_field }, nth) => (isQuantity(store_field) ? [nth + 1] : []));
  return at.length > 0 ? at : null;
}

export async function countRows(sql: Sql | Tx, run: Run, { after, to }: Window): Promise<RowCounts> {
  const at = equalMovesAt(run);
  const [row] = await sql`
    select count(*)::int as rows, (count(*) filter (where h.key is null))::int as keyless,
      (count(*) filter (where h.blocked))::int as blocked, count(s.key)::int as matched,
      (count(*) filter (where s.vals = h.vals and not exists (
        select from unnest(${at}::int[]) cell where sync_equal_move(s.vals, b.vals, cell))))::int as equal
    from sync_read_sheet h
    left join sync_read_store s on s.run_id = ${run.id} and s.key = h.key and not s.blocked and not h.blocked
    left join sync_base b on ${at}::int[] is not null and b.config_id = ${run.config_id} and b.key = h.key
    where h.run_id = ${run.id} and h.row_no > ${after} and h.row_no <= ${to}`;
  return RowCounts.parse(row);
}

/** The next rows that differ from their variants; with those that have none, and with some in any case. */
export async function listDiffering(
  sql: Sql | Tx,
  run: Run,
  { after, to }: Window,
  more: { readonly limit: number; readonly stale: boolean; readonly rows: readonly number[] },
): Promise<JoinedRow[]> {
  const at = equalMovesAt(run);
  const redo = run.request.redo ?? null;
  const fields = run.settings.mappings.map(({ store_field }) => store_field);
  const rows = await sql`
    select h.row_no as row, h.key, to_jsonb(h.vals) as sheet, to_jsonb(h.faults) as faults, s.variant_id,
      s.product_id, s.item_id, to_jsonb(s.vals) as store, s.unit as weighing, s.untracked, to_jsonb(b.vals) as base, (
        select jsonb_agg(
          jsonb_build_object('field', r.field, 'store', r.store_value, 'sheet', r.sheet_value, 'run', r.run_id)
          order by r.key = h.key desc)
        from sync_reverted r
        where r.config_id = ${run.config_id} and r.run_id is distinct from ${redo} and (r.key = h.key
          or (r.product_id = s.product_id and r.field = any(${fieldsOf('product', fields)}::text[]))
          or (r.item_id = s.item_id and r.field = any(${[...fieldsOf('item', fields), ...fieldsOf('quantity', fields)]}::text[])))
        ) as reverted
    from sync_read_sheet h
    left join sync_read_store s on s.run_id = ${run.id} and s.key = h.key and not s.blocked
    left join sync_base b on b.config_id = ${run.config_id} and b.key = h.key
    where h.run_id = ${run.id} and h.row_no > ${after} and h.row_no <= ${to}
      and h.key is not null and not h.blocked
      and (s.vals <> h.vals
        or exists (select from unnest(${at}::int[]) cell where sync_equal_move(s.vals, b.vals, cell))
        or (s.key is null and ${more.stale}::boolean)
        or (s.key is not null and h.row_no = any(${[...more.rows]}::int[])))
    order by h.row_no limit ${more.limit}`;
  return z.array(JoinedRow).parse(rows);
}

/** The first rows whose item is not in the store; `known`: of those only the ones with a baseline. */
export async function listUnknownRows(
  sql: Sql | Tx,
  { id: runId, config_id }: Run,
  { known, limit }: { readonly known: boolean; readonly limit: number },
): Promise<z.output<typeof KeyOfRow>[]> {
  const rows = await sql`
    select h.row_no as row, h.key from sync_read_sheet h
    where h.run_id = ${runId} and h.key is not null and not h.blocked
      and not exists (select from sync_read_store s where s.run_id = ${runId} and s.key = h.key)
      and (not ${known}::boolean or exists (
        select from sync_base b where b.config_id = ${config_id} and b.key = h.key))
    order by h.row_no limit ${limit}`;
  return z.array(KeyOfRow).parse(rows);
}

/** Counts the next rows of the baseline after a key, and those of them that the sheet no longer has; returns the last key. */
export async function countKnown(sql: Sql | Tx, run: Run, after: string): Promise<z.output<typeof Known>> {
  const [row] = await sql`
    select count(*)::int as known, max(key) as last,
      (count(*) filter (where not exists (
        select from sync_read_sheet h where h.run_id = ${run.id} and h.key = b.key)))::int as missing
    from (
      select key from sync_base where config_id = ${run.config_id} and key > ${after} order by key limit ${READ_ROWS}
    ) b`;
  return Known.parse(row);
}

export async function countBaseline(sql: Sql | Tx, configId: string): Promise<number> {
  const [row] = await sql`select count(*)::int as known from sync_base where config_id = ${configId}`;
  return Known.pick({ known: true }).parse(row).known;
}

type SharedCell = {
  /** The mapping, from 1. */
  readonly position: number;
  /** The configuration by whose baseline rows that have not changed do not count; null: all rows count. */
  readonly baseOf: string | null;
};

/** Of these products or inventory items, those whose rows say different things in a cell. */
export async function listDivided(
  sql: Sql | Tx,
  runId: string,
  by: 'product' | 'item',
  { position, baseOf }: SharedCell,
  ids: readonly string[],
): Promise<string[]> {
  const rows = await sql`
    select case ${by} when 'product' then s.product_id else s.item_id end as id
    from sync_read_store s join sync_read_sheet h on h.run_id = ${runId} and h.key = s.key
    left join sync_base b on b.config_id = ${baseOf} and b.key = s.key
    where s.run_id = ${runId} and not s.blocked
      and case ${by} when 'product' then s.product_id else s.item_id end = any(${[...ids]}::text[])
      and h.vals[${position}::int] is not null and h.faults[${position}::int] is null
      and h.vals[${position}::int] is distinct from b.vals[${position}::int]
    group by 1
    having min(h.vals[${position}::int] collate "C") <> max(h.vals[${position}::int] collate "C")`;
  return z
    .array(Id)
    .parse(rows)
    .map(({ id }) => id);
}

const Id = z.object({ id: z.string() });
