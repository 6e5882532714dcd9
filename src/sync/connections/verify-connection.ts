import { Fault } from '../../errors.ts';
import type { Cell, OpenSheet, SheetCredentials, Tab } from '../ports/sheet-client.ts';
import type { OpenStore, StoreClient, StoreDescription } from '../ports/store-client.ts';
import type { SheetRow } from './sheet-repo.ts';

/** A person waits for the response. */
const VERIFY_TIMEOUT_MS = 20_000;

/**
 * Calls a store or a spreadsheet with a deadline.
 * @throws Fault `unreached` when it takes too long or does not respond; what the call throws otherwise.
 */
export async function withDeadline<Result>(
  signal: AbortSignal,
  unreached: () => Fault,
  call: (signal: AbortSignal) => Promise<Result>,
  ms = VERIFY_TIMEOUT_MS,
): Promise<Result> {
  const deadline = AbortSignal.timeout(ms);
  try {
    return await call(AbortSignal.any([signal, deadline]));
  } catch (error) {
    if (signal.aborted) throw error;
    throw deadline.aborted || isUnanswered(error) ? unreached() : error;
  }
}

/** Its text mentions the next run, and here there is none. */
function isUnanswered(error: unknown): boolean {
  return error instanceof Fault && /^(store|sheet)_unavailable\.no_answer$/.test(error.key);
}

type Shop = Parameters<OpenStore>[0];
type StoreCall<Result> = (client: StoreClient, signal: AbortSignal) => Promise<Result>;

/** Calls a store while a person waits. @throws Fault store_unavailable.unreached, and what stores throw */
export function callStore<Result>(
  openStore: OpenStore,
  shop: Shop,
  signal: AbortSignal,
  call: StoreCall<Result>,
) {
  const unreached = () => new Fault('store_unavailable.unreached', { domain: shop.domain });
  return withDeadline(signal, unreached, async (deadline) => call(await openStore(shop), deadline));
}

/** Verifies a store's credentials by reading its description: credentials are saved only after the store accepts them. */
export async function verifyStore(
  openStore: OpenStore,
  shop: Shop,
  locationId: string | undefined,
  signal: AbortSignal,
) {
  const call: StoreCall<StoreDescription> = (client, deadline) => client.describe(locationId, deadline);
  const { name, currency, location } = await callStore(openStore, shop, signal, call);
  return { name, currency, location_id: location.id, location_name: location.name };
}

type SheetRequest = {
  readonly spreadsheetId: string;
  readonly credentials: SheetCredentials;
  readonly accountId: string;
  /** The tab by its title, or by its id where that is known; the first one without either. */
  readonly tab: { readonly title: string | undefined; readonly id: number | null };
};

/** A tab as it is now, with the credentials that opened it: their access token may have been refreshed. */
type VerifiedSheet = {
  /** Of the spreadsheet. */
  readonly title: string;
  readonly credentials: SheetCredentials;
  readonly found: Pick<SheetRow, 'sheet_name' | 'tab_id' | 'locale' | 'columns'>;
};

/**
 * Verifies a spreadsheet's credentials by reading the tab.
 * @throws Fault sheet_not_found.tab, sheet_unavailable.unreached when it does not respond, and what sheets throw
 */
export async function verifySheet(
  openSheet: OpenSheet,
  { tab: wanted, ...sheet }: SheetRequest,
  signal: AbortSignal,
): Promise<VerifiedSheet> {
  let { credentials } = sheet;
  const onRefresh = async ({ accessToken }: { accessToken: string }) => {
    if ('accessToken' in credentials) credentials = { ...credentials, accessToken };
  };
  const unreached = () => new Fault('sheet_unavailable.unreached');
  return withDeadline(signal, unreached, async (deadline) => {
    const client = await openSheet({ ...sheet, onRefresh });
    const { title, locale, tabs } = await client.describe(deadline);
    const tab = requireTab(tabs, wanted);
    const { rows } = await client.read({ title: tab.title, id: tab.id }, deadline);
    await client.requireEditor(deadline);
    const found = { sheet_name: tab.title, tab_id: tab.id, locale, columns: headerColumns(rows) };
    return { title, credentials, found };
  });
}

function requireTab(tabs: readonly Tab[], { title, id }: SheetRequest['tab']): Tab {
  const fold = (text: string) => text.trim().toLowerCase();
  if (title === undefined && id === null && tabs[0]) return tabs[0];
  const found =
    tabs.find((tab) => id !== null && tab.id === id) ??
    tabs.find((tab) => tab.title === title) ??
    tabs.find((tab) => fold(tab.title) === fold(title ?? ''));
  if (found) return found;
  throw new Fault('sheet_not_found.tab', { tab: title ?? '', tabs: tabs.map((tab) => tab.title).join(', ') });
}

/** Rows that are searched for a header. */
const MAX_SEARCHED_ROWS = 10;
const MAX_COLUMNS = 200;
const MAX_HEADER_LENGTH = 200;

/**
 * The headers of a tab, to choose from: the texts of the row among the first ones that has most of them. Below the
 * header are numbers, and above it at most a title.
 */
export function headerColumns(rows: Iterable<readonly Cell[]>): string[] {
  return textsOf(headerRow(rows).cells);
}

/** That row, and how many are above it. */
export function headerRow(rows: Iterable<readonly Cell[]>) {
  const first = [...Iterator.from(rows).take(MAX_SEARCHED_ROWS)].map((cells, at) => ({ at, cells }));
  const none = { at: 0, cells: [] as readonly Cell[] };
  return first.reduce(
    (best, row) => (textsOf(row.cells).length > textsOf(best.cells).length ? row : best),
    none,
  );
}

function textsOf(cells: readonly Cell[]): string[] {
  const texts = cells.flatMap((cell) => (typeof cell === 'string' ? cell.trim() : []));
  const names = texts.filter((text) => text !== '' && text.length <= MAX_HEADER_LENGTH);
  return [...new Set(names)].slice(0, MAX_COLUMNS);
}
