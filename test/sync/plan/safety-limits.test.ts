import fc from 'fast-check';
import { expect, test } from 'vitest';
import { SafetyLimits } from '../../../src/sync/config.ts';
import { countSafetyLimits, type PlanTotals, type StoreMove } from '../../../src/sync/plan/safety-limits.ts';
import { samples } from '../../support/samples.ts';

const DEFAULTS = SafetyLimits.parse({});
const QUIET: PlanTotals = { rows: 1_000, known: 1_000, missing: 0 };

function hits(
  rows: readonly (readonly StoreMove[])[],
  totals: Partial<PlanTotals> = {},
  safetyLimits = DEFAULTS,
) {
  const count = countSafetyLimits(safetyLimits);
  for (const moves of rows) count.row(moves);
  return count.hits({ ...QUIET, ...totals });
}

const rows = (howMany: number, ...moves: StoreMove[]) => Array.from({ length: howMany }, () => moves);
const quantity = (from: string | null, to: string | null): StoreMove => ({
  field: 'inventory_quantity',
  from,
  to,
});
const price = (from: string | null, to: string | null): StoreMove => ({ field: 'price', from, to });
const changed = (found: number) => ({ safety_limit: 'changed_percent', limit: 20, found });
const zeroed = (found: number) => ({ safety_limit: 'zeroed_percent', limit: 5, found });
const shrunk = (found: number) => ({ safety_limit: 'shrunk_percent', limit: 30, found });
const moved = (found: number) => ({ safety_limit: 'price_percent', limit: 50, found });

test('a plan that changes nothing, of nothing, asks nothing', () => {
  expect(hits([], { rows: 0, known: 0, missing: 0 })).toEqual([]);
});

test('rows changed: over the limit, and at least 20', () => {
  expect(hits(rows(20), { rows: 100 })).toEqual([]);
  expect(hits(rows(21), { rows: 100 })).toEqual([changed(21)]);
  expect(hits(rows(19), { rows: 19 })).toEqual([]);
  expect(hits(rows(20), { rows: 20 })).toEqual([changed(100)]);
  expect(hits(rows(20), { rows: 0 })).toEqual([]);
});

test('quantities that go to zero: over the limit, and at least 5 rows', () => {
  expect(hits(rows(5, quantity('3', '0')), { rows: 100 })).toEqual([]);
  expect(hits(rows(6, quantity('3', '0')), { rows: 100 })).toEqual([zeroed(6)]);
  expect(hits(rows(4, quantity('3', '0')), { rows: 4 })).toEqual([]);
  expect(hits(rows(5, quantity('3', '0')), { rows: 5 })).toEqual([zeroed(100)]);
});

test('only a quantity that was there goes to zero', () => {
  const others = [quantity('3', '1'), quantity('-2', '0'), quantity(null, '0'), quantity('3', null)];
  expect(hits([...rows(9, ...others), ...rows(9, { field: 'grams', from: '3', to: '0' })])).toEqual([]);
});

test('the sheet has lost rows: over the limit, however few there were', () => {
  expect(hits([], { known: 10, missing: 3 })).toEqual([]);
  expect(hits([], { known: 10, missing: 4 })).toEqual([shrunk(40)]);
  expect(hits([], { known: 1, missing: 1 })).toEqual([shrunk(100)]);
  expect(hits([], { known: 0, missing: 0 })).toEqual([]);
});

test.each([
  ['10.00', '15.00', []],
  ['10.00', '5.00', []],
  // In binary numbers this is a little more than half.
  ['0.18', '0.27', []],
  ['9.90', '14.85', []],
  ['9.90', '14.86', [moved(50.11)]],
  ['9.90', '4.94', [moved(50.11)]],
  ['10.00', '30.00', [moved(200)]],
  ['10.00', '0.00', [moved(100)]],
  ['1000000.00', '1500000.01', [moved(50.01)]],
  ['0.00', '10.00', []],
  [null, '10.00', []],
])('a price from %s to %s', (from, to, expected) => {
  expect(hits([[price(from, to)]])).toEqual(expected);
});

test('the largest move of a price counts', () => {
  expect(hits([[price('10.00', '16.00')], [price('10.00', '1.00'), price('10.00', '11.00')]])).toEqual([
    moved(90),
  ]);
});

test('a limit of 100 never asks, one of 0 asks about anything', () => {
  const all = rows(20, quantity('3', '0'), price('1.00', '9.00'));
  const totals = { rows: 20, known: 20, missing: 20 };
  const limit = (percent: number) => ({
    changed_percent: percent,
    zeroed_percent: percent,
    shrunk_percent: percent,
    price_percent: percent,
  });
  expect(hits(all, totals, limit(100))).toEqual([]);
  expect(hits(all, totals, limit(0))).toEqual([
    { safety_limit: 'changed_percent', limit: 0, found: 100 },
    { safety_limit: 'zeroed_percent', limit: 0, found: 100 },
    { safety_limit: 'shrunk_percent', limit: 0, found: 100 },
    { safety_limit: 'price_percent', limit: 0, found: 800 },
  ]);
  expect(hits(rows(20, quantity('0', '3')), { ...totals, missing: 0 }, limit(0))).toEqual([
    { safety_limit: 'changed_percent', limit: 0, found: 100 },
  ]);
});

test('what is found is always a number above its limit, and the order of the rows tells nothing', () => {
  const amount = fc.option(fc.integer({ min: 0, max: 100_000 }).map((cents) => (cents / 100).toFixed(2)));
  const units = fc.option(fc.integer({ min: -3, max: 3 }).map(String));
  const move = fc.oneof(
    fc.tuple(amount, amount).map(([from, to]) => price(from, to)),
    fc.tuple(units, units).map(([from, to]) => quantity(from, to)),
  );
  const total = fc.nat({ max: 60 });
  const totals = fc.record({ rows: total, known: total, missing: total });
  const limit = fc.double({ min: 0, max: 100, noNaN: true });
  const safetyLimits = fc.record({
    changed_percent: limit,
    zeroed_percent: limit,
    shrunk_percent: limit,
    price_percent: limit,
  });
  fc.assert(
    fc.property(
      fc.array(fc.array(move, { maxLength: 3 }), { maxLength: 40 }),
      totals,
      safetyLimits,
      (plan, totals, safetyLimits) => {
        const found = hits(plan, totals, safetyLimits);
        for (const hit of found)
          expect([Number.isFinite(hit.found), hit.found > hit.limit]).toEqual([true, true]);
        expect(hits(plan.toReversed(), totals, safetyLimits)).toEqual(found);
      },
    ),
    { numRuns: samples(1_000), seed: 20_261_121 },
  );
});
