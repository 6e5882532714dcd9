import type { Change } from '../../change.ts';
import type { Outcome } from '../../ports/store-client.ts';
import { placeOf, type StoreField } from '../../values/field.ts';
import { type ApplyWork, batchKey } from './apply.ts';
import type { ChangeOutcome } from './change-outcome.ts';

/**
 * Sets the quantities of a batch, each only if it still has the value that was read. Those that changed concurrently are
 * set again, with another key. After a crash the same write is repeated with the same key, so that it counts once.
 */
export async function applyQuantities(work: ApplyWork, batch: number): Promise<void> {
  for (let changes = await work.unfinished(batch); changes.length > 0; ) {
    const resumed = changes.some(({ state }) => state === 'sent');
    await work.send(batch, changes);
    await work.commit(batch, await setQuantities(work, changes, { resumed, keepConcurrent: isUndo(work) }));
    changes = await work.unfinished(batch);
  }
}

function isUndo({ run }: ApplyWork): boolean {
  return run.trigger === 'revert';
}

type How = { readonly resumed: boolean; readonly keepConcurrent: boolean };

/** All changes are of one batch and one attempt. */
export async function setQuantities(
  { run, sides, signal }: ApplyWork,
  changes: readonly Change[],
  how: How,
): Promise<ChangeOutcome[]> {
  const quantities = changes.map(({ itemId, field, from, to }) => {
    const locationId = placeOf(field);
    const quantity = { itemId: itemId ?? '', from: from === null ? null : Number(from), to: Number(to) };
    return locationId === undefined ? quantity : { ...quantity, locationId };
  });
  const tries = Math.max(...changes.map(triesOf));
  const key = batchKey(run.id, changes[0]?.batch ?? 0, tries);
  const { locationId } = sides;
  const outcomes = await sides.store.setQuantities(quantities, {
    key,
    reference: run.id,
    signal,
    locationId,
  });
  const stale = changes.filter((_, nth) => outcomes[nth]?.state === 'stale');
  const available = await readQuantities({ sides, signal }, stale);
  return changes.map((change, nth) =>
    outcomeOf(change, outcomes[nth], {
      ...how,
      equalMoves: equalMovesOf(run),
      actual: available(change),
    }),
  );
}

/** The quantities that the store has now, by the changes of them; null: the item is gone, or not stocked there. */
export async function readQuantities(
  { sides, signal }: Pick<ApplyWork, 'sides' | 'signal'>,
  changes: readonly Change[],
): Promise<(change: Change) => number | null> {
  const ids = [...new Set(changes.flatMap(({ variantId }) => variantId ?? []))];
  const placed = changes.flatMap(({ field }) =>
    placeOf(field) === undefined || !isField(field) ? [] : [field],
  );
  const read =
    ids.length > 0 ? await sides.store.variants(ids, sides.locationId, signal, [...new Set(placed)]) : [];
  const items = new Map(read.map((variant) => [variant.itemId, variant]));
  return ({ itemId, field }) => {
    const item = items.get(itemId ?? '');
    if (!item || placeOf(field) === undefined || !isField(field)) return item?.available ?? null;
    const available = item.more?.[field] ?? null;
    return available === null ? null : Number(available);
  };
}

function isField(field: Change['field']): field is StoreField {
  return field !== 'key' && field !== 'status';
}

/** What it is where the store was changed to the very value that was to be written; null: nothing that counts. */
function equalMovesOf({ direction, settings: { options } }: ApplyWork['run']): 'add' | 'ask' | null {
  return direction === 'two_way' && options.quantity_merge ? options.equal_moves : null;
}

function outcomeOf(
  change: Change,
  outcome: Outcome | undefined,
  how: How & Pick<Stale, 'actual' | 'equalMoves'>,
): ChangeOutcome {
  switch (outcome?.state) {
    case 'applied':
      return { seq: change.seq, state: 'applied' };
    case 'refused':
      return rejected(change.seq, outcome);
    case 'stale':
    case undefined:
      return outcomeOfStale(change, { ...how, unsure: outcome?.unsure ?? false });
  }
}

export function rejected(seq: number, { code, message }: { code: string; message: string }): ChangeOutcome {
  if (code === 'ITEM_NOT_STOCKED_AT_LOCATION') return { seq, state: 'failed', code: 'not_stocked' };
  return { seq, state: 'failed', code: 'refused_by_store', params: { reason: message } };
}

/** How often a quantity is set after it changed concurrently. */
const MAX_TRIES = 3;
const MAX_QUANTITY = 1_000_000_000;

type Stale = {
  /** What the store has now; null: the item is gone, or not stocked any more. */
  readonly actual: number | null;
  /** An earlier attempt had sent the write: it may have arrived, and been followed by a sale. */
  readonly resumed: boolean;
  /** The store does not know whether an earlier attempt had set it. */
  readonly unsure: boolean;
  /** Values that changed concurrently are kept, as by an undo. */
  readonly keepConcurrent: boolean;
  /** Whether the store changing to the target value counts as a change of its own; null: it does not. */
  readonly equalMoves?: 'add' | 'ask' | null | undefined;
};

/**
 * The outcome of a quantity that changed concurrently. Sales between the reading and the writing are kept: the same
 * difference is applied to the quantity that the store has now. The baseline becomes the planned value: the sheet still
 * has it, so the next run writes the sales there.
 */
export function outcomeOfStale(
  change: Change,
  { actual, resumed, unsure, keepConcurrent, equalMoves = null }: Stale,
): ChangeOutcome {
  const { seq, params } = change;
  const from = Number(change.from);
  const to = Number(change.to);
  const changed = { seq, state: 'skipped', code: 'store_changed' } as const;
  if (actual === to && (resumed || unsure || keepConcurrent)) return { seq, state: 'applied' };
  // The write is known not to have happened: someone else made the same change.
  if (actual === to && equalMoves !== 'add') return { ...changed, inDoubt: equalMoves === null };
  if (unsure && actual !== from) return { ...changed, inDoubt: true };
  // Where it was not stocked, somebody else has stocked it: what both have now is for the next run.
  if (actual === null || keepConcurrent || change.from === null) return changed;
  if (resumed && actual !== from) return changed;
  if (triesOf(change) >= MAX_TRIES) return changed;
  const quantity = to + actual - from;
  if (quantity > MAX_QUANTITY) return changed;
  if (quantity < 0) return { seq, state: 'skipped', code: 'negative_quantity', params: { quantity } };
  return {
    seq,
    state: 'planned',
    from: String(actual),
    to: String(quantity),
    base: change.base ?? change.to,
    params: { ...params, try: triesOf(change) + 1 },
  };
}

/** The number of the next attempt at this change, from 1. */
function triesOf({ params }: Pick<Change, 'params'>): number {
  return Number(params?.['try'] ?? 1);
}
