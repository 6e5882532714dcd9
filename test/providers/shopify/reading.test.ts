import { afterEach, expect, test } from 'vitest';
import { Fault } from '../../../src/errors.ts';
import type { StoreClient, StoreVariant } from '../../../src/sync/ports/store-client.ts';
import { type Peer, productsOf, startPeer } from './peer.ts';
import { SHOP } from './wire.ts';

const { signal } = new AbortController();
const peers: Peer[] = [];
afterEach(() => Promise.all(peers.splice(0).map((peer) => peer.close())));

async function start(options: Parameters<typeof startPeer>[0]): Promise<Peer> {
  const peer = await startPeer(options);
  peers.push(peer);
  return peer;
}

async function readAll(store: StoreClient, here: string) {
  const pages: (readonly StoreVariant[])[] = [];
  for await (const page of store.read(here, signal).pages) pages.push(page);
  return { variants: pages.flat(), sizes: pages.map((page) => page.length) };
}

const FIRST = 'StallhandFirstVariants';
const START = 'StallhandBulkQuery';
const POLL = 'StallhandBulkStatus';
const RESULT = '/bulk-results/1.jsonl';

test('a small store is read in pages of 50; its first request says what the store is', async () => {
  const peer = await start({ shop: { name: 'Corner shop', currency: 'EUR', products: productsOf(24) } });
  const store = peer.open();
  expect(await store.read(peer.here, signal).description).toEqual({
    name: 'Corner shop',
    currency: 'EUR',
    location: { id: peer.here, name: 'Main street', isActive: true },
    variantCount: 120,
    scopes: ['read_products', 'write_products', 'read_inventory', 'write_inventory', 'read_locations'],
  });
  expect(peer.operations()).toEqual([FIRST]);
  const { variants, sizes } = await readAll(store, peer.here);
  expect(variants).toEqual(peer.shop.variants());
  expect(sizes).toEqual([50, 50, 20]);
  expect(peer.operations()).toEqual([FIRST, FIRST, 'StallhandVariants', 'StallhandVariants']);
  expect(store.calls()).toEqual({
    calls: 4,
    points: peer.shop.calls.reduce((sum, { cost }) => sum + cost, 0),
  });
});

test('every field is read as the store has it, also where there is none', async () => {
  const peer = await start({
    shop: {
      locations: ['Main street', 'Cellar'],
      products: [
        {
          title: 'Tea "Ñandú"\u2028',
          handle: 'tea',
          variants: [
            {
              sku: 'TEA',
              price: '4.50',
              barcode: '123',
              taxable: false,
              requiresShipping: false,
              tracked: false,
              weight: { value: 0.5, unit: 'POUNDS' },
              available: -3,
            },
            { sku: null, price: '0.00', barcode: null, weight: null, available: { Cellar: 7 } },
          ],
        },
      ],
    },
  });
  const [tea, other] = (await readAll(peer.open(), peer.here)).variants;
  expect(tea).toEqual({
    variantId: expect.stringMatching(/^gid:\/\/shopify\/ProductVariant\/\d+$/),
    productId: expect.stringMatching(/^gid:\/\/shopify\/Product\/\d+$/),
    itemId: expect.stringMatching(/^gid:\/\/shopify\/InventoryItem\/\d+$/),
    sku: 'TEA',
    title: 'Tea "Ñandú"\u2028',
    handle: 'tea',
    price: '4.50',
    barcode: '123',
    taxable: false,
    requiresShipping: false,
    tracked: false,
    weight: { value: 0.5, unit: 'POUNDS' },
    available: -3,
  });
  expect(other).toMatchObject({ sku: null, barcode: null, weight: null, available: null });
  const cellar = peer.shop.locations()[1]?.id ?? '';
  expect((await readAll(peer.open(), cellar)).variants.map(({ available }) => available)).toEqual([null, 7]);
});

test('10,000 variants are read by one bulk query: two calls, the polls and one file, in pages of at most 250', async () => {
  const peer = await start({ shop: { products: productsOf(2000) }, bulkMs: 10_000 });
  const store = peer.open();
  const { variants, sizes } = await readAll(store, peer.here);
  expect(variants).toEqual(peer.shop.variants());
  expect(sizes).toEqual(Array(40).fill(250));
  const polls = peer.clock.waited.map(() => POLL);
  expect(peer.clock.waited).toEqual([1000, 1500, 2250, 3375, 5063]);
  expect(peer.operations()).toEqual([FIRST, START, ...polls, RESULT]);
  expect(store.calls().calls).toBe(2 + polls.length);
});

test('the pages of a bulk query and those of paging are the same', async () => {
  const peer = await start({ shop: { products: productsOf(501) } });
  const bulk = await readAll(peer.open(), peer.here);
  peer.shop.faults.push(({ operation }) =>
    operation === START ? { userError: 'LIMIT_REACHED' } : undefined,
  );
  const paged = await readAll(peer.open(), peer.here);
  expect(paged.variants).toEqual(bulk.variants);
  expect(bulk.sizes).toEqual([...Array(10).fill(250), 5]);
  expect(paged.sizes).toEqual([50, ...Array(9).fill(250), 205]);
});

test('a bulk query that fails is made up for by pages of 250', async () => {
  const peer = await start({ shop: { products: productsOf(501) } });
  const failed = {
    id: 'x',
    status: 'FAILED',
    errorCode: 'INTERNAL_SERVER_ERROR',
    url: null,
    objectCount: '3',
  };
  const answer = {
    status: 200,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ data: { bulkOperation: failed } }),
  };
  peer.shop.faults.push(({ operation }) => (operation === POLL ? answer : undefined));
  const { variants, sizes } = await readAll(peer.open(), peer.here);
  expect(variants).toEqual(peer.shop.variants());
  expect(sizes).toEqual([50, ...Array(9).fill(250), 205]);
  expect(peer.operations()).not.toContain('StallhandCancelBulk');
});

test('pages that cost too much are halved, and stay so', async () => {
  const peer = await start({ shop: { products: productsOf(501) }, linearCost: true });
  peer.shop.faults.push(({ operation }) =>
    operation === START ? { userError: 'LIMIT_REACHED' } : undefined,
  );
  const { variants, sizes } = await readAll(peer.open(), peer.here);
  expect(variants).toEqual(peer.shop.variants());
  expect(new Set(sizes.slice(1, -1)).size).toBe(1);
  const tooCostly =
    peer.operations().filter((name) => name === 'StallhandVariants').length - (sizes.length - 1);
  expect(tooCostly).toBeGreaterThan(0);
  expect(tooCostly).toBeLessThan(4);
  expect(peer.shop.calls.filter(({ throttled }) => throttled)).toEqual([]);
});

test('a plan with few points is waited for, not run into', async () => {
  const peer = await start({ shop: { products: productsOf(200) }, plan: { size: 200, rate: 50 } });
  const { variants } = await readAll(peer.open(), peer.here);
  expect(variants).toEqual(peer.shop.variants());
  expect(peer.clock.waited.length).toBeGreaterThan(0);
  expect(peer.shop.calls.filter(({ throttled }) => throttled).length).toBeLessThanOrEqual(1);
});

test('a file that breaks off is asked for again and goes on where it was', async () => {
  const peer = await start({ shop: { products: productsOf(600) } });
  peer.shop.faults.push(({ path }) => (path === RESULT ? 'drop_after' : undefined));
  peer.shop.faults.push(({ path }) => (path === RESULT ? 'bad_gateway' : undefined));
  const { variants } = await readAll(peer.open(), peer.here);
  expect(variants).toEqual(peer.shop.variants());
  expect(peer.operations().filter((name) => name === RESULT)).toHaveLength(3);
});

test('the file is closed when its reader stops early', async () => {
  const peer = await start({ shop: { products: productsOf(2000) } });
  const seen: number[] = [];
  for await (const page of peer.open().read(peer.here, signal).pages) {
    seen.push(page.length);
    break;
  }
  expect(seen).toEqual([250]);
});

test('a signal that ends cancels the bulk query in the store', async () => {
  const peer = await start({ shop: { products: productsOf(501) }, bulkMs: 60_000 });
  const stop = new AbortController();
  peer.shop.faults.push(({ operation }) => {
    if (operation === POLL) stop.abort(new Error('stopped'));
    return undefined;
  });
  const { pages } = peer.open().read(peer.here, stop.signal);
  await expect(pages[Symbol.asyncIterator]().next()).rejects.toThrow('stopped');
  expect(peer.operations().at(-1)).toBe('StallhandCancelBulk');
});

test('a place that the store does not have is reported to the reader of the pages, or of the description', async () => {
  const peer = await start({ shop: { products: productsOf(1) } });
  const other = 'gid://shopify/Location/5';
  const fault = new Fault('store_not_found.location', { domain: SHOP, location: other });
  const { pages } = peer.open().read(other, signal);
  await expect(pages[Symbol.asyncIterator]().next()).rejects.toEqual(fault);
  await expect(peer.open().read(other, signal).description).rejects.toEqual(fault);
  await expect(peer.open().describe(other, signal)).rejects.toEqual(fault);
});

test('variants are read by their ids, and those that are gone are left out', async () => {
  const peer = await start({ shop: { products: productsOf(60) } });
  const all = peer.shop.variants();
  const wanted = all.slice(20, 290);
  peer.shop.removeVariant('SKU-25');
  const left = wanted.filter(({ sku }) => sku !== 'SKU-25');
  const asked = [...wanted.map(({ variantId }) => variantId), all[0]?.productId ?? ''];
  expect(await peer.open().variants(asked, peer.here, signal)).toEqual(left);
  expect(peer.operations()).toEqual(Array(3).fill('StallhandVariantsById'));
  expect(await peer.open().variants([], peer.here, signal)).toEqual([]);
});

test('all places of the store are listed', async () => {
  const names = Array.from({ length: 130 }, (_, index) => `Place ${index}`);
  const peer = await start({ shop: { locations: names } });
  expect((await peer.open().locations(signal)).map(({ name }) => name)).toEqual(names);
  expect(peer.operations()).toEqual(['StallhandLocations', 'StallhandLocations']);
});

test('a store without a single variant is read', async () => {
  const peer = await start({});
  expect((await readAll(peer.open(), peer.here)).variants).toEqual([]);
});
