import type { Cell } from '../ports/sheet.ts';
import { type Canonical, type Expected, FIELDS, type StoreField } from '../values/field.ts';
import { cellValue, type Writing } from '../values/value.ts';

export type ReadCell = {
  /** What it says; of one that cannot be used, its text. */
  readonly text: Canonical;
  /** What it should have held. */
  readonly expected: Expected | null;
};

/** A cell as a run keeps it: what a change begins `from` is this text, so one that cannot be used can be told again. */
export function readCell(field: StoreField, cell: Cell | undefined, how: Writing): ReadCell {
  const read = cellValue(field, cell ?? '', how);
  return 'value' in read
    ? { text: read.value, expected: null }
    : { text: String(cell).trim(), expected: read.expected };
}

/** Stands for none: what is written differently in different places is then not read at all. */
export const ANY_LOCALE = '';

/** Whether it takes to know how its people write to read a cell. */
export function needsLocale(field: StoreField, cell: Cell | undefined, scale: number): boolean {
  const { kind } = FIELDS[field];
  if (typeof cell !== 'string' || cell.startsWith('=') || kind === 'text') return false;
  if (kind !== 'boolean' && !/\d/.test(cell)) return false;
  return readCell(field, cell, { locale: ANY_LOCALE, scale }).expected !== null;
}
