import { Fault } from '../../errors.ts';
import type { Also, Tx } from '../../platform/database/database.ts';
import type { Metrics } from '../../platform/metrics/metrics.ts';
import { byName, byNumber, type Page, type PageRequest, pageOf } from '../../platform/paging.ts';
import type { Queue } from '../../platform/queue/queue.ts';
import type { Tracing } from '../../platform/tracing/tracing.ts';
import { createWorkQueue } from '../../platform/work/work.ts';
import type { WorkLimits } from '../../platform/work/worker.ts';
import type { Change, ChangeState, SyncNoteKey } from '../change.ts';
import type { PlanWork } from '../plan/plan.ts';
import type { Canonical, StoreField } from '../values/field.ts';
import type { ExecuteDeps } from './execute/execute.ts';
import { previewRun } from './execute/preview-run.ts';
import { createRunHandler } from './execute/run-handler.ts';
import { skipUnapplied } from './execute/skip-unapplied.ts';
import { createFollowUpRuns } from './follow-up-runs.ts';
import { listChanges, listConflicts } from './repositories/change-log-repo.ts';
import { accountsWithOld, createRunStore, deleteOldRuns } from './repositories/run-repo.ts';
import { isFinished, isSettled, type Run, type RunRequest, type RunStatus } from './run.ts';
import { createRunStarter, type SettingsOf } from './run-starter.ts';
import { sweepRuns } from './sweep-runs.ts';

export type RunCaller = { readonly accountId: string; readonly actor: string };

export type NewRun = {
  readonly config_id: string;
  /** Default: `manual`. */
  readonly trigger?: 'manual' | 'schedule' | 'webhook' | undefined;
  readonly request?: RunRequest | undefined;
};

/** One cell of a run: the plan, then the log. */
export type RunRow = Change;

/** A cell that both sides changed, waiting for a person. */
export type Conflict = {
  readonly config_id: string;
  readonly run_id: string;
  readonly key: string;
  readonly row: number | null;
  readonly field: StoreField;
  readonly store: Canonical;
  readonly sheet: Canonical;
  /** Why it is open: `conflict` or `negative_quantity`. */
  readonly code: SyncNoteKey;
  readonly found_at: Date;
};

export type Resolution = {
  readonly key: string;
  readonly field: StoreField;
  /** The side whose value both get, or another value, as a person writes it in the locale of the sheet. */
  readonly take: 'store' | 'sheet' | { readonly value: string | null };
};

type RunFilter = PageRequest & {
  readonly config_id?: string | undefined;
  readonly status?: RunStatus | undefined;
};

type RowFilter = PageRequest & { readonly state?: ChangeState | undefined };

/** The runs of an account. A fault of the store or the sheet is never thrown: it is in the run's `errors`, run-level ones first. */
export type Runs = {
  /**
   * Queues a run, which any process executes; see `wait`.
   * @throws Fault not_found.sync_config, sync_running.sheet, unavailable.queue, and those of `settingsOf`
   */
  create(caller: RunCaller, order: NewRun): Promise<Run>;
  /**
   * Plans in this process and changes nothing. The run is then `awaiting_confirmation`, and its ID the plan's, or `failed`.
   * @throws Fault not_found.sync_config, and those of `settingsOf`
   */
  preview(caller: RunCaller, order: NewRun, work: PlanWork): Promise<Run>;
  /**
   * Applies the plan of a preview, or of a run that its safety limits stopped. Returns the run, queued.
   * @throws Fault not_found.sync_plan, conflict.plan_used, conflict.plan_expired, conflict.plan_overtaken, sync_running.sheet,
   * unavailable.queue
   */
  confirm(accountId: string, planId: string): Promise<Run>;
  /**
   * Returns the run once it is settled, else as it is after `ms` or when the signal aborts. `known`: as it was read just now.
   * @throws Fault not_found.sync_run
   */
  wait(accountId: string, id: string, signal: AbortSignal, ms: number, known?: Run): Promise<Run>;
  /**
   * Yields the run if its revision is above `after`, then again with every change, until it has finished or the signal
   * aborts. Changes that come faster than they are read are merged.
   * @throws Fault not_found.sync_run
   */
  follow(accountId: string, id: string, after: number, signal: AbortSignal): AsyncIterable<Run>;
  /** @throws Fault not_found.sync_run */
  get(accountId: string, id: string): Promise<Run>;
  /** Newest first, without previews. @throws Fault validation_failed.cursor */
  list(accountId: string, filter: RunFilter): Promise<Page<Run>>;
  /** In the order they are applied. @throws Fault not_found.sync_run, validation_failed.cursor */
  rows(accountId: string, runId: string, filter: RowFilter): Promise<Page<RunRow>>;
  /**
   * Starts a run that undoes what the run applied, except for values that have changed since. What it leaves on the other
   * side is not synced again until it is changed there, or the run is retried.
   * @throws Fault not_found.sync_run, conflict.sync_run_unfinished, conflict.already_reverted, conflict.nothing_to_revert,
   * sync_running.sheet
   */
  revert(caller: RunCaller, runId: string): Promise<Run>;
  /**
   * A new run of the same configuration, which also syncs again what the undo of the run holds back.
   * @throws Fault not_found.sync_run, conflict.sync_run_unfinished, sync_running.sheet
   */
  retry(caller: RunCaller, runId: string, also?: Also): Promise<Run>;
  /** What `retry` orders, to preview it. @throws Fault not_found.sync_run, conflict.sync_run_unfinished */
  retryOf(accountId: string, runId: string): Promise<NewRun>;
  /**
   * Ends a waiting run immediately, a started one after its current batch. Idempotent.
   * @throws Fault not_found.sync_run, conflict.sync_run_finished
   */
  cancel(accountId: string, id: string, also?: Also): Promise<Run>;
  /** The same for every run of an account that has not finished. */
  cancelAll(accountId: string): Promise<void>;
  /** Open conflicts of the newest plan of each configuration, or of one; at most 1,000. */
  conflicts(accountId: string, filter: { readonly config_id?: string | undefined }): Promise<Conflict[]>;
  /**
   * Starts a run that writes the chosen values to both sides; conflicts without a resolution stay open.
   * @throws Fault not_found.sync_conflict, validation_failed.sync_value, sync_running.sheet
   */
  resolve(caller: RunCaller, configId: string, resolutions: readonly Resolution[]): Promise<Run>;
  /** Executes runs in this process until `close`. */
  start(): Promise<void>;
  /** A notice on the channel `sync_runs`. */
  onNotify(notice: string): void;
  /** Notices may have been missed. */
  onReconnect(): void;
  /** Hourly: removes what has expired. */
  sweep(): Promise<void>;
  /** Of these accounts, those that have runs from before. */
  accountsWithOld(accountIds: readonly string[], before: Date): Promise<string[]>;
  /** Deletes some of the account's oldest runs that ended before, with their changes; returns how many rows. */
  removeOld(accountId: string, before: Date, limit: number): Promise<number>;
  /** True once runs can be added. */
  isReady(): boolean;
  close(): Promise<void>;
};

type RunsDeps = Omit<ExecuteDeps, 'now'> & {
  /** For the statements of a run that is executed. Default: `sql`. */
  readonly background?: ExecuteDeps['sql'];
  /** Of the process; closed by the caller. */
  readonly queue: Queue;
  /** @throws Fault not_found.sync_config, and what else forbids a run */
  readonly settingsOf: SettingsOf;
  readonly now?: () => Date;
  readonly metrics?: Metrics;
  readonly tracing?: Tracing;
  readonly limits?: Partial<WorkLimits>;
};

/** Of a process: a run waits for the two sides most of its time. */
const CONCURRENT_RUNS = 4;
/** A store's own bulk jobs take a day at most. */
const LIMITS = { attemptTimeoutMs: 6 * 60 * 60_000, progressIntervalMs: 500 };
const POLL_MS = 1_000;
const MAX_CONFLICTS = 1_000;

/**
 * The sync runs of all accounts: stored, queued, executed at least once in any process, each of their writes counting once.
 * In: a configuration, a confirmed plan or a finished run (undo, retry, resolve). Out: a run in one of these states:
 *
 *   queued ──claimed──▶ planning ──plan made──▶ applying ──▶ succeeded | partial | failed
 *     ▲                    │  └──safety limit or undecided rows──▶ awaiting_confirmation ──expired──▶ canceled
 *     ├──confirmed─────────│────────────────────────────────────────────┘
 *     └──released by a process that stops── planning | applying
 *   A run that comes with its plan (undo, resolve, confirmed) is `applying` when it is claimed. A preview starts `planning` and is
 *   never queued. failed: also from planning, and from any state when its workers died. canceled: by the owner, from any
 *   unfinished state; one that has started ends at its next batch.
 *
 * Invariant: on one tab at most one run is queued, planning or applying (index `sync_runs_active`).
 */
export function createRuns({
  queue: processQueue,
  settingsOf,
  now = () => new Date(),
  metrics,
  tracing,
  limits,
  ...deps
}: RunsDeps): Runs {
  const { sql, log, planner } = deps;
  const executeDeps = { ...deps, sql: deps.background ?? sql, now };
  const runs = createRunStore(sql);
  const queue = createWorkQueue({
    sql,
    queue: processQueue,
    repo: {
      claim: (sql, fence) => createRunStore(sql).claim(fence),
      check: (sql, fence) => createRunStore(sql).beat(fence),
      advance: (sql, fence, progress) => createRunStore(sql).advance(fence, progress),
      release: (tx, fence) => createRunStore(tx).release(fence),
    },
    name: 'sync',
    noun: 'run',
    log,
    metrics,
    tracing,
    limits: { ...LIMITS, ...limits },
  });
  const starter = createRunStarter({ sql, queue, settingsOf, now });
  const followUps = createFollowUpRuns({ sql, starter, get });

  return {
    get,
    create: (caller, order) => starter.create(caller, order, order.trigger ?? 'manual'),
    revert: followUps.revert,
    retry: followUps.retry,
    retryOf: followUps.retryOf,
    resolve: followUps.resolve,
    conflicts: (accountId, { config_id }) => listConflicts(sql, accountId, config_id ?? null, MAX_CONFLICTS),

    async preview(caller, order, work) {
      const run = await starter.preview(caller, order);
      await previewRun(executeDeps, run, work);
      return get(caller.accountId, run.id);
    },

    async confirm(accountId, planId) {
      const run = await runs.find(accountId, planId);
      if (!run) throw new Fault('not_found.sync_plan', { id: planId });
      if (run.status !== 'awaiting_confirmation')
        throw new Fault('conflict.plan_used', { status: run.status });
      if (!run.expires_at || run.expires_at <= now()) throw new Fault('conflict.plan_expired');
      if (await runs.isOvertaken(run)) throw new Fault('conflict.plan_overtaken');
      const confirmed = await starter.confirm(run);
      if (!confirmed)
        throw new Fault('conflict.plan_used', { status: (await get(accountId, planId)).status });
      return confirmed;
    },

    async wait(accountId, id, signal, ms, known) {
      const until = performance.now() + ms;
      const watch = queue.watch(id, signal);
      try {
        for (let run = known; ; run = undefined) {
          run ??= await get(accountId, id);
          const left = until - performance.now();
          if (isSettled(run) || signal.aborted || left <= 0) return run;
          await watch.next(Math.min(POLL_MS, left));
        }
      } finally {
        watch.close();
      }
    },

    async *follow(accountId, id, after, signal) {
      const watch = queue.watch(id, signal);
      try {
        // Progress is not announced.
        for (let seen = after; !signal.aborted; await watch.next(POLL_MS)) {
          const run = await get(accountId, id);
          if (run.revision > seen) yield run;
          if (isFinished(run)) return;
          seen = run.revision;
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
      if (!Number.isSafeInteger(after) || after > MAX_SEQ) throw new Fault('validation_failed.cursor');
      const filter = { state: state ?? null, after, limit: limit + 1 };
      const found = await listChanges(sql, { accountId, runId }, filter);
      return pageOf(
        found,
        limit,
        ({ seq }) => seq,
        (row) => row,
      );
    },

    cancel,

    async cancelAll(accountId) {
      for (const id of await runs.unfinished(accountId)) await cancel(accountId, id);
    },

    start: () => queue.start({ concurrency: CONCURRENT_RUNS, ...createRunHandler(executeDeps) }),
    onNotify: queue.onNotify,
    onReconnect: queue.onReconnect,
    sweep: () => sweepRuns({ sql, planner, now }),
    accountsWithOld: (accountIds, before) => accountsWithOld(sql, accountIds, before),
    removeOld: (accountId, before, limit) => deleteOldRuns(sql, accountId, before, limit),
    isReady: queue.isOpen,
    close: queue.close,
  };

  async function cancel(accountId: string, id: string, also?: Also): Promise<Run> {
    const canceled = await (also ? sql.begin((tx) => cancelAlso(tx, also)) : runs.cancel(accountId, id));
    if (!canceled) {
      const run = await get(accountId, id);
      if (!isFinished(run) || run.status === 'canceled') return run;
      throw new Fault('conflict.sync_run_finished', { status: run.status });
    }
    if (!isFinished(canceled)) return canceled;
    await skipUnapplied(sql, id);
    await planner.deleteReads(id);
    return canceled;

    async function cancelAlso(tx: Tx, also: Also): Promise<Run | undefined> {
      const run = await createRunStore(tx).cancel(accountId, id);
      if (run) await also(tx, id);
      return run;
    }
  }

  async function get(accountId: string, id: string): Promise<Run> {
    const run = await runs.find(accountId, id);
    if (!run) throw new Fault('not_found.sync_run', { id });
    return run;
  }
}

/** The largest `seq` of a row. */
const MAX_SEQ = 2_147_483_647;
