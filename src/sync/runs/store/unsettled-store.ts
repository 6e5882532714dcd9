import { z } from 'zod';
import type { Sql } from '../../../platform/database/database.ts';
import type { Run } from '../run.ts';

const Id = z.object({ id: z.string() });
const Batch = z.object({ batch: z.number() });

/** The SQL of writes whose answer was lost and whose run has ended. */
export function createUnsettledStore(sql: Sql) {
  return {
    /** Ended runs of this store and sheet that have sent what nobody knows to have arrived; the oldest first. */
    async unsettled({ account_id, store_id, sheet_id }: Run): Promise<string[]> {
      const rows = await sql`
        select id from sync_runs
        where account_id = ${account_id} and store_id = ${store_id} and sheet_id = ${sheet_id}
          and finished_at is not null and counts ? 'sent'
        order by seq`;
      return z
        .array(Id)
        .parse(rows)
        .map(({ id }) => id);
    },

    async sentBatches(runId: string): Promise<number[]> {
      const rows = await sql`
        select distinct batch from sync_changes where run_id = ${runId} and state = 'sent' order by batch`;
      return z
        .array(Batch)
        .parse(rows)
        .map(({ batch }) => batch);
    },

    /** From now on nobody asks what became of them. */
    async closeSent(runId: string): Promise<void> {
      await sql`
        update sync_changes set state = 'skipped', code = case side when 'store' then 'store_changed' else 'sheet_changed' end
        where run_id = ${runId} and state = 'sent'`;
      await sql`update sync_runs set counts = counts - 'sent' where id = ${runId}`;
    },
  };
}
