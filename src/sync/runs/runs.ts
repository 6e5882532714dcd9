import type { Locale } from '../../language.ts';
import type { Page, PageRequest } from '../../platform/paging.ts';
import type { Change, ChangeState, SyncNoteKey } from '../change.ts';
import type { Canonical, StoreField } from '../field.ts';
import type { PlanWork } from '../plan/planner.ts';
import type { Run, RunRequest, RunStatus } from './run.ts';

/** Who asks for a run, and in whose language it writes into the sheet. */
export type RunCaller = { readonly accountId: string; readonly actor: string; readonly locale: Locale };

export type NewRun = {
  readonly config_id: string;
  /** `manual` unless said. */
  readonly trigger?: 'manual' | 'schedule' | 'webhook' | undefined;
  readonly request?: RunRequest | undefined;
};

/** One cell of a run: the plan, then the log. */
export type RunRow = Change;

/** What both sides changed, waiting for a person. */
export type Conflict = {
  readonly config_id: string;
  readonly run_id: string;
  readonly key: string;
  readonly row: number | null;
  readonly field: StoreField;
  readonly store: Canonical;
  readonly sheet: Canonical;
  /** Why it is held: `conflict` or `negative_quantity`. */
  readonly code: SyncNoteKey;
  readonly found_at: Date;
};

export type Resolution = {
  readonly key: string;
  readonly field: StoreField;
  /** Whose value both sides are to have, or another one, as a person writes it in the language of the sheet. */
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
   * Plans here and now, and changes nothing: a run `awaiting_confirmation`, whose id is the plan's id, or `failed`.
   * @throws Fault not_found.sync_config, and those of `settingsOf`
   */
  preview(caller: RunCaller, order: NewRun, work: PlanWork): Promise<Run>;
  /**
   * Has the plan applied: of a preview, or of a run that its brakes hold. Answers the run, queued.
   * @throws Fault not_found.sync_plan, conflict.plan_used, conflict.plan_expired, conflict.plan_overtaken, sync_running.sheet,
   * unavailable.queue
   */
  confirm(accountId: string, planId: string): Promise<Run>;
  /**
   * The run when it has ended or waits for a person, else as it is after `ms` or when the signal aborts.
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
   * A run that takes back what the run has applied, where nobody has changed it since.
   * @throws Fault not_found.sync_run, conflict.sync_run_unfinished, conflict.nothing_to_revert, sync_running.sheet
   */
  revert(caller: RunCaller, runId: string): Promise<Run>;
  /** A new run of the same configuration. @throws Fault not_found.sync_run, conflict.sync_run_unfinished, sync_running.sheet */
  retry(caller: RunCaller, runId: string): Promise<Run>;
  /**
   * Ends a waiting run at once, one that has begun at its next batch; canceling twice is canceling once.
   * @throws Fault not_found.sync_run, conflict.sync_run_finished
   */
  cancel(accountId: string, id: string): Promise<Run>;
  /** Of the newest plan of each configuration, or of one; at most 1,000. */
  conflicts(accountId: string, filter: { readonly config_id?: string | undefined }): Promise<Conflict[]>;
  /**
   * A run that gives both sides what was chosen; what is not named stays held.
   * @throws Fault not_found.sync_conflict, validation_failed.sync_value, sync_running.sheet
   */
  resolve(caller: RunCaller, configId: string, resolutions: readonly Resolution[]): Promise<Run>;
  /** Takes runs in this process until `close`. */
  start(): Promise<void>;
  /** A notice on the channel `sync_runs`. */
  onNotify(notice: string): void;
  /** Notices may have been missed. */
  onReconnect(): void;
  /** Hourly: forgets what has expired, and queues again what the queue has lost. */
  sweep(): Promise<void>;
  /** True once runs can be taken in. */
  isReady(): boolean;
  close(): Promise<void>;
};
