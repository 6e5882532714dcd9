import type { Fault } from '../../../errors.ts';
import type { Sql } from '../../../platform/database/database.ts';
import type { Log } from '../../../platform/log.ts';
import type { Attempt } from '../../../platform/work/attempt.ts';
import type { Planner, Sides } from '../../plan/planner.ts';
import { applyBatch } from '../apply/apply-batch.ts';
import { createApplyWork } from '../apply/apply-work.ts';
import { settleEarlier } from '../apply/settle-earlier.ts';
import { writeStatus } from '../apply/status-column.ts';
import type { Run, RunCalls } from '../run.ts';
import { createChangeStore } from '../store/change-store.ts';
import { createRunStore } from '../store/run-store.ts';
import { planExpiry } from './plan-age.ts';
import { isHeld, planErrors } from './plan-run.ts';

export type ExecuteParts = {
  readonly sql: Sql;
  readonly planner: Planner;
  /** Throws the Faults of the two sides. */
  readonly openSides: (run: Run) => Promise<Sides>;
  /** Told of a side that refuses its credentials, at most once a run. */
  readonly connectionFailed: (run: Run, side: 'store' | 'sheet', fault: Fault) => Promise<void>;
  readonly log: Log;
  readonly now: () => Date;
};

/** How far a run came: what it waits for, or that it has nothing more to do. */
export type Executed = { readonly run: Run; readonly state: 'held' | 'done' | 'no_header' | 'canceled' };

/** Plans a run, unless it has its plan, and applies it, or what is left of it. Throws what ends it before. */
export async function executeRun(
  parts: ExecuteParts,
  begun: Run,
  sides: Sides,
  attempt: Attempt,
): Promise<Executed> {
  const { sql, planner } = parts;
  const runs = createRunStore(sql);
  const { fence, signal, progress } = attempt;
  const kept = <T>(value: T | undefined): T => {
    if (value !== undefined) return value;
    attempt.end('lost');
    signal.throwIfAborted();
    throw new Error('unreachable: the signal has aborted');
  };

  const run = await planned(await settled(begun));
  if (run.layout === null) return { run, state: 'no_header' };
  if (run.status === 'awaiting_confirmation') return { run, state: 'held' };
  return apply(run);

  async function settled(run: Run): Promise<Run> {
    const found = await settleEarlier(parts, { owner: run, sides, attempt });
    const isOld = found && run.expires_at !== null && !run.request.given;
    return isOld ? kept(await runs.unplan(fence)) : run;
  }

  async function planned(run: Run): Promise<Run> {
    if (run.expires_at !== null) return run;
    const plan = await planner.plan(run, sides, { signal, progress });
    const status = plan.layout !== null && isHeld(plan, run) ? 'awaiting_confirmation' : 'applying';
    const calls = callsOf(run, sides);
    const { locationId } = sides;
    const times = { calls, expiresAt: planExpiry(parts.now()) };
    return kept(
      await runs.planned(fence, { ...plan, errors: planErrors(plan), status, locationId, ...times }),
    );
  }

  async function apply(run: Run): Promise<Executed> {
    const changes = createChangeStore(sql);
    const work = createApplyWork(parts, { run, owner: run, sides, attempt });
    // A batch is not cut in two.
    attempt.holdCancelation();
    // Without them it would be told that both sides have lost everything.
    if (await changes.hasReads(run.id)) await planner.settleEqual(run);
    const last = await changes.lastBatch(run.id);
    for (let batch = await changes.nextBatch(run.id, 1); batch !== undefined; ) {
      signal.throwIfAborted();
      if (attempt.ending === 'canceled') return { run, state: 'canceled' };
      await applyBatch(work, batch);
      progress(batch, last, 'applying');
      batch = await changes.nextBatch(run.id, batch);
    }
    await writeStatus(work, await work.notes());
    return { run, state: 'done' };
  }
}

/** What the run has asked of both sides, in all its attempts. */
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
