import { Fault } from '../../errors.ts';
import type { Sql } from '../../platform/database/database.ts';
import { currencyScale } from '../currency.ts';
import type { createNewRuns } from './new-runs.ts';
import { resolveChanges } from './resolve-changes.ts';
import type { Run } from './run.ts';
import { isFinished } from './run-status.ts';
import type { Runs } from './runs.ts';
import { createLogStore } from './store/log-store.ts';
import { createRevertStore } from './store/revert-store.ts';
import { createRunStore } from './store/run-store.ts';

type Parts = {
  readonly sql: Sql;
  readonly begin: ReturnType<typeof createNewRuns>;
  readonly get: Runs['get'];
};

const CONFLICTS_MOST = 1_000;

/** Runs that follow from one that has ended: taking it back, once more, or with what a person has chosen. */
export function createFollowingRuns({ sql, begin, get }: Parts): Pick<Runs, 'revert' | 'retry' | 'resolve'> {
  return {
    async revert(caller, runId) {
      const { config_id, store_id, sheet_id, settings, layout } = await finished(caller.accountId, runId);
      const of = { config_id, store_id, sheet_id, settings, layout } as const;
      return begin.follow(caller, { ...of, trigger: 'revert', revertsRun: runId }, async (tx, id) => {
        const planned = await createRevertStore(tx).plan(runId, id);
        if (planned === 0) throw new Fault('conflict.nothing_to_revert');
      });
    },

    async retry(caller, runId) {
      const { config_id, request } = await finished(caller.accountId, runId);
      const { initial } = request;
      return begin.create(caller, { config_id, request: { ...(initial && { initial }) } }, 'retry');
    },

    async resolve(caller, configId, resolutions) {
      const [first] = resolutions;
      if (!first) throw new Fault('not_found.sync_conflict', { key: '', field: '' });
      const [conflict] = await createLogStore(sql).conflicts(caller.accountId, configId, CONFLICTS_MOST);
      if (!conflict) throw new Fault('not_found.sync_conflict', { key: first.key, field: first.field });
      const run = await get(caller.accountId, conflict.run_id);
      const { config_id, store_id, sheet_id, settings, layout } = run;
      const { changes, chosen } = resolveChanges(
        await createLogStore(sql).held(run.id),
        resolutions,
        await writingOf(run),
      );
      const of = { config_id, store_id, sheet_id, settings, layout } as const;
      return begin.follow(caller, { ...of, trigger: 'manual', revertsRun: null }, async (tx, id) => {
        await createLogStore(tx).insert(id, caller.accountId, changes);
        await createLogStore(tx).resolved(run.id, chosen);
      });
    },
  };

  async function finished(accountId: string, runId: string): Promise<Run> {
    const run = await get(accountId, runId);
    if (!isFinished(run)) throw new Fault('conflict.sync_run_unfinished', { status: run.status });
    return run;
  }

  async function writingOf({ store_id, sheet_id }: Run) {
    const writing = await createRunStore(sql).writing(store_id, sheet_id);
    if (!writing) throw new Fault('not_found.sheet', { id: sheet_id });
    return { locale: writing.locale, scale: currencyScale(writing.currency) };
  }
}
