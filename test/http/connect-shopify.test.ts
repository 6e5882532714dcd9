import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type ShopifyConsentPeer, startShopifyConsentPeer } from '../peers/shopify-consent.ts';
import { newVisitor } from '../support/consent-visits.ts';
import { newPerson, WIDE_LIMITS } from '../support/oauth-person.ts';
import { openServedApp, type ServedApp } from '../support/served-app.ts';
import { useRest } from '../support/server.ts';

const SHOP = 'tide-and-clay.myshopify.com';
const SECRET = 'the-secret-of-the-app';
const SCOPES = ['write_products', 'write_inventory', 'read_locations'];

const redirectUris: string[] = [];
let shopify: ShopifyConsentPeer;
let app: ServedApp;
let people = 0;

beforeAll(async () => {
  shopify = await startShopifyConsentPeer({
    domain: SHOP,
    clientId: 'app-1',
    clientSecret: SECRET,
    redirectUris,
    shop: { name: 'Tide & Clay', products: [{ title: 'Mug', variants: [{ sku: 'MUG', price: '12.00' }] }] },
  });
  app = await openServedApp({
    RATE_LIMITS: WIDE_LIMITS,
    ENCRYPTION_KEY: 'the-secret-of-this-server-kept-by-its-operator',
    SHOPIFY_BASE_URL: shopify.url,
    SHOPIFY_CLIENT_ID: 'app-1',
    SHOPIFY_CLIENT_SECRET: SECRET,
  });
  redirectUris.push(`${app.url}/connect/shopify/callback`);
});
afterAll(async () => {
  await app.close();
  await shopify.close();
});
beforeEach(() => {
  people += 1;
  shopify.state.scopes = SCOPES;
  shopify.state.down = false;
});

/** A person with an account here, signed in. */
async function newShopOwner() {
  const person = await newPerson(app.url, `merchant-${people}`);
  const rest = useRest(app.url, person.token);
  const visitor = newVisitor(app.url, shopify.url);
  const linkFor = async (shop = SHOP) => {
    const { status, body } = await rest('POST', '/sync/connect/shopify', { body: { shop } });
    expect([status, body]).toEqual([201, expect.anything()]);
    return String(body['url']);
  };
  const install = async () => visitor.decide(await visitor.begin(await linkFor(), person), 'allow');
  const connect = async () => visitor.arrive(await install());
  const stores = async () => (await rest('GET', '/sync/stores')).body as unknown as Record<string, unknown>[];
  return { person, rest, visitor, linkFor, install, connect, stores };
}

/** A delivery of Shopify. */
async function deliver(topic: string, body: object, secret = SECRET, triggeredAt?: Date) {
  const bytes = JSON.stringify(body);
  const { status } = await fetch(`${app.url}/webhooks/shopify`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-shopify-topic': topic,
      ...(triggeredAt && { 'x-shopify-triggered-at': triggeredAt.toISOString() }),
      'x-shopify-shop-domain': SHOP,
      'x-shopify-hmac-sha256': createHmac('sha256', secret).update(bytes).digest('base64'),
    },
    body: bytes,
  });
  return status;
}

describe('Connect with Shopify', () => {
  test('connects the store in which a person installs the app, and renews its access', async () => {
    const { connect, stores, rest, person } = await newShopOwner();
    const done = await connect();
    expect([done.status, done.text]).toEqual([
      200,
      expect.stringContaining('The store Tide &#38; Clay is connected'),
    ]);
    const [store] = await stores();
    expect(store).toMatchObject({
      domain: SHOP,
      name: 'Tide & Clay',
      status: 'connected',
      renewable: true,
      expires_at: null,
      consent: { account: SHOP, by: person.email, at: expect.any(String), scopes: SCOPES },
    });
    shopify.expireAccess();
    const tested = await rest('POST', `/sync/store/${store?.['id']}/test`);
    expect([tested.status, tested.body['status']]).toEqual([200, 'connected']);
  });

  test('connects nothing where the merchant refuses', async () => {
    const { visitor, linkFor, person, stores } = await newShopOwner();
    const refused = await visitor.arrive(
      await visitor.decide(await visitor.begin(await linkFor(), person), 'deny'),
    );
    expect([refused.status, refused.text]).toEqual([
      422,
      expect.stringContaining('You did not give permission at Shopify'),
    ]);
    expect(await stores()).toEqual([]);
  });

  test('names the scopes that are missing, and what they are for', async () => {
    const { connect, stores } = await newShopOwner();
    shopify.state.scopes = ['write_products', 'read_locations'];
    const refused = await connect();
    expect([refused.status, refused.text]).toEqual([
      422,
      expect.stringContaining('did not grant the scopes write_inventory'),
    ]);
    expect(refused.text).toContain('write_inventory for stock');
    expect(await stores()).toEqual([]);
  });

  test.each([
    [
      'of another signature',
      (query: URLSearchParams) => query.set('hmac', '0'.repeat(64)),
      'not signed by Shopify',
    ],
    [
      'whose code was changed',
      (query: URLSearchParams) => query.set('code', 'another'),
      'not signed by Shopify',
    ],
    [
      'about another store',
      (query: URLSearchParams) => query.set('shop', 'evil.myshopify.com'),
      'not signed by Shopify',
    ],
    [
      'with a second store',
      (query: URLSearchParams) => query.append('shop', 'evil.myshopify.com'),
      'not signed by Shopify',
    ],
  ])('an answer %s connects nothing', async (_what, change, told) => {
    const { install, visitor, stores } = await newShopOwner();
    const back = await install();
    change(back.searchParams);
    const refused = await visitor.arrive(back);
    expect([refused.status, refused.text]).toEqual([422, expect.stringContaining(told)]);
    expect(await stores()).toEqual([]);
  });

  test('an answer counts once, and only in the browser that began', async () => {
    const { install, visitor, stores } = await newShopOwner();
    const back = await install();
    const elsewhere = newVisitor(app.url, shopify.url);
    expect((await elsewhere.arrive(back)).status).toBe(422);
    expect((await visitor.arrive(back)).status).toBe(200);
    expect((await visitor.arrive(back)).status).toBe(422);
    expect(await stores()).toHaveLength(1);
  });

  test('a code that Shopify has taken already connects nothing', async () => {
    const { install, visitor, stores } = await newShopOwner();
    const back = await install();
    await fetch(`${shopify.url}/admin/oauth/access_token`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({
        client_id: 'app-1',
        client_secret: SECRET,
        code: back.searchParams.get('code') ?? '',
      }).toString(),
    });
    const refused = await visitor.arrive(back);
    expect([refused.status, refused.text]).toEqual([
      422,
      expect.stringContaining('Shopify did not complete the connection (invalid_request)'),
    ]);
    expect(await stores()).toEqual([]);
  });

  test('asks no other host than a store for consent', async () => {
    const { rest } = await newShopOwner();
    for (const shop of ['evil.example', 'evil.example/.myshopify.com', 'a.myshopify.com.evil.example'])
      expect((await rest('POST', '/sync/connect/shopify', { body: { shop } })).status).toBe(422);
  });

  test('many runs at the same time renew access once', async () => {
    const { connect, stores, rest } = await newShopOwner();
    await connect();
    const [store] = await stores();
    await app.database.sql`update sync_grants set expires_at = now() where subject = ${SHOP}`;
    const before = shopify.requests.filter((one) => one.endsWith('/access_token')).length;
    const path = `/sync/store/${store?.['id']}/locations`;
    const answers = await Promise.all(Array.from({ length: 8 }, () => rest('GET', path)));
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200));
    expect(shopify.requests.filter((one) => one.endsWith('/access_token')).length - before).toBe(1);
  });

  test('access that would end unused is renewed every hour before its last month', async () => {
    const { connect } = await newShopOwner();
    await connect();
    await app.database.sql`
      update sync_grants set refresh_expires_at = now() + interval '29 days' where subject = ${SHOP}`;
    await app.sync.sweep();
    const [grant] = await app.database.sql`
      select min(refresh_expires_at) > now() + interval '80 days' as renewed from sync_grants where subject = ${SHOP}`;
    expect(grant).toEqual({ renewed: true });
  });

  test('a store that was uninstalled says so, and the same road connects it again', async () => {
    const { connect, stores, rest } = await newShopOwner();
    await connect();
    const [store] = await stores();
    shopify.uninstall();
    expect(await deliver('app/uninstalled', { myshopify_domain: SHOP })).toBe(200);
    expect(await stores()).toMatchObject([{ status: 'disconnected' }]);
    const tested = await rest('POST', `/sync/store/${store?.['id']}/test`);
    expect([tested.body['code'], tested.body['detail']]).toEqual([
      'store_unauthorized',
      expect.stringContaining(`POST /sync/connect/shopify`),
    ]);
    expect((await connect()).status).toBe(200);
    expect(await stores()).toMatchObject([{ id: store?.['id'], status: 'connected' }]);
  });

  test('an uninstallation that is told after the app was installed again changes nothing', async () => {
    const { connect, stores, rest } = await newShopOwner();
    await connect();
    shopify.uninstall();
    expect((await connect()).status).toBe(200);
    const [store] = await stores();
    const { at } = Object(store?.['consent']);
    const consentedAt = Date.parse(String(at));
    const uninstalled = (at: number) =>
      deliver('app/uninstalled', { myshopify_domain: SHOP }, SECRET, new Date(at));
    expect(await uninstalled(consentedAt - 1_000)).toBe(200);
    expect((await rest('POST', `/sync/store/${store?.['id']}/test`)).body['status']).toBe('connected');
    expect(await stores()).toMatchObject([{ status: 'connected' }]);
  });

  test('a store that was uninstalled and then tested is deleted when Shopify asks for it', async () => {
    const { connect, stores, rest } = await newShopOwner();
    await connect();
    const [store] = await stores();
    shopify.uninstall();
    await deliver('app/uninstalled', { myshopify_domain: SHOP });
    expect((await rest('POST', `/sync/store/${store?.['id']}/test`)).body['code']).toBe('store_unauthorized');
    expect(await stores()).toMatchObject([{ status: 'disconnected' }]);
    expect(await deliver('shop/redact', { shop_id: 1, shop_domain: SHOP })).toBe(200);
    expect(await stores()).toEqual([]);
  });
});

describe('the compliance webhooks', () => {
  const CUSTOMER = { shop_id: 1, shop_domain: SHOP, customer: { id: 7, email: 'ana@example.com' } };

  test.each(['customers/data_request', 'customers/redact', 'shop/redact'])(
    '%s is acknowledged with the signature of the app, also for an unknown store, and refused without',
    async (topic) => {
      expect(await deliver(topic, { ...CUSTOMER, shop_domain: 'gone.myshopify.com' })).toBe(200);
      expect(await deliver(topic, CUSTOMER, 'another secret')).toBe(401);
    },
  );

  test('shop/redact deletes what is kept of a store that uninstalled the app, and nothing of one that has it', async () => {
    const { connect, stores } = await newShopOwner();
    await connect();
    const redact = { shop_id: 1, shop_domain: SHOP };
    expect(await deliver('shop/redact', redact)).toBe(200);
    expect(await stores()).toHaveLength(1);
    await deliver('app/uninstalled', { myshopify_domain: SHOP });
    expect(await deliver('shop/redact', { ...redact, shop_domain: 'other.myshopify.com' })).toBe(200);
    expect(await stores()).toHaveLength(1);
    expect(await deliver('shop/redact', redact)).toBe(200);
    expect(await stores()).toEqual([]);
  });
});
