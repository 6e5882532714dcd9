import { z } from 'zod';
import type { SyncError } from '../change.ts';
import { Direction, SyncSettings } from '../config.ts';
import { Layout } from '../plan/layout.ts';

export const RunStatus = z.enum([
  'queued',
  'planning',
  'awaiting_confirmation',
  'applying',
  'succeeded',
  'partial',
  'failed',
  'canceled',
]);
export type RunStatus = z.output<typeof RunStatus>;

export const TRIGGERS = ['manual', 'schedule', 'webhook', 'revert', 'retry'] as const;

/** Rows, not cells. `changed` and `failed` are of rows that were to change; `skipped` cannot be synced as they are. */
export const RunCounts = z.object({
  store_rows: z.number(),
  sheet_rows: z.number(),
  unchanged: z.number(),
  /** Rows of the sheet to change, with those to append. */
  to_sheet: z.number(),
  appended: z.number(),
  /** Items of the store to change. */
  to_store: z.number(),
  conflicts: z.number(),
  skipped: z.number(),
  changed: z.number(),
  failed: z.number(),
});
export type RunCounts = z.output<typeof RunCounts>;

export const RunCalls = z.object({
  store_calls: z.number(),
  store_points: z.number(),
  sheet_reads: z.number(),
  sheet_writes: z.number(),
});
export type RunCalls = z.output<typeof RunCalls>;

/** A safety limit that the plan exceeds, with both figures. */
export const SafetyLimitHit = z.object({
  safety_limit: z.enum(['changed_percent', 'zeroed_percent', 'shrunk_percent', 'price_percent']),
  limit: z.number(),
  found: z.number(),
});
export type SafetyLimitHit = z.output<typeof SafetyLimitHit>;

/** What a caller requested beyond the configuration. */
export const RunRequest = z.object({
  /** The side that wins where both differ and there is no baseline. */
  initial: z.enum(['store', 'sheet']).optional(),
  /** A person has confirmed the plan: safety limits do not stop it. */
  confirmed: z.boolean().optional(),
  /** As the option of the configuration, for this run. */
  add_columns: z.boolean().optional(),
  /** It was created with its plan, which is not made again: the undo of another run, or chosen values. */
  given: z.boolean().optional(),
  /** The products, variants and inventory items, by id, that are read where that is enough; absent: all is read. */
  items: z.array(z.string()).optional(),
  /** What the undo of this run holds back is synced again. */
  redo: z.string().optional(),
});
export type RunRequest = z.output<typeof RunRequest>;

/** A run as stored in `sync_runs`. */
export const Run = z.object({
  seq: z.number(),
  id: z.string(),
  account_id: z.string(),
  config_id: z.string(),
  store_id: z.string(),
  sheet_id: z.string(),
  trigger: z.enum(TRIGGERS),
  direction: Direction,
  dry_run: z.boolean(),
  status: RunStatus,
  settings: SyncSettings,
  request: RunRequest,
  layout: Layout.nullable(),
  counts: RunCounts.partial(),
  errors: z.custom<readonly SyncError[]>((value) => Array.isArray(value)),
  safety_limits_hit: z.array(SafetyLimitHit),
  calls: RunCalls.partial(),
  progress: z.object({ done: z.number(), total: z.number(), message: z.string() }).nullable(),
  reverts_run: z.string().nullable(),
  attempt: z.number(),
  cancel_requested: z.boolean(),
  /** Raised by every change that a reader can see. */
  revision: z.number(),
  actor: z.string(),
  /** In which it writes to the sheet. */
  locale: z.enum(['en', 'es']),
  expires_at: z.date().nullable(),
  created_at: z.date(),
  started_at: z.date().nullable(),
  finished_at: z.date().nullable(),
});
export type Run = z.output<typeof Run>;

/** True for a run that no person started. */
export function isAutomatic({ trigger }: Pick<Run, 'trigger'>): boolean {
  return trigger === 'schedule' || trigger === 'webhook';
}

/** True for a run that will not change again. */
export function isFinished({ status }: Pick<Run, 'status'>): boolean {
  return FINISHED.has(status);
}

/** True for a run that has finished or waits for a person. */
export function isSettled(run: Pick<Run, 'status'>): boolean {
  return isFinished(run) || run.status === 'awaiting_confirmation';
}

const FINISHED: ReadonlySet<RunStatus> = new Set(['succeeded', 'partial', 'failed', 'canceled']);
