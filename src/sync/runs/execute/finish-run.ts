import { Fault } from '../../../errors.ts';
import type { Sql } from '../../../platform/database/database.ts';
import { databaseFault } from '../../../platform/database/database.ts';
import type { Fence } from '../../../platform/work/attempt.ts';
import type { SyncError } from '../../change.ts';
import type { Planner, Sides } from '../../plan/planner.ts';
import { ERRORS_MOST } from '../apply/apply-work.ts';
import type { Run } from '../run.ts';
import { createBaseStore } from '../store/base-store.ts';
import { createChangeStore } from '../store/change-store.ts';
import { createRunStore, type RunEnd } from '../store/run-store.ts';
import { callsOf } from './execute-run.ts';
import { lostSide, outsideFault } from './plan-run.ts';

type Parts = { readonly sql: Sql; readonly planner: Planner };

/** How a run came to its end. `cause` is what was thrown. */
export type Ended =
  | { readonly by: 'done' | 'canceled' | 'no_header' }
  | { readonly by: 'error'; readonly cause: unknown };

/**
 * Ends a run: what was not begun is given up, its rows are counted and its errors gathered, the one of the whole run
 * first. What was sent without an answer stays open for the next run of the pair. False when another attempt has it.
 */
export async function finishRun(
  { sql, planner }: Parts,
  { run, claimed, sides }: { run: Run; claimed: Run; sides: Sides | undefined },
  ended: Ended,
): Promise<boolean> {
  const fence: Fence = { accountId: run.account_id, id: run.id, attempt: run.attempt };
  const changes = createChangeStore(sql);
  if (!(await skipRest(sql, fence))) return false;
  await createBaseStore(sql).shareQuantities(run);
  const { changed, failed, sent } = await changes.count(run.id);
  const notes = await changes.notes(run.id, ERRORS_MOST);
  const errors = [...errorsOf(ended), ...run.errors, ...notes].slice(0, ERRORS_MOST);
  // Not one of the counts a reader sees: by it the next run finds this one.
  const counts = { changed, failed, ...(sent > 0 && { sent }) };
  const status = statusOf(ended, { changed, errors });
  const isOwn = await createRunStore(sql).finish(fence, {
    status,
    counts,
    errors,
    calls: callsOf(claimed, sides),
  });
  if (isOwn && sent === 0) await planner.forget(run.id);
  return isOwn;
}

/** A batch at a time, and only while the attempt owns the run: another one would still apply them. */
async function skipRest(sql: Sql, fence: Fence): Promise<boolean> {
  for (let batch: number | undefined = 0; batch !== undefined; ) {
    const from: number = batch;
    batch = await createChangeStore(sql).nextPlanned(fence.id, from);
    const isOwn = await sql.begin(async (tx) => {
      if (!(await createRunStore(tx).hold(fence))) return false;
      if (batch !== undefined) await createChangeStore(tx).skipPlanned(fence.id, batch);
      return true;
    });
    if (!isOwn) return false;
  }
  return true;
}

function errorsOf(ended: Ended): SyncError[] {
  if (ended.by !== 'error') return [];
  const { cause } = ended;
  const fault = cause instanceof Fault ? cause : (databaseFault(cause) ?? new Fault('internal.unexpected'));
  return [{ key: fault.key, params: fault.params }];
}

/** A run fails when it could do nothing, or can do nothing until somebody connects a side again. */
function statusOf(
  ended: Ended,
  { changed, errors }: { changed: number; errors: readonly SyncError[] },
): RunEnd['status'] {
  switch (ended.by) {
    case 'canceled':
      return 'canceled';
    case 'no_header':
      return 'failed';
    case 'done':
      return errors.length === 0 ? 'succeeded' : 'partial';
    case 'error': {
      const fault = outsideFault(ended.cause);
      return fault && !lostSide(fault) && changed > 0 ? 'partial' : 'failed';
    }
  }
}
