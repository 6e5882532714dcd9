import { afterEach, expect, test } from 'vitest';
import type { Outcome, ProductChange, StoreVariant } from '../../../src/sync/ports/store-client.ts';
import { type Peer, productsOf, startPeer } from './peer.ts';

const { signal } = new AbortController();
const WRITE = { key: 'run-1 batch-2', reference: 'syn_1', signal };
const APPLIED: Outcome = { state: 'applied' };
const peers: Peer[] = [];
afterEach(() => Promise.all(peers.splice(0).map((peer) => peer.close())));

async function start(options: Parameters<typeof startPeer>[0]): Promise<Peer> {
  const peer = await startPeer(options);
  peers.push(peer);
  return peer;
}

/** One change a product, made of its variants. */
function changesOf(
  peer: Peer,
  change: (variants: readonly StoreVariant[], nth: number) => Omit<ProductChange, 'productId'>,
): ProductChange[] {
  const products = Map.groupBy(peer.shop.variants(), ({ productId }) => productId);
  return [...products].map(([productId, variants], nth) => ({ productId, ...change(variants, nth) }));
}

test('fields that are given change, all others stay', async () => {
  const peer = await start({ shop: { products: productsOf(2) } });
  const [first, ...others] = peer.shop.variants();
  if (!first) throw new Error('there is no variant');
  const change: ProductChange = {
    productId: first.productId,
    title: 'Tea, green',
    variants: [
      {
        variantId: first.variantId,
        sku: 'TEA',
        price: '12.00',
        barcode: null,
        taxable: false,
        requiresShipping: false,
        weight: { value: 250, unit: 'GRAMS' },
      },
    ],
  };
  expect(await peer.open().updateProducts([change], WRITE)).toEqual([APPLIED]);
  expect(peer.shop.variants()).toEqual([
    {
      ...first,
      title: 'Tea, green',
      sku: 'TEA',
      price: '12.00',
      barcode: null,
      taxable: false,
      requiresShipping: false,
      weight: { value: 250, unit: 'GRAMS' },
    },
    ...others.map((variant, nth) => (nth < 4 ? { ...variant, title: 'Tea, green' } : variant)),
  ]);
  expect(peer.operations()).toEqual(['StallhandUpdateVariants', 'StallhandUpdateProduct']);
});

test('one field alone leaves the rest of the item as it is', async () => {
  const variants = [
    { sku: 'TEA', weight: { value: 2, unit: 'KILOGRAMS' as const }, requiresShipping: false },
  ];
  const peer = await start({ shop: { products: [{ title: 'Tea', variants }] } });
  const [tea] = peer.shop.variants();
  if (!tea) throw new Error('there is no variant');
  await peer
    .open()
    .updateProducts(
      [{ productId: tea.productId, variants: [{ variantId: tea.variantId, price: '3.00' }] }],
      WRITE,
    );
  expect(peer.shop.variants()).toEqual([{ ...tea, price: '3.00' }]);
});

test('a product is changed by one call, four products at a time', async () => {
  const peer = await start({ shop: { products: productsOf(20) } });
  const changes = changesOf(peer, (variants) => ({
    variants: variants.map(({ variantId }) => ({ variantId, price: '1.00' })),
  }));
  expect(await peer.open().updateProducts(changes, WRITE)).toEqual(Array(20).fill(APPLIED));
  expect(new Set(peer.shop.variants().map(({ price }) => price))).toEqual(new Set(['1.00']));
  expect(peer.operations()).toEqual(Array(20).fill('StallhandUpdateVariants'));
});

test('a product of more than 250 variants is changed by several calls', async () => {
  const variants = Array.from({ length: 600 }, (_, index) => ({ sku: `SKU-${index}` }));
  const peer = await start({ shop: { products: [{ title: 'Much', variants }] } });
  const changes = changesOf(peer, (all) => ({
    variants: all.map(({ variantId }) => ({ variantId, price: '2.00' })),
  }));
  expect(await peer.open().updateProducts(changes, WRITE)).toEqual([APPLIED]);
  expect(peer.shop.variants().every(({ price }) => price === '2.00')).toBe(true);
  expect(peer.operations()).toHaveLength(3);
});

test('of a product that is refused in part it is told which part; the rest was applied', async () => {
  const peer = await start({ shop: { products: productsOf(3) } });
  const changes = changesOf(peer, (variants, nth) => ({
    title: nth === 1 ? '' : `New ${nth}`,
    variants: variants.map(({ variantId }, index) => ({
      variantId,
      price: nth === 0 && index === 3 ? '-1.00' : '5.00',
    })),
  }));
  const refusedPrice = { code: 'NEGATIVE_PRICE_VALUE', message: 'Price must be greater than or equal to 0' };
  const refusedTitle = { code: 'UNKNOWN', message: "Title can't be blank" };
  expect(await peer.open().updateProducts(changes, WRITE)).toEqual([
    {
      state: 'refused',
      ...refusedPrice,
      parts: new Map([[changes[0]?.variants[3]?.variantId, refusedPrice]]),
    },
    { state: 'refused', ...refusedTitle, parts: new Map([['title', refusedTitle]]) },
    APPLIED,
  ]);
  const stand = peer.shop.variants().map(({ title, price }) => `${title} ${price}`);
  expect(stand.filter((text) => text === 'New 0 5.00')).toHaveLength(4);
  expect(stand.filter((text) => text === 'New 0 9.90')).toHaveLength(1);
  expect(stand.filter((text) => text === 'Product 2 5.00')).toHaveLength(5);
  expect(stand.filter((text) => text === 'New 2 5.00')).toHaveLength(5);
});

test('of a product that is gone everything is refused', async () => {
  const peer = await start({ shop: { products: productsOf(1) } });
  const change = {
    productId: 'gid://shopify/Product/1',
    title: 'New',
    variants: [{ variantId: 'gid://shopify/ProductVariant/1', price: '1.00' }],
  };
  expect(await peer.open().updateProducts([change], WRITE)).toEqual([
    {
      state: 'refused',
      code: 'PRODUCT_DOES_NOT_EXIST',
      message: 'Product does not exist',
      parts: new Map([
        [
          'gid://shopify/ProductVariant/1',
          { code: 'PRODUCT_DOES_NOT_EXIST', message: 'Product does not exist' },
        ],
        ['title', { code: 'UNKNOWN', message: 'Product does not exist' }],
      ]),
    },
  ]);
});

test('a change of nothing asks nothing', async () => {
  const peer = await start({ shop: { products: productsOf(1) } });
  const changes = changesOf(peer, () => ({ variants: [] }));
  expect(await peer.open().updateProducts(changes, WRITE)).toEqual([APPLIED]);
  expect(peer.operations()).toEqual([]);
});

test.each([
  ['in bulk on a standard plan', { size: 2000, rate: 100 }, 1100, 400],
  ['one by one where there are soon enough points', { size: 2000, rate: 100 }, 400, 400],
  ['one by one on a large plan', { size: 20_000, rate: 1000 }, 1100, 2000],
])('no change of products waits long for points: %s', async (_, plan, count, direct) => {
  const peer = await start({ shop: { products: many(count) }, plan });
  const store = peer.open();
  await store.describe(undefined, WRITE.signal);
  expect(store.directProducts()).toBe(direct);
  const before = peer.clock.now();
  const change = ({ variantId }: { variantId: string }) => ({ variantId, price: '1.00' });
  await store.updateProducts(
    changesOf(peer, (variants) => ({ variants: variants.map(change) })),
    WRITE,
  );
  expect(peer.operations().includes('StallhandBulkMutation')).toBe(count > direct);
  expect(peer.clock.now() - before).toBeLessThan(30_000);
});

test('more than 2,000 products are changed by bulk operations, and each outcome is told of its own product', async () => {
  const peer = await start({ shop: { products: many(2001) } });
  const changes = priced(peer);
  const refusal = { code: 'NEGATIVE_PRICE_VALUE', message: 'Price must be greater than or equal to 0' };
  const store = peer.open();
  const outcomes = await store.updateProducts(changes, WRITE);
  expect(outcomes.flatMap((outcome, nth) => (outcome.state === 'applied' ? [] : [nth, outcome]))).toEqual([
    1234,
    { state: 'refused', ...refusal, parts: new Map([[changes[1234]?.variants[0]?.variantId, refusal]]) },
  ]);
  expect(peer.shop.variants().map(({ price, title }) => `${title} ${price}`)).toEqual(expected());
  const operations = peer.operations().filter((name) => name !== 'StallhandBulkStatus');
  const bulk = (result: string) => [
    'StallhandStageUpload',
    '/staged-uploads',
    'StallhandBulkMutation',
    result,
  ];
  expect(operations).toEqual([...bulk('/bulk-results/1.jsonl'), ...bulk('/bulk-results/2.jsonl')]);
});

test('what a bulk operation did not do is done by single calls', async () => {
  const peer = await start({ shop: { products: many(2001) } });
  let started = 0;
  peer.shop.faults.push(({ operation }) => {
    if (operation === 'StallhandBulkMutation') started += 1;
    return started === 2 ? { userError: 'LIMIT_REACHED' } : undefined;
  });
  const outcomes = await peer.open().updateProducts(priced(peer), WRITE);
  expect(outcomes.filter(({ state }) => state === 'applied')).toHaveLength(2000);
  expect(peer.shop.variants().map(({ price, title }) => `${title} ${price}`)).toEqual(expected());
  expect(peer.operations().filter((name) => /Update/.test(name ?? ''))).toEqual(['StallhandUpdateProduct']);
});

test('a plan with few points is kept to by all that are under way', async () => {
  const peer = await start({ shop: { products: productsOf(60) }, plan: { size: 100, rate: 50 } });
  const changes = changesOf(peer, (variants) => ({
    variants: variants.map(({ variantId }) => ({ variantId, price: '1.00' })),
  }));
  expect(await peer.open().updateProducts(changes, WRITE)).toEqual(Array(60).fill(APPLIED));
  expect(peer.shop.calls.filter(({ throttled }) => throttled)).toEqual([]);
  expect(peer.clock.waited.length).toBeGreaterThan(5);
});

function many(count: number) {
  return Array.from({ length: count }, (_, nth) => ({
    title: `Product ${nth}`,
    variants: [{ sku: `SKU-${nth}`, price: '9.90' }],
  }));
}

/** New prices for all, one of which is refused, and a new title for the third. */
function priced(peer: Peer): ProductChange[] {
  return changesOf(peer, (variants, nth) => ({
    ...(nth === 2 && { title: 'New' }),
    variants: variants.map(({ variantId }) => ({ variantId, price: nth === 1234 ? '-1.00' : `${nth}.50` })),
  }));
}

function expected(): string[] {
  return Array.from({ length: 2001 }, (_, nth) => {
    const title = nth === 2 ? 'New' : `Product ${nth}`;
    return `${title} ${nth === 1234 ? '9.90' : `${nth}.50`}`;
  });
}
