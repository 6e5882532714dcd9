import type { Sql } from '../../platform/database.ts';
import { currencyScale } from '../currency.ts';
import type { Cell } from '../ports/sheet-client.ts';
import type { Run } from '../runs/run.ts';
import { cellKey, foldKey } from '../sync-key.ts';
import type { Writing } from '../value.ts';
import { type FoundLayout, findLayout } from './find-layout.ts';
import type { Layout } from './layout.ts';
import type { PlanWork, Sides } from './planner.ts';
import { ANY_LOCALE, needsLocale, readCell } from './read-cell.ts';
import { insertSheet, packed } from './reads-store.ts';

/** Rows that are made ready for one statement; as few as of the store, for the same reason. */
const CHUNK = 250;

/** The database cannot index more than 2,704 bytes; no store has a key as long as this. */
const LONGEST_KEY = 500;

export type FoundSheet = Extract<FoundLayout, { layout: Layout }> & {
  /** What the status column says of each row, where rows are marked in it. */
  readonly statuses: ReadonlyMap<number, string> | null;
};

/** Reads the whole tab into the database. Rows without any cell are none; what the status column says makes none. */
export async function readSheet(
  sql: Sql,
  run: Run,
  { sheet, tab, currency }: Sides,
  { signal }: PlanWork,
): Promise<FoundSheet | { readonly missing: readonly string[] }> {
  const reading = await sheet.read(tab, signal);
  const found = findLayout(reading, run.settings);
  if ('missing' in found) return found;
  const { layout } = found;
  let writing: Writing = { locale: ANY_LOCALE, scale: currencyScale(currency) };
  const statuses = marksRows(run, layout) ? new Map<number, string>() : null;
  let rows: string[] = [];
  let row = 0;
  for (const cells of reading.rows) {
    row++;
    if (row <= layout.header_row || isNoRow(cells, layout)) continue;
    if (writing.locale === ANY_LOCALE && rowNeedsLocale(cells, { run, layout, writing }))
      writing = { ...writing, locale: await sheet.locale(signal) };
    rows.push(rowOf(row, cells, { run, layout, writing }));
    if (statuses) keepStatus(statuses, row, cells, layout);
    if (rows.length >= CHUNK) await flush();
  }
  await flush();
  return { ...found, statuses };

  async function flush(): Promise<void> {
    signal.throwIfAborted();
    const full = rows;
    rows = [];
    if (full.length > 0) await insertSheet(sql, run.id, layout.columns.length, full);
  }
}

function marksRows({ direction, settings }: Run, { status_column }: Layout): boolean {
  return direction === 'store_to_sheet' && settings.options.stale_rows === 'mark' && status_column !== null;
}

function isNoRow(cells: readonly Cell[], { status_column }: Layout): boolean {
  return cells.every(
    (cell, column) => column === status_column || (typeof cell === 'string' && cell.trim() === ''),
  );
}

type Reading = { readonly run: Run; readonly layout: Layout; readonly writing: Writing };

function rowNeedsLocale(cells: readonly Cell[], { run: { settings }, layout, writing }: Reading): boolean {
  return settings.mappings.some(({ store_field }, nth) =>
    needsLocale(store_field, cells[layout.columns[nth] ?? -1], writing.scale),
  );
}

function rowOf(row: number, cells: readonly Cell[], { run: { settings }, layout, writing }: Reading): string {
  const key = cellKey(cells[layout.key_column] ?? '')?.slice(0, LONGEST_KEY) ?? null;
  const read = settings.mappings.map(({ store_field }, nth) =>
    readCell(store_field, cells[layout.columns[nth] ?? -1], writing),
  );
  const isFaulty = read.some(({ expected }) => expected !== null);
  const faults = isFaulty ? read.map(({ expected }) => expected) : [];
  return packed([String(row), key, key && foldKey(key), ...read.map(({ text }) => text), ...faults]);
}

function keepStatus(
  statuses: Map<number, string>,
  row: number,
  cells: readonly Cell[],
  { status_column }: Layout,
): void {
  const status = String(cells[status_column ?? -1] ?? '').trim();
  if (status !== '') statuses.set(row, status);
}
