import { describe, expect, test } from 'vitest';
import type { Cell } from '../../../src/sync/ports/sheet-client.ts';
import { compareItems } from '../../../src/sync/runs/apply/moved-cells/compare-items.ts';
import { locateWrites } from '../../../src/sync/runs/apply/moved-cells/locate-writes.ts';
import { type Chance, createChance } from '../../faults/sync-worlds/chance.ts';
import { samples } from '../../support/samples.ts';

const SEEDS = samples(5_000);

/** A row that keeps its identity however it moves; the header is one, too. */
type Row = { readonly id: string; cells: Cell[] };
type Tab = { rows: Row[]; columns: string[] };
type Written = { readonly row: number; readonly column: number; readonly value: Cell };

test(`${SEEDS} writes into tabs whose rows and columns move before or after leave no value with another item`, () => {
  const wrong: Wrong[] = [];
  for (let seed = 1; seed <= SEEDS; seed++) wrong.push(...tried(createChance(seed), seed));
  expect(wrong).toEqual([]);
});

test('headers that were overwritten are told apart by what was not, where their columns changed places', () => {
  const before = [
    ['SKU', 'Stock', 'State'],
    ['A', 28, 'draft'],
    ['B', 5, 'old'],
    ['C', 17, 'old'],
    ['D', 26, 'draft'],
  ];
  const cells = [
    { row: 2, column: 1, value: 5 },
    { row: 2, column: 2, value: 'live' },
    { row: 3, column: 1, value: 17 },
    { row: 4, column: 1, value: 28 },
  ];
  // The columns changed places, and a row was inserted above the header, before the write.
  const after = [[], ['SKU', 5, 'live'], ['A', 17, 28], ['B', 28, 5], ['C', 'old', 17], ['D', 'draft', 26]];
  const { misplaced } = locateWrites(before, after, cells, { headerRow: 1, keyColumn: 0 });
  expect(misplaced).toEqual([
    { row: 2, column: 1, was: 'State' },
    { row: 2, column: 2, was: 'Stock' },
    { row: 3, column: 1, was: 'draft' },
    { row: 4, column: 1, was: 'old' },
  ]);
});

test('an item whose key was overwritten is not taken for a row without one, where cells were emptied too', () => {
  const before = [
    ['Stock', 'Tags', 'SKU', 'Title', 'Sync'],
    [5, 'red', 'C', 'Bowl', 'ok'],
    [7, 'blue', 'B', 'Cup', 'ok'],
    [9, '', 'A', 'Mug', 'moved'],
    ['', '', '', '', 'moved'],
  ];
  const cells = [
    { row: 2, column: 0, value: 6 },
    { row: 2, column: 1, value: 'new' },
    { row: 3, column: 0, value: 8 },
    { row: 3, column: 1, value: 'old' },
    { row: 3, column: 3, value: '' },
  ];
  // Before the write the rows were sorted, and the first column was moved.
  const after = [
    ['Tags', 'SKU', 'Title', 'Stock', 'Sync'],
    [6, 'new', '', '', 'moved'],
    [8, 'old', 'Mug', '', 'moved'],
    ['blue', 'B', 'Cup', 7, 'ok'],
    ['red', 'C', 'Bowl', 5, 'ok'],
  ];
  const { misplaced } = locateWrites(before, after, cells, { headerRow: 1, keyColumn: 2 });
  expect(misplaced).toEqual([
    { row: 2, column: 0, was: '' },
    { row: 2, column: 1, was: '' },
    { row: 3, column: 0, was: '' },
    { row: 3, column: 1, was: 'A' },
    { row: 3, column: 3, was: 9 },
  ]);
});

test('what a write left in a row that is no item’s is cleared, also where an item has the same in that column', () => {
  const header = ['Taxable', 'SKU', 'Stock'];
  const items = [
    [true, 'A', 5],
    [false, 'B', 7],
  ];
  const compared = compareItems([header, ...items], [header, ...items, [true]], {
    cells: [{ row: 3, column: 0, value: true }],
    written: new Set(['TRUE']),
    anchors: { headerRow: 1, keyColumn: 1 },
    isLater: true,
    losesKeys: false,
    hasPutKeys: false,
  });
  expect(compared?.back).toEqual([{ row: 4, column: 0, value: '' }]);
});

describe('an item whose row was overwritten by a new one', () => {
  const header = ['SKU', 'Stock'];
  const [above, lost, below] = [
    ['A', 1],
    ['K', 2],
    ['B', 3],
  ];
  const note = ['', 'a note'];
  const blank = ['', ''];
  const appended = ['N', 9];
  /** The rows that are put back: below the tab as it is. */
  const putBack = (before: Cell[][], after: Cell[][]) =>
    compareItems(before, after, {
      cells: [{ row: before.length + 1, column: 0, value: 'N' }],
      written: new Set(['N', '9']),
      anchors: { headerRow: 1, keyColumn: 0 },
      isLater: false,
      losesKeys: true,
      hasPutKeys: false,
    })?.back.map(({ value }) => value);

  test('is put back, also if a person has deleted the note beside it', () => {
    const inserted = [blank, blank, blank];
    expect(
      putBack([header, above, lost, note, below], [header, ...inserted, above, appended, below]),
    ).toEqual(lost);
  });

  test('is not, if a person has deleted the item: its neighbors have come together', () => {
    expect(putBack([header, above, lost, below, note], [header, above, below, note, appended])).toEqual([]);
  });
});

test('each cell is read a few times, however many rows are cleared at once or differ in what was written alone', () => {
  const count = 1_000;
  const header = ['SKU', 'Stock', 'Vendor'];
  const empty = ['', '', ''];
  const items = Array.from({ length: count }, (_, nth): Cell[] => [`K${nth}`, nth, 'V']);
  const writes = (values: (nth: number) => readonly Cell[]) =>
    items.flatMap((_, nth) => values(nth).map((value, column) => ({ row: nth + 2, column, value })));
  const note = ['note', '', ''];
  const cleared = readsOf(
    [header, ...items],
    [header, ...items.map(() => empty), note],
    writes(() => empty),
  );
  expect(cleared).toBeLessThan(20);
  const others = items.map((_, nth): Cell[] => [`N${nth}`, `n${nth}`, 'V']);
  const renamed = readsOf(
    [header, ...items],
    [header, ...others, note],
    writes((nth) => [`N${nth}`, `n${nth}`]),
  );
  expect(renamed).toBeLessThan(20);
});

/** How often each cell is read in the mean. */
function readsOf(before: readonly Cell[][], after: readonly Cell[][], written: readonly Written[]): number {
  let reads = 0;
  const counted = (cells: readonly Cell[]) =>
    new Proxy(cells, {
      get(row, name) {
        if (typeof name === 'string' && /^\d/.test(name)) reads++;
        return Reflect.get(row, name);
      },
    });
  locateWrites(before.map(counted), after.map(counted), written, { headerRow: 1, keyColumn: 0 });
  return reads / (before.flat().length + after.flat().length);
}

function tried(chance: Chance, seed: number): Wrong[] {
  const tab = someTab(chance);
  const before = gridOf(tab);
  const written = someWrites(tab, chance);
  const items = itemsIn(tab);
  const targets = new Map(
    written.map(({ row, column, value }) => [`${keyAt(before, written, row)} ${tab.columns[column]}`, value]),
  );
  const isBefore = chance.happens(0.6);
  const moves = Array.from({ length: chance.between(1, 2) }, () => chance.pick(MOVES));
  if (isBefore) for (const move of moves) move(tab, chance);
  const left = itemsIn(tab);
  write(tab, written);
  if (!isBefore) for (const move of moves) move(tab, chance);
  const isDeleted = (key: string) => !left.has(key) || (!isBefore && !itemsIn(tab).has(key));
  const deleted = new Set([...items.keys()].filter(isDeleted));
  const { misplaced } = locateWrites(before, gridOf(tab), written, { headerRow: 1, keyColumn: 0 });
  write(
    tab,
    misplaced.map(({ row, column, was }) => ({ row, column, value: was })),
  );
  const told = { seed, isBefore, moves: moves.map(({ name }) => name).join() };
  const now = itemsIn(tab);
  // After two moves at once, one a deletion, a row may have nothing left to tell it by: the next run appends it again.
  const isSure = moves.length === 1 || !moves.some(({ name }) => name === 'deleteRow');
  const lost = [...items.keys()].filter((key) => isSure && !now.has(key) && !deleted.has(key));
  const foreign = [...now].flatMap(([key, cells]) =>
    [...cells]
      .filter(([column, cell]) => {
        const was = items.get(key)?.get(column) ?? '';
        return cell !== was && cell !== targets.get(`${key} ${column}`);
      })
      .map(([column]) => `${key} ${column}`),
  );
  return [...lost, ...foreign].map((cell) => ({ ...told, cell }));
}

type Wrong = {
  readonly seed: number;
  readonly isBefore: boolean;
  readonly moves: string;
  readonly cell: string;
};

/** The item of a row that is written to; of a new one, which is written. */
function keyAt(before: readonly (readonly Cell[])[], written: readonly Written[], row: number): string {
  const isKey = (cell: Written) => cell.row === row && cell.column === 0;
  return String(before[row - 1]?.[0] || written.find(isKey)?.value);
}

/** The cells of every item, by column; what has no key is one. */
function itemsIn({ rows, columns }: Tab): Map<string, Map<string, Cell>> {
  const items = new Map<string, Map<string, Cell>>();
  const at = columns.indexOf('SKU');
  for (const { id, cells } of rows) {
    const filled = cells.flatMap((cell, nth) => (cell === '' ? [] : [[columns[nth] ?? '', cell] as const]));
    if (id !== 'header' && filled.length > 0) items.set(String(cells[at]), new Map(filled));
  }
  return items;
}

const MOVES = [
  function sort({ rows }: Tab, chance: Chance): void {
    const column = chance.between(0, 3);
    const sign = chance.happens(0.5) ? 1 : -1;
    const text = (row: Row) => String(row.cells[column] ?? '');
    rows.splice(1, rows.length, ...rows.slice(1).sort((a, b) => sign * text(a).localeCompare(text(b))));
  },
  function insertRow({ rows, columns }: Tab, chance: Chance): void {
    rows.splice(chance.between(0, rows.length - 2), 0, {
      id: `new ${rows.length}`,
      cells: columns.map(() => ''),
    });
  },
  function deleteRow({ rows }: Tab, chance: Chance): void {
    rows.splice(chance.between(1, rows.length - 2), 1);
  },
  function insertColumn({ rows, columns }: Tab, chance: Chance): void {
    const at = chance.between(0, columns.length - 1);
    columns.splice(at, 0, `new ${columns.length}`);
    for (const row of rows) row.cells.splice(at, 0, '');
  },
  function moveColumn({ rows, columns }: Tab, chance: Chance): void {
    const from = chance.between(0, columns.length - 1);
    const to = chance.between(0, columns.length - 1);
    columns.splice(to, 0, ...columns.splice(from, 1));
    for (const row of rows) row.cells.splice(to, 0, ...row.cells.splice(from, 1));
  },
] as const;

/** Some rows have notes, some have no key, some are empty. */
function someTab(chance: Chance): Tab {
  const columns = ['SKU', 'Stock', 'Price', 'Note', 'free'];
  const count = chance.between(3, 25);
  const rows = Array.from({ length: count }, (_, nth): Row => {
    const stock = chance.between(0, 30);
    const price = chance.between(100, 9_000) / 100;
    const note = chance.happens(0.7) ? `note ${nth}` : '';
    if (chance.happens(0.05)) return { id: `row ${nth}`, cells: ['', '', '', '', ''] };
    return { id: `row ${nth}`, cells: [`K${nth}`, stock, price, note, ''] };
  });
  const below = Array.from({ length: 4 }, (_, nth) => ({ id: `below ${nth}`, cells: ['', '', '', '', ''] }));
  return {
    columns,
    rows: [{ id: 'header', cells: ['SKU', 'Stock', 'Price', 'Note', ''] }, ...rows, ...below],
  };
}

function someWrites({ rows }: Tab, chance: Chance): Written[] {
  const written: Written[] = [];
  for (const [nth, { id, cells }] of rows.entries()) {
    if (id === 'header' || id.startsWith('below') || cells[0] === '' || !chance.happens(0.3)) continue;
    if (chance.happens(0.8))
      written.push({ row: nth + 1, column: 1, value: Number(cells[1]) + chance.between(1, 9) });
    if (chance.happens(0.4))
      written.push({ row: nth + 1, column: 2, value: chance.between(100, 9_000) / 100 });
  }
  const first = rows.findIndex(({ id }) => id.startsWith('below')) + 1;
  for (let nth = 0; nth < chance.pick([0, 0, 1, 2]); nth++)
    written.push(
      { row: first + nth, column: 0, value: `NEW${nth}` },
      { row: first + nth, column: 1, value: chance.between(0, 30) },
      { row: first + nth, column: 2, value: chance.between(100, 9_000) / 100 },
    );
  return written;
}

function write({ rows, columns }: Tab, cells: readonly Written[]): void {
  for (const { row, column, value } of cells) {
    while (rows.length < row) rows.push({ id: `more ${rows.length}`, cells: columns.map(() => '') });
    const target = rows[row - 1];
    if (target) target.cells[column] = value;
  }
}

function gridOf({ rows }: Tab): Cell[][] {
  return rows.map(({ cells }) => [...cells]);
}
