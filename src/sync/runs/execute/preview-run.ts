import { Fault } from '../../../errors.ts';
import type { FencingToken } from '../../../platform/work/attempt.ts';
import type { PlanWork, Sides } from '../../plan/planner.ts';
import type { Run } from '../run.ts';
import { createRunStore } from '../store/run-store.ts';
import { callsOf, type ExecuteParts } from './execute-run.ts';
import { planExpiry } from './plan-age.ts';
import { lostSide, outsideFault, planErrors } from './plan-run.ts';

/** Plans a run here and now: it then waits for a person, or has failed. Nothing outside is changed. */
export async function previewRun(parts: ExecuteParts, inserted: Run, work: PlanWork): Promise<void> {
  const { sql, planner, now } = parts;
  const runs = createRunStore(sql);
  const fence: FencingToken = { accountId: inserted.account_id, id: inserted.id, attempt: 1 };
  const run = await runs.claim(fence);
  if (!run) throw new Fault('not_found.sync_run', { id: inserted.id });
  let sides: Sides | undefined;
  try {
    sides = await parts.openSides(run);
    const plan = await planner.plan(run, sides, work);
    const calls = callsOf(run, sides);
    if (plan.layout === null)
      return void (await runs.finish(fence, { status: 'failed', counts: {}, errors: plan.errors, calls }));
    const { locationId } = sides;
    const made = { errors: planErrors(plan), locationId, calls, expiresAt: planExpiry(now()) };
    await runs.planned(fence, { ...plan, ...made, status: 'awaiting_confirmation' });
  } catch (error) {
    const fault = outsideFault(error);
    await runs.finish(fence, {
      status: 'failed',
      counts: {},
      errors: fault ? [{ key: fault.key, params: fault.params }] : [],
      calls: callsOf(run, sides),
    });
    if (!fault) throw error;
    const side = lostSide(fault);
    if (side) await parts.connectionFailed(run, side, fault);
  }
}
