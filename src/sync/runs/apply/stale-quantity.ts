import type { Change } from '../../change.ts';
import type { Settlement } from './settlement.ts';

/** How often a quantity is set anew after the store has moved it. */
const TRIES_MOST = 3;
const QUANTITY_MOST = 1_000_000_000;

type Stale = {
  /** What the store has now; null: the item is gone, or not stocked any more. */
  readonly actual: number | null;
  /** The write was one that an earlier attempt had begun: it may have arrived, and been followed by a sale. */
  readonly resumed: boolean;
  /** The store cannot tell whether an earlier try had set it. */
  readonly unsure: boolean;
  /** What has moved since is left alone, as by an undo. */
  readonly leaveMoved: boolean;
};

/**
 * What becomes of a quantity that was not what its change began from. Sales between the reading and the writing are kept:
 * the same difference is applied to what the store has now. The base stays what it was to become: the sheet still has
 * that, so the next run takes the sales there.
 */
export function settleStale(change: Change, { actual, resumed, unsure, leaveMoved }: Stale): Settlement {
  const { seq, params } = change;
  const from = Number(change.from);
  const to = Number(change.to);
  const moved = { seq, state: 'skipped', code: 'store_changed' } as const;
  if (actual === to)
    return resumed || unsure || leaveMoved ? { seq, state: 'applied' } : { ...moved, inDoubt: true };
  if (unsure && actual !== from) return { ...moved, inDoubt: true };
  if (actual === null || leaveMoved) return moved;
  if (resumed && actual !== from) return moved;
  if (triesOf(change) >= TRIES_MOST) return moved;
  const quantity = to + actual - from;
  if (quantity > QUANTITY_MOST) return moved;
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

/** Which try at this change is next, from 1. */
export function triesOf({ params }: Pick<Change, 'params'>): number {
  return Number(params?.['try'] ?? 1);
}
