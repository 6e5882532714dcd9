import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Change } from '../../../src/sync/change.ts';
import { outcomeOfStale } from '../../../src/sync/runs/apply/apply-quantities.ts';

const change = (from: number, to: number, more: Partial<Change> = {}): Change => ({
  ...{ seq: 1, key: 'A', row: 2, variantId: 'v', productId: 'p', itemId: 'i', field: 'inventory_quantity' },
  ...{ side: 'store', kind: 'set', from: String(from), to: String(to), base: null, batch: 1 },
  ...{ state: 'sent', code: null, params: null },
  ...more,
});
const fresh = { resumed: false, unsure: false, keepConcurrent: false };

test('what was sold between the reading and the writing is taken off what is set next', () => {
  expect(outcomeOfStale(change(10, 60), { ...fresh, actual: 7 })).toEqual({
    seq: 1,
    state: 'planned',
    from: '7',
    to: '57',
    base: '60',
    params: { try: 2 },
  });
});

test('a quantity that is already what it should be has arrived', () => {
  expect(
    outcomeOfStale(change(10, 60), { resumed: true, unsure: true, keepConcurrent: true, actual: 60 }),
  ).toEqual({
    seq: 1,
    state: 'applied',
  });
});

test('what came to the same number without it is in doubt, but not to an undo', () => {
  const doubtful = { seq: 1, state: 'skipped', code: 'store_changed', inDoubt: true };
  expect(outcomeOfStale(change(10, 60), { ...fresh, actual: 60 })).toEqual(doubtful);
  const arrived = { seq: 1, state: 'applied' };
  expect(outcomeOfStale(change(10, 60), { ...fresh, keepConcurrent: true, actual: 60 })).toEqual(arrived);
});

test.each([
  ['after three tries', change(10, 60, { params: { try: 3 } }), { ...fresh, actual: 7 }],
  ['by an undo', change(10, 60), { ...fresh, keepConcurrent: true, actual: 7 }],
  ['when it may have arrived before', change(10, 60), { ...fresh, resumed: true, actual: 7 }],
  ['where the item is no longer stocked', change(10, 60), { ...fresh, actual: null }],
])('a quantity that has moved is not set %s', (_case, stale, how) => {
  expect(outcomeOfStale(stale, how)).toEqual({ seq: 1, state: 'skipped', code: 'store_changed' });
});

test('where the store cannot tell whether it had been set, and it has moved, a person is asked', () => {
  expect(outcomeOfStale(change(10, 60), { ...fresh, resumed: true, unsure: true, actual: 58 })).toEqual({
    seq: 1,
    state: 'skipped',
    code: 'store_changed',
    inDoubt: true,
  });
});

test('what would be less than nothing is not set', () => {
  expect(outcomeOfStale(change(10, 2), { ...fresh, actual: 5 })).toEqual({
    seq: 1,
    state: 'skipped',
    code: 'negative_quantity',
    params: { quantity: -3 },
  });
});

test('however often the store moves, the next try makes the same difference to what it has', () => {
  const count = fc.integer({ min: 0, max: 1_000_000 });
  fc.assert(
    fc.property(count, count, count, (from, to, actual) => {
      const settled = outcomeOfStale(change(from, to), { ...fresh, actual });
      if (settled.state !== 'planned') return;
      expect(Number(settled.to) - Number(settled.from)).toBe(to - from);
      expect(settled.from).toBe(String(actual));
    }),
  );
});
