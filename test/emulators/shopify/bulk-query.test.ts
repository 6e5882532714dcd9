import { expect, test } from 'vitest';
import {
  BULK_STATUS,
  bulkVariants,
  CANCEL_BULK,
  readPage,
  START_BULK_QUERY,
} from '../../../src/providers/shopify/operations.ts';
import { type OpenShop, openShop } from './open-shop.ts';

async function start(shop: OpenShop, query = bulkVariants(shop.place(), [])) {
  const { data } = await shop.ask(START_BULK_QUERY, { query });
  return data.bulkOperationRunQuery;
}

async function status(shop: OpenShop, id: string) {
  const { data } = await shop.ask(BULK_STATUS, { id });
  return data.bulkOperation;
}

test('a bulk query waits, runs and ends on the clock, and its file has a line for each object', async () => {
  const shop = openShop();
  const { bulkOperation, userErrors } = await start(shop);
  const { id } = bulkOperation;
  expect({ status: bulkOperation.status, userErrors }).toEqual({ status: 'CREATED', userErrors: [] });
  await shop.clock.sleep(300);
  const running = await status(shop, id);
  expect(running).toEqual({ id, status: 'RUNNING', errorCode: null, url: null, objectCount: '0' });
  await shop.clock.sleep(1000);
  const done = await status(shop, id);
  expect(done).toEqual({
    id,
    status: 'COMPLETED',
    errorCode: null,
    objectCount: '3',
    url: 'https://demo.myshopify.com/bulk-results/1.jsonl',
  });
  const file = await shop.emulator.fetch(done.url);
  expect(file.headers.get('content-type')).toBe('application/jsonl');
  const lines = (await file.text()).trimEnd().split('\n');
  const page = await shop.ask(readPage([]), { first: 10, location: shop.place() });
  expect(lines.map((line) => JSON.parse(line))).toEqual(page.data.productVariants.nodes);
});

test('the file stays as it was when the operation ended', async () => {
  const shop = openShop();
  const { bulkOperation } = await start(shop);
  await shop.clock.sleep(1200);
  const { url } = await status(shop, bulkOperation.id);
  shop.emulator.sell('PLATE', 8);
  const text = await (await shop.emulator.fetch(url)).text();
  expect(JSON.parse(text.trimEnd().split('\n')[2] ?? '')).toMatchObject({
    sku: 'PLATE',
    inventoryItem: { inventoryLevel: { quantities: [{ quantity: 8 }] } },
  });
});

test('a shop without variants ends without a file', async () => {
  const shop = openShop({ shop: {} });
  const { bulkOperation } = await start(shop, bulkVariants(shop.emulator.locations()[0]?.id ?? '', []));
  await shop.clock.sleep(1200);
  expect(await status(shop, bulkOperation.id)).toMatchObject({
    status: 'COMPLETED',
    objectCount: '0',
    url: null,
  });
});

test('the file takes no token: it lies with another company', async () => {
  const shop = openShop();
  const { bulkOperation } = await start(shop);
  await shop.clock.sleep(1200);
  const { url } = await status(shop, bulkOperation.id);
  const headers = { 'x-shopify-access-token': shop.emulator.token };
  expect((await shop.emulator.fetch(url, { headers })).status).toBe(400);
});

test('a file in many pieces is whole, whatever letters its pieces cut', async () => {
  const products = [{ title: '☕ '.repeat(80), variants: Array.from({ length: 1500 }, () => ({})) }];
  const shop = openShop({ shop: { products } });
  const { bulkOperation } = await start(shop, bulkVariants(shop.emulator.locations()[0]?.id ?? '', []));
  await shop.clock.sleep(1200);
  const file = await shop.emulator.fetch((await status(shop, bulkOperation.id)).url);
  const lines = (await file.text()).trimEnd().split('\n');
  const titles = new Set(lines.map((line) => JSON.parse(line).product.title));
  expect([lines.length, [...titles]]).toEqual([1500, ['☕ '.repeat(80)]]);
});

test.each([
  ['{ shop { name } }', 'Bulk queries must contain at least one connection.'],
  ['{ nodes(ids: []) { id } }', 'Bulk queries cannot contain node or nodes at the top.'],
  ['{ productVariants { nodes { id } } }', 'Bulk queries read connections by edges.'],
  ['query Q($id: ID!) { location(id: $id) { id } }', 'Bulk queries cannot contain variables.'],
  [
    '{ productVariants { edges { node { weight } } } }',
    'Cannot query field "weight" on type "ProductVariant".',
  ],
  ['{ productVariants {', 'Syntax Error: Expected Name, found <EOF>.'],
])('%s is refused', async (query, message) => {
  const shop = openShop();
  expect(await start(shop, query)).toEqual({
    bulkOperation: null,
    userErrors: [{ field: ['query'], message }],
  });
});

test('five run at once, a sixth is refused until one has ended', async () => {
  const shop = openShop();
  for (let index = 0; index < 5; index += 1) await start(shop);
  expect((await start(shop)).userErrors).toEqual([
    { field: null, message: 'Bulk operations limit reached. Please try again later.' },
  ]);
  await shop.clock.sleep(1200);
  expect((await start(shop)).userErrors).toEqual([]);
});

test('a canceled operation ends without a file, and one that has ended is not canceled', async () => {
  const shop = openShop();
  const { id } = (await start(shop)).bulkOperation;
  const canceled = await shop.ask(CANCEL_BULK, { id });
  expect(canceled.data.bulkOperationCancel).toEqual({
    bulkOperation: { id, status: 'CANCELING' },
    userErrors: [],
  });
  await shop.clock.sleep(200);
  expect(await status(shop, id)).toMatchObject({ status: 'CANCELED', url: null });
  const again = await shop.ask(CANCEL_BULK, { id });
  expect(again.data.bulkOperationCancel.userErrors).toEqual([
    { field: null, message: 'A bulk operation cannot be canceled when it is canceled' },
  ]);
});

test('an operation that is not there is null', async () => {
  expect(await status(openShop(), 'gid://shopify/BulkOperation/9')).toBeNull();
});
