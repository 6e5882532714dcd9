import type { Cell } from '../../sync/ports/sheet-client.ts';
import type { Area } from './a1.ts';
import type { Entered, Sheet } from './book.ts';

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

export type InputOption = 'RAW' | 'USER_ENTERED';
type RenderOption = 'FORMATTED_VALUE' | 'UNFORMATTED_VALUE' | 'FORMULA';

/** Shown for a formula without a given result: the emulator calculates nothing. */
const NOT_CALCULATED = '#N/A';

/** Languages in which people write 1.234,5 for what others write 1,234.5. */
const COMMA_LANGUAGES = new Set(
  'ca cs da de el es fi fr hr hu id it nb nl no pl pt ro ru sk sl sv tr uk'.split(' '),
);

/** What a cell holds after this was put into it: as it is, or as though somebody had typed it. */
export function enter(value: Cell, option: InputOption, locale: string): Entered {
  if (option === 'RAW' || typeof value !== 'string') return value;
  if (value.startsWith("'")) return value.slice(1);
  if (value.startsWith('=') && value.length > 1) return { formula: value, shown: NOT_CALCULATED };
  if (/^(true|false)$/i.test(value)) return value.toLowerCase() === 'true';
  return typedNumber(value.trim(), locale) ?? value;
}

/** What a reader is shown of a cell. */
function render(cell: Entered, option: RenderOption, locale: string): Cell {
  if (option === 'FORMULA') return typeof cell === 'object' ? cell.formula : cell;
  const shown = typeof cell === 'object' ? cell.shown : cell;
  if (option === 'UNFORMATTED_VALUE' || typeof shown === 'string') return shown;
  if (typeof shown === 'boolean') return shown ? 'TRUE' : 'FALSE';
  return String(shown).replace('.', writesComma(locale) ? ',' : '.');
}

function typedNumber(text: string, locale: string): number | undefined {
  const [point, group] = writesComma(locale) ? [',', '\\.'] : ['\\.', ','];
  const form = new RegExp(`^[+-]?(?:\\d{1,3}(?:${group}\\d{3})+|\\d+)?(?:${point}\\d+)?(%)?$`);
  const match = form.exec(text);
  if (!match || !/\d/.test(text)) return undefined;
  const plain = text.replaceAll(new RegExp(`${group}|%`, 'g'), '').replace(new RegExp(point), '.');
  return match[1] ? Number(plain) / 100 : Number(plain);
}

function writesComma(locale: string): boolean {
  return COMMA_LANGUAGES.has(locale.split('_')[0] ?? '') && locale !== 'es_MX';
}
