import { afterAll, beforeAll, expect, test } from 'vitest';
import { HEADER, openPairs, type Pairs, stocked } from '../support/sync-pairs.ts';

let pairs: Pairs;
beforeAll(async () => {
  pairs = await openPairs();
});
afterAll(() => pairs.close());

const STOCK = [
  { sheet_column: 'SKU', store_field: 'sku' },
  { sheet_column: 'Stock', store_field: 'inventory_quantity' },
];
const PRICE = { sheet_column: 'Price', store_field: 'price' };

function openWith(scopes: readonly string[]) {
  return pairs.open({
    plan: 'pro',
    shop: { scopes },
    products: stocked({ A: 4 }),
    rows: [
      [...HEADER, 'Price'],
      ['A', 9, 12],
    ],
  });
}

test('reading scopes suffice to connect a store and to read it', async () => {
  const pair = await openWith(['read_products', 'read_inventory', 'read_locations']);
  const config = await pair.config({ direction: 'store_to_sheet', mappings: [...STOCK, PRICE] });
  expect((await pair.run({ config_id: config })).body).toMatchObject({ status: 'succeeded', errors: [] });
  expect(pair.rows()[1]).toEqual(['A', 4, 10]);
});

test('a field whose scope is missing is named, nothing is written, and the store stays connected', async () => {
  const pair = await openWith(['read_products', 'write_inventory', 'read_locations']);
  const config = await pair.config({ direction: 'sheet_to_store', mappings: [...STOCK, PRICE] });
  expect((await pair.run({ config_id: config })).body).toMatchObject({
    status: 'failed',
    errors: [
      {
        code: 'store_refused',
        message: expect.stringMatching(/Writing price .* write_products.*\/connect\/shopify/),
      },
    ],
  });
  expect(pair.mutations()).toBe(0);
  const store = await pair.rest('GET', `/sync/store/${pair.ids.store_id}`);
  expect(store.body).toMatchObject({ status: 'connected' });
});

test('stock alone takes no scope to write products', async () => {
  const pair = await openWith(['read_products', 'write_inventory', 'read_locations']);
  const config = await pair.config({ direction: 'sheet_to_store', mappings: STOCK });
  expect((await pair.run({ config_id: config })).body).toMatchObject({ status: 'succeeded' });
  expect(pair.stock()).toEqual({ A: 9 });
});
