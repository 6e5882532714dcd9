import { z } from 'zod';
import type { Sql } from '../../platform/database/database.ts';

const Doubtful = z.object({ doubtful: z.boolean() });
const KeylessVariants = z.object({ count: z.number(), variants: z.array(z.string()) });
const Row = z.object({ row: z.number() });
const BlockedRow = z.object({ row: z.number(), key: z.string(), in_sheet: z.number(), in_store: z.number() });
const BlockedVariants = z.object({
  count: z.number(),
  keys: z.array(z.object({ key: z.string(), count: z.number() })),
});

/** The SQL by which rows find their variants. A row's `key` is its variant's once they have. */
export function createMatchStore(sql: Sql) {
  return {
    /** Whether any key is there more than once on a side, or spelled otherwise on the other. */
    async hasDoubtful(runId: string): Promise<boolean> {
      const [row] = await sql`
        select exists (
          select from (
            select folded, key collate "C" as key, 1 as s, 0 as h from sync_read_store
            where run_id = ${runId} and key is not null
            union all
            select folded, key collate "C", 0, 1 from sync_read_sheet where run_id = ${runId} and key is not null
          ) both_sides
          group by folded having sum(s) > 1 or sum(h) > 1 or min(key) <> max(key)) as doubtful`;
      return Doubtful.parse(row).doubtful;
    },

    /**
     * Gives rows the spelling of the store where one row and one variant differ in nothing but case. `position` is the
     * mapping of the key, from 1, where its cell is to count as the same, too; else null.
     */
    async respell(runId: string, position: number | null): Promise<void> {
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
    },

    /**
     * Blocks keys that are there more than once on a side; and those that differ in case only, where it cannot be told
     * which row is which variant.
     */
    async block(runId: string): Promise<void> {
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
    },

    async keylessVariants(runId: string, limit: number): Promise<z.output<typeof KeylessVariants>> {
      const [row] = await sql`
        select count(*)::int as count,
          to_jsonb(coalesce((array_agg(variant_id order by seq))[:${limit}::int], '{}')) as variants
        from sync_read_store where run_id = ${runId} and key is null`;
      return KeylessVariants.parse(row);
    },

    async keylessRows(runId: string, limit: number): Promise<number[]> {
      const rows = await sql`
        select row_no as row from sync_read_sheet where run_id = ${runId} and key is null
        order by row_no limit ${limit}`;
      return z
        .array(Row)
        .parse(rows)
        .map(({ row }) => row);
    },

    /** The first blocked rows, with how many of each side are meant by their keys. */
    async blockedRows(runId: string, limit: number): Promise<z.output<typeof BlockedRow>[]> {
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
    },

    /** Blocked variants that no row names: the first keys, and how many there are. */
    async blockedVariants(runId: string, limit: number): Promise<z.output<typeof BlockedVariants>> {
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
    },
  };
}

export type MatchStore = ReturnType<typeof createMatchStore>;
