import type { Locale } from '../../language.ts';
import type { Page, PageRequest } from '../../platform/paging.ts';
import type { Change, ChangeState, SyncNoteKey } from '../change.ts';
import type { PlanWork } from '../plan/plan.ts';
import type { Canonical, StoreField } from '../values/field.ts';
import type { Run, RunRequest, RunStatus } from './run.ts';

/** Who starts a run, and the language in which it writes into the sheet. */
export type RunCaller = { readonly accountId: string; readonly actor: string; readonly locale: Locale };

export type NewRun = {
  readonly config_id: string;
  /** `manual` by default. */
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
  /** The reason: `conflict` or `negative_quantity`. */
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

/**
 * The runs of an account. A fault of the store or the sheet is never thrown: the run ends with it in its `errors`, the
 * run-level one first.
 */
export type Runs = {
  /**
   * Queues a run, which any process executes. `wait` for it.
   * @throws Fault not_found.sync_config, sync_running.sheet, unavailable.queue, and those of `settingsOf`
   */
  create(caller: RunCaller, order: NewRun): Promise<Run>;
  /**
   * Plans immediately and changes nothing: a run `awaiting_confirmation`, whose id is the plan's id, or `failed`.
   * @throws Fault not_found.sync_config, and those of `settingsOf`
   */
  preview(caller: RunCaller, order: NewRun, work: PlanWork): Promise<Run>;
  /**
   * Applies the plan of a preview, or of a run that its safety limits hold. Returns the run, queued.
   * @throws Fault not_found.sync_plan, conflict.plan_used, conflict.plan_expired, conflict.plan_overtaken, sync_running.sheet,
   * unavailable.queue
   */
  confirm(accountId: string, planId: string): Promise<Run>;
  /**
   * Returns the run when it has ended or waits for a person, else after `ms` or when the signal aborts.
   * @throws Fault not_found.sync_run
   */
  wait(accountId: string, id: string, signal: AbortSignal, ms: number): Promise<Run>;
  /** @throws Fault not_found.sync_run */
  get(accountId: string, id: string): Promise<Run>;
  /** Newest first, without previews. @throws Fault validation_failed.cursor */
  list(accountId: string, filter: RunFilter): Promise<Page<Run>>;
  /** In the order they are applied. @throws Fault not_found.sync_run, validation_failed.cursor */
  rows(accountId: string, runId: string, filter: RowFilter): Promise<Page<RunRow>>;
  /**
   * A run that undoes what the run has applied, except for values that have changed since.
   * @throws Fault not_found.sync_run, conflict.sync_run_unfinished, conflict.nothing_to_revert, sync_running.sheet
   */
  revert(caller: RunCaller, runId: string): Promise<Run>;
  /** A new run of the same configuration. @throws Fault not_found.sync_run, conflict.sync_run_unfinished, sync_running.sheet */
  retry(caller: RunCaller, runId: string): Promise<Run>;
  /**
   * Cancels a waiting run immediately, a running one after its current batch; canceling twice is canceling once.
   * @throws Fault not_found.sync_run, conflict.sync_run_finished
   */
  cancel(accountId: string, id: string): Promise<Run>;
  /** Open conflicts of the newest plan of each configuration, or of one; at most 1,000. */
  conflicts(accountId: string, filter: { readonly config_id?: string | undefined }): Promise<Conflict[]>;
  /**
   * A run that writes the chosen values to both sides; other conflicts stay open.
   * @throws Fault not_found.sync_conflict, validation_failed.sync_value, sync_running.sheet
   */
  resolve(caller: RunCaller, configId: string, resolutions: readonly Resolution[]): Promise<Run>;
  /** Takes runs in this process until `close`. */
  start(): Promise<void>;
  /** A notice on the channel `sync_runs`. */
  heard(notice: string): void;
  /** Notices may have been missed. */
  heardAgain(): void;
  /** Hourly: forgets what has expired, and queues again what the queue has lost. */
  sweep(): Promise<void>;
  /** True once runs can be taken in. */
  isReady(): boolean;
  close(): Promise<void>;
};
