import { expect, test } from 'vitest';
import type { BookHandle } from '../../../src/emulators/sheets/book-handle.ts';
import { createSheetsEmulator } from '../../../src/emulators/sheets/sheets.ts';
import { createGoogleSheets } from '../../../src/providers/sheets/sheets.ts';
import type { Cell, CellWrite } from '../../../src/sync/ports/sheet-client.ts';
import { createLook } from '../../../src/sync/runs/apply/moved-cells/moved-cells.ts';
import { type Chance, createChance } from '../../faults/sync-worlds/chance.ts';
import { createVirtualClock } from '../../faults/sync-worlds/clock.ts';
import { samples } from '../../support/samples.ts';

const SEEDS = samples(1_000, 250);
const TAB = 'Sheet1';
const ROUNDS = 8;
const COLUMNS = ['SKU', 'Stock', 'Price', 'Taxable', 'Status', 'Vendor', 'Note'];

test(`of ${SEEDS} writes, each amid one to five moves of rows and columns, all leave each value with its item`, async () => {
  const wrong: unknown[] = [];
  for (let seed = 1; seed <= SEEDS; seed++) {
    const end = await tried(seed);
    if (end.wrong.length > 0) wrong.push(end);
  }
  expect(wrong).toEqual([]);
}, 600_000);

async function tried(seed: number): Promise<{ seed: number; done: string; wrong: string[] }> {
  const chance = createChance(seed);
  const scene = openScene(chance);
  const moves = someMoves(chance);
  const done: string[] = [];
  const { sheet, tab, signal, call } = await openSheet(scene, (moment) => {
    for (const { move } of moves.filter((one) => one.moment === moment)) {
      MOVES[move](scene);
      done.push(`${move} at ${moment}`);
    }
  });
  const before = [...(await sheet.readAllEntered(tab, signal))];
  const cells = someWrites(before, scene.columns, chance);
  const keyColumn = scene.columns.indexOf('SKU');
  call.count = 0;
  await sheet.write(tab, written(cells), { key: 'first', signal });
  const look = createLook(before, cells, { headerRow: 1, keyColumn });
  const expected = itemsOf(before, before[0]?.map(String) ?? [], 1);
  for (let round = 1; ; round++) {
    const { fates, repairs } = await look.next([...(await sheet.readAllEntered(tab, signal))]);
    if (repairs.length === 0) {
      const landed = cells.filter((_, nth) => fates[nth]?.is === 'landed');
      return { seed, done: done.join(', '), wrong: wrongIn(scene, { before, expected, cells, landed }) };
    }
    if (round > ROUNDS) return { seed, done: done.join(', '), wrong: ['cells are still put back'] };
    await sheet.write(tab, written(repairs), { key: `round ${round}`, signal });
    look.wrote(repairs, []);
  }
}

type Scene = {
  readonly book: BookHandle;
  readonly google: ReturnType<typeof createSheetsEmulator>;
  readonly clock: ReturnType<typeof createVirtualClock>;
  /** As they are now; one without a name was inserted. */
  readonly columns: string[];
  readonly chance: Chance;
  header: number;
  /** Which item each row is, wherever its key is at the moment. */
  readonly ids: (string | undefined)[];
  readonly deleted: Set<string>;
};

type Written = { readonly row: number; readonly column: number; readonly value: Cell };

function openScene(chance: Chance): Scene {
  const clock = createVirtualClock();
  const google = createSheetsEmulator({ clock, quota: { read: Infinity, write: Infinity } });
  const rest = [...COLUMNS];
  const columns: string[] = [];
  while (rest.length > 0) columns.push(...rest.splice(chance.between(0, rest.length - 1), 1));
  const hasNotes = chance.happens(0.7);
  const keys = Array.from({ length: chance.between(3, 20) }, (_, nth) => `K${nth}`);
  const rows = keys.map((key) =>
    columns.map((name) => (name === 'Note' && hasNotes ? `note of ${key}` : someCell(name, key, chance))),
  );
  const book = google.book('book', { tabs: [{ title: TAB, rows: [columns, ...rows] }] });
  return { book, google, clock, columns, chance, header: 1, ids: ['header', ...keys], deleted: new Set() };
}

/** Few values, so that what is written often is what other cells have. */
function someCell(column: string, key: string, chance: Chance): Cell {
  switch (column) {
    case 'SKU':
      return key;
    case 'Stock':
      return chance.between(0, 30);
    case 'Price':
      return chance.between(100, 9_000) / 100;
    case 'Taxable':
      return chance.happens(0.5);
    case 'Status':
      return chance.pick(['active', 'draft', 'archived']);
    case 'Vendor':
      return chance.happens(0.2) ? '' : `vendor ${chance.between(1, 4)}`;
    default:
      return '';
  }
}

/** The sheet by the real adapter. Before the nth call `act` gets n − ½, and after it n. */
async function openSheet({ google, clock, book }: Scene, act: (moment: number) => void) {
  const call = { count: -1 };
  const client = createGoogleSheets({
    clock,
    random: () => 0,
    fetch: async (input, init) => {
      if (call.count < 0) return google.fetch(input, init);
      call.count += 1;
      act(call.count - 0.5);
      const answer = await google.fetch(input, init);
      act(call.count);
      return answer;
    },
  });
  const sheet = await client.open({
    spreadsheetId: 'book',
    credentials: { accessToken: 'ya29.test' },
    accountId: '',
  });
  return { sheet, tab: { title: TAB, id: book.tabId(TAB) }, signal: new AbortController().signal, call };
}

/** Call 1 is the write, 2 reads the tab, 3 puts cells back, 4 reads it again, and so on. */
function someMoves(chance: Chance) {
  return Array.from({ length: chance.between(1, 5) }, () => ({
    move: chance.pick(['sort', 'insertRow', 'deleteRow', 'insertColumn', 'moveColumn'] as const),
    moment: chance.pick([0.5, 0.5, 0.5, 1, 1.5, 2, 2.5, 2.5, 3, 4, 4.5, 5, 6.5]),
  }));
}

const MOVES = {
  sort({ book, columns, chance, header, ids }: Scene): void {
    const before = book.rows(TAB).map((row) => JSON.stringify(row));
    const old = [...ids];
    const by = columns.indexOf(chance.pick(['SKU', 'Stock', 'Status']));
    book.sortRows(TAB, by, { from: header + 1, descending: chance.happens(0.5) });
    for (const [nth, row] of book.rows(TAB).entries()) {
      const from = before.indexOf(JSON.stringify(row), nth < header ? nth : header);
      ids[nth] = old[from];
      before[from] = '';
    }
  },
  insertRow(scene: Scene): void {
    const row = scene.chance.between(1, scene.header + 12);
    scene.book.insertRow(TAB, row);
    scene.ids.splice(row - 1, 0, undefined);
    if (row <= scene.header) scene.header += 1;
  },
  deleteRow({ book, chance, header, deleted, ids }: Scene): void {
    const row = chance.between(header + 1, book.rows(TAB).length);
    const [gone] = ids.splice(row - 1, 1);
    if (gone !== undefined) deleted.add(gone);
    book.deleteRow(TAB, row);
  },
  insertColumn({ book, columns, chance }: Scene): void {
    const at = chance.between(0, columns.length);
    book.insertColumn(TAB, at);
    columns.splice(at, 0, '');
  },
  moveColumn({ book, columns, chance }: Scene): void {
    const from = chance.between(0, columns.length - 1);
    const to = chance.between(0, columns.length - 1);
    book.moveColumn(TAB, from, to);
    columns.splice(to, 0, ...columns.splice(from, 1));
  },
} as const;

/** Cells of the rows that are there, and up to two new rows below. */
function someWrites(
  before: readonly (readonly Cell[])[],
  columns: readonly string[],
  chance: Chance,
): Written[] {
  const rate = chance.pick([0.1, 0.3, 0.9]);
  const fields = [...columns.entries()].filter(([, name]) => name !== 'Note');
  const set = before.flatMap((row, nth) =>
    fields.flatMap(([column, name]) => {
      if (nth === 0 || name === 'SKU' || !chance.happens(rate)) return [];
      const value = someCell(name, '', chance);
      return value === (row[column] ?? '') ? [] : [{ row: nth + 1, column, value }];
    }),
  );
  const added = Array.from({ length: chance.pick([0, 0, 1, 2]) }, (_, nth) =>
    fields.map(([column, name]) => ({
      row: before.length + nth + 1,
      column,
      value: someCell(name, `NEW${nth}`, chance),
    })),
  );
  return [...set, ...added.flat().filter(({ value }) => value !== '')];
}

function written(cells: readonly Written[]): CellWrite[] {
  return cells.map(({ row, column, value }) => ({ row, column, values: [value] }));
}

type Items = ReadonlyMap<string, ReadonlyMap<string, Cell>>;

/** The cells of every item, by column. */
function itemsOf(rows: readonly (readonly Cell[])[], columns: readonly string[], header: number): Items {
  const key = columns.indexOf('SKU');
  const filled = rows.slice(header).filter((cells) => cells.some((cell) => cell !== ''));
  return new Map(
    filled.map((cells) => [
      String(cells[key] ?? ''),
      new Map(cells.flatMap((cell, nth) => (cell === '' ? [] : [[columns[nth] ?? '', cell] as const]))),
    ]),
  );
}

type Told = {
  readonly before: readonly (readonly Cell[])[];
  readonly expected: Items;
  readonly cells: readonly Written[];
  readonly landed: readonly Written[];
};

/** Every item is there but those that a person has deleted, each cell as before or as it was to be. */
function wrongIn(
  { book, columns, header, deleted }: Scene,
  { before, expected, cells, landed }: Told,
): string[] {
  const named = nameCells(before, cells);
  const targets = new Map(cells.map((cell) => [named(cell), cell.value]));
  const now = itemsOf(book.rows(TAB), columns, header);
  const keys = book
    .rows(TAB)
    .slice(header)
    .map((row) => String(row[columns.indexOf('SKU')] ?? ''));
  const twice = keys.filter((key, nth) => key !== '' && keys.indexOf(key) !== nth);
  const lost = [...expected.keys()].filter((key) => !now.has(key) && !deleted.has(key));
  const foreign = [...now].flatMap(([key, is]) =>
    COLUMNS.concat('').flatMap((column) => {
      const [value, was] = [is.get(column) ?? '', expected.get(key)?.get(column) ?? ''];
      const target = targets.get(`${key} ${column}`);
      return value === was || value === target
        ? []
        : [`${key} ${column} is ${value}, not ${was} or ${target}`];
    }),
  );
  const unwritten = landed.filter((cell) => {
    const [key = '', column = ''] = named(cell).split(' ');
    return now.has(key) && (now.get(key)?.get(column) ?? '') !== cell.value;
  });
  return [
    ...lost.map((key) => `${key} is lost`),
    ...twice.map((key) => `${key} is there twice`),
    ...foreign,
    ...unwritten.map((cell) => `${named(cell)} has not landed`),
  ];
}

/** The key and column of a written cell. */
function nameCells(before: readonly (readonly Cell[])[], cells: readonly Written[]) {
  const header = before[0] ?? [];
  const at = header.indexOf('SKU');
  return ({ row, column }: Written): string => {
    const added = cells.find((one) => one.row === row && one.column === at)?.value;
    return `${before[row - 1]?.[at] ?? added} ${header[column]}`;
  };
}
