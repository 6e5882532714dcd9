import type { SheetsEmulator } from '../../../src/emulators/sheets/sheets.ts';
import { createShopifyEmulator } from '../../../src/emulators/shopify/shopify.ts';
import type { Direction } from '../../../src/sync/config.ts';
import type { Shelf } from './shelf.ts';

const COLUMNS = { sku: 'sku', title: 'title', handle: 'handle', stock: 'inventory_quantity' };
const KNOWN = ['MUG', 'Mug', 'mug', 3] as const;
const LID = ['LID', 'Lid', 'lid', 8] as const;
/** Rows that the store never had: one product of two variants, and three that get the handle of their title. */
const NEW = [
  ['BOWL-S', 'Bowl', 'clay-bowl', 2],
  ['BOWL-L', 'Bowl', 'clay-bowl', 4],
  ['CUP', 'Cup', '', 5],
  ['JAR', 'Jar', '', 6],
  ['JUG', 'Jug', '', 7],
] as const;
/** Of the products, in the order of the rows. */
const HANDLES = ['mug', 'clay-bowl', 'clay-bowl', 'cup', 'jar', 'jug', 'lid'];
/** Sold after the kill, where it is there by then. */
const SOLD = 'CUP';

/** A shop of one product that is in the sheet too, and rows that become four; the lid is there in the shop alone. */
export function stockNewGoods(google: SheetsEmulator, name: string, direction: Direction): Shelf {
  const shop = createShopifyEmulator({
    domain: `${name}.myshopify.com`,
    token: `shpat_secret_${name}`,
    plan: { size: 1e6, rate: 1e6 },
    shop: { currency: 'EUR', products: [productOf(KNOWN)] },
  });
  const before = shop.variants();
  const rows = [Object.keys(COLUMNS), KNOWN, ...NEW].map((row) => [...row]);
  const book = google.book(name, { tabs: [{ title: 'Sheet1', rows }] });
  shop.addProduct(productOf(LID));
  let sold = 0;

  return {
    ...{ name, direction, shop, book, before, columns: COLUMNS, options: { create_products: true } },
    valuesOf: () => KNOWN.map(String),
    beforeFirst: () => {},
    gap() {
      if (!shop.variants().some(({ sku }) => sku === SOLD)) return;
      shop.sell(SOLD, 1);
      sold = 1;
    },
    wrongAfterRun: () => twice(shop.variants().map(({ sku }) => sku ?? '')),
    wrongInTheEnd() {
      // The lid comes to the sheet where that is written; there, what was sold counts.
      const isTwoWay = direction === 'two_way';
      const left = (sku: string, stock: number) => (isTwoWay && sku === SOLD ? stock - sold : stock);
      const goods = [KNOWN, ...NEW, LID].map(([sku, title, , stock], nth) => {
        return [sku, title, HANDLES[nth], left(sku, stock)];
      });
      const inShop = shop
        .variants()
        .map(({ sku, title, handle, available }) => [sku, title, handle, available]);
      const wanted = isTwoWay ? goods : [KNOWN, ...NEW];
      return [
        ...differences('the shop', inShop.toSorted(bySku), goods.toSorted(bySku)),
        ...differences('the sheet', book.rows('Sheet1').slice(1), wanted),
      ];
    },
  };
}

function productOf([sku, title, handle, available]: readonly [string, string, string, number]) {
  return { title, handle, variants: [{ sku, available, price: '10.00' }] };
}

function twice(names: readonly string[]): string[] {
  return names.filter((name, nth) => names.indexOf(name) !== nth).map((name) => `${name} twice`);
}

type Row = readonly unknown[];

function bySku([a]: Row, [b]: Row): number {
  return String(a) < String(b) ? -1 : 1;
}

function differences(where: string, are: readonly Row[], wanted: readonly Row[]): string[] {
  const [is, should] = [JSON.stringify(are), JSON.stringify(wanted)];
  return is === should ? [] : [`${where} has ${is}, not ${should}`];
}
