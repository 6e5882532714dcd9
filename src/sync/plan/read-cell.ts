import type { Cell } from '../ports/sheet-client.ts';
import { type Canonical, type Expected, type StoreField, specOf } from '../values/field.ts';
import { cellValue, type Writing } from '../values/value.ts';

export type ReadCell = {
  /** Its value; for an invalid cell, its text. */
  readonly text: Canonical;
  /** What an invalid cell should have contained. */
  readonly expected: Expected | null;
};

/** A cell as a run saves it. The `from` of a change is this text, also that of an invalid cell. */
export function readCell(field: StoreField, cell: Cell | undefined, how: Writing): ReadCell {
  const read = cellValue(field, cell ?? '', how);
  return 'value' in read
    ? { text: read.value, expected: null }
    : { text: String(cell).trim(), expected: read.expected };
}

/** No locale: texts that are written differently in different locales are not read at all. */
export const ANY_LOCALE = '';

const WRITTEN_BY_LOCALE: ReadonlySet<string> = new Set([
  'money',
  'quantity',
  'decimal',
  'integer',
  'boolean',
]);

/** Whether reading a cell requires the locale. */
export function needsLocale(field: StoreField, cell: Cell | undefined, scale: number): boolean {
  const { kind } = specOf(field);
  if (typeof cell !== 'string' || cell.startsWith('=') || !WRITTEN_BY_LOCALE.has(kind)) return false;
  if (kind !== 'boolean' && !/\d/.test(cell)) return false;
  return readCell(field, cell, { locale: ANY_LOCALE, scale }).expected !== null;
}
