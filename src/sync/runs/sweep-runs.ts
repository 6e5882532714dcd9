import type { Sql } from '../../platform/database.ts';
import type { Planner } from '../plan/planner.ts';
import { createSweepStore } from './store/sweep-store.ts';

type SweepDeps = {
  readonly sql: Sql;
  readonly planner: Pick<Planner, 'forget'>;
  readonly now: () => Date;
};

const RUNS_PER_BATCH = 100;
const CHANGES_PER_BATCH = 10_000;
const CHANGES_TTL_MS = 365 * 24 * 60 * 60_000;

/** Removes expired plans, changes older than a year and what finished runs have read. */
export async function sweepRuns({ sql, planner, now }: SweepDeps): Promise<void> {
  const store = createSweepStore(sql);
  await expirePlans();
  const before = new Date(now().getTime() - CHANGES_TTL_MS);
  await emptied(() => store.deleteOldChanges(before, CHANGES_PER_BATCH));
  for (const id of await store.read()) await planner.forget(id);

  async function expirePlans(): Promise<void> {
    for (;;) {
      const ids = await store.expire(now(), RUNS_PER_BATCH);
      for (const id of ids) {
        await planner.forget(id);
        await emptied(() => store.deleteChanges(id, CHANGES_PER_BATCH));
      }
      await store.deletePreviews(ids);
      if (ids.length < RUNS_PER_BATCH) return;
    }
  }
}

async function emptied(deleteSome: () => Promise<number>): Promise<void> {
  while ((await deleteSome()) > 0);
}
