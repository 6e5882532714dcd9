import { z } from 'zod';
import type { Sql, Tx } from '../../../platform/database.ts';
import type { Run } from '../run.ts';

const Id = z.object({ id: z.string() });
const Batch = z.object({ batch: z.number() });

/** Ended runs of this store and sheet with in-doubt writes: sent, without a response. The oldest first. */
export async function listInDoubt(sql: Sql | Tx, { account_id, store_id, sheet_id }: Run): Promise<string[]> {
  const rows = await sql`
    select id from sync_runs
    where account_id = ${account_id} and store_id = ${store_id} and sheet_id = ${sheet_id}
      and finished_at is not null and counts ? 'sent'
    order by seq`;
  return z
    .array(Id)
    .parse(rows)
    .map(({ id }) => id);
}

export async function sentBatches(sql: Sql | Tx, runId: string): Promise<number[]> {
  const rows = await sql`
    select distinct batch from sync_changes where run_id = ${runId} and state = 'sent' order by batch`;
  return z
    .array(Batch)
    .parse(rows)
    .map(({ batch }) => batch);
}

/** Closes the in-doubt writes of a run: later runs no longer check them. */
export async function closeInDoubt(sql: Sql | Tx, runId: string): Promise<void> {
  await sql`
    update sync_changes set state = 'skipped', code = case side when 'store' then 'store_changed' else 'sheet_changed' end
    where run_id = ${runId} and state = 'sent'`;
  await sql`update sync_runs set counts = counts - 'sent' where id = ${runId}`;
}
