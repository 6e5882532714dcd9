import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import type { WebhookDelivery } from '../../../src/emulators/shopify/webhooks.ts';
import {
  bulkVariants,
  DESCRIBE_STORE,
  LIST_SUBSCRIPTIONS,
  SET_QUANTITIES,
  START_BULK_QUERY,
  SUBSCRIBE,
  UPDATE_PRODUCT,
  UPDATE_VARIANTS,
} from '../../../src/providers/shopify/operations.ts';
import { type OpenShop, openShop } from './open-shop.ts';

const ADDRESS = 'https://stallhand.example/webhooks/shopify';

async function subscribe(shop: OpenShop, topic: string, uri = ADDRESS) {
  const { data } = await shop.ask(SUBSCRIBE, { topic, subscription: { uri, format: 'JSON' } });
  return data.webhookSubscriptionCreate;
}

/** A shop and what it has sent. */
async function listened(...topics: readonly string[]) {
  const sent: WebhookDelivery[] = [];
  const shop = openShop({ onDelivery: (delivery) => sent.push(delivery) });
  for (const topic of topics) await subscribe(shop, topic);
  const told = () => sent.map(({ headers, body }) => [headers['x-shopify-topic'], JSON.parse(body)]);
  return { shop, sent, told };
}

const numberOf = (id: string) => Number(id.split('/').at(-1));

test('a subscription is made once for an address and a topic, and is listed in pages', async () => {
  const shop = openShop();
  const made = await subscribe(shop, 'PRODUCTS_UPDATE');
  expect(made).toEqual({
    webhookSubscription: { id: expect.any(String), topic: 'PRODUCTS_UPDATE', uri: ADDRESS },
    userErrors: [],
  });
  expect(await subscribe(shop, 'PRODUCTS_UPDATE')).toEqual({
    webhookSubscription: null,
    userErrors: [
      { field: ['webhookSubscription', 'uri'], message: 'Address for this topic has already been taken' },
    ],
  });
  await subscribe(shop, 'PRODUCTS_DELETE');
  const first = await shop.ask(LIST_SUBSCRIPTIONS, { first: 1 });
  const { nodes, pageInfo } = first.data.webhookSubscriptions;
  const next = await shop.ask(LIST_SUBSCRIPTIONS, { first: 1, after: pageInfo.endCursor });
  expect([nodes, next.data.webhookSubscriptions.nodes].flat().map(({ topic }) => topic)).toEqual([
    'PRODUCTS_UPDATE',
    'PRODUCTS_DELETE',
  ]);
});

test.each([
  ['', "Address can't be blank"],
  ['here', 'Address is invalid'],
  ['http://stallhand.example/', 'Address protocol http:// is not supported'],
  ['https://localhost/', 'Address is not allowed'],
  ['https://demo.myshopify.com/', 'Address is not allowed'],
])('the address "%s" is refused: %s', async (uri, message) => {
  const { userErrors } = await subscribe(openShop(), 'PRODUCTS_UPDATE', uri);
  expect(userErrors).toEqual([{ field: ['webhookSubscription', 'uri'], message }]);
});

test('a changed quantity sends a webhook, whatever changed it; an unchanged one does not', async () => {
  const { shop, told } = await listened('INVENTORY_LEVELS_UPDATE');
  const level = {
    inventory_item_id: numberOf(shop.item('PLATE')),
    location_id: numberOf(shop.place()),
    updated_at: '2026-11-21T00:00:00.000Z',
  };
  shop.emulator.sell('PLATE', 2);
  shop.emulator.setQuantity('PLATE', 6);
  const change = {
    inventoryItemId: shop.item('PLATE'),
    locationId: shop.place(),
    quantity: 20,
    changeFromQuantity: 6,
  };
  await shop.ask(SET_QUANTITIES, {
    key: 'key-1',
    input: { name: 'available', reason: 'correction', quantities: [change] },
  });
  expect(told()).toEqual([
    ['inventory_levels/update', { ...level, available: 6 }],
    ['inventory_levels/update', { ...level, available: 20 }],
  ]);
});

test('nothing is sent to those who did not subscribe to it', async () => {
  const { shop, told } = await listened('PRODUCTS_DELETE');
  shop.emulator.sell('PLATE');
  expect(told()).toEqual([]);
});

test('products that come, change and go are told', async () => {
  const topics = ['PRODUCTS_CREATE', 'PRODUCTS_UPDATE', 'PRODUCTS_DELETE', 'INVENTORY_ITEMS_UPDATE'];
  const { shop, told } = await listened(...topics);
  const [productId, id] = [shop.product('PLATE'), shop.variant('PLATE')];
  await shop.ask(UPDATE_PRODUCT, { product: { id: productId, title: 'Dish' } });
  await shop.ask(UPDATE_VARIANTS, { productId, variants: [{ id, inventoryItem: { sku: 'DISH' } }] });
  shop.emulator.removeVariant('MUG-L');
  shop.emulator.removeVariant('DISH');
  shop.emulator.addProduct({ title: 'Jug', variants: [{ sku: 'JUG', available: 2 }] });
  expect(told().map(([topic, { title, sku, variants }]) => [topic, title ?? sku, variants?.length])).toEqual([
    ['products/update', 'Dish', 1],
    ['inventory_items/update', 'DISH', undefined],
    ['products/update', 'Dish', 1],
    ['products/update', 'Mug', 1],
    ['products/delete', undefined, undefined],
    ['products/create', 'Jug', 1],
  ]);
});

test('the end of a bulk operation is told with the next request', async () => {
  const { shop, told } = await listened('BULK_OPERATIONS_FINISH');
  await shop.ask(START_BULK_QUERY, { query: bulkVariants(shop.place(), []) });
  await shop.clock.sleep(1200);
  await shop.ask(DESCRIBE_STORE);
  expect(told()).toEqual([
    [
      'bulk_operations/finish',
      {
        admin_graphql_api_id: 'gid://shopify/BulkOperation/1',
        status: 'completed',
        type: 'query',
        error_code: null,
        completed_at: '2026-11-21T00:00:01.200Z',
      },
    ],
  ]);
});

test("a delivery is signed by the app's secret over the very bytes of its body", async () => {
  const { shop, sent } = await listened('INVENTORY_LEVELS_UPDATE');
  shop.emulator.sell('PLATE');
  const made = shop.emulator.webhook('app/uninstalled', { domain: shop.emulator.domain });
  for (const { headers, body } of [...sent, made]) {
    const signature = createHmac('sha256', 'demo-secret').update(body).digest('base64');
    expect(headers['x-shopify-hmac-sha256']).toBe(signature);
  }
  expect(sent[0]).toMatchObject({ uri: ADDRESS, headers: { 'x-shopify-shop-domain': 'demo.myshopify.com' } });
  expect(made).toMatchObject({
    uri: '',
    headers: {
      'content-type': 'application/json',
      'x-shopify-topic': 'app/uninstalled',
      'x-shopify-webhook-id': expect.stringMatching(/^[0-9a-f-]{36}$/),
    },
    body: '{"domain":"demo.myshopify.com"}',
  });
});
