import type { Sql } from '../../platform/database.ts';
import type { Log } from '../../platform/log.ts';
import type { WorkQueue } from '../../platform/work/work-queue.ts';
import type { Planner } from '../plan/plan.ts';
import {
  createRunStore,
  deleteOldChanges,
  deletePreviews,
  deleteSomeChanges,
  expirePlans,
  listWithLeftReads,
} from './repositories/run-repository.ts';
import type { Run } from './run.ts';

type SweepDeps = {
  readonly sql: Sql;
  readonly queue: Pick<WorkQueue<Run>, 'restore'>;
  readonly planner: Pick<Planner, 'deleteReads'>;
  readonly log: Log;
  readonly now: () => Date;
};

const BATCH_SIZE = 100;
const CHANGES_BATCH_SIZE = 10_000;
const CHANGES_TTL_MS = 365 * 24 * 60 * 60_000;

/** Deletes expired plans, changes older than a year and what ended runs have read, and queues runs without a ticket. */
export async function sweepRuns({ sql, queue, planner, log, now }: SweepDeps): Promise<void> {
  await cancelExpired();
  const before = new Date(now().getTime() - CHANGES_TTL_MS);
  await untilNone(() => deleteOldChanges(sql, before, CHANGES_BATCH_SIZE));
  for (const id of await listWithLeftReads(sql)) await planner.deleteReads(id);
  await queueLost();

  async function cancelExpired(): Promise<void> {
    for (;;) {
      const ids = await expirePlans(sql, now(), BATCH_SIZE);
      for (const id of ids) {
        await planner.deleteReads(id);
        await untilNone(() => deleteSomeChanges(sql, id, CHANGES_BATCH_SIZE));
      }
      await deletePreviews(sql, ids);
      if (ids.length < BATCH_SIZE) return;
    }
  }

  async function queueLost(): Promise<void> {
    for (const { account_id: accountId, id, attempt } of await createRunStore(sql).waiting(BATCH_SIZE))
      if (await queue.restore({ accountId, id, from: attempt }))
        log.warn({ run: id }, 'a sync run without a ticket was queued again');
  }
}

async function untilNone(deleteSome: () => Promise<number>): Promise<void> {
  while ((await deleteSome()) > 0);
}
