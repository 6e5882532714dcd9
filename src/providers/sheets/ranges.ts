import type { RangeValues } from './api.ts';
import type { Block } from './blocks.ts';

/** Cells of a tab, which is known by its id: from 0, the ends left out; where one is absent, all there are. */
export type GridRange = {
  readonly sheetId: number;
  readonly startRowIndex?: number;
  readonly endRowIndex?: number;
  readonly startColumnIndex?: number;
  readonly endColumnIndex?: number;
};

/** Whole rows, from 1, both included. */
export function rowsRange(sheetId: number, first: number, last: number): GridRange {
  return { sheetId, startRowIndex: first - 1, endRowIndex: last };
}

/** Rows count from 1, columns from 0. */
type Rectangle = {
  readonly row: number;
  readonly column: number;
  readonly height: number;
  readonly width: number;
};

export function cellsRange(sheetId: number, { row, column, height, width }: Rectangle): GridRange {
  return {
    ...rowsRange(sheetId, row, row + height - 1),
    startColumnIndex: column,
    endColumnIndex: column + width,
  };
}

export function blockRange(sheetId: number, { row, column, values }: Block): RangeValues {
  const size = { height: values.length, width: values[0]?.length ?? 0 };
  return { range: cellsRange(sheetId, { row, column, ...size }), values };
}

/** What the tab is called in a range of an answer, such as `'My tab'!A1:C9`. */
export function titleIn(range: string): string {
  const name = range.replace(CELLS, '');
  return name.startsWith("'") ? name.slice(1, -1).replaceAll("''", "'") : name;
}

/** The first row of such a range, from 1. */
export function rowIn(range: string): number | undefined {
  const row = CELLS.exec(range)?.[1];
  return row === undefined ? undefined : Number(row);
}

const CELLS = /![A-Z]*(\d+)?(?::[A-Z]*\d*)?$/;
