import type { Change } from '../../change.ts';
import type { Outcome } from '../../ports/store-client.ts';
import type { ApplyWork } from './apply-work.ts';
import { batchKey } from './batch-key.ts';
import type { Settlement } from './settlement.ts';
import { settleStale, triesOf } from './stale-quantity.ts';

/**
 * Sets the quantities of a batch, each only if it still is what it was read to be. Those the store has moved meanwhile
 * are set anew, with another key. After a crash the same write is made again with the same key, so that it counts once.
 */
export async function applyQuantities(work: ApplyWork, batch: number): Promise<void> {
  for (let changes = await work.unfinished(batch); changes.length > 0; ) {
    const resumed = changes.some(({ state }) => state === 'sent');
    await work.send(batch, changes);
    await work.commit(batch, await setQuantities(work, changes, { resumed, leaveMoved: isUndo(work) }));
    changes = await work.unfinished(batch);
  }
}

function isUndo({ run }: ApplyWork): boolean {
  return run.trigger === 'revert';
}

type How = { readonly resumed: boolean; readonly leaveMoved: boolean };

/** All of one batch and one try. */
export async function setQuantities(
  { run, sides, signal }: ApplyWork,
  changes: readonly Change[],
  how: How,
): Promise<Settlement[]> {
  const asked = changes.map(({ itemId, from, to }) => ({
    itemId: itemId ?? '',
    from: Number(from),
    to: Number(to),
  }));
  const tries = Math.max(...changes.map(triesOf));
  const key = batchKey(run.id, changes[0]?.batch ?? 0, tries);
  const { locationId } = sides;
  const outcomes = await sides.store.setQuantities(asked, { key, reference: run.id, signal, locationId });
  const stale = changes.filter((_, nth) => outcomes[nth]?.state === 'stale');
  const ids = stale.flatMap(({ variantId }) => variantId ?? []);
  const read = ids.length > 0 ? await sides.store.variants(ids, locationId, signal) : [];
  const available = new Map(read.map((variant) => [variant.itemId, variant.available]));
  return changes.map((change, nth) =>
    settle(change, outcomes[nth], { ...how, actual: available.get(change.itemId ?? '') ?? null }),
  );
}

function settle(
  change: Change,
  outcome: Outcome | undefined,
  how: How & { actual: number | null },
): Settlement {
  switch (outcome?.state) {
    case 'applied':
      return { seq: change.seq, state: 'applied' };
    case 'refused':
      return refused(change.seq, outcome);
    case 'stale':
    case undefined:
      return settleStale(change, { ...how, unsure: outcome?.unsure ?? false });
  }
}

export function refused(seq: number, { code, message }: { code: string; message: string }): Settlement {
  if (code === 'ITEM_NOT_STOCKED_AT_LOCATION') return { seq, state: 'failed', code: 'not_stocked' };
  return { seq, state: 'failed', code: 'refused_by_store', params: { reason: message } };
}
