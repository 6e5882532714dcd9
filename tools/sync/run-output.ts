import { z } from 'zod';
import { localizeSyncError, type Reader } from '../../src/language.ts';
import type { SyncError } from '../../src/sync/change.ts';
import { Direction } from '../../src/sync/config.ts';
import {
  type Run,
  RunCalls,
  RunCounts,
  RunStatus,
  SafetyLimitHit,
  TRIGGERS,
} from '../../src/sync/runs/run.ts';

export const RunError = z.object({
  code: z.string(),
  message: z.string(),
  row: z.number().optional().meta({ description: 'Sheet row, from 1' }),
  sku: z.string().optional().meta({ description: 'Key of the item' }),
  field: z.string().optional(),
});

/** The response of POST /sync/run. */
export const RunResult = z.object({
  products_synced: z.number().meta({ description: 'Rows on which store and sheet now agree' }),
  errors: z.array(RunError),
  run_id: z.string(),
  plan_id: z
    .string()
    .optional()
    .meta({ description: 'ID of a plan that changed nothing yet; send it as confirm' }),
  planned: RunCounts.pick({ to_sheet: true, appended: true, to_store: true, conflicts: true })
    .partial()
    .optional()
    .meta({ description: 'Rows that the plan would change' }),
  changed: z.number(),
  unchanged: z.number(),
  skipped: z.number(),
  status: RunStatus,
});

/** A run in the history. */
export const RunRecord = RunResult.omit({ run_id: true, plan_id: true, planned: true }).extend({
  id: z.string(),
  config_id: z.string(),
  store_id: z.string(),
  sheet_id: z.string(),
  trigger: z.enum(TRIGGERS),
  direction: Direction,
  dry_run: z.boolean(),
  counts: RunCounts.partial(),
  safety_limits_hit: z.array(SafetyLimitHit),
  api_calls: RunCalls.partial(),
  progress: z.object({ done: z.number(), total: z.number(), message: z.string() }).nullable(),
  reverts_run: z.string().nullable(),
  actor: z.string(),
  created_at: z.string(),
  started_at: z.string().nullable(),
  finished_at: z.string().nullable(),
  expires_at: z.string().nullable().meta({ description: 'Time until which a plan can be confirmed' }),
});

export function presentRunResult(run: Run, reader: Reader): z.input<typeof RunResult> {
  const outcome = { ...outcomeOf(run, reader), run_id: run.id };
  if (!isWaiting(run)) return outcome;
  const { to_sheet, appended, to_store, conflicts } = run.counts;
  return { ...outcome, plan_id: run.id, planned: { to_sheet, appended, to_store, conflicts } };
}

export function presentRun(run: Run, reader: Reader): z.input<typeof RunRecord> {
  return {
    ...outcomeOf(run, reader),
    id: run.id,
    config_id: run.config_id,
    store_id: run.store_id,
    sheet_id: run.sheet_id,
    trigger: run.trigger,
    direction: run.direction,
    dry_run: run.dry_run,
    counts: run.counts,
    safety_limits_hit: run.safety_limits_hit,
    api_calls: run.calls,
    progress: run.progress,
    reverts_run: run.reverts_run,
    actor: run.actor,
    created_at: run.created_at.toISOString(),
    started_at: run.started_at?.toISOString() ?? null,
    finished_at: run.finished_at?.toISOString() ?? null,
    expires_at: (isWaiting(run) && run.expires_at?.toISOString()) || null,
  };
}

export function presentRunError(
  { key, params, ...place }: SyncError,
  reader: Reader,
): z.input<typeof RunError> {
  return { ...localizeSyncError({ key, ...(params && { params }) }, reader), ...place };
}

const isWaiting = ({ status }: Run) => status === 'awaiting_confirmation';

function outcomeOf({ status, counts, errors }: Run, reader: Reader) {
  const { unchanged = 0, changed = 0, skipped = 0 } = counts;
  return {
    status,
    products_synced: unchanged + changed,
    changed,
    unchanged,
    skipped,
    errors: inOrder(errors).map((error) => presentRunError(error, reader)),
  };
}

/** Those of the whole run first, then down the sheet. */
function inOrder(errors: readonly SyncError[]): readonly SyncError[] {
  return errors.toSorted((one, other) => (one.row ?? 0) - (other.row ?? 0));
}
