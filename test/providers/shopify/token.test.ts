import { expect, test } from 'vitest';
import { Fault } from '../../../src/errors.ts';
import { createShopFetch } from '../../../src/providers/shopify/shop-fetch.ts';
import { createShopifyStores } from '../../../src/providers/shopify/shopify.ts';
import {
  DESCRIBED,
  json,
  openWire,
  type Sent,
  SHOP,
  TOKEN,
  throttlesOf,
  virtualClock,
  wordsOf,
} from './wire.ts';

const APP = { clientId: 'client-1', clientSecret: 'shpss_secret' };
const { signal } = new AbortController();
const unauthorized = new Fault('store_unauthorized.token', { domain: SHOP });

test('the token goes to the store by https in its header and nowhere else', async () => {
  const { store, sent } = openWire(() => json(DESCRIBED));
  expect(await store.describe(undefined, signal)).toEqual({
    name: 'Shop',
    currency: 'EUR',
    location: { id: 'gid://shopify/Location/1', name: 'Main', isActive: true },
    variantCount: 3,
  });
  expect(sent).toHaveLength(1);
  const [{ url, headers, redirect, body }] = sent as [Sent];
  expect(url).toBe('https://shop.myshopify.com/admin/api/2026-10/graphql.json');
  expect(headers.get('x-shopify-access-token')).toBe(TOKEN);
  expect(headers.get('x-forwarded-host')).toBeNull();
  expect(redirect).toBe('manual');
  expect(body).not.toContain(TOKEN);
});

test('with another address for tests the store is named in X-Forwarded-Host', async () => {
  const { store, sent } = openWire(() => json(DESCRIBED), { baseUrl: 'http://127.0.0.1:9' });
  await store.describe(undefined, signal);
  expect(sent.map(({ url, headers }) => [url, headers.get('x-forwarded-host')])).toEqual([
    ['http://127.0.0.1:9/admin/api/2026-10/graphql.json', 'shop.myshopify.com'],
  ]);
});

test.each([
  'evil.example',
  'shop.myshopify.com.evil.example',
  'shop.myshopify.com:8080',
  'user@shop.myshopify.com',
])('a store at %s is not opened', (domain) => {
  const stores = createShopifyStores({
    apiVersion: '2026-10',
    throttles: throttlesOf(virtualClock()),
    fetch: () => Promise.reject(new Error('asked')),
  });
  expect(() => stores.open({ domain, credentials: { token: TOKEN } })).toThrow(
    new Fault('validation_failed.store_domain', { domain }),
  );
});

test.each([
  'https://evil.example/admin/api/2026-10/graphql.json',
  'http://shop.myshopify.com/',
  'https://shop.myshopify.com:444/',
  'https://other.myshopify.com/',
  'https://shop.myshopify.com.evil.example/',
])('whatever asks for %s with the token of the store, nothing is sent', async (url) => {
  let asked = 0;
  const shopFetch = createShopFetch(SHOP, {
    async fetch() {
      asked += 1;
      return json(DESCRIBED);
    },
  });
  await expect(shopFetch(url, { headers: { 'X-Shopify-Access-Token': TOKEN } })).rejects.toThrow(
    'not the store',
  );
  expect(asked).toBe(0);
});

test('no redirect is followed', async () => {
  const { store, sent } = openWire(
    () => new Response(null, { status: 302, headers: { location: 'https://evil.example/' } }),
  );
  await expect(store.describe(undefined, signal)).rejects.toEqual(
    new Fault('store_not_found.domain', { domain: SHOP }),
  );
  expect(sent).toHaveLength(1);
});

test.each([
  ['errors of the query', () => json({ errors: [{ message: `bad ${TOKEN}` }] })],
  ['an error as a text', () => json({ errors: `bad ${TOKEN}` }, 400)],
  ['a page', () => new Response(`<p>${TOKEN}</p>`, { headers: { 'content-type': 'text/html' } })],
  ['broken JSON', () => new Response(`${TOKEN}{`, { headers: { 'content-type': 'application/json' } })],
  ['a refusal', () => json({ errors: TOKEN }, 401)],
  ['another shape', () => json({ data: { shop: { name: TOKEN, [TOKEN]: 1 } } })],
  [
    'no answer',
    () => Promise.reject(new TypeError(`fetch failed for ${TOKEN}`, { cause: new Error(TOKEN) })),
  ],
])('a store that repeats the token in %s does not get it into an error', async (_what, answer) => {
  const { store } = openWire(answer);
  const error = await store.describe(undefined, signal).catch((caught: unknown) => caught);
  expect(error).toBeInstanceOf(Fault);
  expect(wordsOf(error)).not.toContain(TOKEN);
});

test.each(['shpat_\nx', 'töken', ' ', ''])(
  'the token %j cannot be sent: it is refused, and not quoted',
  async (token) => {
    const { store, sent } = openWire(() => json(DESCRIBED), { credentials: { token } });
    await expect(store.describe(undefined, signal)).rejects.toEqual(unauthorized);
    expect(sent).toEqual([]);
  },
);

test('an app is given a token for a day, which serves until shortly before its end and all clients of the store', async () => {
  const wire = appWire();
  await wire.open().describe(undefined, signal);
  await wire.open().describe(undefined, signal);
  wire.clock.advance(86_000_000);
  await wire.open().describe(undefined, signal);
  expect(wire.asked).toEqual(['grant 1', 'with token-1', 'with token-1', 'with token-1']);
  wire.clock.advance(150_000);
  await wire.open().describe(undefined, signal);
  expect(wire.asked.slice(4)).toEqual(['grant 2', 'with token-2']);
  expect(wire.forms[0]).toEqual({
    grant_type: 'client_credentials',
    client_id: 'client-1',
    client_secret: 'shpss_secret',
  });
});

test('a token that the store refuses is renewed once, also for several who wait', async () => {
  const wire = appWire();
  await wire.open().describe(undefined, signal);
  wire.refuse('token-1');
  const store = wire.open();
  await Promise.all([store.describe(undefined, signal), store.locations(signal).catch(() => {})]);
  expect(wire.asked.filter((what) => what.startsWith('grant'))).toEqual(['grant 1', 'grant 2']);
});

test('where the new token is refused as well the store is', async () => {
  const wire = appWire();
  wire.refuse('token-1');
  wire.refuse('token-2');
  await expect(wire.open().describe(undefined, signal)).rejects.toEqual(unauthorized);
  expect(wire.asked).toEqual(['grant 1', 'with token-1', 'grant 2', 'with token-2']);
});

test.each([
  [400, unauthorized],
  [401, unauthorized],
  [402, new Fault('store_frozen.plan', { domain: SHOP })],
  [404, new Fault('store_not_found.domain', { domain: SHOP })],
  [302, new Fault('store_not_found.domain', { domain: SHOP })],
  [503, new Fault('store_unavailable.no_answer', { domain: SHOP })],
])('credentials that are answered by %d make the fault of it, without the secret', async (status, fault) => {
  const { store } = openWire(() => json({ error: APP.clientSecret, access_token: 5 }, status), {
    credentials: APP,
  });
  const error = await store.describe(undefined, signal).catch((caught: unknown) => caught);
  expect(error).toEqual(fault);
  expect(wordsOf(error)).not.toContain(APP.clientSecret);
});

/** A store with an app, that gives tokens and tells what it was asked. */
function appWire() {
  const clock = virtualClock();
  const asked: string[] = [];
  const forms: object[] = [];
  const refused = new Set<string>();
  const stores = createShopifyStores({
    apiVersion: '2026-10',
    throttles: throttlesOf(clock),
    clock,
    async fetch(url, init) {
      if (String(url).endsWith('/admin/oauth/access_token')) {
        forms.push(Object.fromEntries(new URLSearchParams(String(init?.body))));
        asked.push(`grant ${forms.length}`);
        return json({ access_token: `token-${forms.length}`, expires_in: 86_399 });
      }
      const token = new Headers(init?.headers).get('x-shopify-access-token') ?? '';
      asked.push(`with ${token}`);
      return refused.has(token) ? json({ errors: 'no' }, 401) : json(DESCRIBED);
    },
  });
  return {
    clock,
    asked,
    forms,
    refuse: (token: string) => refused.add(token),
    open: () => stores.open({ domain: SHOP, credentials: APP }),
  };
}
