import { expect, test } from 'vitest';
import {
  DESCRIBE_STORE,
  SUBSCRIBE,
  UPDATE_PRODUCT,
  UPDATE_VARIANTS,
} from '../../../src/providers/shopify/operations.ts';
import { openShop, SHELF } from './open-shop.ts';

test('a shop can be kept as JSON and be opened again where it was', async () => {
  const shop = openShop();
  shop.emulator.sell('PLATE', 3);
  await shop.ask(UPDATE_PRODUCT, { product: { id: shop.product('MUG-S'), title: 'Beaker' } });
  await shop.ask(SUBSCRIBE, {
    topic: 'PRODUCTS_UPDATE',
    subscription: { uri: 'https://stallhand.example/', format: 'JSON' },
  });
  const kept = JSON.parse(JSON.stringify(shop.emulator.snapshot()));
  const again = openShop({ shop: {} });
  again.emulator.restore(kept);
  expect(again.emulator.snapshot()).toEqual(kept);
  expect(again.emulator.variants()).toEqual(shop.emulator.variants());
  expect(again.stock('PLATE')).toBe(5);
  again.emulator.addProduct({ title: 'Jug', variants: [{ sku: 'JUG' }] });
  expect(new Set(again.emulator.variants().map(({ variantId }) => variantId)).size).toBe(4);
});

test('what was kept does not change with the shop', () => {
  const { emulator } = openShop();
  const kept = emulator.snapshot();
  emulator.sell('PLATE', 3);
  emulator.restore(kept);
  emulator.sell('PLATE', 1);
  emulator.restore(kept);
  expect(emulator.variants().at(-1)?.available).toBe(8);
});

test('buyers may buy more than there is, at any place', () => {
  const { emulator, stock } = openShop();
  emulator.sell('MUG-S', 7);
  emulator.sell('PLATE', 1, 'Store');
  expect([stock('MUG-S'), stock('PLATE'), stock('PLATE', 'Store')]).toEqual([-2, 8, 39]);
});

test('a SKU is found by what it is called now', async () => {
  const { emulator, ask, product, variant } = openShop();
  emulator.sell('PLATE');
  const variants = [{ id: variant('PLATE'), inventoryItem: { sku: 'DISH' } }];
  await ask(UPDATE_VARIANTS, { productId: product('PLATE'), variants });
  emulator.sell('DISH');
  expect(() => emulator.sell('PLATE')).toThrow('the shop has no SKU PLATE');
  emulator.removeVariant('DISH');
  expect(() => emulator.sell('DISH')).toThrow('the shop has no SKU DISH');
});

test('what is not in the shop cannot be sold', () => {
  const { emulator } = openShop();
  expect(() => emulator.sell('NONE')).toThrow('the shop has no SKU NONE');
  expect(() => emulator.sell('PLATE', 1, 'Moon')).toThrow('the shop has no Moon');
});

test('every call is noted: what was asked, what it cost and how large it was', async () => {
  const { emulator, ask } = openShop();
  await ask(DESCRIBE_STORE);
  expect(emulator.calls).toEqual([
    {
      path: '/admin/api/2026-10/graphql.json',
      operation: 'StallhandStore',
      status: 200,
      cost: 5,
      throttled: false,
      bytesIn: expect.any(Number),
      bytesOut: expect.any(Number),
    },
  ]);
  expect(emulator.calls[0]?.bytesOut).toBeGreaterThan(100);
});

test('two shops know nothing of each other', async () => {
  const [one, other] = [
    openShop(),
    openShop({
      domain: 'other.myshopify.com',
      shop: { name: 'Other', locations: ['Shop', 'Store'], products: SHELF },
    }),
  ];
  one.emulator.sell('PLATE');
  expect((await other.ask(DESCRIBE_STORE)).data.shop.name).toBe('Other');
  expect(other.emulator.snapshot().products).toHaveLength(2);
  expect(other.emulator.calls).toHaveLength(1);
});
