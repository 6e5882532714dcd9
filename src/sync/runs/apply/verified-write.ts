import { mapInTurns } from '../../../platform/map-in-turns.ts';
import { columnsNow } from '../../plan/layout.ts';
import type { Cell, CellWrite, SheetRows } from '../../ports/sheet-client.ts';
import { cellKey } from '../../values/sync-key.ts';
import { type ApplyWork, layoutOf } from './apply.ts';
import type { DamagedCell } from './change-outcome.ts';
import { type Grid, isBlankRow, isSameRow, markOf, overlaid, type WrittenCell } from './moved-cells/grid.ts';
import type { Anchors, WriteFate } from './moved-cells/locate-writes.ts';
import { createLook } from './moved-cells/moved-cells.ts';
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
 * Writes cells by their row and column, and reads them again: people may have moved rows and columns since the
 * tab was read. If everything is in its place, nothing else is done. Otherwise the tab is read, and values that
 * landed on other items are put back.
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
  return {
    fateAt: (row, column) => named.get(placeOf({ row, column })) ?? otherwise(row),
    damaged: eachOnce(damaged),
  };

  /** Whole rows are compared: a row that was pushed into an empty place has other cells, too. */
  async function isInPlace(): Promise<boolean> {
    const expected = await expectedRows(before, cells, anchors.headerRow);
    const entered = await sides.sheet.readEntered(tab, [...expected.keys()], signal);
    const same = await mapInTurns(expected, ([row, was]) => isSameRow(was, entered.get(row) ?? []));
    return !same.includes(false);
  }

  /**
   * Puts back misplaced values and reads the tab again, until everything is in its place: a repair is a write
   * like any other, around which rows may move.
   */
  async function repaired() {
    const damaged: DamagedCell[] = [];
    const look = createLook([...before], cells, anchors);
    for (let round = 1; ; round++) {
      const now: Grid = [...(await sides.sheet.readAllEntered(tab, signal))];
      const { fates, repairs, at } = await look.next(now);
      if (repairs.length === 0) return { fates, damaged };
      if (round > MAX_ROUNDS)
        return { fates, damaged: [...repairs.map((one) => misplaced(one, now, at)), ...damaged] };
      const values = repairs.map((one) => enterable(one, now, at, damaged));
      const writes = values.map(({ row, column, value }) => ({ row, column, values: [value] }));
      const protectedRows = await writeCells(work, writes, { batch, round });
      const refused = values.filter(({ row }) => protectedRows.has(row));
      damaged.push(...refused.map((one) => misplaced(one, now, at)));
      look.wrote(
        values.filter(({ row }) => !protectedRows.has(row)),
        refused,
      );
    }
  }

  /**
   * Formulas are not put back: those that refer to other rows would be wrong by now. A person enters them again, and they
   * are kept as text where no field is mapped.
   */
  function enterable(repair: WrittenCell, now: Grid, located: Anchors, formulas: DamagedCell[]): WrittenCell {
    if (markOf(repair.value) !== '=') return repair;
    const named = cellNamed(repair, now, located);
    const formula = String(repair.value);
    formulas.push({ ...named, code: 'formula_overwritten', params: { formula } });
    return { ...repair, value: named.field === null ? formula : '' };
  }

  function misplaced(cell: WrittenCell, now: Grid, located: Anchors): DamagedCell {
    return { ...cellNamed(cell, now, located), code: 'rows_moved' };
  }

  function cellNamed({ row, column }: WrittenCell, now: Grid, { headerRow, keyColumn }: Anchors) {
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

/** Cells that could not be put back are found again with every reading. */
function eachOnce(damaged: readonly DamagedCell[]): DamagedCell[] {
  return [...new Map(damaged.map((cell) => [JSON.stringify(cell), cell])).values()];
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
