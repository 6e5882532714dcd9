/**
 * What a server must not go on with once it is restored from a backup: stores and sheets have moved on since.
 * In: the transaction that has loaded the rows, with the schema up to date. Out: what was stopped, and who has access again.
 * Invariant: nothing writes to a store or a sheet until a person starts it, and no quantity is added up by what the backup
 * remembers of it.
 */
import type { Tx } from '../platform/database/database.ts';
import { newId } from '../platform/ids.ts';
import * as restoredRepo from './restored-repo.ts';

export type Settled = {
  /** Configurations that ran automatically. */
  readonly paused: readonly restoredRepo.PausedSync[];
  /** Sync runs that had not ended, without previews. */
  readonly canceled: number;
  /** What the backup lets in, also what was revoked since. */
  readonly access: restoredRepo.Access;
};

export async function settleRestored(tx: Tx): Promise<Settled> {
  await restoredRepo.forgetQuantities(tx);
  const paused = await restoredRepo.pauseSyncs(tx);
  const ended = await restoredRepo.cancelRuns(tx);
  const canceled = ended.filter(({ dry_run }) => !dry_run);
  await restoredRepo.recordEvents(tx, [
    ...paused.map((sync) => eventOf(sync, 'sync_config.paused')),
    ...canceled.map((run) => eventOf(run, 'sync_run.canceled')),
  ]);
  return { paused, canceled: canceled.length, access: await restoredRepo.countAccess(tx) };
}

function eventOf({ id, account_id }: { readonly id: string; readonly account_id: string }, action: string) {
  return { id: newId('evt'), account_id, action, target: id };
}
