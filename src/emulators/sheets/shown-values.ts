import type { Cell } from '../../sync/ports/sheet.ts';
import type { Area } from './a1.ts';
import type { Sheet } from './book.ts';
import { type RenderOption, render } from './cell-text.ts';

/** The shown cells of an area; empty ones at the ends are left out, as the service does. */
export function shownIn(sheet: Sheet, area: Area, option: RenderOption, locale: string): Cell[][] {
  const rows = sheet.cells.slice(area.top, Math.min(area.bottom, sheet.cells.length)).map((cells) => {
    const row = cells.slice(area.left, area.right).map((cell) => render(cell, option, locale));
    while (row.at(-1) === '') row.pop();
    return row;
  });
  while (rows.at(-1)?.length === 0) rows.pop();
  return rows;
}

/** The filled rows that begin at the area, down to the first empty one. */
export function tableAt(sheet: Sheet, area: Area): Area {
  const filled = (row: number) =>
    sheet.cells[row]?.slice(area.left, area.right).some((cell) => cell !== '') === true;
  let bottom = area.top;
  while (filled(bottom)) bottom++;
  return { ...area, bottom };
}

/** Rows as columns. */
export function turned<T>(rows: readonly (readonly T[])[]): (T | '')[][] {
  const width = rows.reduce((most, row) => Math.max(most, row.length), 0);
  return Array.from({ length: width }, (_, column) => rows.map((row) => row[column] ?? ''));
}
