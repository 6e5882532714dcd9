import { Fault } from '../../errors.ts';
import type { Database } from '../../platform/database/database.ts';
import { byName, byNumber, pageOf } from '../../platform/paging.ts';
import type { WorkLimits } from '../../platform/work/limits.ts';
import { createWorkQueue } from '../../platform/work/work-queue.ts';
import type { ExecuteParts } from './execute/execute-run.ts';
import { previewRun } from './execute/preview-run.ts';
import { createRunWork } from './execute/run-work.ts';
import { skipUnapplied } from './execute/skip-unapplied.ts';
import { createFollowingRuns } from './following-runs.ts';
import { createNewRuns, type SettingsOf } from './new-runs.ts';
import type { Run } from './run.ts';
import { isFinished, isSettled } from './run-status.ts';
import type { Runs } from './runs.ts';
import { createLogStore } from './store/log-store.ts';
import { createRunStore } from './store/run-store.ts';
import { sweepRuns } from './sweep-runs.ts';

type RunsParts = Omit<ExecuteParts, 'sql' | 'now'> & {
  readonly database: Pick<Database, 'sql' | 'engine'>;
  /** @throws Fault not_found.sync_config, and what else forbids a run */
  readonly settingsOf: SettingsOf;
  readonly now?: () => Date;
  readonly limits?: Partial<WorkLimits>;
};

/** Runs of one process at once: they wait for others most of their time. */
const CONCURRENCY = 4;
/** A store's own bulk jobs have a day at most. */
const LIMITS = { runMs: 6 * 60 * 60_000, progressMs: 500 };
const POLL_MS = 1_000;
const CONFLICTS_MOST = 1_000;

/** The runs: kept in the database, executed at least once by any process, each write of theirs counting once. */
export function createRuns({
  database,
  settingsOf,
  now = () => new Date(),
  limits,
  ...given
}: RunsParts): Runs {
  const { sql } = database;
  const { log, planner } = given;
  const parts = { ...given, sql, now };
  const runs = createRunStore(sql);
  const logged = createLogStore(sql);
  const queue = createWorkQueue({
    database,
    storeOf: createRunStore,
    name: 'sync',
    words: { noun: 'run', queue: 'the queue of sync runs' },
    log,
    limits: { ...LIMITS, ...limits },
  });
  const begin = createNewRuns({ sql, queue, settingsOf, now });
  const following = createFollowingRuns({ sql, begin, get });

  return {
    get,
    create: (caller, order) => begin.create(caller, order, order.trigger ?? 'manual'),
    revert: following.revert,
    retry: following.retry,
    resolve: following.resolve,
    conflicts: (accountId, { config_id }) => logged.conflicts(accountId, config_id ?? null, CONFLICTS_MOST),

    async preview(caller, order, work) {
      const run = await begin.preview(caller, order);
      await previewRun(parts, run, work);
      return get(caller.accountId, run.id);
    },

    async confirm(accountId, planId) {
      const run = await runs.find(accountId, planId);
      if (!run) throw new Fault('not_found.sync_plan', { id: planId });
      if (run.status !== 'awaiting_confirmation')
        throw new Fault('conflict.plan_used', { status: run.status });
      if (!run.expires_at || run.expires_at <= now()) throw new Fault('conflict.plan_expired');
      if (await runs.isOvertaken(run)) throw new Fault('conflict.plan_overtaken');
      const confirmed = await begin.confirm(run);
      if (!confirmed)
        throw new Fault('conflict.plan_used', { status: (await get(accountId, planId)).status });
      return confirmed;
    },

    async wait(accountId, id, signal, ms) {
      const until = performance.now() + ms;
      const watch = queue.watch(id, signal);
      try {
        for (;;) {
          const run = await get(accountId, id);
          const left = until - performance.now();
          if (isSettled(run) || signal.aborted || left <= 0) return run;
          await watch.next(Math.min(POLL_MS, left));
        }
      } finally {
        watch.close();
      }
    },

    async list(accountId, { config_id, status, ...request }) {
      const { before, limit } = byNumber(request);
      const filter = { configId: config_id ?? null, status: status ?? null, before, limit: limit + 1 };
      const found = await runs.list(accountId, filter);
      return pageOf(
        found,
        limit,
        ({ seq }) => seq,
        (run) => run,
      );
    },

    async rows(accountId, runId, { state, ...request }) {
      await get(accountId, runId);
      const { limit } = request;
      const after = Number(byName(request).after || 0);
      if (!Number.isSafeInteger(after) || after > LAST) throw new Fault('validation_failed.cursor');
      const filter = { state: state ?? null, after, limit: limit + 1 };
      const found = await logged.rows({ accountId, runId }, filter);
      return pageOf(
        found,
        limit,
        ({ seq }) => seq,
        (row) => row,
      );
    },

    async cancel(accountId, id) {
      const canceled = await runs.cancel(accountId, id);
      if (!canceled) {
        const run = await get(accountId, id);
        if (!isFinished(run) || run.status === 'canceled') return run;
        throw new Fault('conflict.sync_run_finished', { status: run.status });
      }
      if (!isFinished(canceled)) return canceled;
      await skipUnapplied(sql, id);
      await planner.forget(id);
      return canceled;
    },

    start: () => queue.start({ concurrency: CONCURRENCY, ...createRunWork(parts) }),
    onNotify: queue.heard,
    onReconnect: queue.heardAgain,
    sweep: () => sweepRuns({ sql, queue, planner, log, now }),
    isReady: queue.isOpen,
    close: queue.close,
  };

  async function get(accountId: string, id: string): Promise<Run> {
    const run = await runs.find(accountId, id);
    if (!run) throw new Fault('not_found.sync_run', { id });
    return run;
  }
}

const LAST = 2_147_483_647;
