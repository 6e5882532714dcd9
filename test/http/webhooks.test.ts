import { afterAll, beforeAll, expect, test } from 'vitest';
import { openStripePeer } from '../billing/setup.ts';
import type { StripePeer } from '../peers/stripe/peer.ts';
import { openServedApp, type ServedApp } from '../support/served-app.ts';
import { newBareKey, useRest } from '../support/server.ts';

let peer: StripePeer;
let app: ServedApp;

beforeAll(async () => {
  peer = await openStripePeer();
  app = await openServedApp({
    STRIPE_SECRET_KEY: peer.secretKey,
    STRIPE_WEBHOOK_SECRET: peer.webhookSecret,
    STRIPE_BASE_URL: peer.url,
  });
});
afterAll(async () => {
  await app.close();
  await peer.close();
});

const anEvent = () => peer.events[0]?.id ?? '';
const post = async (
  body: string | Uint8Array,
  headers: Record<string, string>,
  path = '/webhooks/stripe',
) => {
  const answer = await fetch(app.url + path, { method: 'POST', body: Buffer.from(body), headers });
  const { code = 'none' } = (await answer.json()) as { code?: string };
  return [answer.status, code];
};
const received = async () => (await app.database.sql`select id from stripe_events`).length;

test('what Stripe signed is taken in once, at both addresses', async () => {
  const { body, headers } = peer.signed(anEvent());
  expect(await post(body, headers)).toEqual([200, 'none']);
  expect(await post(body, headers)).toEqual([200, 'none']);
  expect(await post(body, headers, '/api/v1/billing/webhook')).toEqual([200, 'none']);
  expect(await received()).toBe(1);
});

const FORGERIES: Record<string, () => [string, Record<string, string>]> = {
  'another secret': () => {
    const { body, headers } = peer.signed(anEvent(), { secret: 'whsec_forged' });
    return [body, { ...headers }];
  },
  'a signature of 301 seconds ago': () => {
    const { body, headers } = peer.signed(anEvent(), { ageSeconds: 301 });
    return [body, { ...headers }];
  },
  'a changed body': () => {
    const { body, headers } = peer.signed(anEvent());
    return [body.replace('evt_', 'evt_x'), { ...headers }];
  },
  'one more space': () => {
    const { body, headers } = peer.signed(anEvent());
    return [`${body} `, { ...headers }];
  },
  'no signature': () => [peer.signed(anEvent()).body, { 'content-type': 'application/json' }],
  'a signature that is none': () => [
    peer.signed(anEvent()).body,
    { 'content-type': 'application/json', 'stripe-signature': 't=1,v1=00' },
  ],
  'the signature of another event': () => [
    peer.signed(anEvent()).body,
    { ...peer.signed(peer.events[1]?.id ?? '').headers },
  ],
  'an empty body': () => ['', { ...peer.signed(anEvent()).headers }],
};

test.each(Object.keys(FORGERIES))('%s is refused and changes nothing', async (name) => {
  const before = await received();
  const [body, headers] = FORGERIES[name]?.() ?? ['', {}];
  expect(await post(body, headers)).toEqual([400, 'invalid_signature']);
  expect(await received()).toBe(before);
});

test('a body over 1 MB is refused unread', async () => {
  expect(await post('x'.repeat(1024 * 1024 + 1), { 'stripe-signature': 't=1,v1=00' })).toEqual([
    413,
    'too_large',
  ]);
});

test('from paying to the plan, by webhooks over the wire alone', async () => {
  const { accountId, key } = await newBareKey(app);
  const rest = useRest(app.url, key);
  const made = await rest('POST', '/api/v1/billing/create-checkout-session', {
    body: { plan: 'enterprise', interval: 'year', success_url: '/billing' },
  });
  expect(made).toMatchObject({
    status: 200,
    body: { id: expect.stringMatching(/^cs_/), url: expect.stringMatching(/^http/) },
  });
  const mark = peer.events.length;
  peer.pay(String(made.body['id']));
  const only = peer.events.slice(mark).map(({ id }) => id);
  const sent = await peer.deliver({ to: `${app.url}/webhooks/stripe`, only, order: 'reversed', times: 2 });
  expect(new Set(sent.map(({ status }) => status))).toEqual(new Set([200]));
  await app.billing.work();
  expect(await app.billing.summary(accountId, 'hooks')).toMatchObject({
    plan: 'enterprise',
    amount: '470.40',
    interval: 'year',
  });
  await expect.poll(async () => (await app.entitlements.of(accountId)).hooks.plan).toBe('enterprise');
});
