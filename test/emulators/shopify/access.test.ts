import { expect, test } from 'vitest';
import type { ShopifyEmulator } from '../../../src/emulators/shopify/shopify.ts';
import { DESCRIBE_STORE, SET_QUANTITIES } from '../../../src/providers/shopify/operations.ts';
import { openShop } from './open-shop.ts';

const CREDENTIALS = {
  client_id: 'demo-client',
  client_secret: 'demo-secret',
  grant_type: 'client_credentials',
};

type Answer = ReturnType<typeof JSON.parse>;

async function grant({ fetch, domain }: ShopifyEmulator, form: object) {
  const response = await fetch(`https://${domain}/admin/oauth/access_token`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(form),
  });
  const body: Answer = JSON.parse(await response.text());
  return { status: response.status, body };
}

async function askWith({ fetch, domain }: ShopifyEmulator, token: string) {
  const response = await fetch(`https://${domain}/admin/api/2026-10/graphql.json`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-shopify-access-token': token },
    body: JSON.stringify({ query: '{ shop { name } }' }),
  });
  const body: Answer = JSON.parse(await response.text());
  return { status: response.status, body };
}

test('a token that the shop does not know is 401', async () => {
  const { emulator } = openShop();
  expect(await askWith(emulator, 'shpat_wrong')).toEqual({
    status: 401,
    body: { errors: '[API] Invalid API key or access token (unrecognized login or wrong password)' },
  });
});

test("the app's credentials get a token, which ends after a day", async () => {
  const { emulator, clock } = openShop();
  const { status, body } = await grant(emulator, CREDENTIALS);
  expect({ status, body }).toEqual({
    status: 200,
    body: {
      access_token: expect.any(String),
      scope: 'read_products,write_products,read_inventory,write_inventory,read_locations',
      expires_in: 86_399,
    },
  });
  expect((await askWith(emulator, body.access_token)).body.data).toEqual({ shop: { name: 'Corner shop' } });
  await clock.sleep(86_399_000);
  expect((await askWith(emulator, body.access_token)).status).toBe(401);
  expect((await askWith(emulator, emulator.token)).status).toBe(200);
});

test.each([
  [400, 'unsupported_grant_type', { grant_type: 'password' }],
  [400, 'application_cannot_be_found', { client_id: 'another' }],
  [401, 'invalid_client', { client_secret: 'another' }],
])('wrong credentials are %i %s', async (status, error, wrong) => {
  const { emulator } = openShop();
  expect(await grant(emulator, { ...CREDENTIALS, ...wrong })).toEqual({ status, body: { error } });
});

test('after the app was removed no token is good, and new ones can be had', async () => {
  const { emulator } = openShop();
  emulator.revokeTokens();
  expect((await askWith(emulator, emulator.token)).status).toBe(401);
  const { body } = await grant(emulator, CREDENTIALS);
  expect((await askWith(emulator, body.access_token)).status).toBe(200);
});

test.each([
  ['unpaid', 402],
  ['forbidden', 403],
  ['gone', 404],
  ['locked', 423],
  ['down', 503],
] as const)('a shop that is %s answers %i until it is well', async (mood, status) => {
  const { emulator, ask } = openShop();
  emulator.setMood(mood);
  expect((await ask(DESCRIBE_STORE)).status).toBe(status);
  emulator.setMood('well');
  expect((await ask(DESCRIBE_STORE)).data.shop.name).toBe('Corner shop');
});

test('what the app was not granted is denied with status 200', async () => {
  const shop = openShop({ scopes: ['read_products', 'read_locations'] });
  const input = { name: 'available', reason: 'correction', quantities: [] };
  expect(await shop.ask(SET_QUANTITIES, { key: 'key-1', input })).toMatchObject({
    status: 200,
    errors: [
      {
        message:
          'Access denied for inventorySetQuantities field. Required access: `write_inventory` access scope.',
        code: 'ACCESS_DENIED',
      },
    ],
  });
  expect((await shop.ask(DESCRIBE_STORE)).errors).toEqual([]);
});

test.each([
  ['GET', '/admin/api/2026-10/graphql.json', 405],
  ['POST', '/admin/api/latest/graphql.json', 404],
  ['POST', '/admin/products.json', 404],
  ['POST', '/admin/api/2026-10/graphql.json', 400],
  ['GET', '/bulk-results/1.jsonl', 404],
])('%s %s without a query is %i', async (method, path, status) => {
  const { emulator } = openShop();
  const headers = path.startsWith('/admin') ? { 'x-shopify-access-token': emulator.token } : {};
  const response = await emulator.fetch(`https://${emulator.domain}${path}`, { method, headers });
  expect(response.status).toBe(status);
});
