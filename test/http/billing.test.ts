import { afterAll, beforeAll, expect, test } from 'vitest';
import { openStripePeer } from '../billing/setup.ts';
import type { StripePeer } from '../peers/stripe/peer.ts';
import { openTestApp, type TestApp } from '../support/app.ts';
import { newBareKey, startTestServer, type TestServer, useRest } from '../support/server.ts';

let peer: StripePeer;
let app: TestApp;
let server: TestServer;
let plain: TestApp;
let plainServer: TestServer;

beforeAll(async () => {
  peer = await openStripePeer();
  app = await openTestApp({
    STRIPE_SECRET_KEY: peer.secretKey,
    STRIPE_WEBHOOK_SECRET: peer.webhookSecret,
    STRIPE_BASE_URL: peer.url,
    CHECKOUT_ORIGINS: 'https://shop.example',
  });
  server = await startTestServer(app);
  plain = await openTestApp();
  plainServer = await startTestServer(plain);
});
afterAll(async () => {
  for (const part of [server, app, plainServer, plain]) await part.close();
  await peer.close();
});

const BASE = '/api/v1/billing';

test('plans and packages are shown to anyone, as plain arrays, in the language asked for', async () => {
  const anyone = useRest(server.url);
  const plans = await anyone('GET', `${BASE}/pricing-plans?app=hooks&currency=USD`, {
    headers: { 'accept-language': 'es' },
  });
  expect(plans.status).toBe(200);
  expect(plans.body).toMatchObject([
    {
      id: 'hooks_free',
      name: 'Gratis',
      hooks_limit: 50,
      prices: [{ interval: 'month', interval_count: 1, amount: '0.00', currency: 'USD' }],
    },
    {
      id: 'hooks_pro',
      plan: 'pro',
      hooks_limit: 1000,
      popular: true,
      billing_enabled: true,
      features: expect.arrayContaining(['Historial completo', 'Soporte prioritario']),
      prices: expect.arrayContaining([
        {
          id: expect.stringMatching(/^price_/),
          interval: 'month',
          interval_count: 1,
          amount: '9.00',
          currency: 'USD',
        },
        {
          id: expect.stringMatching(/^price_/),
          interval: 'year',
          interval_count: 1,
          amount: '86.40',
          currency: 'USD',
        },
      ]),
    },
    { id: 'hooks_enterprise', hooks_limit: -1 },
  ]);
  expect((await anyone('GET', `${BASE}/credit-packages`)).body).toEqual([
    { id: 'hooks_credits_100', credits: 100, amount: '2.00', currency: 'USD', billing_enabled: true },
    { id: 'hooks_credits_500', credits: 500, amount: '8.00', currency: 'USD', billing_enabled: true },
    { id: 'hooks_credits_2000', credits: 2000, amount: '24.00', currency: 'USD', billing_enabled: true },
  ]);
});

test('without a Stripe key the same is shown from the catalogue, and only purchases are closed', async () => {
  const { key } = await newBareKey(plain);
  const rest = useRest(plainServer.url, key);
  const plans = await rest('GET', `${BASE}/pricing-plans`);
  expect(plans.body).toMatchObject([
    { id: 'hooks_free' },
    { id: 'hooks_pro', billing_enabled: false, prices: [{ amount: '9.00' }, { amount: '86.40' }] },
    { id: 'hooks_enterprise', prices: [{ amount: '49.00' }, { amount: '470.40' }] },
    { id: 'sync_free' },
    { id: 'sync_pro', prices: [{ interval: 'month', amount: '7.00', currency: 'USD' }] },
    { id: 'sync_pro_api', prices: [{ interval: 'month', amount: '12.00', currency: 'USD' }] },
  ]);
  expect(await rest('GET', `${BASE}/summary`)).toMatchObject({
    status: 200,
    body: { plan: 'free', status: 'none', billing_enabled: false },
  });
  expect(await rest('GET', `${BASE}/invoices`)).toMatchObject({ status: 200, body: [] });
  const purchases = [
    [`${BASE}/create-checkout-session`, { plan: 'pro', success_url: '/billing' }],
    [`${BASE}/buy-credits`, { package_id: 'hooks_credits_100', success_url: '/billing' }],
    [`${BASE}/change-plan`, { plan: 'pro' }],
    [`${BASE}/portal`, { return_url: '/billing' }],
    ['/billing/checkout', { plan: 'pro' }],
    ['/billing/portal', {}],
    ['/webhooks/stripe', {}],
  ] as const;
  for (const [path, body] of purchases) {
    expect([path, await rest('POST', path, { body })]).toMatchObject([
      path,
      { status: 503, body: { code: 'billing_not_configured' } },
    ]);
  }
});

test('a purchase never leads back to a foreign place', async () => {
  const { key } = await newBareKey(app);
  const rest = useRest(server.url, key);
  const at = (success_url: string) =>
    rest('POST', `${BASE}/create-checkout-session`, { body: { plan: 'pro', success_url } });
  expect(await at('https://evil.example/billing')).toMatchObject({
    status: 422,
    body: { code: 'validation_failed', errors: [{ loc: ['body', 'success_url'] }] },
  });
  expect((await at('https://shop.example/thanks')).status).toBe(200);
  expect(peer.holds.sessions().at(-1)?.success_url ?? peer.holds.sessions()[0]?.success_url).toBe(
    'https://shop.example/thanks?success=true&session_id={CHECKOUT_SESSION_ID}',
  );
});

test('what is not on sale is refused with what is', async () => {
  const { key } = await newBareKey(app);
  const rest = useRest(server.url, key);
  const order = (body: Record<string, unknown>) =>
    rest('POST', `${BASE}/create-checkout-session`, { body: { success_url: '/billing', ...body } });
  const unknown = await order({ plan: 'gold' });
  expect(unknown).toMatchObject({ status: 422, body: { code: 'validation_failed' } });
  expect(unknown.body['detail']).toBe(
    "Plan 'gold' is not for sale with the interval month. Valid values: pro (month), enterprise (month), pro (year), enterprise (year).",
  );
  expect((await order({ price_id: 'price_none' })).status).toBe(422);
  expect((await order({})).status).toBe(422);
  expect((await order({ plan: 'pro', price_id: 'price_none' })).status).toBe(422);
  expect(
    (await rest('POST', `${BASE}/buy-credits`, { body: { package_id: 'x', success_url: '/' } })).status,
  ).toBe(422);
});

test("the sync app's own addresses answer with a link", async () => {
  const { key } = await newBareKey(app);
  const rest = useRest(server.url, key);
  const made = await rest('POST', '/billing/checkout', { body: { plan: 'pro_api' } });
  expect(made).toEqual(
    expect.objectContaining({ status: 200, body: { url: expect.stringMatching(/^http/) } }),
  );
  expect(await rest('POST', '/billing/portal', { body: {} })).toMatchObject({
    status: 200,
    body: { url: expect.stringMatching(/^http/) },
  });
});

test('the sync app sees its own plan at its own sign-in, and that billing is active once it is paid', async () => {
  const anyone = useRest(server.url);
  const person = { email: 'ana@shop.example', name: 'Ana', password: 'a long and quiet evening' };
  const { body } = await anyone('POST', '/auth/register', { body: person });
  const rest = useRest(server.url, String(body['token']));
  const seen = async (path: string) => {
    const { plan, plans, payment_customer_id } = (await rest('GET', path)).body;
    return { plan, plans, payment_customer_id };
  };
  const before = { plan: 'free', plans: { hooks: 'free', sync: 'free' }, payment_customer_id: null };
  const order = { plan: 'pro', interval: 'month', currency: 'eur' };
  expect((await rest('POST', '/billing/checkout', { body: order })).status).toBe(200);
  expect(await seen('/auth/me')).toEqual(before);
  const session = peer.holds.sessions().at(-1);
  expect(session?.currency).toBe('eur');
  peer.pay(session?.id ?? '');
  await rest('GET', `${BASE}/summary?app=sync&session_id=${session?.id}`);
  const paid = { plans: { hooks: 'free', sync: 'pro' }, payment_customer_id: session?.customer };
  expect(await seen('/auth/me')).toEqual({ plan: 'pro', ...paid });
  expect(await seen('/api/v1/auth/me')).toEqual({ plan: 'free', ...paid });
  expect(await seen('/api/v1/user/profile')).toEqual({ plan: 'free', ...paid });
  const signedIn = await anyone('POST', '/auth/login', {
    body: { email: person.email, password: person.password },
  });
  expect(signedIn.body['user']).toMatchObject({ plan: 'pro', ...paid });
});

test('a year of a plan that is sold by the month is refused with what there is', async () => {
  const { key } = await newBareKey(app);
  const refused = await useRest(server.url, key)('POST', '/billing/checkout', {
    body: { plan: 'pro', interval: 'year' },
  });
  expect(refused.status).toBe(422);
  expect(refused.body['detail']).toContain('pro (month), pro_api (month)');
});

test('invoices are an array, with the next page in a Link header', async () => {
  const { key } = await newBareKey(app);
  const rest = useRest(server.url, key);
  const made = await rest('POST', `${BASE}/create-checkout-session`, {
    body: { plan: 'pro', success_url: '/billing' },
  });
  peer.pay(String(made.body['id']));
  peer.clock.advance(32 * 86_400);
  const first = await rest('GET', `${BASE}/invoices?limit=1`);
  expect(first.body).toMatchObject([{ amount: '9.00', currency: 'USD', status: 'paid' }]);
  const next = /<([^>]+)>; rel="next"/.exec(first.headers.get('link') ?? '')?.[1] ?? '';
  const second = await rest('GET', next.replace(server.url, ''));
  expect([second.status, second.headers.get('link')]).toEqual([200, null]);
  expect(second.body).toHaveLength(1);
});

test("a key that Stripe refuses is our trouble, not the caller's, and is not told", async () => {
  const { key } = await newBareKey(app);
  peer.fail({ next: 1, status: 401 });
  const refused = await useRest(server.url, key)('POST', `${BASE}/portal`, { body: {} });
  expect(refused).toMatchObject({ status: 502, body: { code: 'upstream_failed' } });
  expect(JSON.stringify(refused.body)).not.toContain(peer.secretKey);
});

test('nothing of billing is open to a key without its scope', async () => {
  const { key } = await newBareKey(app, ['billing:read']);
  const rest = useRest(server.url, key);
  expect((await rest('GET', `${BASE}/summary`)).status).toBe(200);
  expect(await rest('POST', `${BASE}/portal`, { body: {} })).toMatchObject({
    status: 403,
    body: { code: 'insufficient_scope' },
  });
});
