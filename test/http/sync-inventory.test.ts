import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { HEADER, openPairs, type Pairs } from '../support/sync-pairs.ts';

let pairs: Pairs;
beforeAll(async () => {
  pairs = await openPairs();
});
afterAll(() => pairs.close());

const TO_STORE = { direction: 'sheet_to_store' };
const TWO_WAY = { direction: 'two_way' };
const activations = (pair: Awaited<ReturnType<Pairs['open']>>) =>
  pair.shop.calls.filter(({ operation }) => operation === 'StallhandActivate').length;

describe('items that are not stocked at the location', () => {
  const products = [
    { title: 'A', variants: [{ sku: 'A', available: 1 }] },
    { title: 'B', variants: [{ sku: 'B', available: null }] },
  ];
  const given = { products, rows: [HEADER, ['A', 2], ['B', 7]] };

  test('are left alone, and the message names the option', async () => {
    const pair = await pairs.open(given);
    expect((await pair.run(TO_STORE)).body).toMatchObject({
      status: 'partial',
      errors: [
        {
          ...{ code: 'not_stocked', row: 3, sku: 'B', field: 'inventory_quantity' },
          message:
            "This item is not stocked at this location. Set activate to true in the configuration, add the location to the item's inventory in Shopify, or choose another location.",
        },
      ],
    });
    expect([pair.stock(), activations(pair)]).toEqual([{ A: 2, B: null }, 0]);
  });

  test.each([TO_STORE, TWO_WAY])('are stocked there with activate ($direction)', async (direction) => {
    const pair = await pairs.open({ ...given, rows: [HEADER, ['A', 1], ['B', 7]] });
    const config_id = await pair.config({ ...direction, activate: true });
    const plan = await pair.post('/sync/preview', { config_id });
    expect(plan.body).toMatchObject({
      changes: [{ key: 'B', row: 3, side: 'store', field: 'inventory_quantity', from: null, to: '7' }],
      errors: [],
    });
    expect(pair.stock()).toEqual({ A: 1, B: null });

    const { body } = await pair.run({ config_id });
    expect(body).toMatchObject({ status: 'succeeded', changed: 1, errors: [] });
    expect([pair.stock(), activations(pair)]).toEqual([{ A: 1, B: 7 }, 1]);
    expect((await pair.run({ config_id })).body).toMatchObject({ changed: 0, products_synced: 2 });

    const undone = await pair.post(`/sync/history/${body['run_id']}/revert`);
    expect(undone.body).toMatchObject({ status: 'succeeded', changed: 1 });
    expect(pair.stock()).toEqual({ A: 1, B: 0 });
    expect((await pair.run({ config_id })).body).toMatchObject({
      changed: 0,
      errors: [{ code: 'reverted' }],
    });
  });
});

describe('items whose stock the shop does not track', () => {
  const products = [
    { title: 'A', variants: [{ sku: 'A', available: 1 }] },
    { title: 'Voucher', variants: [{ sku: 'V', available: 0, tracked: false }] },
  ];
  const rows = [
    [...HEADER, 'Sync'],
    ['A', 2],
    ['V', 50],
  ];
  const remark = { code: 'untracked', row: 3, sku: 'V', field: 'inventory_quantity' };

  test('are said in the run and its status column, and nothing is written to the shop', async () => {
    const pair = await pairs.open({ products, rows });
    const config_id = await pair.config({ ...TO_STORE, status_column: 'Sync' });
    const { body } = await pair.run({ config_id });
    expect(body).toMatchObject({ status: 'succeeded', changed: 1, skipped: 1, errors: [remark] });
    const message =
      'Shopify does not track the quantity of this item, so it was not written. Turn on Track quantity for it in Shopify, or empty the cell.';
    expect(body['errors']).toMatchObject([{ message }]);
    expect(pair.stock()).toEqual({ A: 2, V: 0 });
    expect(pair.rows().slice(1)).toEqual([
      ['A', 2, 'ok'],
      ['V', 50, message],
    ]);
    expect((await pair.run({ config_id })).body).toMatchObject({ status: 'succeeded', changed: 0 });
  });

  test('are no question of a first run both ways, and follow the shop once it changes', async () => {
    const pair = await pairs.open({ products, rows: [HEADER, ['A', 1], ['V', 50]] });
    const config_id = await pair.config(TWO_WAY);
    expect((await pair.run({ config_id })).body).toMatchObject({ status: 'succeeded', errors: [remark] });
    pair.book.type('Sheet1', 'B3', 0);
    expect((await pair.run({ config_id })).body).toMatchObject({ status: 'succeeded', errors: [] });
    pair.shop.setQuantity('V', 9);
    expect((await pair.run({ config_id })).body).toMatchObject({ status: 'succeeded', changed: 1 });
    expect(pair.rows()[2]).toEqual(['V', 9]);
  });
});
