import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ProductSeed } from '../../src/emulators/shopify/records.ts';
import { startSheetsPeer } from '../../test/peers/sheets.ts';
import { startShopifyPeer } from '../../test/peers/shopify.ts';
import { DOMAIN, SPREADSHEET, STORE_TOKEN, TAB } from './connection.ts';

/**
 * A store of so many variants and an empty sheet, in a process of their own, spoken to as Shopify and Google are. What
 * they are asked is counted here, where it arrives: GET /counts gives it, once. GET /places says where both are, POST
 * /change?side=store&every=100&nth=3 changes some quantities, GET /differing says how many rows are not alike. /sell?nth=3
 * sells one of a variant, and /cell?sku=… says what its row has.
 */
const VARIANTS_OF_PRODUCT = 5;
const POLL = 'StallhandBulkStatus';

const variants = Number(process.argv[2]);
const isRoomy = process.argv[3] === 'roomy';

const shopify = await startShopifyPeer({
  domain: DOMAIN,
  token: STORE_TOKEN,
  shop: { products: productsOf(variants) },
  bulkMs: 0,
  // Steps follow each other at once: none is to wait for what the one before it has spent.
  plan: { size: 1e9, rate: 1e9 },
});
const sheets = await startSheetsPeer();
// Who does not know that a tab has an end is given one that is large enough.
const rowCount = isRoomy ? variants + 1 : 1000;
const book = sheets.emulator.book(SPREADSHEET, { tabs: [{ title: TAB, rowCount }] });
const counted = { store: 0, sheet: 0 };

const control = createServer((request, response) => {
  const url = new URL(request.url ?? '/', 'http://bench.test');
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify(answer(url)));
});
await once(control.listen(0, '127.0.0.1'), 'listening');
// A TCP server that listens has an address with a port.
console.log(`http://127.0.0.1:${(control.address() as AddressInfo).port}`);

function answer({ pathname, searchParams }: URL): object {
  const every = Number(searchParams.get('every'));
  const nth = Number(searchParams.get('nth'));
  switch (pathname) {
    case '/places':
      return { store: shopify.url, sheet: sheets.url, location: shopify.emulator.locations()[0]?.id };
    case '/counts':
      return counts();
    case '/change':
      return { changed: searchParams.get('side') === 'store' ? sellSome(every, nth) : typeSome(every, nth) };
    case '/sell':
      return sell(nth);
    case '/cell':
      return { value: book.rows(TAB).find(([sku]) => sku === searchParams.get('sku'))?.[1] ?? null };
    case '/differing':
      return { differing: differing(), violations: sheets.violations };
    default:
      throw new Error(`there is no ${pathname}`);
  }
}

function counts() {
  const asked = shopify.emulator.calls.slice(counted.store);
  const done = sheets.emulator.calls.slice(counted.sheet);
  counted.store += asked.length;
  counted.sheet += done.length;
  const polls = asked.filter(({ operation }) => operation === POLL).length;
  return {
    store_calls: asked.length - polls,
    polls,
    points: asked.reduce((sum, { cost }) => sum + cost, 0),
    sheet_reads: done.filter(({ kind }) => kind === 'read').length,
    sheet_writes: done.filter(({ kind }) => kind === 'write').length,
    bytes_out: asked.reduce((sum, { bytesOut }) => sum + bytesOut, 0),
  };
}

/** One piece more of every so many variants. */
function sellSome(every: number, nth: number): number {
  const chosen = shopify.emulator.variants().filter((_, index) => index % every === nth);
  for (const { sku, available } of chosen) shopify.emulator.setQuantity(sku ?? '', (available ?? 0) + 1);
  return chosen.length;
}

function sell(nth: number) {
  const sold = shopify.emulator.variants()[nth];
  if (!sold) throw new Error(`there is no variant ${nth}`);
  const available = (sold.available ?? 0) - 1;
  shopify.emulator.setQuantity(sold.sku ?? '', available);
  return { sku: sold.sku, item: Number(sold.itemId.split('/').at(-1)), available };
}

/** The same in the sheet, whose header is in row 1. */
function typeSome(every: number, nth: number): number {
  const rows = book.rows(TAB).slice(1);
  const chosen = rows.keys().filter((index) => index % every === nth);
  let changed = 0;
  for (const index of chosen) {
    book.type(TAB, `B${index + 2}`, Number(rows[index]?.[1]) + 1);
    changed++;
  }
  return changed;
}

/** Variants whose row is not there or says something else. */
function differing(): number {
  const stock = new Map(book.rows(TAB).map(([sku, quantity]) => [sku, quantity]));
  return shopify.emulator.variants().filter(({ sku, available }) => stock.get(sku ?? '') !== available)
    .length;
}

function productsOf(count: number): ProductSeed[] {
  return Array.from({ length: Math.ceil(count / VARIANTS_OF_PRODUCT) }, (_, product) => ({
    title: `Product number ${product + 1} of the bench`,
    variants: Array.from({ length: VARIANTS_OF_PRODUCT }, (_variant, nth) => {
      const number = product * VARIANTS_OF_PRODUCT + nth + 1;
      return {
        sku: `SKU-${String(number).padStart(7, '0')}`,
        price: '9.90',
        available: 10 + (number % 400),
        barcode: String(4_000_000_000_000 + number),
        weight: { value: 0.5, unit: 'KILOGRAMS' },
      };
    }),
  }));
}
