import { z } from 'zod';
import type { Sql, Tx } from '../../../platform/database/database.ts';
import type { Change, SyncError } from '../../change.ts';

// Written by ourselves from a Change; the states, sides and kinds are checked by the table.
const Row = z.custom<Change>((value) => typeof value === 'object' && value !== null);
const Batch = z.object({ batch: z.number() });
const Counted = z.object({ changed: z.number(), failed: z.number(), sent: z.number() });
const RowNumber = z.object({ row: z.number() });
const Note = z.custom<SyncError>((value) => typeof value === 'object' && value !== null);

/** The SQL of what a run has still to do, and of what became of it. Everything here names a run that the caller holds. */
export function createChangeStore(sql: Sql | Tx) {
  return {
    /** The first batch from this one on that is not done. */
    async nextBatch(runId: string, from: number): Promise<number | undefined> {
      const [row] = await sql`
        select batch from sync_changes
        where run_id = ${runId} and batch >= ${Math.max(from, 1)} and state in ('planned', 'sent')
        order by batch limit 1`;
      return row && Batch.parse(row).batch;
    },

    async lastBatch(runId: string): Promise<number> {
      const [row] = await sql`
        select coalesce(max(batch), 0)::int as batch from sync_changes where run_id = ${runId}`;
      return Batch.parse(row).batch;
    },

    /** Whether what the run has read is still there. */
    async hasReads(runId: string): Promise<boolean> {
      const [row] = await sql`
        select 1 as found where exists (select from sync_read_store where run_id = ${runId})
          or exists (select from sync_read_sheet where run_id = ${runId})`;
      return row !== undefined;
    },

    /** What of the batch is not done, in its order. */
    async unfinished(runId: string, batch: number): Promise<Change[]> {
      const rows = await sql`
        select seq, key, row_no as row, variant_id as "variantId", product_id as "productId", item_id as "itemId",
          field, side, kind, from_value as "from", to_value as "to", base_value as base, batch, state, code, params
        from sync_changes where run_id = ${runId} and batch = ${batch} and state in ('planned', 'sent') order by seq`;
      return z.array(Row).parse(rows);
    },

    /** The last row that the run writes to, or 0. */
    async lastRow(runId: string): Promise<number> {
      const [row] = await sql`
        select coalesce(max(row_no), 0)::int as "row" from sync_changes where run_id = ${runId} and side = 'sheet'`;
      return RowNumber.parse(row).row;
    },

    /** Gives up what of the batch was not begun. */
    async skipPlanned(runId: string, batch: number): Promise<void> {
      await sql`
        update sync_changes set state = 'skipped'
        where run_id = ${runId} and batch = ${batch} and state = 'planned'`;
    },

    /** The first batch from this one on that has changes nobody has begun. */
    async nextPlanned(runId: string, from: number): Promise<number | undefined> {
      const [row] = await sql`
        select batch from sync_changes
        where run_id = ${runId} and batch >= ${from} and state = 'planned' order by batch limit 1`;
      return row && Batch.parse(row).batch;
    },

    /** In rows: those that were changed and nothing of them failed, and those of which something did. */
    async count(runId: string): Promise<z.output<typeof Counted>> {
      const [row] = await sql`
        select count(*) filter (where applied > 0 and failed = 0)::int as changed,
          count(*) filter (where failed > 0)::int as failed, coalesce(sum(sent), 0)::int as sent
        from (
          select count(*) filter (where state = 'applied') as applied, count(*) filter (where state = 'sent') as sent,
            count(*) filter (where state = 'failed' or (state = 'skipped' and code is not null)) as failed
          from sync_changes where run_id = ${runId} and key <> '' and field <> 'status' group by key) each_row`;
      return Counted.parse(row);
    },

    /** What did not arrive, and why: once for each field of an item. */
    async notes(runId: string, limit: number): Promise<SyncError[]> {
      const rows = await sql`
        select n.note from (
          select distinct on (key, field) seq, jsonb_strip_nulls(jsonb_build_object('key', code, 'params', params,
            'row', row_no, 'sku', nullif(key, ''), 'field', nullif(field, 'status'))) as note
          from sync_changes
          where run_id = ${runId} and state in ('failed', 'skipped') and code is not null
          order by key, field, seq) n
        order by n.seq limit ${limit}`;
      return z
        .array(z.object({ note: Note }))
        .parse(rows)
        .map(({ note }) => note);
    },

    /** Rows of items that the store does not have; undefined where nothing was read. */
    async staleRows(runId: string): Promise<ReadonlySet<number> | undefined> {
      const rows = await sql`
        select (array_agg(h.row_no) filter (where s.key is null))::text as rows
        from sync_read_sheet h left join sync_read_store s on s.run_id = h.run_id and s.key = h.key
        where h.run_id = ${runId} having count(*) > 0`;
      const [row] = z.array(z.object({ rows: z.string().nullable() })).parse(rows);
      return row && new Set(row.rows?.match(/\d+/g)?.map(Number));
    },
  };
}
