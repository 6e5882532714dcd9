import type { Cell } from '../../../ports/sheet-client.ts';
import { type Grid, isSame, markOf, type WrittenCell, widthOf } from './grid.ts';
import { matchColumns } from './match-columns.ts';
import { matchRows } from './match-rows.ts';

/**
 * The fate of a written cell. `landed`: it is in its place. `missed`: its place has the value from before.
 * `changed`: it has another. `gone`: its row or column is gone.
 */
export type WriteFate = {
  readonly is: 'landed' | 'missed' | 'changed' | 'gone';
  /** Where its place is now; the row from 1. Undefined: it is gone. */
  readonly at?: { readonly row: number; readonly column: number };
};

/** A cell that holds what was written for another one. The row counts from 1. */
type MisplacedCell = {
  readonly row: number;
  readonly column: number;
  /** What it held before. */
  readonly was: Cell;
};

/** The row from 1, the column from 0. */
export type Anchors = { readonly headerRow: number; readonly keyColumn: number };

/** `headerRow` and `keyColumn` are where they are after. */
export type Located = Anchors & {
  /** In the order of the written cells. */
  readonly fates: readonly WriteFate[];
  readonly misplaced: readonly MisplacedCell[];
};

/**
 * Finds out where written cells landed, by the tab as it was read before and after. People may have sorted, inserted,
 * deleted and moved rows and columns before and after the write. In: both readings as entered, and what was written to
 * which place of the first. Out: the fate of each cell, and the cells of other items that hold our values.
 */
export function locateWrites(
  before: Grid,
  after: Grid,
  cells: readonly WrittenCell[],
  { headerRow, keyColumn }: Anchors,
): Located {
  const written = new Set(cells.map(({ value }) => markOf(value)));
  const header = headerRow - 1;
  const columns = matchColumns(before, after, { header, written });
  const groups = Map.groupBy(cells, ({ row }) => row - 1);
  const headers = { before: header, after: columns.header };
  const rows = matchRows(before, after, { columns, keyColumn, headers, groups, written });
  const places = cells.map(({ row, column }) => placeOf(rows.to.get(row - 1), columns.to.get(column)));
  const found = cells.map((cell, nth) => fateOf(cell, before, after, places[nth]));
  const misplaced = misplacedCells();
  const foreign = new Set(misplaced.map(({ row, column }) => `${row} ${column}`));
  return {
    fates: found.map((fate, nth) => settledFate(fate, cells[nth])),
    misplaced,
    headerRow: (columns.header ?? header) + 1,
    keyColumn: columns.to.get(keyColumn) ?? keyColumn,
  };

  /** A value that was put back has missed; where nothing has moved, someone has typed over a value that landed. */
  function settledFate(fate: WriteFate, cell: WrittenCell | undefined): WriteFate {
    const { is, at } = fate;
    if (is !== 'changed' || !at || !cell) return fate;
    if (foreign.has(`${at.row} ${at.column}`)) return { is: 'missed', at };
    const isUnmoved = misplaced.length === 0 && at.row === cell.row && at.column === cell.column;
    return isUnmoved ? { is: 'landed', at } : fate;
  }

  function misplacedCells(): MisplacedCell[] {
    const own = new Set(
      found.flatMap(({ is, at }) => (is === 'landed' && at ? [`${at.row} ${at.column}`] : [])),
    );
    const missing = new Map<string, number>();
    for (const [nth, { value }] of cells.entries())
      if (found[nth]?.is !== 'landed') missing.set(markOf(value), (missing.get(markOf(value)) ?? 0) + 1);
    const inPlace = new Set(cells.map(({ row, column, value }) => `${row} ${column} ${markOf(value)}`));
    const suspects = [...changedCells()].filter(({ row, column }) => !own.has(`${row} ${column}`));
    const named = (one: MisplacedCell) => markOf(after[one.row - 1]?.[one.column]);
    const isInPlace = (one: MisplacedCell) => inPlace.has(`${one.row} ${one.column} ${named(one)}`);
    const sure = suspects.filter(isInPlace);
    const explained = Map.groupBy(sure, named);
    // A value that is where we wrote it is ours; elsewhere only while one of ours is missing.
    return suspects.filter((one) => {
      const mark = named(one);
      return isInPlace(one) || (missing.get(mark) ?? 0) > (explained.get(mark)?.length ?? 0);
    });
  }

  /** Cells that are no longer as before and have a value that was written. */
  function* changedCells(): Generator<MisplacedCell> {
    const width = Math.max(widthOf(before), widthOf(after));
    for (const [row, now] of after.entries()) {
      const was = before[rows.from.get(row) ?? -1] ?? [];
      for (let column = 0; column < width; column++) {
        const cell = was[columns.from.get(column) ?? -1] ?? '';
        if (!isSame(cell, now[column]) && written.has(markOf(now[column])))
          yield { row: row + 1, column, was: cell };
      }
    }
  }
}

function placeOf(row: number | undefined, column: number | undefined) {
  return row === undefined || column === undefined ? undefined : { row: row + 1, column };
}

function fateOf(
  { row, column, value }: WrittenCell,
  before: Grid,
  after: Grid,
  at: WriteFate['at'],
): WriteFate {
  if (!at) return { is: 'gone' };
  const now = after[at.row - 1]?.[at.column];
  if (isSame(now, value)) return { is: 'landed', at };
  return { is: isSame(now, before[row - 1]?.[column]) ? 'missed' : 'changed', at };
}
