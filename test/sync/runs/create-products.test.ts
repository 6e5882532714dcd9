import { expect, test } from 'vitest';
import { Fault } from '../../../src/errors.ts';
import { type Mapping, SafetyLimits } from '../../../src/sync/config.ts';
import { CONFIG, caller, gist, useRuns } from '../../support/sync-runs.ts';

const setup = useRuns();

const MAPPINGS: readonly Mapping[] = [
  { sheet_column: 'SKU', store_field: 'sku' },
  { sheet_column: 'Title', store_field: 'title' },
  { sheet_column: 'Price', store_field: 'price' },
  { sheet_column: 'Stock', store_field: 'inventory_quantity' },
];
const HEADER = ['SKU', 'Title', 'Price', 'Stock'];
const settings = {
  direction: 'two_way',
  mappings: MAPPINGS,
  options: { create_products: true },
} as const;
const A = { sku: 'A', title: 'Mug', price: '10.00', available: 3 };
const ROW_A = ['A', 'Mug', 10, 3];

type Shop = Awaited<ReturnType<typeof setup.open>>;

function products({ store }: Shop) {
  return store
    .all()
    .map(({ sku, handle, title, price, available }) => [sku, handle, title, price, available]);
}

test('rows that the store never had become products, those of one title as its variants, and the next run writes nothing', async () => {
  const rows = [HEADER, ROW_A, ['B-S', 'Bowl', 14, 2], ['B-L', 'Bowl', 19, ''], ['C', 'Café au lait', 5, 1]];
  const shop = await setup.open({ variants: [A], rows, settings });
  expect(gist(await setup.node.sync())).toMatchObject({
    status: 'succeeded',
    changed: 3,
    failed: 0,
    errors: [],
  });
  expect(products(shop)).toEqual([
    ['A', 'product-1', 'Mug', '10.00', 3],
    ['B-S', 'bowl', 'Bowl', '14.00', 2],
    ['B-L', 'bowl', 'Bowl', '19.00', null],
    ['C', 'cafe-au-lait', 'Café au lait', '5.00', 1],
  ]);
  expect(new Set(shop.store.all().map(({ productId }) => productId)).size).toBe(3);
  const before = shop.store.log.length;
  expect(gist(await setup.node.sync())).toMatchObject({ status: 'succeeded', changed: 0, errors: [] });
  expect(shop.store.log.slice(before).filter(({ name }) => name.startsWith('create'))).toEqual([]);
});

test('without the setting such a row stays a row, and the run names it', async () => {
  const rows = [HEADER, ROW_A, ['B', 'Bowl', 14, 2]];
  const shop = await setup.open({ variants: [A], rows, settings: { ...settings, options: {} } });
  const { errors } = gist(await setup.node.sync());
  expect(errors).toMatchObject([{ key: 'not_in_store', row: 3, sku: 'B' }]);
  expect(products(shop)).toHaveLength(1);
});

test('a row without a title, with a value that is none, or with the title of another product creates nothing, nor do its siblings', async () => {
  const rows = [
    HEADER,
    ROW_A,
    ['B', '', 14, 2],
    ['C', 'Cup', 'dear', 2],
    ['C2', 'Cup', 7, 2],
    ['D', 'Mug', 9, 1],
    ['E', 'Plate', 9, -1],
  ];
  const shop = await setup.open({ variants: [A], rows, settings });
  const { errors } = gist(await setup.node.sync());
  expect(errors.map(({ key, row }) => [key, row])).toEqual([
    ['create_needs_title', 3],
    ['invalid_value', 4],
    ['create_waits', 5],
    ['create_taken', 6],
    ['invalid_value', 7],
  ]);
  expect(products(shop)).toHaveLength(1);
});

test('an item that the store has lost is not created again', async () => {
  const shop = await setup.open({ variants: [A], rows: [HEADER, ROW_A], settings });
  await setup.node.sync();
  shop.store.remove('gid://shopify/ProductVariant/1');
  shop.store.add({ sku: 'Z', title: 'Other' });
  await setup.node.sync();
  expect(products(shop).map(([sku]) => sku)).toEqual(['Z']);
});

test('a product whose answer is lost is found again by the next run, and not made twice', async () => {
  const shop = await setup.open({ variants: [A], rows: [HEADER, ROW_A, ['B', 'Bowl', 14, 2]], settings });
  shop.store.after = ({ name }) => {
    if (name === 'createProducts') throw new Fault('store_unavailable.no_answer', { domain: 'local' });
  };
  expect((await setup.node.sync()).status).toBe('failed');
  shop.store.after = () => {};
  expect(gist(await setup.node.sync())).toMatchObject({ status: 'succeeded', errors: [] });
  expect(products(shop).map(([sku]) => sku)).toEqual(['A', 'B']);
});

test('a product that the merchant creates between the plan and its confirmation stays theirs: nothing is written, and undo leaves it', async () => {
  const shop = await setup.open({ variants: [A], rows: [HEADER, ROW_A, ['B', 'Bowl', 14, 2]], settings });
  const work = { signal: new AbortController().signal, progress: () => {} };
  const plan = await setup.node.runs.preview(caller, { config_id: CONFIG }, work);
  const theirs = shop.store.add({
    sku: 'B',
    title: 'Their bowl',
    handle: 'bowl',
    price: '99.00',
    available: 7,
  });
  const run = await setup.node.end(await setup.node.runs.confirm(caller.accountId, plan.id));
  expect(run.errors).toMatchObject([{ key: 'create_taken', row: 3, sku: 'B' }]);
  await expect(setup.node.runs.revert(caller, run.id)).rejects.toMatchObject({
    key: 'conflict.nothing_to_revert',
  });
  expect(shop.store.find(theirs.variantId)).toEqual(theirs);
});

test('many new rows exceed the safety limit, and the plan waits for a person', async () => {
  const many = Array.from({ length: 25 }, (_, nth) => [`N${nth}`, `New ${nth}`, 5, 1]);
  const options = { create_products: true, safety_limits: SafetyLimits.parse({}) };
  const shop = await setup.open({
    variants: [A],
    rows: [HEADER, ROW_A, ...many],
    settings: { ...settings, options },
  });
  const run = await setup.node.sync();
  expect([run.status, run.safety_limits_hit.map(({ safety_limit }) => safety_limit)]).toEqual([
    'awaiting_confirmation',
    ['changed_percent'],
  ]);
  expect(products(shop)).toHaveLength(1);
});

test('undo archives a product that was created, by one change', async () => {
  const rows = [HEADER, ROW_A, ['B-S', 'Bowl', 14, 2], ['B-L', 'Bowl', 19, 1]];
  const shop = await setup.open({ variants: [A], rows, settings });
  const run = await setup.node.sync();
  const ended = await setup.node.end(await setup.node.runs.revert(caller, run.id));
  expect(gist(ended)).toMatchObject({ status: 'succeeded', errors: [] });
  const updates = shop.store.log.filter(({ name }) => name === 'updateProducts');
  expect(updates).toMatchObject([{ changes: [{ more: { product_status: 'archived' }, variants: [] }] }]);
  expect(products(shop)).toHaveLength(3);
  expect(gist(await setup.node.sync())).toMatchObject({ status: 'succeeded', changed: 0, errors: [] });
  await setup.node.end(await setup.node.runs.revert(caller, ended.id));
  expect(shop.store.find('gid://shopify/ProductVariant/2')?.more).toEqual({ product_status: 'DRAFT' });
});
