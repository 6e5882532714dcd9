import { Fault } from '../../../errors.ts';
import type { FencingToken } from '../../../platform/work/attempt.ts';
import type { PlanWork, Sides } from '../../plan/plan.ts';
import { createRunStore } from '../repositories/run-repo.ts';
import type { Run } from '../run.ts';
import { callsOf, type ExecuteDeps } from './execute.ts';
import { planErrors, planExpiry } from './plan-outcome.ts';
import { disconnectedSide, sideFault } from './side-fault.ts';

/** Plans a run in this process: it then waits for a person, or has failed. Changes nothing on either side. */
export async function previewRun(deps: ExecuteDeps, inserted: Run, work: PlanWork): Promise<void> {
  const { sql, planner, now } = deps;
  const runs = createRunStore(sql);
  const fence: FencingToken = { accountId: inserted.account_id, id: inserted.id, attempt: 1 };
  const run = await runs.claim(fence);
  if (!run) throw new Fault('not_found.sync_run', { id: inserted.id });
  let sides: Sides | undefined;
  try {
    sides = await deps.openSides(run);
    const plan = await planner.plan(run, sides, work);
    const calls = callsOf(run, sides);
    if (plan.layout === null)
      return void (await runs.finish(fence, { status: 'failed', counts: {}, errors: plan.errors, calls }));
    const { locationId } = sides;
    const made = { errors: planErrors(plan), locationId, calls, expiresAt: planExpiry(now()) };
    await runs.planned(fence, { ...plan, ...made, status: 'awaiting_confirmation' });
  } catch (error) {
    const fault = sideFault(error);
    await runs.finish(fence, {
      status: 'failed',
      counts: {},
      errors: fault ? [{ key: fault.key, params: fault.params }] : [],
      calls: callsOf(run, sides),
    });
    if (!fault) throw error;
    const side = disconnectedSide(fault);
    if (side) await deps.connectionFailed(run, side, fault);
  }
}
