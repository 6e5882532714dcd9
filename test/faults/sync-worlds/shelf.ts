import type { BookHandle } from '../../../src/emulators/sheets/book-handle.ts';
import type { SheetsEmulator } from '../../../src/emulators/sheets/sheets.ts';
import { createShopifyEmulator, type ShopifyEmulator } from '../../../src/emulators/shopify/shopify.ts';
import type { Direction } from '../../../src/sync/config.ts';

const SKUS = Array.from({ length: 270 }, (_, nth) => `S${String(nth + 1).padStart(3, '0')}`);
const COLUMNS = { sku: 'sku', stock: 'inventory_quantity', price: 'price' };
const STOCK = 100;
const PRICE = 10;
/** SKU that gets more units while no worker has the run. */
const LATE = 'S049';
/** Variants of one product. */
const OF_ONE = 3;

type Variant = ReturnType<ShopifyEmulator['variants']>[number];

/** A shop and a spreadsheet for one run, and what both must have afterwards. */
export type Shelf = {
  readonly name: string;
  readonly direction: Direction;
  readonly shop: ShopifyEmulator;
  readonly book: BookHandle;
  /** The store's field of each column. */
  readonly columns: Readonly<Record<string, string>>;
  /** Of the configuration. */
  readonly options?: Readonly<Record<string, unknown>>;
  /** What both sides once had, in the order of the sheet, and its values in the order of the columns. */
  readonly before: readonly Variant[];
  readonly valuesOf: (variant: Variant) => readonly (string | null)[];
  /** Before the first call that changes something. */
  beforeFirst(call: string): void;
  /** What happens while no worker has the run. */
  gap(): void;
  /** What is not right after the run that was killed: done twice, or lost. */
  wrongAfterRun(): string[];
  /** The same once another run has followed. */
  wrongInTheEnd(): string[];
};

type Stock = Pick<Shelf, 'direction' | 'shop' | 'book'> & {
  readonly sold: Map<string, number>;
  late: number;
};

/**
 * A shop of 270 variants and a spreadsheet that were the same, and what has changed since: enough for two writes of
 * quantities, three of products and one of the sheet, in a run both ways.
 */
export function stockShelf(google: SheetsEmulator, name: string, direction: Direction): Shelf {
  const shop = createShopifyEmulator({
    domain: `${name}.myshopify.com`,
    token: `shpat_secret_${name}`,
    plan: { size: 1e6, rate: 1e6 },
    shop: { currency: 'EUR', products: products() },
  });
  const before = shop.variants();
  const rows = SKUS.map((sku) => [sku, STOCK, PRICE]);
  const book = google.book(name, { tabs: [{ title: 'Sheet1', rows: [Object.keys(COLUMNS), ...rows] }] });
  const stock: Stock = { direction, shop, book, sold: new Map<string, number>(), late: 0 };
  change({ direction, shop, book, sell });
  return {
    ...{ name, direction, shop, book, before, columns: COLUMNS, gap },
    valuesOf: ({ sku, available, price }) => [sku, String(available), price],
    // The first quantities to be set find one that was sold since they were read.
    beforeFirst: (call) => {
      if (call === 'SetQuantities') sell('S003', 1);
    },
    wrongAfterRun: () => wrongAfterRun(stock),
    wrongInTheEnd: () => wrongInTheEnd(stock),
  };

  function sell(sku: string, count: number): void {
    shop.sell(sku, count);
    stock.sold.set(sku, (stock.sold.get(sku) ?? 0) + count);
  }

  function gap(): void {
    for (const sku of ['S001', 'S002', 'S100', 'S251', 'S270']) sell(sku, 2);
    if (direction !== 'two_way') return;
    receive(book, SKUS.indexOf(LATE), 3);
    stock.late = 3;
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

/** Sold twice, received twice, or lost. */
function wrongAfterRun({ direction, shop, sold }: Stock): string[] {
  const received = direction === 'store_to_sheet' ? 0 : 5;
  return shop.variants().flatMap(({ sku, available }) => {
    if (sku === 'NEW') return [];
    const left = STOCK - (sold.get(sku ?? '') ?? 0);
    return available === left || available === left + received
      ? []
      : [`${sku} has ${available}, of ${left} left`];
  });
}

function wrongInTheEnd(shelf: Stock): string[] {
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

function stockOf(sku: string, { direction, sold, late }: Stock): number {
  if (sku === 'NEW') return 7;
  if (direction === 'sheet_to_store') return STOCK + 5;
  const left = STOCK - (sold.get(sku) ?? 0);
  if (direction === 'store_to_sheet') return left;
  return left + 5 + (sku === LATE ? late : 0);
}
