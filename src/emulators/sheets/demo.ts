import type { DemoService } from '../../sync/demo/demo.ts';
import { columnName } from './a1.ts';
import type { BookHandle } from './book-handle.ts';
import { createSheetsEmulator, type SheetsEmulator, type SheetsSnapshot } from './sheets.ts';

/** The demo spreadsheet as it was left, or new. `state` is a snapshot of one. */
export function createDemoSheet(state: unknown): DemoService {
  const sheets = createDemoSheets();
  // Written by `snapshot` below, so it needs no second look.
  const restore = (left: unknown) => sheets.restore(left as SheetsSnapshot);
  if (state !== undefined) restore(state);

  return {
    fetch: sheets.fetch,
    snapshot: sheets.snapshot,
    restore,
    setStock(sku, stock) {
      const book = sheets.book(DEMO_SPREADSHEET);
      const place = book.tabs().flatMap((tab) => stockOf(book, tab, sku))[0];
      if (place) book.type(place.tab, place.at, stock);
      return place !== undefined;
    },
  };
}

/** The cell with the stock of an item, under the header Stock. */
function stockOf(book: BookHandle, tab: string, sku: string): { tab: string; at: string }[] {
  const [header = [], ...rows] = book.rows(tab);
  const [key, stock] = [header.indexOf('SKU'), header.indexOf('Stock')];
  const row = rows.findIndex((cells) => String(cells[key] ?? '') === sku);
  return key < 0 || stock < 0 || row < 0 ? [] : [{ tab, at: `${columnName(stock)}${row + 2}` }];
}

/** The spreadsheet that is there without any account. */
export const DEMO_SPREADSHEET = 'demo';

/** Google Sheets with the one spreadsheet `demo`: a tab Sheet1 with the header SKU, Stock. Any token opens it. */
export function createDemoSheets(): SheetsEmulator {
  // One person tries it out here: the service's quota would only make them wait.
  const emulator = createSheetsEmulator({
    tokens: { open: true },
    quota: { read: Infinity, write: Infinity },
  });
  emulator.book(DEMO_SPREADSHEET, { title: 'Demo', tabs: [{ title: 'Sheet1', rows: [['SKU', 'Stock']] }] });
  return emulator;
}
