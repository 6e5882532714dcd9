import { z } from 'zod';
import type { SyncSettings } from '../config.ts';
import type { Cell, SheetReading } from '../ports/sheet-client.ts';
import { foldKey } from '../values/sync-key.ts';

/** The position of the header and columns in a tab. Rows count from 1, columns from 0. */
export const Layout = z.object({
  tab: z.object({ title: z.string(), id: z.number().nullable() }),
  header_row: z.number(),
  /** The tab is empty: the first write puts the header there. */
  writes_header: z.boolean(),
  /** Of `columns`, those that the run adds to a tab that has others. */
  added: z.array(z.number()).default([]),
  /** The column of each mapping, in their order. */
  columns: z.array(z.number()),
  key_column: z.number(),
  /** The column with each row's status, where there is one. */
  status_column: z.number().nullable(),
  /** Rows of the tab that have values. */
  used_rows: z.number(),
});
export type Layout = z.output<typeof Layout>;

export type FoundLayout =
  /** `writesStatus`: the status column is a new one, and its header has still to be written. */
  { readonly layout: Layout; readonly writesStatus: boolean } | MissingHeaders;

export type MissingHeaders = {
  /** Headers that are not there, as the configuration names them. */
  readonly missing: readonly string[];
  /** The headers that were found instead. */
  readonly found: readonly string[];
  /** The run may add them: it writes to the sheet, and the key has its column. */
  readonly canAdd: boolean;
};

/**
 * Finds the header and the columns of a tab. The header is the row among the first ten that has all headers, or else the key's: the rest is
 * then missing. Headers are the same whatever their case and the space around them; of two alike the first counts. A
 * wholly empty tab that may be written gets its header in row 1, in the order of the mappings; `used_rows` then counts
 * that row already. With `addsColumns`, columns that a written tab lacks are new ones, right of all that the header and
 * its column hold; never the key's.
 */
export function findLayout(
  reading: SheetReading,
  settings: SyncSettings,
  { addsColumns = false }: { readonly addsColumns?: boolean } = {},
): FoundLayout {
  const headers = headersOf(settings);
  if (isEmpty(reading) && settings.direction !== 'sheet_to_store')
    return newLayout(reading, settings, headers);
  const { row, names, missing } = findHeader(reading, headers);
  const canAdd = settings.direction !== 'sheet_to_store' && names.includes(foldHeader(headers.key));
  if (missing.length > 0 && !(canAdd && addsColumns))
    return { missing, found: shownHeaders(reading, row), canAdd };
  const free = freeColumns(reading, names);
  const columns = headers.mapped.map((header) => {
    const at = names.indexOf(foldHeader(header));
    return at >= 0 ? at : free.next().value;
  });
  const status = statusColumn(settings, names, free);
  const layout = {
    tab: reading.tab,
    header_row: row,
    writes_header: false,
    added: columns.filter((column) => (names[column] ?? '') === ''),
    columns,
    key_column: names.indexOf(foldHeader(headers.key)),
    status_column: status,
    used_rows: reading.rows.length,
  };
  return { layout, writesStatus: status !== null && (names[status] ?? '') === '' };
}

type Headers = { readonly key: string; readonly mapped: readonly string[]; readonly all: readonly string[] };

/** The key's column is the one its field is mapped to, or the one that the configuration names. */
function headersOf({ mappings, options }: SyncSettings): Headers {
  const mapped = mappings.map(({ sheet_column }) => sheet_column);
  const own = mappings.find(({ store_field }) => store_field === options.key);
  const key = own?.sheet_column ?? options.key_column ?? options.key;
  const isMapped = mapped.some((header) => foldHeader(header) === foldHeader(key));
  return { key, mapped, all: isMapped ? mapped : [...mapped, key] };
}

function isEmpty({ rows }: SheetReading): boolean {
  for (const row of rows) if (!row.every(isBlank)) return false;
  return true;
}

function newLayout(
  { tab }: SheetReading,
  { options }: SyncSettings,
  { key, mapped, all }: Headers,
): FoundLayout {
  const hasStatus = options.status_column !== undefined;
  const layout = {
    tab,
    header_row: 1,
    writes_header: true,
    added: [],
    columns: mapped.map((_, column) => column),
    key_column: all.findIndex((header) => foldHeader(header) === foldHeader(key)),
    status_column: hasStatus ? all.length : null,
    used_rows: 1,
  };
  return { layout, writesStatus: hasStatus };
}

const HEADER_ROWS = 10;

type FoundHeader = {
  readonly row: number;
  readonly names: readonly string[];
  readonly missing: readonly string[];
};

/** If no row has the key, the row with the most headers is taken for the header. */
function findHeader(reading: SheetReading, { key, all }: Headers): FoundHeader {
  const candidates = Iterator.from(reading.rows)
    .take(HEADER_ROWS)
    .map((row) => row.map((cell) => foldHeader(String(cell))))
    .toArray();
  const lacks = (names: readonly string[]) => all.filter((header) => !names.includes(foldHeader(header)));
  const complete = candidates.findIndex((names) => lacks(names).length === 0);
  const withKey = candidates.findIndex((names) => names.includes(foldHeader(key)));
  const widths = candidates.map((names) => names.filter((name) => name !== '').length);
  const at = [complete, withKey].find((row) => row >= 0) ?? widths.indexOf(Math.max(...widths));
  const names = candidates[at] ?? [];
  return { row: at + 1, names, missing: lacks(complete < 0 && withKey < 0 ? candidates.flat() : names) };
}

const MAX_SHOWN = 20;
const MAX_SHOWN_LENGTH = 40;

/** The headers of a row as a person reads them in an error. */
function shownHeaders({ rows }: SheetReading, row: number): string[] {
  const [header = []] = Iterator.from(rows)
    .drop(Math.max(row, 1) - 1)
    .take(1);
  const texts = header.filter((cell) => !isBlank(cell)).map((cell) => String(cell).trim());
  return texts.slice(0, MAX_SHOWN).map((text) => text.slice(0, MAX_SHOWN_LENGTH).toWellFormed());
}

/** A new one is only made where the run may write to the sheet. */
function statusColumn(
  settings: SyncSettings,
  names: readonly string[],
  free: Generator<number, never>,
): number | null {
  const header = settings.options.status_column;
  if (header === undefined) return null;
  const found = names.indexOf(foldHeader(header));
  if (found >= 0) return found;
  return settings.direction === 'sheet_to_store' ? null : free.next().value;
}

/** Columns right of the header without any value, from left to right. */
function* freeColumns({ rows }: SheetReading, names: readonly string[]): Generator<number, never> {
  const filled = new Set<number>();
  for (const row of rows) for (const [column, cell] of row.entries()) if (!isBlank(cell)) filled.add(column);
  for (let column = names.findLastIndex((name) => name !== '') + 1; ; column++)
    if (!filled.has(column)) yield column;
}

/** The name of a cell, such as `C1`; the row counts from 1, the column from 0. */
export function cellName(row: number, column: number): string {
  const letters = (nth: number): string =>
    (nth >= 26 ? letters(Math.floor(nth / 26) - 1) : '') + String.fromCharCode(65 + (nth % 26));
  return `${letters(column)}${row}`;
}

function foldHeader(header: string): string {
  return foldKey(header.trim());
}

function isBlank(cell: Cell): boolean {
  return typeof cell === 'string' && cell.trim() === '';
}

/** Where the columns of a layout are; null: none has that header any more. */
export type Columns = {
  readonly columns: readonly (number | null)[];
  readonly key_column: number | null;
  readonly status_column: number | null;
};

/**
 * Where the columns are by what the header row says: those that people have moved since are found again. A header
 * that was entered as a formula is taken for what it was, since it does not say what it shows.
 */
export function columnsNow(layout: Layout, settings: SyncSettings, header: readonly Cell[]): Columns {
  const names = Array.from(header, (cell = '') => foldHeader(String(cell)));
  const { key, mapped } = headersOf(settings);
  const { status_column: status = '' } = settings.options;
  return {
    columns: mapped.map((name, nth) => find(name, layout.columns[nth] ?? -1)),
    key_column: find(key, layout.key_column),
    status_column: layout.status_column === null ? null : find(status, layout.status_column),
  };

  function find(name: string, was: number): number | null {
    const folded = foldHeader(name);
    const now = names[was] === folded ? was : names.indexOf(folded);
    if (now >= 0) return now;
    return names[was]?.startsWith('=') ? was : null;
  }
}
