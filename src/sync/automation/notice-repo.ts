import { z } from 'zod';
import type { Sql } from '../../platform/database/database.ts';
import type { Run } from '../runs/run.ts';

const Sides = z.object({ account: z.string(), store: z.string(), sheet: z.string() });
/** The names of an account, and of a store and a sheet of it. */
export type NamedSides = z.output<typeof Sides>;

/** Marks both sides of a successful run as connected, unless a later check found otherwise. */
export async function markWorking(sql: Sql, run: Run): Promise<void> {
  await sql`
    with store as (
      update sync_stores set status = 'connected', updated_at = now()
      where account_id = ${run.account_id} and id = ${run.store_id} and status <> 'connected'
        and updated_at <= ${run.started_at}::timestamptz
    ), sheet as (
      update sync_sheets set status = 'connected', updated_at = now()
      where account_id = ${run.account_id} and id = ${run.sheet_id} and status <> 'connected'
        and updated_at <= ${run.started_at}::timestamptz
    )
    update sync_configs set notice = null
    where account_id = ${run.account_id} and id = ${run.config_id} and notice is not null`;
}

/**
 * Records that the configuration's automatic runs are held, or fail; false where that was known, or where a
 * side is not connected, which is reported for the side. Sends webhooks the event of a held run.
 */
export async function recordRun(sql: Sql, run: Run, state: 'held' | 'failed'): Promise<boolean> {
  const rows = await sql`
    with changed as (
      update sync_configs c set notice = ${state}
      where c.account_id = ${run.account_id} and c.id = ${run.config_id} and c.notice is distinct from ${state}
        and exists (select from sync_stores s where s.id = c.store_id and s.status = 'connected')
        and exists (select from sync_sheets s where s.id = c.sheet_id and s.status = 'connected')
      returning c.id)
    select case when r.status = 'awaiting_confirmation' then sync_run_finished(r) end
    from changed join sync_runs r on r.config_id = changed.id
    where r.account_id = ${run.account_id} and r.id = ${run.id}`;
  return rows.length === 1;
}

/** Records that the automatic runs of a store or a sheet have stopped; false where there are none, or it was known. */
export async function recordPaused(sql: Sql, accountId: string, connectionId: string): Promise<boolean> {
  const rows = await sql`
    update sync_configs set notice = 'paused'
    where account_id = ${accountId} and (store_id = ${connectionId} or sheet_id = ${connectionId}) and enabled
      and (every_minutes is not null or realtime) and notice is distinct from 'paused'
    returning id`;
  return rows.length > 0;
}

/** Undefined where one of them was deleted. */
export async function namesOf(
  sql: Sql,
  accountId: string,
  { store_id, sheet_id }: Pick<Run, 'store_id' | 'sheet_id'>,
): Promise<NamedSides | undefined> {
  const [row] = await sql`
    select a.name as account, s.domain as store, h.name as sheet
    from accounts a join sync_stores s on s.account_id = a.id join sync_sheets h on h.account_id = a.id
    where a.id = ${accountId} and s.id = ${store_id} and h.id = ${sheet_id}`;
  return row && Sides.parse(row);
}

const Connection = z.object({ account: z.string(), connection: z.string() });

/** The same of a store or a sheet. */
export async function nameOfConnection(
  sql: Sql,
  accountId: string,
  connectionId: string,
): Promise<z.output<typeof Connection> | undefined> {
  const [row] = await sql`
    select a.name as account, coalesce(s.domain, h.name) as connection
    from accounts a
    left join sync_stores s on s.account_id = a.id and s.id = ${connectionId}
    left join sync_sheets h on h.account_id = a.id and h.id = ${connectionId}
    where a.id = ${accountId} and (s.id is not null or h.id is not null)`;
  return row && Connection.parse(row);
}
