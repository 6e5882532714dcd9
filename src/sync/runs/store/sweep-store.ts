import { z } from 'zod';
import type { Sql } from '../../../platform/database/database.ts';

const Id = z.object({ id: z.string() });

/** The SQL that forgets old runs, of all accounts, some at a time. */
export function createSweepStore(sql: Sql) {
  return {
    /** Ends runs whose plan nobody confirmed in time; answers which, with the previews of that time. */
    async expire(now: Date, limit: number): Promise<string[]> {
      const rows = await sql`
        with old as (
          select id from sync_runs
          where (status = 'awaiting_confirmation' and expires_at < ${now})
            or (dry_run and created_at < ${now}::timestamptz - interval '1 hour' and status <> 'awaiting_confirmation')
          order by seq limit ${limit})
        update sync_runs r set status = case when r.finished_at is null then 'canceled' else r.status end,
          finished_at = coalesce(r.finished_at, now())
        from old where r.id = old.id
        returning r.id`;
      return idsOf(rows);
    },

    /** At most `limit` changes of a preview, or of a run that was not confirmed; how many there were. */
    async deleteChanges(runId: string, limit: number): Promise<number> {
      const rows = await sql`
        delete from sync_changes where run_id = ${runId} and seq in (
          select seq from sync_changes where run_id = ${runId} order by seq limit ${limit})`;
      return rows.count;
    },

    /** Previews that have ended. */
    async deletePreviews(ids: readonly string[]): Promise<void> {
      await sql`
        delete from sync_runs
        where dry_run and id in (select jsonb_array_elements_text(${sql.json([...ids])}))`;
    },

    /** At most `limit` changes of runs that ended before; how many there were. */
    async deleteOldChanges(before: Date, limit: number): Promise<number> {
      const rows = await sql`
        delete from sync_changes c using (
          select o.run_id, o.seq from sync_runs r join sync_changes o on o.run_id = r.id
          where r.finished_at < ${before} limit ${limit}) old
        where c.run_id = old.run_id and c.seq = old.seq`;
      return rows.count;
    },

    /** Runs that have ended, or are no more, whose reads are still there. */
    async read(): Promise<string[]> {
      const rows = await sql`
        select distinct d.run_id as id from (
          select run_id from sync_read_store union select run_id from sync_read_sheet) d
        left join sync_runs r on r.id = d.run_id
        where r.id is null or r.finished_at < now() - interval '1 hour'`;
      return idsOf(rows);
    },
  };
}

function idsOf(rows: readonly unknown[]): string[] {
  return z
    .array(Id)
    .parse(rows)
    .map(({ id }) => id);
}
