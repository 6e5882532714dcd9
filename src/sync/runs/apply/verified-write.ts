import { columnsNow } from '../../plan/layout.ts';
import type { Cell, CellWrite, SheetRows } from '../../ports/sheet-client.ts';
import { type ApplyWork, batchKey } from './apply.ts';
import { type Grid, isBlankRow, isSameRow, markOf, type WrittenCell } from './moved-cells/grid.ts';
import { type Anchors, type Located, locateWrites, type WriteFate } from './moved-cells/locate-writes.ts';

type Given = {
  readonly batch: number;
  /** The tab as it was entered, by which the writes were decided. */
  readonly before: SheetRows;
  readonly anchors: Anchors;
  readonly cells: readonly CellWrite[];
};

/** What became of the cell that was written there; the row from 1, the column from 0. */
export type FateAt = (row: number, column: number) => WriteFate['is'];

/** How often cells are put back while people go on moving rows. */
const MAX_ROUNDS = 8;

/**
 * Writes cells by their row and column, and reads them again: people may have moved rows and columns since the tab was
 * read. Where all is in its place, that is all. Otherwise the tab is read, what landed on other items is put back, and
 * the fate of every cell is returned. What could not be put back is saved as a failure of its row.
 */
export async function writeVerified(work: ApplyWork, given: Given): Promise<{ readonly fateAt: FateAt }> {
  const { batch, before, anchors } = given;
  const { run, sides, signal } = work;
  const tab = run.layout?.tab ?? sides.tab;
  const cells = flat(given.cells);
  if (cells.length === 0) return { fateAt: () => 'landed' };
  await write(given.cells, 0);
  if (await isInPlace()) return { fateAt: () => 'landed' };
  const located = await repaired();
  const fates = new Map(
    cells.map(({ row, column }, nth) => [`${row} ${column}`, located[nth]?.is ?? 'gone']),
  );
  return { fateAt: (row, column) => fates.get(`${row} ${column}`) ?? 'landed' };

  async function write(writes: readonly CellWrite[], round: number): Promise<void> {
    const key = batchKey(run.id, batch, round === 0 ? writes : [round, writes]);
    await sides.sheet.write(tab, writes, { key, signal });
  }

  /** Whole rows are compared: a row that was pushed into an empty place has other cells, too. */
  async function isInPlace(): Promise<boolean> {
    const expected = expectedRows(before, cells, anchors.headerRow);
    const entered = await sides.sheet.readEntered(tab, [...expected.keys()], signal);
    return [...expected].every(([row, was]) => isSameRow(was, entered.get(row) ?? []));
  }

  async function repaired(): Promise<readonly WriteFate[]> {
    let last: Grid = [...before];
    let now: Grid = [...(await sides.sheet.readAllEntered(tab, signal))];
    let located = locateWrites(last, now, cells, anchors);
    const { fates } = located;
    let repairs = repairsOf(located, []);
    for (let round = 1; repairs.length > 0 && round <= MAX_ROUNDS; round++) {
      const values = repairs.map((one) => ({ ...one, value: enterable(one, now, located) }));
      await write(
        values.map(({ row, column, value }) => ({ row, column, values: [value] })),
        round,
      );
      last = now;
      now = [...(await sides.sheet.readAllEntered(tab, signal))];
      located = locateWrites(last, now, values, located);
      repairs = repairsOf(located, repairs);
    }
    return fates;
  }

  /** A formula is entered as text where no field is mapped, for a person to enter again, and omitted where one is. */
  function enterable({ value, column }: WrittenCell, now: Grid, { headerRow }: Located): Cell {
    if (markOf(value) !== '=' || !run.layout) return value;
    const { columns, key_column } = columnsNow(run.layout, run.settings, now[headerRow - 1] ?? []);
    return columns.includes(column) || key_column === column ? '' : value;
  }
}

/** The cells to put back: those that hold values of others, and those whose own value has missed them. */
function repairsOf({ fates, misplaced }: Located, repairs: readonly WrittenCell[]): WrittenCell[] {
  const again = fates.flatMap(({ is, at }, nth) => {
    const value = repairs[nth]?.value;
    return is === 'missed' && at && value !== undefined ? [{ ...at, value }] : [];
  });
  const places = new Set(again.map(({ row, column }) => `${row} ${column}`));
  const others = misplaced.filter(({ row, column }) => !places.has(`${row} ${column}`));
  return [...again, ...others.map(({ row, column, was }) => ({ row, column, value: was }))];
}

/** What the written rows, those around new and emptied ones, and the header are to hold; by row. */
function expectedRows(
  before: SheetRows,
  cells: readonly WrittenCell[],
  headerRow: number,
): Map<number, readonly Cell[]> {
  const written = Map.groupBy(cells, ({ row }) => row);
  const old = pickRows(before, written.keys());
  const around = [...written].flatMap(([row, own]) => {
    const isWhole = isBlankRow(old.get(row)) || own.every(({ value }) => markOf(value) === '');
    return isWhole && row > 1 ? [row - 1, row + 1] : [row];
  });
  const rows = pickRows(before, new Set([headerRow, ...written.keys(), ...around]));
  return new Map([...rows].map(([row, was]) => [row, overlaid(was, written.get(row) ?? [])]));
}

function overlaid(row: readonly Cell[], cells: readonly WrittenCell[]): readonly Cell[] {
  const expected = [...row];
  for (const { column, value } of cells) {
    while (expected.length < column) expected.push('');
    expected[column] = value;
  }
  return expected;
}

/** Rows by their number, from 1; those below the last are empty. */
export function pickRows(rows: SheetRows, wanted: Iterable<number>): Map<number, readonly Cell[]> {
  const picked = new Map<number, readonly Cell[]>();
  for (const row of wanted) picked.set(row, []);
  let row = 0;
  for (const cells of rows) if (picked.has(++row)) picked.set(row, cells);
  return picked;
}

/** In the order of their rows. */
function flat(writes: readonly CellWrite[]): WrittenCell[] {
  return writes
    .flatMap(({ row, column, values }) => values.map((value, nth) => ({ row, column: column + nth, value })))
    .sort((a, b) => a.row - b.row || a.column - b.column);
}
