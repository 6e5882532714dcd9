import { afterEach, expect, test } from 'vitest';
import { Fault } from '../../../src/errors.ts';
import type { Outcome, QuantityChange, StoreClient } from '../../../src/sync/ports/store-client.ts';
import { type Peer, productsOf, startPeer } from './peer.ts';
import { json, openWire, SHOP } from './wire.ts';

const { signal } = new AbortController();
const APPLIED: Outcome = { state: 'applied' };
const STALE: Outcome = { state: 'stale' };
// An earlier try may have set it itself.
const UNSURE: Outcome = { state: 'stale', unsure: true };
const peers: Peer[] = [];
afterEach(() => Promise.all(peers.splice(0).map((peer) => peer.close())));

async function start(options: Parameters<typeof startPeer>[0] = {}): Promise<Peer> {
  const peer = await startPeer({ shop: { products: productsOf(50) }, ...options });
  peers.push(peer);
  return peer;
}

/** Adds 1000 to what there is of each SKU. */
function restock(peer: Peer, ...skus: string[]): QuantityChange[] {
  const variants = new Map(peer.shop.variants().map((variant) => [variant.sku, variant]));
  return skus.map((sku) => {
    const { itemId, available } = variants.get(sku) ?? {
      itemId: `gid://shopify/InventoryItem/${sku}`,
      available: 0,
    };
    return { itemId, from: available ?? 0, to: (available ?? 0) + 1000 };
  });
}

function set(store: StoreClient, peer: Peer, changes: readonly QuantityChange[], key = 'run-1 batch-1') {
  return store.setQuantities(changes, { key, reference: 'syn_1 / 2', locationId: peer.here, signal });
}

function stockOf(peer: Peer, ...skus: string[]) {
  const stock = new Map(peer.shop.variants().map(({ sku, available }) => [sku, available]));
  return skus.map((sku) => stock.get(sku));
}

const sets = (peer: Peer) => peer.operations().filter((name) => name === 'StallhandSetQuantities').length;

test('250 quantities are set by one call', async () => {
  const peer = await start();
  const skus = Array.from({ length: 250 }, (_, index) => `SKU-${index + 1}`);
  const outcomes = await set(peer.open(), peer, restock(peer, ...skus));
  expect(outcomes).toEqual(Array(250).fill(APPLIED));
  expect(stockOf(peer, 'SKU-1', 'SKU-250')).toEqual([1001, 1050]);
  expect(sets(peer)).toBe(1);
});

test('nothing to set asks nothing', async () => {
  const peer = await start();
  expect(await set(peer.open(), peer, [])).toEqual([]);
  expect(peer.operations()).toEqual([]);
});

test('what was sold in between is stale, and stays; the others are set', async () => {
  const peer = await start();
  const changes = restock(peer, 'SKU-1', 'SKU-2', 'SKU-3', 'SKU-4');
  peer.shop.sell('SKU-2', 1);
  peer.shop.sell('SKU-4', 3);
  expect(await set(peer.open(), peer, changes)).toEqual([APPLIED, STALE, APPLIED, STALE]);
  expect(stockOf(peer, 'SKU-1', 'SKU-2', 'SKU-3', 'SKU-4')).toEqual([1001, 1, 1003, 1]);
  expect(sets(peer)).toBe(2);
});

test('what the store refuses is told with its code and its words, and not held against the others', async () => {
  const peer = await start();
  const [first, second, third] = restock(peer, 'SKU-1', 'SKU-2', '5') as [
    QuantityChange,
    QuantityChange,
    QuantityChange,
  ];
  const outcomes = await set(peer.open(), peer, [first, { ...second, to: -5 }, third]);
  expect(outcomes).toEqual([
    APPLIED,
    { state: 'refused', code: 'INVALID_QUANTITY_NEGATIVE', message: "The quantity can't be negative." },
    {
      state: 'refused',
      code: 'INVALID_INVENTORY_ITEM',
      message: 'The specified inventory item could not be found.',
    },
  ]);
  expect(stockOf(peer, 'SKU-1', 'SKU-2')).toEqual([1001, 2]);
});

test('all of them stale needs no second call', async () => {
  const peer = await start();
  const changes = restock(peer, 'SKU-1', 'SKU-2').map((change) => ({ ...change, from: 77 }));
  expect(await set(peer.open(), peer, changes)).toEqual([STALE, STALE]);
  expect(sets(peer)).toBe(1);
});

test('an answer that is lost after the store has set it sets nothing twice', async () => {
  const peer = await start();
  peer.shop.faults.push('drop_after');
  expect(await set(peer.open(), peer, restock(peer, 'SKU-1'))).toEqual([APPLIED]);
  expect(stockOf(peer, 'SKU-1')).toEqual([1001]);
  expect(sets(peer)).toBe(2);
});

test('the same write after a crash has the same outcomes, and a sale since stays sold', async () => {
  const peer = await start();
  const changes = restock(peer, 'SKU-1', 'SKU-2', 'SKU-3');
  peer.shop.sell('SKU-2', 1);
  const first = await set(peer.open(), peer, changes);
  peer.shop.sell('SKU-1', 10);
  expect(await set(peer.open(), peer, changes)).toEqual(first);
  expect(first).toEqual([APPLIED, STALE, APPLIED]);
  expect(stockOf(peer, 'SKU-1', 'SKU-2', 'SKU-3')).toEqual([991, 1, 1003]);
});

test('a store that wants another key after a refusal is given one, and never sets what has moved', async () => {
  const peer = await start({ refusesFailedKeys: true });
  const changes = restock(peer, 'SKU-1', 'SKU-2', 'SKU-3');
  peer.shop.sell('SKU-2', 1);
  await set(peer.open(), peer, changes);
  peer.shop.sell('SKU-1', 10);
  const again = await set(peer.open(), peer, changes);
  expect(again).toEqual([UNSURE, UNSURE, UNSURE]);
  expect(stockOf(peer, 'SKU-1', 'SKU-2', 'SKU-3')).toEqual([991, 1, 1003]);
});

test('while an earlier try is under way the same key is asked for again', async () => {
  const peer = await start();
  peer.shop.faults.push(
    { userError: 'IDEMPOTENCY_CONCURRENT_REQUEST' },
    { userError: 'IDEMPOTENCY_CONCURRENT_REQUEST' },
  );
  expect(await set(peer.open(), peer, restock(peer, 'SKU-1'))).toEqual([APPLIED]);
  expect(peer.clock.waited).toEqual([1000, 1000]);
  expect(sets(peer)).toBe(3);
});

test('a key that was used for something else sets nothing and is a fault', async () => {
  const peer = await start();
  await set(peer.open(), peer, restock(peer, 'SKU-1'));
  await expect(set(peer.open(), peer, restock(peer, 'SKU-2'))).rejects.toEqual(
    new Fault('store_refused.request', {
      domain: SHOP,
      reason: 'The same idempotency key cannot be used with different operation parameters.',
    }),
  );
  expect(stockOf(peer, 'SKU-2')).toEqual([2]);
});

test('a quantity where the item is not stocked is not set over a stock that was never counted', async () => {
  const products = [{ title: 'Tea', variants: [{ sku: 'TEA', available: { Cellar: 7 } }] }];
  const peer = await start({ shop: { locations: ['Main street', 'Cellar'], products } });
  const itemId = peer.shop.variants()[0]?.itemId ?? '';
  expect(await set(peer.open(), peer, [{ itemId, from: 3, to: 4 }])).toEqual([STALE]);
});

test.each(['drop_before', 'drop_after', 'rate_limited', 'bad_gateway', 'throttled'] as const)(
  'every change arrives once though every third request meets %s',
  async (kind) => {
    const peer = await start({ faultRate: { rate: 0.3, seed: 1, kinds: [kind] } });
    const store = peer.open();
    const skus = Array.from({ length: 40 }, (_, index) => `SKU-${index + 1}`);
    const outcomes: Outcome[] = [];
    for (let from = 0; from < 40; from += 4) {
      const changes = restock(peer, ...skus.slice(from, from + 4));
      outcomes.push(...(await set(store, peer, changes, `batch ${from}`)));
    }
    expect(outcomes).toEqual(Array(40).fill(APPLIED));
    expect(stockOf(peer, ...skus)).toEqual(skus.map((_, index) => 1001 + index));
    expect(sets(peer)).toBeGreaterThanOrEqual(10);
  },
);

test('an error that is about no change is a fault', async () => {
  const userErrors = [
    {
      field: ['input', 'referenceDocumentUri'],
      message: 'Invalid document.',
      code: 'INVALID_REFERENCE_DOCUMENT',
    },
  ];
  const { store } = openWire(() => json({ data: { inventorySetQuantities: { userErrors } } }));
  const write = { key: 'k', reference: 'syn_1', locationId: '1', signal };
  await expect(
    store.setQuantities([{ itemId: 'gid://shopify/InventoryItem/1', from: 1, to: 2 }], write),
  ).rejects.toEqual(new Fault('store_refused.request', { domain: SHOP, reason: 'Invalid document.' }));
});

test('the run stands in the history of the stock, and the rest of a refused call has a key of its own', async () => {
  const stale = {
    field: ['input', 'quantities', '0', 'changeFromQuantity'],
    message: 'stale',
    code: 'CHANGE_FROM_QUANTITY_STALE',
  };
  const { store, sent } = openWire((_sent, count) =>
    json({ data: { inventorySetQuantities: { userErrors: count % 2 === 1 ? [stale] : [] } } }),
  );
  const item = (id: number) => `gid://shopify/InventoryItem/${id}`;
  const changes = [
    { itemId: item(1), from: 1, to: 2 },
    { itemId: item(2), from: 5, to: 6 },
  ];
  const write = { key: 'k', reference: 'syn_1 / 2', locationId: '1', signal };
  expect(await store.setQuantities(changes, write)).toEqual([STALE, APPLIED]);
  expect(await store.setQuantities(changes, write)).toEqual([STALE, APPLIED]);
  const [first, second, ...again] = sent.map(({ body }) => JSON.parse(body).variables);
  expect(first).toEqual({
    key: 'k',
    input: {
      name: 'available',
      reason: 'correction',
      referenceDocumentUri: 'gid://stallhand/SyncRun/syn_1%20%2F%202',
      quantities: [
        {
          inventoryItemId: item(1),
          locationId: 'gid://shopify/Location/1',
          quantity: 2,
          changeFromQuantity: 1,
        },
        {
          inventoryItemId: item(2),
          locationId: 'gid://shopify/Location/1',
          quantity: 6,
          changeFromQuantity: 5,
        },
      ],
    },
  });
  expect(second.key).toMatch(/^[0-9a-f]{32}$/);
  expect(second.input.quantities).toEqual(first.input.quantities.slice(1));
  expect(again).toEqual([first, second]);
});

test('a store that never takes a key is given up', async () => {
  const userErrors = [{ field: null, message: 'again', code: 'IDEMPOTENCY_PREVIOUS_ATTEMPT_FAILED' }];
  const { store, sent } = openWire(() => json({ data: { inventorySetQuantities: { userErrors } } }));
  const write = { key: 'k', reference: 'syn_1', locationId: '1', signal };
  await expect(
    store.setQuantities([{ itemId: 'gid://shopify/InventoryItem/1', from: 1, to: 2 }], write),
  ).rejects.toEqual(new Fault('store_unavailable.no_answer', { domain: SHOP }));
  expect(sent).toHaveLength(7);
});

test('an item that is not stocked is activated and then set, once per key; one that was stocked in the meantime is stale', async () => {
  const peer = await start({
    shop: {
      products: [
        { title: 'Tea', variants: ['A', 'B'].map((sku) => ({ sku, available: null })) },
        { title: 'Pot', variants: [{ sku: 'C', available: 3 }] },
      ],
    },
  });
  const [a, b, c] = peer.shop.variants().map(({ itemId }) => itemId) as [string, string, string];
  const changes = [a, b, c].map((itemId) => ({ itemId, from: null, to: 7 }));
  const gone = { itemId: 'gid://shopify/InventoryItem/5', from: null, to: 7 };
  const outcomes = await set(peer.open(), peer, [...changes, gone]);
  expect(outcomes).toEqual([
    APPLIED,
    APPLIED,
    STALE,
    { state: 'refused', code: 'NOT_ACTIVATED', message: 'The inventory item could not be found.' },
  ]);
  expect(stockOf(peer, 'A', 'B', 'C')).toEqual([7, 7, 3]);
  peer.shop.sell('A', 2);
  // As after a crash.
  expect((await set(peer.open(), peer, [...changes, gone])).slice(0, 2)).toEqual([APPLIED, APPLIED]);
  expect(stockOf(peer, 'A', 'B', 'C')).toEqual([5, 7, 3]);
});
