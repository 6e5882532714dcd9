import { z } from 'zod';
import type { Sql } from '../../platform/database/database.ts';
import type { Run } from '../runs/run.ts';
import type { Window } from './windows.ts';

const Values = z.array(z.string().nullable());

const JoinedRow = z.object({
  row: z.number(),
  key: z.string(),
  sheet: Values,
  faults: Values.nullable(),
  variant_id: z.string().nullable(),
  product_id: z.string().nullable(),
  item_id: z.string().nullable(),
  store: Values.nullable(),
  unit: z.string().nullable(),
  base: Values.nullable(),
});

/** A row of the sheet beside its variant and what both were before; without one the variant's columns are null. */
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

/** Rows of the base that are looked up by one statement. */
const CHUNK = 20_000;

/** The SQL that lays both sides and the base beside each other. */
export function createJoinStore(sql: Sql) {
  return {
    async counts(runId: string, { after, to }: Window): Promise<RowCounts> {
      const [row] = await sql`
        select count(*)::int as rows, (count(*) filter (where h.key is null))::int as keyless,
          (count(*) filter (where h.blocked))::int as blocked, count(s.key)::int as matched,
          (count(*) filter (where s.vals = h.vals))::int as equal
        from sync_read_sheet h
        left join sync_read_store s on s.run_id = ${runId} and s.key = h.key and not s.blocked and not h.blocked
        where h.run_id = ${runId} and h.row_no > ${after} and h.row_no <= ${to}`;
      return RowCounts.parse(row);
    },

    /** The next rows that differ from their variants; with those that have none, and with some in any case. */
    async differing(
      run: Run,
      { after, to }: Window,
      more: { readonly limit: number; readonly stale: boolean; readonly rows: readonly number[] },
    ): Promise<JoinedRow[]> {
      const rows = await sql`
        select h.row_no as row, h.key, to_jsonb(h.vals) as sheet, to_jsonb(h.faults) as faults, s.variant_id,
          s.product_id, s.item_id, to_jsonb(s.vals) as store, s.unit, to_jsonb(b.vals) as base
        from sync_read_sheet h
        left join sync_read_store s on s.run_id = ${run.id} and s.key = h.key and not s.blocked
        left join sync_base b on b.config_id = ${run.config_id} and b.key = h.key
        where h.run_id = ${run.id} and h.row_no > ${after} and h.row_no <= ${to}
          and h.key is not null and not h.blocked
          and (s.vals <> h.vals or (s.key is null and ${more.stale}::boolean)
            or (s.key is not null and h.row_no = any(${[...more.rows]}::int[])))
        order by h.row_no limit ${more.limit}`;
      return z.array(JoinedRow).parse(rows);
    },

    /** The first rows of which the store has nothing. */
    async unknownRows(runId: string, limit: number): Promise<z.output<typeof KeyOfRow>[]> {
      const rows = await sql`
        select h.row_no as row, h.key from sync_read_sheet h
        where h.run_id = ${runId} and h.key is not null and not h.blocked
          and not exists (select from sync_read_store s where s.run_id = ${runId} and s.key = h.key)
        order by h.row_no limit ${limit}`;
      return z.array(KeyOfRow).parse(rows);
    },

    /** How many rows of the base come after a key, of some; how many of them the sheet no longer has, and the last. */
    async known(run: Run, after: string): Promise<z.output<typeof Known>> {
      const [row] = await sql`
        select count(*)::int as known, max(key) as last,
          (count(*) filter (where not exists (
            select from sync_read_sheet h where h.run_id = ${run.id} and h.key = b.key)))::int as missing
        from (
          select key from sync_base where config_id = ${run.config_id} and key > ${after} order by key limit ${CHUNK}
        ) b`;
      return Known.parse(row);
    },

    /** Whether variants share their stock. */
    async sharesItems(runId: string): Promise<boolean> {
      const [row] = await sql`
        select exists (
          select from sync_read_store where run_id = ${runId} group by item_id having count(*) > 1) as shared`;
      return z.object({ shared: z.boolean() }).parse(row).shared;
    },

    /** Of these products, those whose rows say different things in the cell of a mapping, which counts from 1. */
    async dividedProducts(runId: string, position: number, ids: readonly string[]): Promise<string[]> {
      const rows = await sql`
        select s.product_id as id
        from sync_read_store s join sync_read_sheet h on h.run_id = ${runId} and h.key = s.key
        where s.run_id = ${runId} and s.product_id = any(${[...ids]}::text[]) and not s.blocked
          and h.vals[${position}::int] is not null and h.faults[${position}::int] is null
        group by s.product_id
        having min(h.vals[${position}::int] collate "C") <> max(h.vals[${position}::int] collate "C")`;
      return z
        .array(Id)
        .parse(rows)
        .map(({ id }) => id);
    },

    async dividedItems(runId: string, position: number, ids: readonly string[]): Promise<string[]> {
      const rows = await sql`
        select s.item_id as id
        from sync_read_store s join sync_read_sheet h on h.run_id = ${runId} and h.key = s.key
        where s.run_id = ${runId} and s.item_id = any(${[...ids]}::text[]) and not s.blocked
          and h.vals[${position}::int] is not null and h.faults[${position}::int] is null
        group by s.item_id
        having min(h.vals[${position}::int] collate "C") <> max(h.vals[${position}::int] collate "C")`;
      return z
        .array(Id)
        .parse(rows)
        .map(({ id }) => id);
    },
  };
}

const Id = z.object({ id: z.string() });

export type JoinStore = ReturnType<typeof createJoinStore>;
