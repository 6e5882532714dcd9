import type { BookHandle } from '../../../src/emulators/sheets/book-handle.ts';
import type { SheetsEmulator } from '../../../src/emulators/sheets/sheets.ts';
import { createShopifyEmulator, type ShopifyEmulator } from '../../../src/emulators/shopify/shopify.ts';
import type { Direction } from '../../../src/sync/config.ts';

export const SKUS = Array.from({ length: 270 }, (_, nth) => `S${String(nth + 1).padStart(3, '0')}`);
export const HEADER = ['sku', 'stock', 'price'] as const;
const STOCK = 100;
const PRICE = 10;
/** SKU that gets more units while no worker has the run. */
const LATE = 'S049';
/** Variants of one product. */
const OF_ONE = 3;

export type Shelf = ReturnType<typeof stockShelf>;

/**
 * A shop of 270 variants and a spreadsheet that were the same, and what has changed since: enough for two writes of
 * quantities, three of products and one of the sheet, in a run both ways.
 */
export function stockShelf(google: SheetsEmulator, name: string, direction: Direction) {
  const shop = createShopifyEmulator({
    domain: `${name}.myshopify.com`,
    token: `shpat_secret_${name}`,
    plan: { size: 1e6, rate: 1e6 },
    shop: { currency: 'EUR', products: products() },
  });
  const before = shop.variants();
  const rows = SKUS.map((sku) => [sku, STOCK, PRICE]);
  const book = google.book(name, { tabs: [{ title: 'Sheet1', rows: [[...HEADER], ...rows] }] });
  const shelf = { name, direction, shop, book, before, sold: new Map<string, number>(), late: 0, sell, gap };
  change(shelf);
  return shelf;

  function sell(sku: string, count: number): void {
    shop.sell(sku, count);
    shelf.sold.set(sku, (shelf.sold.get(sku) ?? 0) + count);
  }

  /** What happens while no worker has the run. */
  function gap(): void {
    for (const sku of ['S001', 'S002', 'S100', 'S251', 'S270']) sell(sku, 2);
    if (direction !== 'two_way') return;
    receive(book, SKUS.indexOf(LATE), 3);
    shelf.late = 3;
  }
}

type Changing = {
  readonly direction: Direction;
  readonly shop: ShopifyEmulator;
  readonly book: BookHandle;
  readonly sell: (sku: string, count: number) => void;
};

/** In the store all even ones are sold; in the sheet five of each have come, and three products have other prices. */
function change({ direction, shop, book, sell }: Changing): void {
  const isToStore = direction !== 'store_to_sheet';
  if (direction !== 'sheet_to_store')
    for (const [nth, sku] of SKUS.entries()) if (nth % 2 === 1) sell(sku, 1);
  if (!isToStore) shop.addProduct({ title: 'New', variants: [{ sku: 'NEW', available: 7 }] });
  for (const nth of isToStore ? SKUS.keys() : []) receive(book, nth, 5);
  for (const nth of isToStore ? [0, 3, 6] : []) book.type('Sheet1', `C${nth + 2}`, 12.5);
}

function receive(book: BookHandle, nth: number, count: number): void {
  const at = `B${nth + 2}`;
  book.type('Sheet1', at, Number(book.cell('Sheet1', at)) + count);
}

function products() {
  return Array.from({ length: SKUS.length / OF_ONE }, (_, nth) => ({
    title: `Product ${nth}`,
    variants: SKUS.slice(nth * OF_ONE, (nth + 1) * OF_ONE).map((sku) => ({
      sku,
      available: STOCK,
      price: PRICE.toFixed(2),
    })),
  }));
}

/** What of a shelf is not right after the run that was killed: sold twice, received twice, or lost. */
export function wrongAfterRun({ direction, shop, sold }: Shelf): string[] {
  const received = direction === 'store_to_sheet' ? 0 : 5;
  return shop.variants().flatMap(({ sku, available }) => {
    if (sku === 'NEW') return [];
    const left = STOCK - (sold.get(sku ?? '') ?? 0);
    return available === left || available === left + received
      ? []
      : [`${sku} has ${available}, of ${left} left`];
  });
}

/** The same once another run has followed. */
export function wrongInTheEnd(shelf: Shelf): string[] {
  const { direction, shop, book } = shelf;
  const rows = new Map(
    book
      .rows('Sheet1')
      .slice(1)
      .map(([sku, ...cells]) => [sku, cells]),
  );
  const expected = [...SKUS, ...(direction === 'store_to_sheet' ? ['NEW'] : [])];
  const count = book.rows('Sheet1').length - 1;
  const wrong = count === expected.length ? [] : [`${count} rows`];
  for (const { sku, available, price } of shop.variants()) {
    const is = { stock: available, price: Number(price), row: rows.get(sku ?? '') };
    const stock = stockOf(sku ?? '', shelf);
    const cost =
      direction !== 'store_to_sheet' && ['S001', 'S004', 'S007'].includes(sku ?? '') ? 12.5 : PRICE;
    const right = { stock, price: cost, row: [stock, cost] };
    if (JSON.stringify(is) !== JSON.stringify(right))
      wrong.push(`${sku}: ${JSON.stringify(is)}, not ${JSON.stringify(right)}`);
  }
  return wrong;
}

function stockOf(sku: string, { direction, sold, late }: Shelf): number {
  if (sku === 'NEW') return 7;
  if (direction === 'sheet_to_store') return STOCK + 5;
  const left = STOCK - (sold.get(sku) ?? 0);
  if (direction === 'store_to_sheet') return left;
  return left + 5 + (sku === LATE ? late : 0);
}
