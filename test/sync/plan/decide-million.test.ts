import { expect, test } from 'vitest';
import { type DecidedCell, type Decision, decide } from '../../../src/sync/plan/decide.ts';
import type { Canonical } from '../../../src/sync/values/field.ts';

/** A cell as it stands on both sides, and what was last the same on both. */
type World = { readonly base: Canonical; readonly store: Canonical; readonly sheet: Canonical };
type Settings = Pick<DecidedCell, 'direction' | 'policy' | 'merge' | 'equalMoves' | 'blankMeans'>;

const MERGING: Settings = {
  direction: 'two_way',
  policy: 'ask',
  merge: true,
  equalMoves: 'add',
  blankMeans: 'clear',
};

test('in a million cells no edit of one side is lost, nothing is written twice, conflicts are held, stock adds up', () => {
  expect(simulate(MERGING, 1_000_000)).toEqual({
    lost: { edits: 0, secondWrites: 0, overwritten: 0, units: 0 },
    seen: {
      unedited: 347_364,
      sheetOnly: 236_174,
      storeOnly: 235_534,
      merged: 74_490,
      // Of these a part arrived in the store alone, and the next run wrote the sheet.
      cutShort: 14_988,
      // Conflicts, sums below zero, and cells below zero.
      held: 106_438,
    },
  });
});

test('were the last writer right, units of stock would be lost where both sides changed them', () => {
  const { lost, seen } = simulate({ ...MERGING, policy: 'sheet_wins', merge: false }, 100_000);
  expect({ lost, merged: seen.merged }).toEqual({
    lost: { edits: 0, secondWrites: 0, overwritten: 9_468, units: 158_955 },
    merged: 7_402,
  });
});

type Tally = {
  readonly lost: { edits: number; secondWrites: number; overwritten: number; units: number };
  readonly seen: Record<'unedited' | 'sheetOnly' | 'storeOnly' | 'merged' | 'cutShort' | 'held', number>;
};

function simulate(settings: Settings, cells: number): Tally {
  const random = seeded(20_261_121);
  const tally: Tally = {
    lost: { edits: 0, secondWrites: 0, overwritten: 0, units: 0 },
    seen: { unedited: 0, sheetOnly: 0, storeOnly: 0, merged: 0, cutShort: 0, held: 0 },
  };
  for (let index = 0; index < cells; index++) {
    const field = FIELDS[index % FIELDS.length] ?? 'price';
    const before = editedCell(field, random);
    const isCutShort = random() < 0.2;

    const decision = decideOn(settings, field, before);
    let after = carriedOut(before, decision);
    if (decision.to === 'both' && isCutShort) {
      tally.seen.cutShort++;
      const halfway = { ...before, store: decision.value, base: decision.storeBase };
      after = carriedOut(halfway, decideOn(settings, field, halfway));
    }
    if ('value' in decideOn(settings, field, after)) tally.lost.secondWrites++;
    judge(tally, { field, merge: settings.merge }, before, after);
  }
  return tally;
}

function decideOn(settings: Settings, field: Field, { base, store, sheet }: World): Decision {
  const sheetBlank = sheet === null;
  const usual = { activate: false, untracked: false };
  return decide({ ...settings, ...usual, field, base, store, sheet, sheetBlank });
}

/** What should have become of the cell, told by who edited it alone. */
function judge(
  { lost, seen }: Tally,
  { field, merge }: { field: Field; merge: boolean },
  { base, store, sheet }: World,
  after: World,
): void {
  const isRefused = field === 'inventory_quantity' && Number(sheet) < 0;
  const is = (wanted: World['store'], shown: World['sheet']) =>
    after.store === wanted && after.sheet === shown;
  const isEqualMove = merge && field === 'inventory_quantity' && store !== base && Number(store) >= 0;
  if (store === sheet && !isEqualMove) {
    seen.unedited++;
    if (!is(store, store)) lost.edits++;
  } else if (store === base) {
    seen.sheetOnly++;
    if (!is(isRefused ? store : sheet, sheet)) lost.edits++;
  } else if (sheet === base) {
    seen.storeOnly++;
    if (!is(store, store)) lost.edits++;
  } else {
    const sum = Number(store) + Number(sheet) - Number(base);
    if (field === 'inventory_quantity' && !isRefused && sum >= 0) {
      seen.merged++;
      lost.units += Math.abs(Number(after.store) - sum) + (after.store === after.sheet ? 0 : 1);
    } else {
      seen.held++;
      if (!is(store, sheet)) lost.overwritten++;
    }
  }
}

const FIELDS = ['inventory_quantity', 'price', 'inventory_quantity', 'barcode', 'taxable'] as const;
type Field = (typeof FIELDS)[number];

/** Both sides once had the same value, then each, one or none of them was given another. */
function editedCell(field: Field, random: () => number): World {
  const base = randomValue(field, random);
  const edits = Math.floor(random() * 4);
  const store = edits === 1 || edits === 3 ? randomValue(field, random) : base;
  const sheet = edits === 2 || edits === 3 ? randomValue(field, random) : base;
  return { base, store, sheet };
}

function randomValue(field: Field, random: () => number): Canonical {
  switch (field) {
    case 'inventory_quantity':
      // Now and then below zero: oversold in the store, a slip of the hand in the sheet.
      return String(Math.floor(random() * 60) - (random() < 0.05 ? 60 : 0));
    case 'price':
      return `${Math.floor(random() * 20)}.${random() < 0.5 ? '00' : '90'}`;
    case 'barcode':
      return random() < 0.3 ? null : `40063813${Math.floor(random() * 30)}`;
    case 'taxable':
      return random() < 0.5 ? 'true' : 'false';
  }
}

function carriedOut(before: World, decision: Decision): World {
  switch (decision.to) {
    case 'sheet':
      return { ...before, sheet: decision.value, base: decision.value };
    case 'store':
      return { ...before, store: decision.value, base: decision.value };
    case 'both':
      return { store: decision.value, sheet: decision.value, base: decision.value };
    default:
      return before.store === before.sheet ? { ...before, base: before.store } : before;
  }
}

/** Mulberry32: the same numbers every time. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
