import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { createStoreWebhooks } from '../../../src/sync/automation/webhooks.ts';
import { openTestDatabase, type TestDatabase } from '../../support/database.ts';
import { openWorkshop } from '../../support/sync-connections.ts';

const SECRET = 'shpss_secret';
const DAY = 86_400_000;

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
});
beforeEach(() => database.reset());
afterAll(() => database.close());

/** A connected store that tells of changes, and whom its news were told to. */
async function openListener() {
  const clock = { now: Date.now() };
  const workshop = openWorkshop(database);
  const { accountId, storeId } = await workshop.newPair('pro');
  await workshop.stores.update(accountId, storeId, { webhookSecret: SECRET }, new AbortController().signal);
  const due: [string, number, readonly string[] | undefined][] = [];
  const failure: { next?: Error | undefined } = {};
  const webhooks = createStoreWebhooks({
    sql: database.sql,
    stores: workshop.stores,
    async makeStoreDue(id, at, items) {
      if (failure.next) throw failure.next;
      due.push([id, at.getTime() - clock.now, items]);
    },
    now: () => clock.now,
  });
  return { clock, webhooks, due, failure, storeId };
}

function delivery(
  topic: string,
  id = 'delivery-1',
  content: unknown = { id: 1 },
): Parameters<ReturnType<typeof createStoreWebhooks>['receive']>[0] {
  const body = Buffer.from(JSON.stringify(content));
  const signature = createHmac('sha256', SECRET).update(body).digest('base64');
  return { id, topic, domain: 'my-shop.myshopify.com', signature, body };
}

test('one delivery makes the store’s configurations due once, a second later', async () => {
  const { webhooks, due, storeId } = await openListener();
  for (let tries = 0; tries < 3; tries += 1) await webhooks.receive(delivery('inventory_items/update'));
  expect(due).toEqual([[storeId, 1_000, ['gid://shopify/InventoryItem/1']]]);
});

test.each<[string, unknown, readonly string[] | undefined]>([
  [
    'products/update',
    { id: 7, title: 'Mug', variants: [{ id: 71 }, { id: 72 }] },
    ['gid://shopify/Product/7', 'gid://shopify/ProductVariant/71', 'gid://shopify/ProductVariant/72'],
  ],
  ['products/update', { id: 7, title: 'Mug' }, undefined],
  [
    'products/update',
    { id: 7, variants: Array.from({ length: 100 }, (_, nth) => ({ id: nth + 1 })) },
    undefined,
  ],
  ['products/delete', { id: 7 }, undefined],
  ['inventory_items/update', { id: 8, sku: 'A' }, ['gid://shopify/InventoryItem/8']],
  ['inventory_levels/update', { inventory_item_id: 9, available: 3 }, ['gid://shopify/InventoryItem/9']],
  ['inventory_levels/update', { inventory_item_id: 'nine' }, undefined],
  ['inventory_levels/connect', [], undefined],
])('%s of %j names %j; without a name all is read', async (topic, content, items) => {
  const { webhooks, due, storeId } = await openListener();
  await webhooks.receive(delivery(topic, 'delivery-1', content));
  expect(due).toEqual([[storeId, 1_000, items]]);
});

test('a store’s news are due by the time of all nodes, whatever this machine’s clock says', async () => {
  const { webhooks, due, storeId } = await openListener();
  const machine = vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 2 * DAY);
  try {
    await webhooks.receive(delivery('products/update'));
    expect(due).toEqual([[storeId, 1_000, undefined]]);
  } finally {
    machine.mockRestore();
  }
});

test('a delivery that was lost half-way counts when it comes again', async () => {
  const { webhooks, due, failure } = await openListener();
  failure.next = new Error('the connection to the database is gone');
  await expect(webhooks.receive(delivery('products/update'))).rejects.toThrow('gone');
  failure.next = undefined;
  await webhooks.receive(delivery('products/update'));
  expect(due).toHaveLength(1);
});

test.each(['products/create', 'products/delete', 'inventory_items/update', 'inventory_levels/connect'])(
  '%s is a change',
  async (topic) => {
    const { webhooks, due } = await openListener();
    await webhooks.receive(delivery(topic));
    expect(due).toHaveLength(1);
  },
);

test('deliveries are forgotten after a week, when they cannot come again', async () => {
  const { webhooks, clock } = await openListener();
  await webhooks.receive(delivery('shop/redact'));
  const left = async () => (await database.sql`select from sync_webhook_events`).length;
  clock.now += 6 * DAY;
  await webhooks.sweep();
  expect(await left()).toBe(1);
  clock.now += 2 * DAY;
  await webhooks.sweep();
  expect(await left()).toBe(0);
});
