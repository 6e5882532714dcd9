import { z } from 'zod';
import type { Sql, Tx } from '../../platform/database/database.ts';

const Id = z.object({ id: z.string() });

/** The SQL of what configurations leave behind: bases, and runs with their changes. Inside a transaction give it `tx`. */
export function createRemainsStore(sql: Sql | Tx) {
  return {
    /** A run of one of these that writes, or is about to. */
    async activeRun(configIds: readonly string[]): Promise<string | undefined> {
      const [row] = await sql`
        select id from sync_runs
        where config_id = any(${[...configIds]}::text[]) and status in ('queued', 'planning', 'applying')
          and not dry_run
        order by seq limit 1`;
      return row && Id.parse(row).id;
    },

    /** Plans that wait for a person are of before: they can no longer be confirmed. */
    async expirePlans(configIds: readonly string[]): Promise<void> {
      await sql`
        update sync_runs set expires_at = least(expires_at, now())
        where config_id = any(${[...configIds]}::text[]) and status = 'awaiting_confirmation'`;
    },

    /** At most `limit` rows; how many there were. */
    async deleteBase(configIds: readonly string[], limit: number): Promise<number> {
      const rows = await sql`
        delete from sync_base where (config_id, key) in (
          select config_id, key from sync_base where config_id = any(${[...configIds]}::text[]) limit ${limit})`;
      return rows.count;
    },

    /** At most `limit` changes of the configurations' runs; how many there were. */
    async deleteChanges(configIds: readonly string[], limit: number): Promise<number> {
      const rows = await sql`
        delete from sync_changes where (run_id, seq) in (
          select c.run_id, c.seq from sync_changes c join sync_runs r on r.id = c.run_id
          where r.config_id = any(${[...configIds]}::text[]) limit ${limit})`;
      return rows.count;
    },

    /** At most `limit` rows that runs of the configurations have read, of each side; how many there were. */
    async deleteReads(configIds: readonly string[], limit: number): Promise<number> {
      const store = await sql`
        delete from sync_read_store where (run_id, seq) in (
          select d.run_id, d.seq from sync_read_store d join sync_runs r on r.id = d.run_id
          where r.config_id = any(${[...configIds]}::text[]) limit ${limit})`;
      const sheet = await sql`
        delete from sync_read_sheet where (run_id, row_no) in (
          select d.run_id, d.row_no from sync_read_sheet d join sync_runs r on r.id = d.run_id
          where r.config_id = any(${[...configIds]}::text[]) limit ${limit})`;
      return store.count + sheet.count;
    },

    /** Nothing more begins by itself. */
    async rest(configIds: readonly string[]): Promise<void> {
      await sql`
        update sync_configs set enabled = false, next_at = null where id = any(${[...configIds]}::text[])`;
    },

    async deleteConfigs(accountId: string, configIds: readonly string[]): Promise<void> {
      await sql`
        delete from sync_configs where account_id = ${accountId} and id = any(${[...configIds]}::text[])`;
    },
  };
}
