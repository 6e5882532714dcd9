import { createHash } from 'node:crypto';
import { Fault } from '../../errors.ts';
import type { SheetDescription, Tab, TabName } from '../../sync/ports/sheet-client.ts';
import type { Api, RangeValues } from './api.ts';
import type { Patiently } from './retry.ts';
import type { Block } from './write-plan.ts';

/** What a spreadsheet has in it; the tabs of our own, that a write works in, are apart. */
export type Look = { readonly description: SheetDescription; readonly staging: readonly Tab[] };

/** One request. @throws SheetsApiFault */
export async function look(api: Api, signal: AbortSignal): Promise<Look> {
  const { properties, sheets } = await api.describe(signal);
  const tabs = sheets.flatMap(({ properties: { sheetId: id, title, gridProperties: grid } }) =>
    grid ? [{ id, title, rows: grid.rowCount, columns: grid.columnCount }] : [],
  );
  return {
    description: { ...properties, tabs: tabs.filter(({ title }) => !isStaging(title)) },
    staging: tabs.filter(({ title }) => isStaging(title)),
  };
}

/** A tab by its id, however it is called now; by its title while the id is not known. @throws Fault sheet_not_found */
export function findTab({ description: { tabs } }: Look, { id, title }: TabName): Tab {
  const found = tabs.find((tab) => (id === null ? tab.title === title : tab.id === id));
  if (found) return found;
  throw new Fault('sheet_not_found.tab', { tab: title, tabs: tabs.map((tab) => tab.title).join(', ') });
}

/** By the id a tab stays the same however it is called. Asks for it where only the title is known. */
export async function idOf(
  { api, patiently }: { readonly api: Api; readonly patiently: Patiently },
  tab: TabName,
  signal: AbortSignal,
): Promise<number> {
  return tab.id ?? findTab(await patiently(() => look(api, signal), signal), tab).id;
}

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

/** The whole title: a person's tab may start alike. */
const TITLE = /^Stallhand staging (?<tab>\d+) (?<since>[0-9a-z]+) [0-9a-f]{8}$/;
/** No write takes longer: one that started earlier has failed. */
const MAX_WRITE_MS = 60 * 60 * 1000;

/** The name of the hidden tab of a write; it holds the target tab, the start time and a hash of the write's key. */
export function stagingTitle(tabId: number, now: number, key: string): string {
  const mark = createHash('sha256').update(key).digest('hex').slice(0, 8);
  return `Stallhand staging ${tabId} ${now.toString(36)} ${mark}`;
}

function isStaging(title: string): boolean {
  return TITLE.test(title);
}

/** Left by a write that failed: of the same tab, which has one writer at a time, or old. */
export function isLeftover({ title }: Tab, tabId: number | null, now: number): boolean {
  const { tab, since } = TITLE.exec(title)?.groups ?? {};
  if (tab === undefined || since === undefined) return false;
  return tab === String(tabId) || !(now - Number.parseInt(since, 36) < MAX_WRITE_MS);
}
