import type { Change, SyncNoteKey } from '../../change.ts';
import type { SyncSettings } from '../../config.ts';
import type { Columns } from '../../plan/layout.ts';
import { readCell } from '../../plan/read-cell.ts';
import type { Cell } from '../../ports/sheet-client.ts';
import { type Canonical, isQuantity } from '../../values/field.ts';
import { cellKey, foldKey } from '../../values/sync-key.ts';
import { sheetCell, type Writing } from '../../values/value.ts';

/** Where the cells of a run are, and the sheet's locale. */
export type SheetPlace = {
  readonly layout: Columns;
  readonly settings: SyncSettings;
  readonly writing: Writing;
  /** Only the cells to be written need to be empty for an append: the rest of the row may be a person's. */
  readonly sharesRows: boolean;
};

/** The decision on a change, by what its row contains now. */
export type CellFate =
  | { readonly is: 'to_write' }
  /** The cell has the target value already. */
  | { readonly is: 'there' }
  | { readonly is: 'held'; readonly code: SyncNoteKey };

/** `taken`: a person or another run has used the row of an append. */
export type RowFate = 'taken' | ReadonlyMap<number, CellFate>;

/** Decides on the changes of one row by what was entered in it; by `seq`. */
export function decideRow(changes: readonly Change[], cells: readonly Cell[], place: SheetPlace): RowFate {
  if (changes.some(({ kind }) => kind === 'append')) return decideAppend(changes, cells, place);
  const isCleared = changes.every((change) => change.kind === 'clear' && isThere(change, cells, place));
  if (!isCleared && !hasKey(changes, cells, place)) return fates(changes, () => held('sheet_changed'));
  const fated = fates(changes, (change) => decideCell(change, cells, place));
  return changes.every(({ kind }) => kind === 'clear') ? allOrNone(changes, fated) : fated;
}

/** Half a row would be left as one that has no key. */
function allOrNone(changes: readonly Change[], fated: ReadonlyMap<number, CellFate>): RowFate {
  const kept = [...fated.values()].find((one) => one.is === 'held');
  return kept ? fates(changes, () => kept) : fated;
}

function decideAppend(changes: readonly Change[], cells: readonly Cell[], place: SheetPlace): RowFate {
  if (changes.some((change) => columnOf(change, place) === null))
    return fates(changes, () => held('sheet_changed'));
  if (changes.every((change) => isThere(change, cells, place)))
    return fates(changes, () => ({ is: 'there' }));
  const own = changes.map((change) => cells[columnOf(change, place) ?? -1] ?? '');
  const isHeader = changes.some(({ key }) => key === '');
  const isFree = (place.sharesRows || isHeader ? own : cells).every(isBlank);
  return isFree ? fates(changes, () => ({ is: 'to_write' })) : 'taken';
}

function decideCell(change: Change, cells: readonly Cell[], place: SheetPlace): CellFate {
  const column = columnOf(change, place);
  if (column === null) return held('sheet_changed');
  const cell = cells[column] ?? '';
  if (isFormula(cell, change)) return held('formula_cell');
  if (isThere(change, cells, place)) return { is: 'there' };
  return readText(change, cell, place) === change.from ? { is: 'to_write' } : held('sheet_changed');
}

/** The column of a change; null: the tab has none, or no longer. */
export function columnOf({ field }: Pick<Change, 'field'>, { layout, settings }: SheetPlace): number | null {
  if (field === 'status') return layout.status_column;
  const mapped = settings.mappings.findIndex(({ store_field }) => store_field === field);
  if (mapped >= 0) return layout.columns[mapped] ?? null;
  return field === 'key' ? layout.key_column : null;
}

/** What is written for a change; a header is text whatever its column holds. An undo restores a cell as it was entered. */
export function cellOf({ key, field, to, params }: Change): Cell {
  return key === '' ? (to ?? '') : (params?.['cell'] ?? sheetCell(field, to));
}

/**
 * What a cell held as it was entered, where its value would be written otherwise, such as a number as a text; undefined
 * where it would not. A quantity is written as a number, since another one may be written than was planned. Text that no
 * database takes is not kept.
 */
export function enteredOtherwise({ key, field, from }: Change, cell: Cell): string | number | undefined {
  if (key === '' || from === null || isQuantityField(field) || typeof cell === 'boolean') return undefined;
  if (typeof cell === 'string' && (!cell.isWellFormed() || cell.includes('\0'))) return undefined;
  return cell === sheetCell(field, from) ? undefined : cell;
}

function isQuantityField(field: Change['field']): boolean {
  return field !== 'key' && field !== 'status' && isQuantity(field);
}

function hasKey([first]: readonly Change[], cells: readonly Cell[], { layout }: SheetPlace): boolean {
  const key = cellKey(cells[layout.key_column ?? -1] ?? '');
  return key !== null && first !== undefined && foldKey(key) === foldKey(first.key);
}

function isThere(change: Change, cells: readonly Cell[], place: SheetPlace): boolean {
  const column = columnOf(change, place);
  if (column === null) return false;
  return readText(change, cells[column] ?? '', place) === change.to;
}

/** As the plan has read it: for an invalid cell, its text. */
function readText({ key, field }: Change, cell: Cell, { writing }: SheetPlace): Canonical {
  if (key === '' || field === 'key' || field === 'status') return String(cell).trim() || null;
  return readCell(field, cell, writing).text;
}

/** A text may start like a formula, but then its value is that text. */
function isFormula(cell: Cell, { from }: Change): boolean {
  return typeof cell === 'string' && cell.startsWith('=') && cell.trim() !== from;
}

function isBlank(cell: Cell): boolean {
  return typeof cell === 'string' && cell.trim() === '';
}

function held(code: SyncNoteKey): CellFate {
  return { is: 'held', code };
}

function fates(
  changes: readonly Change[],
  decide: (change: Change) => CellFate,
): ReadonlyMap<number, CellFate> {
  return new Map(changes.map((change) => [change.seq, decide(change)]));
}
