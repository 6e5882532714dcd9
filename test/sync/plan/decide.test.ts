import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type DecidedCell, type Decision, decide } from '../../../src/sync/plan/decide.ts';
import { STORE_FIELDS } from '../../../src/sync/values/field.ts';
import { samples } from '../../support/samples.ts';

const RUNS = { numRuns: samples(20_000), seed: 20_261_121 };

/** A cell of a two-way run that has been the same on both sides, unless told otherwise. */
function cell(some: Partial<DecidedCell>): DecidedCell {
  const { sheet = null } = some;
  return {
    direction: 'two_way',
    field: 'inventory_quantity',
    base: '5',
    store: '5',
    sheet,
    sheetBlank: sheet === null,
    policy: 'ask',
    merge: true,
    equalMoves: 'add',
    blankMeans: 'nothing',
    activate: false,
    untracked: false,
    ...some,
  };
}

const NOTHING = { to: 'none' } as const;
const CONFLICT = { to: 'conflict' } as const;
const UNDECIDED = { to: 'undecided' } as const;
const sheet = (value: string | null) => ({ to: 'sheet', value }) as const;
const store = (value: string | null) => ({ to: 'store', value }) as const;
const not = (note: 'invalid_value' | 'not_stocked' | 'untracked' | 'cannot_clear' | 'reverted') =>
  ({ to: 'none', note }) as const;

test.each<[string, Partial<DecidedCell>, Decision]>([
  ['the same', { store: '5', sheet: '5' }, NOTHING],
  ['another value', { store: '5', sheet: '7' }, sheet('5')],
  ['a blank cell', { store: '5', sheet: null }, sheet('5')],
  ['an item that is not stocked', { store: null, sheet: '7' }, sheet(null)],
  ['nothing on either side', { store: null, sheet: null }, NOTHING],
  ['a cell that cannot be read', { store: '5', sheet: null, sheetBlank: false }, sheet('5')],
  ['the same, where it cannot be read', { store: null, sheet: null, sheetBlank: false }, sheet(null)],
])('store to sheet: %s', (_, some, decision) => {
  expect(decide(cell({ ...some, direction: 'store_to_sheet' }))).toEqual(decision);
});

test.each<[string, Partial<DecidedCell>, Decision]>([
  ['the same', { sheet: '5' }, NOTHING],
  ['another value', { sheet: '7' }, store('7')],
  ['zero', { sheet: '0' }, store('0')],
  ['below zero', { sheet: '-1' }, not('invalid_value')],
  ['below zero, as the store is itself', { store: '-1', sheet: '-1' }, NOTHING],
  ['a blank cell', { sheet: null }, NOTHING],
  ['a blank cell, to clear a quantity', { sheet: null, blankMeans: 'clear' }, not('cannot_clear')],
  ['a blank cell, to clear a barcode', { field: 'barcode', sheet: null, blankMeans: 'clear' }, store(null)],
  ['a blank cell, to clear an SKU', { field: 'sku', sheet: null, blankMeans: 'clear' }, not('cannot_clear')],
  ['a blank cell, cleared already', { store: null, sheet: null, blankMeans: 'clear' }, NOTHING],
  ['an item that is not stocked', { store: null, sheet: '7' }, not('not_stocked')],
  ['an item that is not stocked, to activate', { store: null, sheet: '7', activate: true }, store('7')],
  [
    'an item that is not stocked, to activate, below zero',
    { store: null, sheet: '-7', activate: true },
    not('invalid_value'),
  ],
  ['an item that is not tracked', { sheet: '7', untracked: true }, not('untracked')],
  ['the price of an item that is not tracked', { field: 'price', sheet: '7', untracked: true }, store('7')],
  ['an item without a barcode', { field: 'barcode', store: null, sheet: '7' }, store('7')],
  ['a cell that cannot be read', { sheet: null, sheetBlank: false }, not('invalid_value')],
])('sheet to store: %s', (_, some, decision) => {
  expect(decide(cell({ ...some, direction: 'sheet_to_store' }))).toEqual(decision);
});

const UNDONE = { store: '5', sheet: '7' };

test.each<[DecidedCell['direction'], string, Partial<DecidedCell>, Decision]>([
  ['two_way', 'both are as the undo left them', { store: '5', sheet: '7' }, not('reverted')],
  ['two_way', 'they are, and the baseline is what was undone', { base: '7', sheet: '7' }, not('reverted')],
  ['two_way', 'the store changed', { store: '4', sheet: '7' }, sheet('4')],
  ['two_way', 'the sheet changed', { store: '5', sheet: '8' }, store('8')],
  ['two_way', 'the sheet was emptied', { store: '5', sheet: null }, not('reverted')],
  ['two_way', 'the sheet was taken back', { store: '5', sheet: '5' }, NOTHING],
  ['two_way', 'both changed', { store: '4', sheet: '8' }, { to: 'both', value: '7', storeBase: '8' }],
  ['store_to_sheet', 'both are as the undo left them', { store: '5', sheet: '7' }, not('reverted')],
  ['store_to_sheet', 'the store changed', { store: '4', sheet: '7' }, sheet('4')],
  ['store_to_sheet', 'the sheet changed', { store: '5', sheet: '8' }, not('reverted')],
  ['store_to_sheet', 'both changed', { store: '4', sheet: '8' }, sheet('4')],
  ['sheet_to_store', 'both are as the undo left them', { store: '5', sheet: '7' }, not('reverted')],
  ['sheet_to_store', 'the sheet changed', { store: '5', sheet: '8' }, store('8')],
  ['sheet_to_store', 'the store changed', { store: '4', sheet: '7' }, not('reverted')],
])('undone, %s: %s', (direction, _, some, decision) => {
  expect(decide(cell({ ...some, direction, undone: UNDONE }))).toEqual(decision);
});

test.each<[string, Partial<DecidedCell>, Decision]>([
  ['nobody changed it', { store: '5', sheet: '5' }, NOTHING],
  ['the sheet changed it', { store: '5', sheet: '7' }, store('7')],
  ['the store changed it', { store: '4', sheet: '5' }, sheet('4')],
  ['the store oversold it', { store: '-1', sheet: '5' }, sheet('-1')],
  ['the sheet changed it to below zero', { store: '5', sheet: '-1' }, not('invalid_value')],
  ['the store stocks it no more', { store: null, sheet: '5' }, sheet(null)],
  ['the sheet changed what is not stocked', { base: null, store: null, sheet: '7' }, not('not_stocked')],
  ['a blank cell', { store: '5', sheet: null }, sheet('5')],
  ['a blank cell, the store changed it', { store: '4', sheet: null }, sheet('4')],
  ['a blank cell, to clear', { store: '5', sheet: null, blankMeans: 'clear' }, not('cannot_clear')],
  [
    'a blank barcode, to clear',
    { field: 'barcode', store: '5', sheet: null, blankMeans: 'clear' },
    store(null),
  ],
  [
    'a blank barcode, to clear, that the store changed',
    { field: 'barcode', store: '6', sheet: null, blankMeans: 'clear' },
    CONFLICT,
  ],
  [
    'a new barcode in the store',
    { field: 'barcode', base: null, store: '6', sheet: null, blankMeans: 'clear' },
    sheet('6'),
  ],
  ['a new barcode in the sheet', { field: 'barcode', base: null, store: null, sheet: '6' }, store('6')],
  ['a cell that cannot be read', { sheet: null, sheetBlank: false }, not('invalid_value')],
])('two way, known of before: %s', (_, some, decision) => {
  expect(decide(cell(some))).toEqual(decision);
});

test.each<[string, Partial<DecidedCell>, Decision]>([
  ['both', { store: '3', sheet: '55' }, { to: 'both', value: '53', storeBase: '55' }],
  ['both, to what the base was', { store: '3', sheet: '7' }, { to: 'both', value: '5', storeBase: '7' }],
  ['both, from an oversold item', { store: '-2', sheet: '9' }, { to: 'both', value: '2', storeBase: '9' }],
  ['both, to zero', { store: '3', sheet: '2' }, { to: 'both', value: '0', storeBase: '2' }],
  ['both, alike', { base: '10', store: '9', sheet: '9' }, { to: 'both', value: '8', storeBase: '9' }],
  ['both, alike, up', { store: '6', sheet: '6' }, { to: 'both', value: '7', storeBase: '6' }],
  [
    'both, alike, to ask',
    { equalMoves: 'ask', base: '10', store: '9', sheet: '9' },
    { to: 'conflict', note: 'equal_moves' },
  ],
  [
    'both, alike, to less than zero',
    { store: '2', sheet: '2' },
    { to: 'conflict', note: 'negative_quantity' },
  ],
  ['both, alike, below zero', { store: '-2', sheet: '-2' }, NOTHING],
  ['both, alike, merge off', { merge: false, store: '2', sheet: '2' }, NOTHING],
  ['prices, alike', { field: 'price', store: '2.00', sheet: '2.00' }, NOTHING],
  ['to less than zero', { store: '1', sheet: '3' }, { to: 'conflict', note: 'negative_quantity' }],
  ['with a cell below zero', { store: '9', sheet: '-1' }, not('invalid_value')],
  ['to more than a store takes', { base: '0', store: '600000000', sheet: '600000001' }, CONFLICT],
  ['merge off', { merge: false, store: '3', sheet: '55' }, CONFLICT],
  ['merge off, store wins', { merge: false, policy: 'store_wins', store: '3', sheet: '55' }, sheet('3')],
  ['merge off, sheet wins', { merge: false, policy: 'sheet_wins', store: '3', sheet: '55' }, store('55')],
  ['what is not stocked any more', { store: null, sheet: '55' }, CONFLICT],
  ['weights are no quantities', { field: 'grams', store: '3', sheet: '55' }, CONFLICT],
  ['store wins', { field: 'price', policy: 'store_wins', store: '3.00', sheet: '9.00' }, sheet('3.00')],
  ['sheet wins', { field: 'price', policy: 'sheet_wins', store: '3.00', sheet: '9.00' }, store('9.00')],
])('two way, both changed it: %s', (_, some, decision) => {
  expect(decide(cell(some))).toEqual(decision);
});

test.each<[string, Partial<DecidedCell>, Decision]>([
  ['the same', { store: '5', sheet: '5' }, NOTHING],
  ['two values', { store: '5', sheet: '7' }, UNDECIDED],
  ['two values, the store is right', { store: '5', sheet: '7', initial: 'store' }, sheet('5')],
  ['two values, the sheet is right', { store: '5', sheet: '7', initial: 'sheet' }, store('7')],
  ['a blank cell', { store: '5', sheet: null }, sheet('5')],
  ['a blank cell, the sheet is right', { store: '5', sheet: null, initial: 'sheet' }, sheet('5')],
  ['a barcode in the sheet only', { field: 'barcode', store: null, sheet: '7' }, UNDECIDED],
  [
    'a blank barcode, to clear, the sheet is right',
    { field: 'barcode', sheet: null, blankMeans: 'clear', initial: 'sheet' },
    store(null),
  ],
  ['below zero, the sheet is right', { store: '5', sheet: '-7', initial: 'sheet' }, not('invalid_value')],
])('two way, nothing known of before: %s', (_, some, decision) => {
  expect(decide(cell({ ...some, base: undefined }))).toEqual(decision);
});

test('two way, nothing known of before: what is not stocked gets what the sheet has, where it may', () => {
  const some = { base: undefined, store: null, sheet: '7' } as const;
  expect(decide(cell(some))).toEqual(UNDECIDED);
  expect(decide(cell({ ...some, activate: true }))).toEqual(store('7'));
});

test.each<[string, Partial<DecidedCell>, Decision]>([
  ['changed in the store', { store: '9', sheet: '5' }, sheet('9')],
  ['changed in the sheet', { sheet: '7' }, not('untracked')],
  ['changed on both sides', { store: '9', sheet: '7' }, not('untracked')],
  ['changed alike', { store: '4', sheet: '4' }, not('untracked')],
  ['a conflict', { store: '9', sheet: '7', merge: false }, not('untracked')],
  ['nothing known of before', { base: undefined, sheet: '7' }, not('untracked')],
  ['the same', { sheet: '5' }, NOTHING],
])('two way, a quantity that the store does not track: %s', (_, some, decision) => {
  expect(decide(cell({ ...some, untracked: true }))).toEqual(decision);
});

test('a base of null is as good as none where both sides have a value', () => {
  const some = { field: 'barcode', base: null, store: '5', sheet: '7' } as const;
  expect(decide(cell(some))).toEqual(UNDECIDED);
  expect(decide(cell({ ...some, initial: 'store' }))).toEqual(sheet('5'));
});

const value = fc.option(fc.constantFrom('0', '1', '2', '3', '9', '-1'));

const anyCell: fc.Arbitrary<DecidedCell> = fc
  .record({
    direction: fc.constantFrom('store_to_sheet', 'sheet_to_store', 'two_way'),
    field: fc.constantFrom(...STORE_FIELDS),
    base: fc.oneof(value, fc.constant(undefined)),
    store: value,
    sheet: value,
    policy: fc.constantFrom('ask', 'store_wins', 'sheet_wins'),
    merge: fc.boolean(),
    equalMoves: fc.constantFrom('add', 'ask'),
    blankMeans: fc.constantFrom('nothing', 'clear'),
    activate: fc.boolean(),
    untracked: fc.boolean(),
    initial: fc.constantFrom('store', 'sheet', undefined),
  })
  .map(({ initial, ...known }) => ({
    ...known,
    sheetBlank: known.sheet === null,
    ...(initial && { initial }),
  }));

/** Both sides and the base after a decision was carried out. */
function outcome(before: DecidedCell, decision: Decision): DecidedCell {
  if (!('value' in decision)) return before;
  const { to, value } = decision;
  const sides = {
    store: to === 'sheet' ? before.store : value,
    sheet: to === 'store' ? before.sheet : value,
  };
  return { ...before, ...sides, base: value, sheetBlank: sides.sheet === null };
}

test('what was carried out is not done again', () => {
  fc.assert(
    fc.property(anyCell, (before) => {
      const decision = decide(before);
      if (!('value' in decision)) return;
      expect(decide(outcome(before, decision))).toEqual(NOTHING);
    }),
    RUNS,
  );
});

test('a merge of which only the store part arrived leaves the sheet to be written, and no more', () => {
  const units = fc.integer({ min: 0, max: 9 }).map(String);
  fc.assert(
    fc.property(units, units, units, (base, store, sheet) => {
      const before = cell({ base, store, sheet });
      const decision = decide(before);
      if (decision.to !== 'both') return;
      const { value, storeBase } = decision;
      expect(decide({ ...before, store: value, base: storeBase })).toEqual({ to: 'sheet', value });
    }),
    RUNS,
  );
});

test('the two sides are alike: told the other way round, the same is done the other way round', () => {
  // What a store cannot take, what blanks mean, and pictures, which only a store copies, are not alike.
  const both = anyCell.filter(
    ({ direction, field, store, sheet, untracked }) =>
      direction === 'two_way' &&
      field !== 'image' &&
      !untracked &&
      store !== null &&
      sheet !== null &&
      !(field === 'inventory_quantity' && (store === '-1' || sheet === '-1')),
  );
  const POLICIES = { ask: 'ask', store_wins: 'sheet_wins', sheet_wins: 'store_wins' } as const;
  const SIDES = { store: 'sheet', sheet: 'store' } as const;
  const mirrored = ({ initial, ...one }: DecidedCell): DecidedCell => ({
    ...one,
    store: one.sheet,
    sheet: one.store,
    policy: POLICIES[one.policy],
    ...(initial && { initial: SIDES[initial] }),
  });
  const mirror = (decision: Decision, { store }: DecidedCell): Decision => {
    if (decision.to === 'store' || decision.to === 'sheet') return { ...decision, to: SIDES[decision.to] };
    return decision.to === 'both' ? { ...decision, storeBase: store } : decision;
  };
  fc.assert(
    fc.property(both, (one) => {
      expect(decide(mirrored(one))).toEqual(mirror(decide(one), one));
    }),
    RUNS,
  );
});

test('a run of one direction never writes to the other side, and only says what the cells hold', () => {
  fc.assert(
    fc.property(anyCell, (one) => {
      const decision = decide(one);
      if (one.direction === 'store_to_sheet') expect(['none', 'sheet']).toContain(decision.to);
      if (one.direction === 'sheet_to_store') expect(['none', 'store']).toContain(decision.to);
      if (decision.to === 'sheet') expect(decision.value).toBe(one.store);
      if (decision.to === 'store') expect(decision.value).toBe(one.sheet);
    }),
    RUNS,
  );
});
