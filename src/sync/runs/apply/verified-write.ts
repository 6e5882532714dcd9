import { mapInTurns } from '../../../platform/map-in-turns.ts';
import { columnsNow } from '../../plan/layout.ts';
import type { Cell, CellWrite, SheetRows } from '../../ports/sheet-client.ts';
import { cellKey } from '../../values/sync-key.ts';
import { type ApplyWork, layoutOf } from './apply.ts';
import type { DamagedCell } from './change-outcome.ts';
import { type Grid, isBlankRow, isSameRow, markOf, type WrittenCell } from './moved-cells/grid.ts';
import { type Anchors, type Located, locateWrites, type WriteFate } from './moved-cells/locate-writes.ts';
import { writeCells } from './write-cells.ts';

type Given = {
  readonly batch: number;
  /** The tab as it was entered, by which the writes were decided. */
  readonly before: SheetRows;
  readonly anchors: Anchors;
  readonly cells: readonly CellWrite[];
};

export type VerifiedWrite = {
  /** The fate of the cell that was written there; the row from 1, the column from 0. `refused`: one of the row is protected. */
  readonly fateAt: (row: number, column: number) => WriteFate['is'] | 'refused';
  /** Cells that could not be put back. */
  readonly damaged: readonly DamagedCell[];
};

const IN_PLACE: { readonly fates: readonly WriteFate[]; readonly damaged: readonly DamagedCell[] } = {
  fates: [],
  damaged: [],
};

/** How often cells are put back while people go on moving rows. */
const MAX_ROUNDS = 8;

/**
 * Writes cells by their row and column, and reads them again: people may have moved rows and columns since the tab was
 * read. Where all is in its place, that is all. Otherwise the tab is read, and what landed on other items is put
 * back.
 */
export async function writeVerified(work: ApplyWork, given: Given): Promise<VerifiedWrite> {
  const { batch, before, anchors } = given;
  const { run, sides, signal } = work;
  const layout = layoutOf(run);
  const { tab } = layout;
  const refused = await writeCells(work, given.cells, { batch, round: 0 });
  const cells = flat(given.cells.filter(({ row }) => !refused.has(row)));
  const isWhole = cells.length === 0 || (await isInPlace());
  const { fates, damaged } = isWhole ? IN_PLACE : await repaired();
  const named = new Map(fates.map(({ is }, nth) => [placeOf(cells[nth]), is]));
  const otherwise = (row: number) => (refused.has(row) ? 'refused' : 'landed');
  return { fateAt: (row, column) => named.get(placeOf({ row, column })) ?? otherwise(row), damaged };

  /** Whole rows are compared: a row that was pushed into an empty place has other cells, too. */
  async function isInPlace(): Promise<boolean> {
    const expected = await expectedRows(before, cells, anchors.headerRow);
    const entered = await sides.sheet.readEntered(tab, [...expected.keys()], signal);
    const same = await mapInTurns(expected, ([row, was]) => isSameRow(was, entered.get(row) ?? []));
    return !same.includes(false);
  }

  async function repaired() {
    let last: Grid = [...before];
    let now: Grid = [...(await sides.sheet.readAllEntered(tab, signal))];
    let located = locateWrites(last, now, cells, anchors);
    const { fates } = located;
    const formulas: DamagedCell[] = [];
    const kept: DamagedCell[] = [];
    let repairs = repairsOf(located, []);
    for (let round = 1; repairs.length > 0 && round <= MAX_ROUNDS; round++) {
      const values = repairs.map((one) => enterable(one, now, located, formulas));
      const writes = values.map(({ row, column, value }) => ({ row, column, values: [value] }));
      const protectedRows = await writeCells(work, writes, { batch, round });
      const isWritten = ({ row }: WrittenCell) => !protectedRows.has(row);
      kept.push(...values.filter((one) => !isWritten(one)).map((one) => misplaced(one, now, located)));
      const written = values.filter(isWritten);
      if (written.length === 0) return { fates, damaged: [...kept, ...formulas] };
      last = now;
      now = [...(await sides.sheet.readAllEntered(tab, signal))];
      located = locateWrites(last, now, written, located);
      repairs = repairsOf(located, written);
    }
    const left = repairs.map((one) => misplaced(one, now, located));
    return { fates, damaged: [...left, ...kept, ...formulas] };
  }

  /**
   * Formulas are not put back: those that refer to other rows would be wrong by now. A person enters them again, and they
   * are kept as text where no field is mapped.
   */
  function enterable(repair: WrittenCell, now: Grid, located: Located, formulas: DamagedCell[]): WrittenCell {
    if (markOf(repair.value) !== '=') return repair;
    const named = cellNamed(repair, now, located);
    const formula = String(repair.value);
    formulas.push({ ...named, code: 'formula_overwritten', params: { formula } });
    return { ...repair, value: named.field === null ? formula : '' };
  }

  function misplaced(cell: WrittenCell, now: Grid, located: Located): DamagedCell {
    return { ...cellNamed(cell, now, located), code: 'rows_moved' };
  }

  function cellNamed({ row, column }: WrittenCell, now: Grid, { headerRow, keyColumn }: Located) {
    const key = cellKey(now[row - 1]?.[keyColumn] ?? '') ?? '';
    const header = now[headerRow - 1] ?? [];
    const { columns, key_column } = columnsNow(layout, run.settings, header);
    const mapped = run.settings.mappings[columns.indexOf(column)]?.store_field;
    return { key, row, field: mapped ?? (column === key_column ? ('key' as const) : null) };
  }
}

function placeOf(cell: Pick<WrittenCell, 'row' | 'column'> | undefined): string {
  return `${cell?.row} ${cell?.column}`;
}

/** The cells to put back: those that hold values of others, and those whose own value has missed them. */
function repairsOf({ fates, misplaced }: Located, repairs: readonly WrittenCell[]): WrittenCell[] {
  const again = fates.flatMap(({ is, at }, nth) => {
    const value = repairs[nth]?.value;
    return is === 'missed' && at && value !== undefined ? [{ ...at, value }] : [];
  });
  const places = new Set(again.map(placeOf));
  const others = misplaced.filter(({ row, column }) => !places.has(placeOf({ row, column })));
  return [...again, ...others.map(({ row, column, was }) => ({ row, column, value: was }))];
}

/** What the written rows, those around new and emptied ones, and the header are to hold; by row. */
async function expectedRows(
  before: SheetRows,
  cells: readonly WrittenCell[],
  headerRow: number,
): Promise<Map<number, readonly Cell[]>> {
  const written = Map.groupBy(cells, ({ row }) => row);
  const old = await pickRows(before, written.keys());
  const around = await mapInTurns(written, ([row, own]) => {
    const isWhole = isBlankRow(old.get(row)) || own.every(({ value }) => markOf(value) === '');
    return isWhole && row > 1 ? [row - 1, row + 1] : [row];
  });
  const rows = await pickRows(before, new Set([headerRow, ...written.keys(), ...around.flat()]));
  return new Map(await mapInTurns(rows, ([row, was]) => [row, overlaid(was, written.get(row) ?? [])]));
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
export async function pickRows(
  rows: SheetRows,
  wanted: Iterable<number>,
): Promise<Map<number, readonly Cell[]>> {
  const picked = new Map<number, readonly Cell[]>();
  for (const row of wanted) picked.set(row, []);
  let row = 0;
  await mapInTurns(rows, (cells) => {
    if (picked.has(++row)) picked.set(row, cells);
  });
  return picked;
}

/** In the order of their rows. */
function flat(writes: readonly CellWrite[]): WrittenCell[] {
  return writes
    .flatMap(({ row, column, values }) => values.map((value, nth) => ({ row, column: column + nth, value })))
    .sort((a, b) => a.row - b.row || a.column - b.column);
}
