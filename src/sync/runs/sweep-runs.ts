import type { Sql } from '../../platform/database/database.ts';
import type { Log } from '../../platform/log.ts';
import type { WorkQueue } from '../../platform/work/work-queue.ts';
import type { Planner } from '../plan/planner.ts';
import type { Run } from './run.ts';
import { createRunStore } from './store/run-store.ts';
import { createSweepStore } from './store/sweep-store.ts';

type Parts = {
  readonly sql: Sql;
  readonly queue: Pick<WorkQueue<Run>, 'restore'>;
  readonly planner: Pick<Planner, 'forget'>;
  readonly log: Log;
  readonly now: () => Date;
};

const AT_ONCE = 100;
const CHANGES_AT_ONCE = 10_000;
const KEPT_MS = 365 * 24 * 60 * 60_000;

/** Forgets plans nobody confirmed, changes of a year ago and what ended runs have read, and finds runs without a ticket. */
export async function sweepRuns({ sql, queue, planner, log, now }: Parts): Promise<void> {
  const store = createSweepStore(sql);
  await expirePlans();
  const before = new Date(now().getTime() - KEPT_MS);
  await emptied(() => store.deleteOldChanges(before, CHANGES_AT_ONCE));
  for (const id of await store.read()) await planner.forget(id);
  await queueLost();

  async function expirePlans(): Promise<void> {
    for (;;) {
      const ids = await store.expire(now(), AT_ONCE);
      for (const id of ids) {
        await planner.forget(id);
        await emptied(() => store.deleteChanges(id, CHANGES_AT_ONCE));
      }
      await store.deletePreviews(ids);
      if (ids.length < AT_ONCE) return;
    }
  }

  async function queueLost(): Promise<void> {
    for (const { account_id: accountId, id, attempt } of await createRunStore(sql).waiting(AT_ONCE))
      if (await queue.restore({ accountId, id, from: attempt }))
        log.warn({ run: id }, 'a sync run without a ticket was queued again');
  }
}

async function emptied(deleteSome: () => Promise<number>): Promise<void> {
  while ((await deleteSome()) > 0);
}
