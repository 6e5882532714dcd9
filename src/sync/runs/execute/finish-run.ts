import { Fault } from '../../../errors.ts';
import type { Sql } from '../../../platform/database/database.ts';
import { databaseFault } from '../../../platform/database/database-fault.ts';
import type { FencingToken } from '../../../platform/work/attempt.ts';
import { isRemark, type SyncError } from '../../change.ts';
import type { Planner, Sides } from '../../plan/plan.ts';
import { MAX_ERRORS } from '../apply/apply.ts';
import { shareQuantities } from '../repositories/baseline-repo.ts';
import {
  countOutcomes,
  listNotes,
  nextPlanned,
  type Outcomes,
  skipPlanned,
} from '../repositories/change-repo.ts';
import { createRunStore, type RunEnd } from '../repositories/run-repo.ts';
import type { Run } from '../run.ts';
import { callsOf } from './execute.ts';
import { disconnectedSide, sideFault } from './side-fault.ts';

type FinishDeps = { readonly sql: Sql; readonly planner: Planner };

/** How a run ended. `cause` is what was thrown. */
export type Ended =
  | { readonly by: 'done' | 'canceled' | 'no_header' }
  | { readonly by: 'error'; readonly cause: unknown };

/**
 * Ends a run, and returns it: skips changes that were not sent, counts its rows and collects its errors, run-level ones first. Changes that were sent
 * without an answer stay in doubt for the next run of the pair. Undefined when another attempt owns the run.
 */
export async function finishRun(
  { sql, planner }: FinishDeps,
  { run, claimed, sides }: { run: Run; claimed: Run; sides: Sides | undefined },
  ended: Ended,
): Promise<Run | undefined> {
  const fence: FencingToken = { accountId: run.account_id, id: run.id, attempt: run.attempt };
  const counted = await skipRest(sql, fence);
  if (!counted) return undefined;
  const { changed, failed, sent, noted, quantities } = counted;
  if (quantities > 0) await shareQuantities(sql, run);
  const notes = noted > 0 ? await listNotes(sql, run.id, MAX_ERRORS) : [];
  const errors = [...errorsOf(ended), ...unknownNote(sent), ...run.errors, ...notes].slice(0, MAX_ERRORS);
  // The next run finds this one by the count of what was sent.
  const counts = { changed, failed, ...(sent > 0 && { sent }) };
  const status = statusOf(ended, { changed, errors });
  const finished = await createRunStore(sql).finish(fence, {
    status,
    counts,
    errors,
    calls: callsOf(claimed, sides),
  });
  if (finished && sent === 0) await planner.deleteReads(run.id);
  return finished;
}

/** A batch at a time, and only while the attempt owns the run: another one would still apply them. Then all are counted. */
async function skipRest(sql: Sql, fence: FencingToken): Promise<Outcomes | undefined> {
  for (;;) {
    const outcomes = await countOutcomes(sql, fence);
    if (outcomes === undefined || outcomes.planned === null) return outcomes;
    for (let batch: number | undefined = outcomes.planned; batch !== undefined; ) {
      if (!(await skipOwn(sql, fence, batch))) return undefined;
      batch = await nextPlanned(sql, fence.id, batch);
    }
  }
}

async function skipOwn(sql: Sql, fence: FencingToken, batch: number): Promise<boolean> {
  return sql.begin(async (tx) => {
    if (!(await createRunStore(tx).hold(fence))) return false;
    await skipPlanned(tx, fence.id, batch);
    return true;
  });
}

function errorsOf(ended: Ended): SyncError[] {
  if (ended.by !== 'error') return [];
  const { cause } = ended;
  const fault = cause instanceof Fault ? cause : (databaseFault(cause) ?? new Fault('internal.unexpected'));
  return [{ key: fault.key, params: fault.params }];
}

/** Changes that were sent without an answer: neither side is known to have them, or not to. */
function unknownNote(sent: number): SyncError[] {
  return sent > 0 ? [{ key: 'outcome_unknown', params: { count: sent } }] : [];
}

/** A run fails when it changed nothing, or when a side has to be connected again. */
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
      return errors.every(isRemark) ? 'succeeded' : 'partial';
    case 'error': {
      const fault = sideFault(ended.cause);
      return fault && !disconnectedSide(fault) && changed > 0 ? 'partial' : 'failed';
    }
  }
}
