import type { Sql } from '../../platform/database/database.ts';
import { fieldsIn } from '../config.ts';
import type { Cell } from '../ports/sheet-client.ts';
import type { StoreVariant } from '../ports/store-client.ts';
import type { Run } from '../runs/run.ts';
import { decimalOf } from '../values/decimal.ts';
import { cellKey, foldKey, keyOf } from '../values/sync-key.ts';
import { currencyScale, storeValue, type Writing } from '../values/value.ts';
import { type FoundLayout, findLayout, type Layout, type MissingHeaders } from './layout.ts';
import type { PlanWork, Sides } from './plan.ts';
import { ANY_LOCALE, needsLocale, readCell } from './read-cell.ts';
import { insertSheet, insertStore, packed } from './read-repo.ts';
import { requireFieldScopes } from './require-scopes.ts';

/**
 * Rows and variants that one statement inserts. Of more, V8 keeps the garbage for long: with 1,000 a run of 100,000
 * variants takes 100 MiB more.
 */
const CHUNK = 250;

/** The database cannot index more than 2,704 bytes; no store has a key as long as this. */
const MAX_KEY_LENGTH = 500;

/** Of a product that is named in an error. */
const MAX_TITLE_LENGTH = 100;

type FoundSheet = Extract<FoundLayout, { layout: Layout }> & {
  /** The status of each row, where rows are marked in the status column. */
  readonly statuses: ReadonlyMap<number, string> | null;
};

export type ReadSides = (FoundSheet & { readonly storeRows: number }) | MissingHeaders;

/** Reads both sides at the same time. When one fails, or the sheet has no header, the other is aborted. */
export async function readSides(sql: Sql, run: Run, sides: Sides, work: PlanWork): Promise<ReadSides> {
  const stop = new AbortController();
  const stoppable = { ...work, signal: AbortSignal.any([work.signal, stop.signal]) };
  const sheet = readSheet(sql, run, sides, stoppable).then((found) => {
    if ('missing' in found) stop.abort();
    return found;
  });
  const store = readStore(sql, run, sides, stoppable, sheet);
  for (const side of [sheet, store]) side.catch((error: unknown) => stop.abort(error));
  // Both must have ended: nothing may be written after this returns.
  const [found, storeRows] = await Promise.allSettled([sheet, store]);
  if (found.status === 'fulfilled' && 'missing' in found.value) return found.value;
  if (found.status === 'fulfilled' && storeRows.status === 'fulfilled')
    return { ...found.value, storeRows: storeRows.value };
  throw stop.signal.reason;
}

/**
 * Reads the whole tab into the database, or of it only the rows whose key is wanted. Rows without any cell are skipped; a
 * status alone makes no row.
 */
export async function readSheet(
  sql: Sql,
  run: Run,
  { sheet, tab, currency }: Sides,
  { signal }: PlanWork,
  isWanted: (keyCell: Cell) => boolean = () => true,
): Promise<(FoundSheet & { readonly rows: number }) | MissingHeaders> {
  const reading = await sheet.read(tab, signal);
  const { settings, request } = run;
  const addsColumns = settings.options.add_columns || request.add_columns === true;
  const found = findLayout(reading, settings, { addsColumns });
  if ('missing' in found) return found;
  const { layout } = found;
  let writing: Writing = { locale: ANY_LOCALE, scale: currencyScale(currency) };
  const statuses = marksRows(run, layout) ? new Map<number, string>() : null;
  let rows: string[] = [];
  let inserted = 0;
  let row = 0;
  for (const cells of reading.rows) {
    row++;
    if (isSkipped(row, cells, layout) || !isWanted(cells[layout.key_column] ?? '')) continue;
    if (writing.locale === ANY_LOCALE && rowNeedsLocale(cells, { run, layout, writing }))
      writing = { ...writing, locale: await sheet.locale(signal) };
    rows.push(packedRow(row, cells, { run, layout, writing }));
    if (statuses) addStatus(statuses, row, cells, layout);
    if (rows.length >= CHUNK) await flush();
  }
  await flush();
  return { ...found, statuses, rows: inserted };

  async function flush(): Promise<void> {
    signal.throwIfAborted();
    const full = rows;
    rows = [];
    inserted += full.length;
    if (full.length > 0) await insertSheet(sql, run.id, layout.columns.length, full);
  }
}

function marksRows({ direction, settings }: Run, { status_column }: Layout): boolean {
  return direction === 'store_to_sheet' && settings.options.stale_rows === 'mark' && status_column !== null;
}

function isSkipped(row: number, cells: readonly Cell[], { header_row, status_column }: Layout): boolean {
  if (row <= header_row) return true;
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

function packedRow(
  row: number,
  cells: readonly Cell[],
  { run: { settings }, layout, writing }: Reading,
): string {
  const key = cellKey(cells[layout.key_column] ?? '')?.slice(0, MAX_KEY_LENGTH) ?? null;
  const read = settings.mappings.map(({ store_field }, nth) =>
    readCell(store_field, cells[layout.columns[nth] ?? -1], writing),
  );
  const isInvalid = read.some(({ expected }) => expected !== null);
  const faults = isInvalid ? read.map(({ expected }) => expected) : [];
  return packed([String(row), key, key && foldKey(key), ...read.map(({ text }) => text), ...faults]);
}

function addStatus(
  statuses: Map<number, string>,
  row: number,
  cells: readonly Cell[],
  { status_column }: Layout,
): void {
  const status = String(cells[status_column ?? -1] ?? '').trim();
  if (status !== '') statuses.set(row, status);
}

/**
 * Reads the whole store into the database, page by page, and returns the number of variants. The first page is requested
 * immediately; the others wait for `sheet`, so that the rows of a large sheet are not in memory at the same time.
 */
async function readStore(
  sql: Sql,
  run: Run,
  { store, locationId, currency }: Sides,
  { signal, progress }: PlanWork,
  sheet: Promise<unknown>,
): Promise<number> {
  const { description, pages } = store.read(locationId, signal, fieldsIn(run.settings));
  const described = await description;
  requireFieldScopes(run, described);
  const read = (stored: number) => progress(stored, Math.max(described.variantCount, stored), 'reading');
  return insertVariants(sql, run, { pages: after(sheet, pages), currency }, { progress: read });
}

async function* after<T>(first: Promise<unknown>, pages: AsyncIterable<T>): AsyncGenerator<T> {
  for await (const page of pages) {
    await first;
    yield page;
  }
}

type Variants = {
  readonly pages: AsyncIterable<readonly StoreVariant[]> | Iterable<readonly StoreVariant[]>;
  /** ISO 4217, of the store. */
  readonly currency: string;
};

/** Saves variants of the store as read by the run; returns how many there are. */
export async function insertVariants(
  sql: Sql,
  run: Run,
  { pages, currency }: Variants,
  { progress }: { readonly progress: (stored: number) => void },
): Promise<number> {
  const scale = currencyScale(currency);
  let variants: string[] = [];
  let stored = 0;
  for await (const page of pages) {
    for (const variant of page) variants.push(packedVariant(variant, run, scale));
    if (variants.length >= CHUNK) await flush();
  }
  await flush();
  return stored;

  async function flush(): Promise<void> {
    const full = variants;
    variants = [];
    if (full.length > 0) await insertStore(sql, run.id, stored + 1, full);
    stored += full.length;
    progress(stored);
  }
}

function packedVariant(variant: StoreVariant, { settings }: Run, scale: number): string {
  const key = keyOf(settings.options.key, variant);
  const { variantId, productId, itemId, weight, tracked } = variant;
  const title = key === null ? variant.title.slice(0, MAX_TITLE_LENGTH).toWellFormed() : null;
  const values = settings.mappings.map(({ store_field }) => storeValue(store_field, variant, scale));
  return packed([
    key,
    key && foldKey(key),
    variantId,
    productId,
    itemId,
    weight && `${weight.unit} ${decimalOf(weight.value)}`,
    title,
    tracked ? null : 'untracked',
    ...values,
  ]);
}
