import type { Sql } from '../../platform/database/database.ts';
import type { Planner } from '../plan/plan.ts';
import {
  deleteOldChanges,
  deletePreviews,
  deleteSomeChanges,
  expirePlans,
  listWithLeftReads,
} from './repositories/run-repo.ts';

type SweepDeps = {
  readonly sql: Sql;
  readonly planner: Pick<Planner, 'deleteReads'>;
  readonly now: () => Date;
};

const RUNS_PER_BATCH = 100;
const CHANGES_PER_BATCH = 10_000;
const CHANGES_TTL_MS = 365 * 24 * 60 * 60_000;

/** Deletes expired plans, changes older than a year and what finished runs have read. */
export async function sweepRuns({ sql, planner, now }: SweepDeps): Promise<void> {
  await cancelExpired();
  const before = new Date(now().getTime() - CHANGES_TTL_MS);
  await untilNone(() => deleteOldChanges(sql, before, CHANGES_PER_BATCH));
  for (const id of await listWithLeftReads(sql)) await planner.deleteReads(id);

  async function cancelExpired(): Promise<void> {
    for (;;) {
      const ids = await expirePlans(sql, now(), RUNS_PER_BATCH);
      for (const id of ids) {
        await planner.deleteReads(id);
        await untilNone(() => deleteSomeChanges(sql, id, CHANGES_PER_BATCH));
      }
      await deletePreviews(sql, ids);
      if (ids.length < RUNS_PER_BATCH) return;
    }
  }
}

async function untilNone(deleteSome: () => Promise<number>): Promise<void> {
  while ((await deleteSome()) > 0);
}
