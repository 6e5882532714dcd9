import { afterEach, expect, test } from 'vitest';
import type { ProductToCreate } from '../../../src/sync/ports/store-client.ts';
import { type Peer, startPeer } from './peer.ts';

const { signal } = new AbortController();
const WRITE = { key: 'run-1 batch-2', reference: 'syn_1', signal, by: 'sku' } as const;
const peers: Peer[] = [];
afterEach(() => Promise.all(peers.splice(0).map((peer) => peer.close())));

async function start(options: Parameters<typeof startPeer>[0] = {}): Promise<Peer> {
  const peer = await startPeer(options);
  peers.push(peer);
  return peer;
}

const bowl = (locationId: string): ProductToCreate => ({
  sentBefore: false,
  handle: 'bowl',
  title: 'Bowl',
  more: { vendor: 'Ana', tags: 'new, clay', 'metafield:custom.material': 'clay' },
  variants: [
    { key: 'B-S', sku: 'B-S', price: '14.00', quantities: [{ locationId, quantity: 7 }] },
    {
      ...{ key: 'B-L', sku: 'B-L', price: '19.00', quantities: [], barcode: '4006381333931', taxable: false },
      ...{ weight: { value: 250, unit: 'GRAMS' }, more: { cost: '4.00', inventory_policy: 'continue' } },
    },
  ],
});

test('a product is created as a draft with its variants, their fields and their stock', async () => {
  const peer = await start({ shop: { products: [] } });
  const [place] = peer.shop.locations();
  const [outcome] = await peer.open().createProducts([bowl(place?.id ?? '')], WRITE);
  expect(outcome).toMatchObject({ state: 'made' });
  const ids =
    outcome?.state === 'made' ? [...outcome.variants].map(([key, { variantId }]) => [key, variantId]) : [];
  expect(peer.shop.variants().map(({ sku, variantId }) => [sku, variantId])).toEqual(ids);
  expect(peer.shop.snapshot().products).toMatchObject([
    {
      ...{ title: 'Bowl', handle: 'bowl', status: 'DRAFT', vendor: 'Ana', tags: ['clay', 'new'] },
      metafields: { 'custom.material': { type: 'multi_line_text_field', value: 'clay' } },
    },
  ]);
  expect(peer.shop.variants()).toMatchObject([
    { sku: 'B-S', price: '14.00', available: 7, tracked: true },
    { sku: 'B-L', price: '19.00', available: null, barcode: '4006381333931', taxable: false },
  ]);
});

test('a picture comes with the product in one request, and one that the store refuses does not keep the product from being created', async () => {
  const peer = await start({ shop: { products: [] } });
  const pictured = (handle: string, source: string): ProductToCreate => ({
    ...{ sentBefore: false, handle, title: handle, image: { text: source, source } },
    variants: [{ key: handle, sku: handle, quantities: [] }],
  });
  const products = [
    pictured('mug', 'https://pictures.example/mug.png'),
    pictured('jug', 'ftp://pictures.example/jug.png'),
  ];
  const outcomes = await peer.open().createProducts(products, WRITE);
  expect(outcomes).toMatchObject([
    { state: 'made', image: { url: expect.stringMatching(/\/mug-[0-9a-f]{16}\.png/) } },
    { state: 'made', image: { refusal: { code: 'INVALID_INPUT' } } },
  ]);
  expect(peer.shop.pictures('mug')).toHaveLength(1);
  expect(peer.shop.pictures('jug')).toEqual([]);
  expect(peer.operations()).not.toContain('StallhandSetMedia');
});

test('what an earlier call has created is found, and not created again', async () => {
  const peer = await start({ shop: { products: [] } });
  const [place] = peer.shop.locations();
  const product = bowl(place?.id ?? '');
  const first = await peer.open().createProducts([product], WRITE);
  const again = { ...product, sentBefore: true };
  expect(await peer.open().createProducts([again], WRITE)).toEqual(first);
  expect(await peer.open().createdProducts([product], 'sku', signal)).toEqual(first);
  expect(peer.shop.variants()).toHaveLength(2);
});

test('a product that is there before anything was sent is somebody else’s, also with the same variants', async () => {
  const theirs = { title: 'Bowl', handle: 'bowl', variants: [{ sku: 'B-S' }, { sku: 'B-L' }] };
  const peer = await start({ shop: { products: [theirs] } });
  const [place] = peer.shop.locations();
  const before = peer.shop.snapshot();
  expect(await peer.open().createProducts([bowl(place?.id ?? '')], WRITE)).toEqual([{ state: 'taken' }]);
  expect(peer.shop.snapshot()).toEqual(before);
});

test('a product that somebody creates between the look-up and the request is not ours, but one of a lost answer is', async () => {
  const peer = await start({ shop: { products: [] } });
  const [place] = peer.shop.locations();
  const theirs = { title: 'Bowl', handle: 'bowl', variants: [{ sku: 'B-S' }, { sku: 'B-L' }] };
  peer.shop.faults.push(({ operation }) => {
    if (operation !== 'StallhandCreateProduct') return undefined;
    peer.shop.addProduct(theirs);
    return { slow: 0 };
  });
  expect(await peer.open().createProducts([bowl(place?.id ?? '')], WRITE)).toEqual([{ state: 'taken' }]);

  peer.shop.faults.push(({ operation }) =>
    operation === 'StallhandCreateProduct' ? 'drop_after' : undefined,
  );
  const plate = { ...bowl(place?.id ?? ''), handle: 'plate' };
  expect(await peer.open().createProducts([plate], WRITE)).toMatchObject([{ state: 'made' }]);
});

test('a handle of another product is taken, and nothing is known of one that no product has', async () => {
  const other = { title: 'Bowl', handle: 'bowl', variants: [{ sku: 'OTHER' }] };
  const peer = await start({ shop: { products: [other] } });
  const [place] = peer.shop.locations();
  const product = bowl(place?.id ?? '');
  expect(await peer.open().createProducts([product], WRITE)).toEqual([{ state: 'taken' }]);
  expect(await peer.open().createdProducts([{ ...product, handle: 'plate' }], 'sku', signal)).toEqual([
    undefined,
  ]);
  expect(peer.shop.variants()).toHaveLength(1);
});

test('a product that the store refuses does not hold up the others', async () => {
  const peer = await start({ shop: { products: [] } });
  const [place] = peer.shop.locations();
  const product = bowl(place?.id ?? '');
  const wrong = { ...product, handle: 'long', title: 'x'.repeat(300) };
  const outcomes = await peer.open().createProducts([wrong, product], WRITE);
  expect(outcomes).toMatchObject([{ state: 'refused', code: 'INVALID_PRODUCT' }, { state: 'made' }]);
});
