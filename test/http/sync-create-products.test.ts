import { afterAll, beforeAll, expect, test } from 'vitest';
import { openPairs, type Pair, type Pairs } from '../support/sync-pairs.ts';

let pairs: Pairs;
beforeAll(async () => {
  pairs = await openPairs();
});
afterAll(() => pairs.close());

const HEADER = ['SKU', 'Title', 'Handle', 'Status', 'Price', 'Stock'];
const MAPPINGS = [
  ['SKU', 'sku'],
  ['Title', 'title'],
  ['Handle', 'handle'],
  ['Status', 'product_status'],
  ['Price', 'price'],
  ['Stock', 'inventory_quantity'],
].map(([sheet_column, store_field]) => ({ sheet_column, store_field }));
const MUG = ['MUG', 'Mug', 'mug', 'active', 10, 3];
const products = [{ title: 'Mug', handle: 'mug', variants: [{ sku: 'MUG', price: '10.00', available: 3 }] }];
/** Few rows, so that any new one is a large share of them. */
const safety_limits = { changed_percent: 100 };

/** By SKU: several products are created at the same time. */
function shelf({ shop }: Pair) {
  const statuses = new Map(shop.snapshot().products.map(({ handle, status = 'ACTIVE' }) => [handle, status]));
  const variants = shop.variants().toSorted((a, b) => ((a.sku ?? '') < (b.sku ?? '') ? -1 : 1));
  return variants.map(({ sku, handle, price, available }) => {
    return [sku, handle, statuses.get(handle), price, available];
  });
}

const creations = ({ shop }: Pair) =>
  shop.calls.filter(({ operation }) => operation === 'StallhandCreateProduct').length;

test.each(['two_way', 'sheet_to_store'])(
  'rows become products, one call each; later runs create nothing, and undo archives them (%s)',
  async (direction) => {
    const rows = [
      ...[HEADER, MUG, ['BOWL-S', 'Bowl', 'clay-bowl', 'active', 14, 2]],
      ...[
        ['BOWL-L', 'Bowl', 'clay-bowl', 'active', 19, 4],
        ['CUP', 'Cup', '', '', 7, 1],
      ],
    ];
    const pair = await pairs.open({ products, rows });
    const config_id = await pair.config({
      ...{ direction, mappings: MAPPINGS, create_products: true, safety_limits },
    });
    const plan = await pair.post('/sync/preview', { config_id });
    expect(plan.body).toMatchObject({ counts: { to_store: 3 }, errors: [] });
    expect(plan.body['changes']).toContainEqual({
      ...{ key: 'CUP', row: 5, side: 'store', field: 'title', kind: 'create' },
      ...{ from: null, to: 'Cup', state: 'planned' },
    });
    expect(creations(pair)).toBe(0);

    const { body } = await pair.run({ confirm: plan.body['plan_id'] });
    expect(body).toMatchObject({ status: 'succeeded', changed: 3, errors: [] });
    const made = [
      ['BOWL-L', 'clay-bowl', 'ACTIVE', '19.00', 4],
      ['BOWL-S', 'clay-bowl', 'ACTIVE', '14.00', 2],
      ['CUP', 'cup', 'DRAFT', '7.00', 1],
      ['MUG', 'mug', 'ACTIVE', '10.00', 3],
    ];
    expect([shelf(pair), creations(pair)]).toEqual([made, 2]);
    // The sheet gets what the store has chosen, where it is written.
    const filled = direction === 'two_way' ? 1 : 0;
    expect((await pair.run({ config_id })).body).toMatchObject({ changed: filled, errors: [] });
    expect((await pair.run({ config_id })).body).toMatchObject({ changed: 0, errors: [] });
    expect([shelf(pair), creations(pair)]).toEqual([made, 2]);

    const undone = await pair.post(`/sync/history/${body['run_id']}/revert`);
    expect(undone.body).toMatchObject({ status: 'succeeded', errors: [] });
    const archived = made.map(([sku, handle, status, ...rest]) => {
      return [sku, handle, sku === 'MUG' ? status : 'ARCHIVED', ...rest];
    });
    expect(shelf(pair)).toEqual(archived);
    await pair.run({ config_id });
    expect([shelf(pair), creations(pair)]).toEqual([archived, 2]);
  },
);

test('a row archives its product, and a product that is brought back in the store says so in its row', async () => {
  const pair = await pairs.open({ products, rows: [HEADER, MUG] });
  const config_id = await pair.config({ direction: 'two_way', mappings: MAPPINGS });
  await pair.run({ config_id });
  pair.book.type('Sheet1', 'D2', 'archived');
  await pair.run({ config_id });
  expect(shelf(pair)).toEqual([['MUG', 'mug', 'ARCHIVED', '10.00', 3]]);
  pair.shop.setStatus('MUG', 'DRAFT');
  await pair.run({ config_id });
  expect(pair.rows()[1]?.[3]).toBe('draft');
});

test('an app that may not write products creates none, and the message names the scope', async () => {
  const scopes = ['read_products', 'write_inventory', 'read_locations'];
  const rows = [HEADER, MUG, ['B', 'Bowl', '', '', 1, 1]];
  const pair = await pairs.open({ products, rows, shop: { scopes } });
  const config_id = await pair.config({ direction: 'two_way', mappings: MAPPINGS, create_products: true });
  const { body } = await pair.run({ config_id });
  expect(body).toMatchObject({ status: 'failed' });
  expect(JSON.stringify(body['errors'])).toContain('write_products');
  expect(creations(pair)).toBe(0);
});
