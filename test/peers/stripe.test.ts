import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Stripe } from 'stripe';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { stripeContractsArePresent } from './stripe/contracts.ts';
import type { StripePeer } from './stripe/peer.ts';
import { startStripePeer } from './stripe/server.ts';

const DAY = 86_400;
let peer: StripePeer;
let stripe: Stripe;

beforeEach(async () => {
  peer = await startStripePeer();
  stripe = client(peer.secretKey);
});
afterEach(async () => {
  await peer.close();
});

function client(key: string): Stripe {
  const { hostname, port } = new URL(peer.url);
  return new Stripe(key, {
    host: hostname,
    port,
    protocol: 'http',
    maxNetworkRetries: 0,
    telemetry: false,
  });
}

async function proPrice(amount = 900, interval: 'month' | 'year' = 'month') {
  const product = await stripe.products.create({
    name: 'Hooks Pro',
    metadata: { app: 'hooks', plan: 'pro' },
  });
  return stripe.prices.create({
    product: product.id,
    currency: 'eur',
    unit_amount: amount,
    recurring: { interval },
  });
}

async function subscribed(amount = 900) {
  const price = await proPrice(amount);
  const customer = await stripe.customers.create({ email: 'ana@example.com' });
  const session = await stripe.checkout.sessions.create({
    mode: 'subscription',
    customer: customer.id,
    line_items: [{ price: price.id, quantity: 1 }],
    success_url: 'https://app.example/billing?session_id={CHECKOUT_SESSION_ID}',
    subscription_data: { metadata: { account: 'acc_1' } },
  });
  peer.pay(session.id);
  const done = await stripe.checkout.sessions.retrieve(session.id);
  return { price, customer, session: done, subscription: String(done.subscription) };
}

test('a checkout for a subscription, paid, leaves an active subscription and a paid invoice', async () => {
  const { customer, session, subscription: id } = await subscribed();
  expect(session).toMatchObject({ status: 'complete', payment_status: 'paid', customer: customer.id });
  const subscription = await stripe.subscriptions.retrieve(id, {
    expand: ['latest_invoice', 'items.data.price.product'],
  });
  expect(subscription).toMatchObject({
    status: 'active',
    metadata: { account: 'acc_1' },
    latest_invoice: {
      object: 'invoice',
      status: 'paid',
      amount_paid: 900,
      parent: { subscription_details: { subscription: id } },
    },
    items: { data: [{ price: { unit_amount: 900, product: { name: 'Hooks Pro' } } }] },
  });
  expect(peer.violations).toEqual([]);
  expect(peer.requests.map(({ method, path, status }) => `${method} ${path} ${status}`).slice(0, 4)).toEqual([
    'POST /v1/products 200',
    'POST /v1/prices 200',
    'POST /v1/customers 200',
    'POST /v1/checkout/sessions 200',
  ]);
});

test('a checkout page, posted to, pays and leads to the success URL with the session in it', async () => {
  const price = await stripe.prices.create({
    currency: 'eur',
    unit_amount: 500,
    product_data: { name: '100 hooks' },
  });
  const session = await stripe.checkout.sessions.create({
    mode: 'payment',
    line_items: [{ price: price.id, quantity: 2 }],
    success_url: 'https://app.example/?session_id={CHECKOUT_SESSION_ID}',
  });
  const paid = await fetch(session.url ?? '', { method: 'POST', redirect: 'manual' });
  expect([paid.status, paid.headers.get('location')]).toEqual([
    303,
    `https://app.example/?session_id=${session.id}`,
  ]);
  const after = await stripe.checkout.sessions.retrieve(session.id, {
    expand: ['payment_intent.latest_charge', 'line_items'],
  });
  expect(after).toMatchObject({
    payment_status: 'paid',
    amount_total: 1000,
    payment_intent: { status: 'succeeded', latest_charge: { amount: 1000 } },
    line_items: { data: [{ quantity: 2 }] },
  });
  peer.dashboard.refund(peer.holds.paymentIntents()[0]?.id ?? '', 400);
  expect(peer.holds.charges()[0]).toMatchObject({ amount_refunded: 400, refunded: false });
});

test('a lookup key moves to another price only when asked to, and lists expand and page', async () => {
  const first = await proPrice();
  await stripe.prices.update(first.id, { lookup_key: 'hooks_pro_month' });
  const product = String(first.product);
  const next = {
    product,
    currency: 'eur',
    unit_amount: 1000,
    recurring: { interval: 'month' },
    lookup_key: 'hooks_pro_month',
  } as const;
  await expect(stripe.prices.create(next)).rejects.toMatchObject({ statusCode: 400, param: 'lookup_key' });
  const second = await stripe.prices.create({ ...next, transfer_lookup_key: true });
  const found = await stripe.prices.list({ lookup_keys: ['hooks_pro_month'], expand: ['data.product'] });
  expect(found.data).toMatchObject([{ id: second.id, product: { id: product, name: 'Hooks Pro' } }]);
  const page = await stripe.prices.list({ limit: 1 });
  const rest = await stripe.prices.list({ limit: 1, starting_after: second.id });
  expect([page.data[0]?.id, page.has_more, rest.data[0]?.id, rest.has_more]).toEqual([
    second.id,
    true,
    first.id,
    false,
  ]);
});

test('time renews; a declined card makes past_due, four failures end it', async () => {
  const { customer, subscription: id } = await subscribed();
  peer.clock.advance(32 * DAY);
  expect(
    (await stripe.invoices.list({ customer: customer.id, subscription: id })).data.map(
      ({ status }) => status,
    ),
  ).toEqual(['paid', 'paid']);
  peer.cards(customer.id, 'declined');
  peer.clock.advance(31 * DAY);
  expect((await stripe.subscriptions.retrieve(id)).status).toBe('past_due');
  peer.clock.advance(16 * DAY);
  const ended = await stripe.subscriptions.retrieve(id);
  expect([ended.status, ended.cancellation_details?.reason]).toEqual(['canceled', 'payment_failed']);
  expect((await stripe.subscriptions.list({ customer: customer.id })).data).toEqual([]);
  expect((await stripe.subscriptions.list({ customer: customer.id, status: 'all' })).data).toHaveLength(1);
});

test('a cancellation at period end ends with the period, and may be taken back before', async () => {
  const { subscription: id } = await subscribed();
  const asked = await stripe.subscriptions.update(id, { cancel_at_period_end: true });
  expect([asked.status, asked.cancel_at_period_end, asked.cancel_at]).toEqual([
    'active',
    true,
    asked.items.data[0]?.current_period_end,
  ]);
  peer.portal.resume(id);
  peer.portal.cancel(id);
  peer.clock.advance(32 * DAY);
  expect((await stripe.subscriptions.retrieve(id)).status).toBe('canceled');
  expect(peer.events.at(-1)?.type).toBe('customer.subscription.deleted');
});

test('an upgrade is billed at once; with a declined card it waits for its invoice', async () => {
  const { customer, subscription: id } = await subscribed();
  const enterprise = await proPrice(4900);
  const item = (await stripe.subscriptions.retrieve(id)).items.data[0]?.id ?? '';
  const upgrade: Stripe.SubscriptionUpdateParams = {
    items: [{ id: item, price: enterprise.id }],
    proration_behavior: 'always_invoice',
    payment_behavior: 'pending_if_incomplete',
  };
  peer.cards(customer.id, 'declined');
  const waiting = await stripe.subscriptions.update(id, upgrade);
  expect([waiting.status, waiting.pending_update === null, waiting.items.data[0]?.price.unit_amount]).toEqual(
    ['active', false, 900],
  );
  peer.dashboard.payInvoice(String(waiting.latest_invoice));
  const done = await stripe.subscriptions.retrieve(id);
  expect([done.status, done.pending_update, done.items.data[0]?.price.unit_amount]).toEqual([
    'active',
    null,
    4900,
  ]);
});

test('the same service answers without a socket', async () => {
  const inside = new Stripe(peer.secretKey, { httpClient: Stripe.createFetchHttpClient(peer.fetch) });
  const customer = await inside.customers.create({ name: 'Ana', metadata: { account: 'acc_1' } });
  expect(await stripe.customers.retrieve(customer.id)).toMatchObject({
    name: 'Ana',
    metadata: { account: 'acc_1' },
  });
  expect((await stripe.customers.del(customer.id)).deleted).toBe(true);
  expect(await inside.customers.retrieve(customer.id)).toMatchObject({ id: customer.id, deleted: true });
});

test('one idempotency key does one thing', async () => {
  const options = { idempotencyKey: 'customer-of-acc_1' };
  const first = await stripe.customers.create({ email: 'a@example.com' }, options);
  const again = await stripe.customers.create({ email: 'a@example.com' }, options);
  expect([again.id, again.lastResponse.headers['idempotent-replayed']]).toEqual([first.id, 'true']);
  await expect(stripe.customers.create({ email: 'b@example.com' }, options)).rejects.toMatchObject({
    type: 'StripeIdempotencyError',
    statusCode: 400,
  });
  expect(peer.holds.customers()).toHaveLength(1);
});

test('wrong requests are refused in the words of the API', async () => {
  const refusals = [
    [() => client('sk_test_wrong').customers.list(), { statusCode: 401, type: 'StripeAuthenticationError' }],
    [() => stripe.customers.retrieve('cus_none'), { statusCode: 404, code: 'resource_missing' }],
    [
      () => stripe.rawRequest('POST', '/v1/customers', { nick: 'x' }),
      { statusCode: 400, code: 'parameter_unknown' },
    ],
    [
      () => stripe.rawRequest('POST', '/v1/products', {}),
      { statusCode: 400, code: 'parameter_missing', param: 'name' },
    ],
    [
      () =>
        stripe.rawRequest('POST', '/v1/checkout/sessions', {
          mode: 'gift',
          line_items: [{ price: 'p' }],
          success_url: 'https://a.example',
        }),
      { statusCode: 400 },
    ],
  ] as const;
  for (const [ask, error] of refusals) await expect(ask()).rejects.toMatchObject(error);
  expect(peer.violations).toHaveLength(3);
  peer.fail({ next: 1, status: 429 });
  await expect(stripe.customers.list()).rejects.toMatchObject({ statusCode: 429 });
});

test('the endpoints beside the main path answer too', async () => {
  const { customer, subscription } = await subscribed();
  const [intent] = (await stripe.paymentIntents.list({ customer: customer.id })).data;
  const refund = await stripe.refunds.create({ payment_intent: intent?.id ?? '', amount: 100 });
  const dispute = await stripe.disputes.retrieve(peer.dashboard.dispute(String(refund.charge)));
  expect([refund.status, dispute.amount]).toEqual(['succeeded', 900]);
  const credits = await stripe.prices.create({
    currency: 'eur',
    unit_amount: 500,
    product_data: { name: 'C' },
  });
  const start = {
    mode: 'payment',
    line_items: [{ price: credits.id, quantity: 1 }],
    success_url: 'https://a.example',
  };
  const open = async () =>
    (await stripe.rawRequest('POST', '/v1/checkout/sessions', start)) as { id: string };
  const [late, left, old] = [await open(), await open(), await open()];
  peer.pay(late.id, { email: 'b@example.com', later: true });
  expect((await stripe.checkout.sessions.retrieve(late.id)).payment_status).toBe('unpaid');
  peer.settle(late.id, 'succeeded');
  expect((await stripe.checkout.sessions.retrieve(late.id)).payment_status).toBe('paid');
  expect((await stripe.checkout.sessions.expire(left.id)).status).toBe('expired');
  expect((await stripe.checkout.sessions.listLineItems(old.id)).data).toMatchObject([{ amount_total: 500 }]);
  peer.clock.advance(2 * DAY);
  expect((await stripe.checkout.sessions.list({ status: 'expired' })).data).toHaveLength(2);
  const configuration = await stripe.billingPortal.configurations.create({
    features: { invoice_history: { enabled: true }, subscription_cancel: { enabled: true } },
  });
  const portal = await stripe.billingPortal.sessions.create({
    customer: customer.id,
    configuration: configuration.id,
    flow_data: { type: 'subscription_cancel', subscription_cancel: { subscription } },
  });
  expect((await fetch(portal.url)).status).toBe(200);
  expect((await stripe.billingPortal.configurations.list({ is_default: true })).data).toHaveLength(1);
  expect(
    (await stripe.events.list({ types: ['charge.refunded', 'charge.dispute.created'] })).data,
  ).toHaveLength(2);
  expect(peer.violations).toEqual([]);
});

test.runIf(stripeContractsArePresent)(
  'a field the published request type does not have is refused',
  async () => {
    const asked = stripe.rawRequest('POST', '/v1/billing_portal/sessions', {
      customer: 'cus_none',
      colour: 'red',
    });
    await expect(asked).rejects.toMatchObject({
      statusCode: 400,
      code: 'parameter_unknown',
      param: 'colour',
    });
    expect(peer.violations).toEqual(['POST /v1/billing_portal/sessions: Received unknown parameter: colour']);
  },
);

test('an answer that is lost is repeated by the SDK, and its key keeps it one customer', async () => {
  peer.fail({ next: 1, drops: 'after' });
  await stripe.customers.create({}, { idempotencyKey: 'once' });
  expect(peer.requests.map(({ status }) => status)).toEqual([0, 200]);
  expect(peer.holds.customers()).toHaveLength(1);
});

test('events wait, are delivered in any order and number, and are accepted by constructEvent unless stale or forged', async () => {
  const { subscription } = await subscribed();
  const heard: string[] = [];
  const server = createServer((request, response) => {
    request.setEncoding('utf8');
    request.toArray().then(
      (parts) => {
        try {
          const signature = String(request.headers['stripe-signature']);
          heard.push(stripe.webhooks.constructEvent(parts.join(''), signature, peer.webhookSecret).id);
          response.writeHead(200).end();
        } catch {
          response.writeHead(400).end();
        }
      },
      () => response.destroy(),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // A server that listens on a port has an address with one.
  const to = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const ids = peer.events.map(({ id }) => id);
  expect(new Set((await peer.deliver({ to, ageSeconds: 400 })).map(({ status }) => status))).toEqual(
    new Set([400]),
  );
  expect(new Set((await peer.deliver({ to, secret: 'whsec_other' })).map(({ status }) => status))).toEqual(
    new Set([400]),
  );
  await peer.deliver({ to, order: 'reversed', times: 2 });
  expect(heard).toEqual(ids.toReversed().flatMap((id) => [id, id]));
  expect(peer.waiting()).toEqual([]);
  peer.deliverAutomatically(to);
  await stripe.subscriptions.cancel(subscription);
  await peer.delivered();
  expect(heard.at(-1)).toBe(
    (await stripe.events.list({ type: 'customer.subscription.deleted' })).data[0]?.id,
  );
  server.close();
});

test('the signature is the one the SDK makes', async () => {
  await stripe.customers.create({});
  const { body, headers } = peer.signed(peer.events[0]?.id ?? '');
  const timestamp = Number(/t=(\d+)/.exec(headers['stripe-signature'] ?? '')?.[1]);
  expect(headers['stripe-signature']).toBe(
    stripe.webhooks.generateTestHeaderString({ payload: body, secret: peer.webhookSecret, timestamp }),
  );
});
