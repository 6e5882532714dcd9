import type { Cell } from '../ports/sheet-client.ts';
import { headerRow } from './verify-connection.ts';

/** A column under its header, with the first values below it. */
type SheetColumn = {
  /** As the spreadsheet calls it, such as B or AA. */
  readonly letters: string;
  readonly header: string;
  readonly values: readonly string[];
};

export type SheetColumns = {
  /** Of the header, from 1; null in an empty tab. */
  readonly header_row: number | null;
  readonly columns: readonly SheetColumn[];
};

const MAX_VALUE_LENGTH = 200;

/** The contents of a tab's columns, from which a person or a model can tell the field of each. */
export function sheetColumns(rows: Iterable<readonly Cell[]>, samples: number): SheetColumns {
  const { at, cells: header } = headerRow(rows);
  if (header.length === 0) return { header_row: null, columns: [] };
  const below = [
    ...Iterator.from(rows)
      .drop(at + 1)
      .take(samples),
  ];
  const columns = header.flatMap((title, column) => {
    const name = typeof title === 'string' ? title.trim() : '';
    const values = below.map((cells) => String(cells[column] ?? '').slice(0, MAX_VALUE_LENGTH));
    return name === '' ? [] : [{ letters: columnLetters(column), header: name, values }];
  });
  return { header_row: at + 1, columns };
}

/** 0 is A, 26 is AA. */
function columnLetters(column: number): string {
  const rest = Math.floor(column / 26);
  return (rest > 0 ? columnLetters(rest - 1) : '') + String.fromCharCode(65 + (column % 26));
}
