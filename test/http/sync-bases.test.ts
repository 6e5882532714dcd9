import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { HEADER, openPairs, type Pair, type Pairs, stocked } from '../support/sync-pairs.ts';

let pairs: Pairs;
beforeAll(async () => {
  pairs = await openPairs();
});
afterAll(() => pairs.close());

const SKU = { sheet_column: 'SKU', store_field: 'sku' };
const STOCK = { sheet_column: 'Stock', store_field: 'inventory_quantity' };
const PRICE = { sheet_column: 'Price', store_field: 'price' };

describe('what one configuration of a store and a sheet has synced counts once for another', () => {
  async function bothWays(): Promise<{ pair: Pair; config_id: string }> {
    const pair = await pairs.open({ products: stocked({ A: 10 }), rows: [HEADER, ['A', 10]] });
    const config_id = await pair.config({ direction: 'two_way' });
    await pair.run({ config_id });
    return { pair, config_id };
  }

  test('from the store', async () => {
    const { pair, config_id } = await bothWays();
    pair.shop.sell('A', 3);
    await pair.run({ direction: 'store_to_sheet' });
    pair.book.type('Sheet1', 'B2', 57);
    expect((await pair.run({ config_id })).body).toMatchObject({ status: 'succeeded', changed: 1 });
    expect([pair.rows(), pair.stock()]).toEqual([[HEADER, ['A', 57]], { A: 57 }]);
  });

  test('from the sheet', async () => {
    const { pair, config_id } = await bothWays();
    pair.book.type('Sheet1', 'B2', 15);
    await pair.run({ direction: 'sheet_to_store' });
    pair.shop.sell('A', 2);
    expect((await pair.run({ config_id })).body).toMatchObject({ status: 'succeeded', changed: 1 });
    expect([pair.rows(), pair.stock()]).toEqual([[HEADER, ['A', 13]], { A: 13 }]);
  });

  test('but not where it is of another column', async () => {
    const rows = [
      ['SKU', 'Stock', 'Counted'],
      ['A', 10, 4],
    ];
    const pair = await pairs.open({ products: stocked({ A: 10 }), rows });
    const config_id = await pair.config({ direction: 'two_way' });
    await pair.run({ config_id });
    pair.shop.sell('A', 3);
    const counted = { ...STOCK, sheet_column: 'Counted' };
    await pair.run({
      config_id: await pair.config({ direction: 'store_to_sheet', mappings: [SKU, counted] }),
    });
    pair.book.type('Sheet1', 'B2', 15);
    await pair.run({ config_id });
    expect(pair.stock()).toEqual({ A: 12 });
  });
});

test('a run taken back after its columns were mapped in another order leaves every number where it belongs', async () => {
  const products = [{ title: 'P', variants: [{ sku: 'A', available: 10, price: '4.00' }] }];
  const pair = await pairs.open({
    products,
    rows: [
      ['SKU', 'Stock', 'Price'],
      ['A', 10, 4],
    ],
  });
  const safety_limits = { price_percent: 100 };
  const config_id = await pair.config({ direction: 'two_way', mappings: [SKU, STOCK, PRICE], safety_limits });
  await pair.run({ config_id });
  pair.book.type('Sheet1', 'C2', 8);
  const { body } = await pair.run({ config_id });
  await pair.rest('PATCH', `/sync/config/${config_id}`, { body: { mappings: [SKU, PRICE, STOCK] } });
  await pair.run({ config_id });
  const undo = await pair.post(`/sync/history/${body['run_id']}/revert`);
  await expect
    .poll(async () => (await pair.rest('GET', `/sync/history/${undo.body['id']}`)).body['status'])
    .toBe('succeeded');
  expect(pair.shop.variants().map(({ price }) => price)).toEqual(['4.00']);

  pair.shop.sell('A', 3);
  expect((await pair.run({ config_id })).body).toMatchObject({
    status: 'succeeded',
    errors: [{ code: 'reverted', sku: 'A', field: 'price' }],
  });
  expect(pair.stock()).toEqual({ A: 7 });
  expect(pair.rows()[1]).toEqual(['A', 7, 8]);
});
