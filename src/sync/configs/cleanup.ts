import { z } from 'zod';
import { Fault } from '../../errors.ts';
import type { Sql, Tx } from '../../platform/database/database.ts';
import * as configRepository from './config-repo.ts';

/** Rows that one statement deletes, well within the statement timeout. */
const CHUNK = 10_000;

/**
 * Resets the baseline of configurations whose meaning changes, in the transaction that changes them.
 * @throws Fault sync_running.sheet: a run would go on to write the baseline of the old meaning.
 */
export async function resetBaselines(tx: Tx, configIds: readonly string[]): Promise<void> {
  if (configIds.length === 0) return;
  await requireIdle(tx, configIds);
  await expirePlans(tx, configIds);
  await untilNone(() => deleteBaseline(tx, configIds, CHUNK));
}

/**
 * Deletes configurations with their runs and baselines, which takes more than one statement. If it is interrupted, the
 * configurations stay paused, and can be deleted again.
 * @throws Fault sync_running.sheet
 */
export async function purgeConfigs(sql: Sql, accountId: string, configIds: readonly string[]): Promise<void> {
  if (configIds.length === 0) return;
  await requireIdle(sql, configIds);
  await pauseConfigs(sql, configIds);
  await expirePlans(sql, configIds);
  await untilNone(() => deleteReads(sql, configIds, CHUNK));
  await untilNone(() => deleteChanges(sql, configIds, CHUNK));
  await untilNone(() => deleteBaseline(sql, configIds, CHUNK));
  await deleteConfigs(sql, accountId, configIds);
}

/**
 * Deletes the configurations of a store or a sheet that is being disconnected. Those that runs created need no `cascade`.
 * @throws Fault conflict.sync_in_use without `cascade`, sync_running.sheet
 */
export async function purgeUses(
  sql: Sql,
  accountId: string,
  connectionId: string,
  { cascade }: { readonly cascade: boolean },
): Promise<void> {
  const configs = await configRepository.listUsing(sql, accountId, connectionId);
  const listed = configs.filter(({ implicit }) => !implicit).map(({ id }) => id);
  if (listed.length > 0 && !cascade) throw new Fault('conflict.sync_in_use', { configs: listed.join(', ') });
  const ids = configs.map(({ id }) => id);
  await purgeConfigs(sql, accountId, ids);
}

async function requireIdle(sql: Sql | Tx, configIds: readonly string[]): Promise<void> {
  const run = await activeRun(sql, configIds);
  if (run !== undefined) throw new Fault('sync_running.sheet', { run });
}

async function untilNone(deleteSome: () => Promise<number>): Promise<void> {
  while ((await deleteSome()) > 0);
}

const Id = z.object({ id: z.string() });

/** A run of one of these configurations that is queued or in progress. */
async function activeRun(sql: Sql | Tx, configIds: readonly string[]): Promise<string | undefined> {
  const [row] = await sql`
    select id from sync_runs
    where config_id = any(${[...configIds]}::text[]) and status in ('queued', 'planning', 'applying')
      and not dry_run
    order by seq limit 1`;
  return row && Id.parse(row).id;
}

/** Plans that wait for a confirmation are outdated: they can no longer be confirmed. */
async function expirePlans(sql: Sql | Tx, configIds: readonly string[]): Promise<void> {
  await sql`
    update sync_runs set expires_at = least(expires_at, now())
    where config_id = any(${[...configIds]}::text[]) and status = 'awaiting_confirmation'`;
}

/** Deletes at most `limit` rows; returns how many. */
async function deleteBaseline(sql: Sql | Tx, configIds: readonly string[], limit: number): Promise<number> {
  const rows = await sql`
    delete from sync_base where (config_id, key) in (
      select config_id, key from sync_base where config_id = any(${[...configIds]}::text[]) limit ${limit})`;
  return rows.count;
}

/** Deletes at most `limit` changes of the configurations' runs; returns how many. */
async function deleteChanges(sql: Sql | Tx, configIds: readonly string[], limit: number): Promise<number> {
  const rows = await sql`
    delete from sync_changes where (run_id, seq) in (
      select c.run_id, c.seq from sync_changes c join sync_runs r on r.id = c.run_id
      where r.config_id = any(${[...configIds]}::text[]) limit ${limit})`;
  return rows.count;
}

/** Deletes at most `limit` rows of each side that runs of the configurations have read; returns how many. */
async function deleteReads(sql: Sql | Tx, configIds: readonly string[], limit: number): Promise<number> {
  const store = await sql`
    delete from sync_read_store where (run_id, seq) in (
      select d.run_id, d.seq from sync_read_store d join sync_runs r on r.id = d.run_id
      where r.config_id = any(${[...configIds]}::text[]) limit ${limit})`;
  const sheet = await sql`
    delete from sync_read_sheet where (run_id, row_no) in (
      select d.run_id, d.row_no from sync_read_sheet d join sync_runs r on r.id = d.run_id
      where r.config_id = any(${[...configIds]}::text[]) limit ${limit})`;
  return store.count + sheet.count;
}

/** No more automatic runs start. */
async function pauseConfigs(sql: Sql | Tx, configIds: readonly string[]): Promise<void> {
  await sql`
    update sync_configs set enabled = false, next_at = null where id = any(${[...configIds]}::text[])`;
}

async function deleteConfigs(sql: Sql | Tx, accountId: string, configIds: readonly string[]): Promise<void> {
  await sql`
    delete from sync_configs where account_id = ${accountId} and id = any(${[...configIds]}::text[])`;
}
