import type { Attempt } from '../../../platform/work/attempt.ts';
import type { Sides } from '../../plan/planner.ts';
import type { ExecuteDeps } from '../execute/execute.ts';
import type { Run } from '../run.ts';
import { createRunStore } from '../store/run-store.ts';
import { createUnsettledStore } from '../store/unsettled-store.ts';
import { createApplyWork } from './apply-work.ts';
import { settleSent } from './settle-sent.ts';

type Held = { readonly owner: Run; readonly sides: Sides; readonly attempt: Attempt };

/**
 * Finds out what became of the writes that earlier runs of the same store and sheet had lost the answer to. True when
 * there were any: a plan that was made before is then of before.
 */
export async function settleEarlier(parts: ExecuteDeps, { owner, sides, attempt }: Held): Promise<boolean> {
  const sent = createUnsettledStore(parts.sql);
  const ids = await sent.unsettled(owner);
  for (const id of ids) {
    attempt.signal.throwIfAborted();
    const run = await createRunStore(parts.sql).find(owner.account_id, id);
    if (!run) continue;
    const locationId = run.settings.options.location_id ?? sides.locationId;
    const work = createApplyWork(parts, { run, owner, sides: { ...sides, locationId }, attempt });
    await settleSent(work, await sent.sentBatches(id), { mayAsk: owner.direction !== 'store_to_sheet' });
    await sent.closeSent(id);
    await parts.planner.forget(id);
  }
  return ids.length > 0;
}
