import type { Fault } from '../../../errors.ts';
import type { Sql } from '../../../platform/database/database.ts';
import type { Log } from '../../../platform/log.ts';
import type { Attempt } from '../../../platform/work/attempt.ts';
import type { Plan, Planner, Sides } from '../../plan/plan.ts';
import type { Away } from '../../ports/away.ts';
import { createApplyWork } from '../apply/apply.ts';
import { applyBatch } from '../apply/apply-batch.ts';
import { reconcileInDoubt } from '../apply/reconcile-in-doubt.ts';
import { writeStatus } from '../apply/status-column.ts';
import { nextBatch, openBatches } from '../repositories/change-repo.ts';
import { createRunStore } from '../repositories/run-repo.ts';
import { isAutomatic, type Run, type RunCalls } from '../run.ts';
import { needsConfirmation, planErrors, planExpiry } from './plan-outcome.ts';
import { skipUnapplied } from './skip-unapplied.ts';

export type ExecuteDeps = {
  readonly sql: Sql;
  readonly planner: Planner;
  /** Changes that a transaction writes. Default: WRITE_ROWS. */
  readonly writeRows?: number;
  /** `away`: how the run waits for them. @throws the Faults of the two sides */
  readonly openSides: (run: Run, away?: Away) => Promise<Sides>;
  /** Called when a side rejects its credentials, at most once a run. */
  readonly connectionFailed: (run: Run, side: 'store' | 'sheet', fault: Fault) => Promise<void>;
  /** Called when a run has ended, or waits for a person. */
  readonly runSettled?: (run: Run) => Promise<void>;
  readonly log: Log;
  readonly now: () => Date;
};

/** The state that a run reached. `unconfirmed`: it waits for a person. */
export type Executed = {
  readonly run: Run;
  readonly state: 'unconfirmed' | 'done' | 'no_header' | 'canceled';
};

/**
 * Executes one attempt at a run: reconciles the in-doubt writes of earlier runs, plans unless the run has its
 * plan, and applies the batches that remain. In: a claimed run and its two sides. Out: the state it reached.
 * Throws the error that ends it early.
 * Invariant: each write to a side is recorded before it is sent, by the attempt that owns the run.
 */
export async function executeRun(
  deps: ExecuteDeps,
  claimed: Run,
  sides: Sides,
  attempt: Attempt,
): Promise<Executed> {
  const { sql, planner } = deps;
  const runs = createRunStore(sql);
  const { fence, signal, progress } = attempt;
  const owned = <T>(value: T | undefined): T => {
    if (value !== undefined) return value;
    attempt.abort('superseded');
    signal.throwIfAborted();
    throw new Error('unreachable: the signal has aborted');
  };

  const { run, plan } = await planned(await settled(claimed));
  if (run.layout === null) return { run, state: 'no_header' };
  if (run.status === 'awaiting_confirmation') return { run, state: 'unconfirmed' };
  return apply(run, plan);

  async function settled(run: Run): Promise<Run> {
    const found = await reconcileInDoubt(deps, { owner: run, sides, attempt });
    const isOld = found && run.expires_at !== null && !run.request.given;
    return isOld ? owned(await runs.unplan(fence)) : run;
  }

  /** Without a plan where that was made before. */
  async function planned(run: Run): Promise<{ readonly run: Run; readonly plan?: Plan }> {
    if (run.expires_at !== null) return { run };
    const plan = await planner.plan(run, sides, { signal, progress });
    const status =
      plan.layout !== null && needsConfirmation(plan, run) ? 'awaiting_confirmation' : 'applying';
    const calls = callsOf(run, sides);
    const { locationId } = sides;
    const times = { calls, expiresAt: planExpiry(deps.now()) };
    const made = owned(
      await runs.planned(fence, { ...plan, errors: planErrors(plan), status, locationId, ...times }),
    );
    if (isAutomatic(made) && plan.readAll) await discardOlderPlans(made);
    return { run: made, plan };
  }

  /** One plan of a configuration waits at a time: an automatic run replaces those of the automatic runs before it. */
  async function discardOlderPlans(run: Run): Promise<void> {
    for (const id of await runs.replaceOpenPlans(run)) {
      await skipUnapplied(sql, id);
      await planner.deleteReads(id);
    }
  }

  async function apply(run: Run, plan: Plan | undefined): Promise<Executed> {
    const work = createApplyWork(deps, { run, owner: run, sides, attempt });
    // A batch is applied whole.
    attempt.deferCancelation();
    await planner.reconcileBaseline(run, plan?.missing);
    const open = plan?.changeCount === 0 ? undefined : await openBatches(sql, run.id);
    const { first, last = 0 } = open ?? {};
    for (let batch = first; batch !== undefined; ) {
      signal.throwIfAborted();
      if (attempt.abortReason === 'canceled') return { run, state: 'canceled' };
      await applyBatch(work, batch);
      progress(batch, last, 'applying');
      batch = await nextBatch(sql, run.id, batch);
    }
    if (run.direction === 'two_way' && run.reverts_run === null && (run.counts.to_store ?? 0) > 0)
      await work.shareProductValues();
    await writeStatus(work);
    return { run, state: 'done' };
  }
}

/** The calls of the run to both sides, in all its attempts. */
export function callsOf({ calls }: Run, sides: Sides | undefined): RunCalls {
  const store = sides?.store.calls();
  const sheet = sides?.sheet.calls();
  return {
    store_calls: (calls.store_calls ?? 0) + (store?.calls ?? 0),
    store_points: (calls.store_points ?? 0) + (store?.points ?? 0),
    sheet_reads: (calls.sheet_reads ?? 0) + (sheet?.reads ?? 0),
    sheet_writes: (calls.sheet_writes ?? 0) + (sheet?.writes ?? 0),
  };
}
