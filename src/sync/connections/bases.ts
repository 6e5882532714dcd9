import { Fault } from '../../errors.ts';
import type { Sql, Tx } from '../../platform/database/database.ts';
import { createConfigStore } from './config-store.ts';
import { createRemainsStore } from './remains-store.ts';

/** Rows one statement deletes: well under the time it has. */
const CHUNK = 10_000;

/**
 * Forgets how store and sheet stood when they were last the same, for configurations that from now on mean something
 * else. Within the transaction that changes them.
 * @throws Fault sync_running.sheet: a run would go on to write down what it was made by.
 */
export async function dropBases(tx: Tx, configIds: readonly string[]): Promise<void> {
  if (configIds.length === 0) return;
  const own = createRemainsStore(tx);
  await demandStill(own, configIds);
  await own.expirePlans(configIds);
  await emptied(() => own.deleteBase(configIds, CHUNK));
}

/**
 * Deletes configurations with all that hangs on them, which is more than one statement can delete in its time. Cut off
 * in between, they rest, and can be deleted again.
 * @throws Fault sync_running.sheet
 */
export async function purgeConfigs(sql: Sql, accountId: string, configIds: readonly string[]): Promise<void> {
  if (configIds.length === 0) return;
  const own = createRemainsStore(sql);
  await demandStill(own, configIds);
  await own.rest(configIds);
  await own.expirePlans(configIds);
  await emptied(() => own.deleteReads(configIds, CHUNK));
  await emptied(() => own.deleteChanges(configIds, CHUNK));
  await emptied(() => own.deleteBase(configIds, CHUNK));
  await own.deleteConfigs(accountId, configIds);
}

/**
 * Deletes the configurations of a store or a sheet that is about to go. Those that runs made go without a word.
 * @throws Fault conflict.sync_in_use without `cascade`, sync_running.sheet
 */
export async function purgeUses(
  sql: Sql,
  accountId: string,
  connectionId: string,
  { cascade }: { readonly cascade: boolean },
): Promise<void> {
  const configs = await createConfigStore(sql).using(accountId, connectionId);
  const listed = configs.filter(({ implicit }) => !implicit).map(({ id }) => id);
  if (listed.length > 0 && !cascade) throw new Fault('conflict.sync_in_use', { configs: listed.join(', ') });
  const ids = configs.map(({ id }) => id);
  await purgeConfigs(sql, accountId, ids);
}

async function demandStill(own: ReturnType<typeof createRemainsStore>, configIds: readonly string[]) {
  const run = await own.activeRun(configIds);
  if (run !== undefined) throw new Fault('sync_running.sheet', { run });
}

async function emptied(deleteSome: () => Promise<number>): Promise<void> {
  while ((await deleteSome()) > 0);
}
