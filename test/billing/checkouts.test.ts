import type { Stripe } from 'stripe';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openStripe } from '../../src/providers/stripe/open-stripe.ts';
import { createStripeShelf } from '../../src/providers/stripe/shelf.ts';
import type { StripePeer } from '../peers/stripe/peer.ts';
import { openTestDatabase, type TestDatabase } from '../support/database.ts';
import { BASE_URL, buyerOf, deliverAll, type Node, openMarket, openNode, openPayments } from './setup.ts';

let database: TestDatabase;
let peer: StripePeer;
let node: Node;
let accountId: string;

beforeAll(async () => {
  database = await openTestDatabase();
});
beforeEach(async () => {
  await database.reset();
  const market = await openMarket(database.sql);
  ({ peer, node, accountId } = market);
  return market.close;
});
afterAll(() => database.close());

const pro = { app: 'hooks', plan: 'pro', interval: 'month' } as const;
const returns = { successUrl: '/billing' };

async function begin(choice: { app: 'hooks' | 'sync'; plan: string; interval: 'month' } = pro, on = node) {
  return (await on.billing.checkout(buyerOf(accountId), choice, returns)).id;
}

const statusOf = (session: string) => peer.holds.sessions().find(({ id }) => id === session)?.status;

/** A price as the operator adds it in the dashboard: on our product, with nothing written on it. */
async function addPriceByHand(catalogueKey: string, amount: number, currency: string): Promise<string> {
  const shelf = createStripeShelf({ secretKey: peer.secretKey, fetch: peer.fetch });
  const product = (await shelf.products()).find(({ metadata }) => metadata['catalogue_key'] === catalogueKey);
  const lookupKey = `by_hand_${catalogueKey}_${currency}`;
  await shelf.createPrice(product?.id ?? '', {
    lookupKey,
    amount,
    currency,
    interval: 'month',
    metadata: {},
    taxBehavior: 'unspecified',
  });
  return peer.holds.prices().find((price) => price.lookup_key === lookupKey)?.id ?? '';
}

/** A subscription that was moved in the dashboard to a price made there. */
async function payWith(price: Pick<Stripe.PriceCreateParams, 'recurring' | 'metadata'>): Promise<void> {
  peer.pay(await begin());
  const [subscription] = peer.holds.subscriptions();
  const stripe = await openStripe({ secretKey: peer.secretKey, fetch: peer.fetch });
  const product = String(subscription?.items.data[0]?.price.product);
  const made = await stripe.prices.create({ product, currency: 'usd', unit_amount: 2500, ...price });
  peer.portal.changePlan(subscription?.id ?? '', made.id);
}

test('of two pages opened for one app only the newer can be paid, and other purchases stay open', async () => {
  const first = await begin();
  const ofSync = await begin({ ...pro, app: 'sync' });
  const credits = (
    await node.billing.buyCredits(buyerOf(accountId), { packageId: 'hooks_credits_100' }, returns)
  ).id;
  const second = await begin({ ...pro, plan: 'enterprise' });
  expect([first, ofSync, credits, second].map(statusOf)).toEqual(['expired', 'open', 'open', 'open']);
});

test('of pages opened at the same moment on two nodes one is left', async () => {
  const other = openNode(database.sql, peer);
  const begun = await Promise.all([node, other, node, other].map((on) => begin(pro, on)));
  expect(begun.map(statusOf).sort()).toEqual(['expired', 'expired', 'expired', 'open']);
});

test('a page still open when a subscription begins is closed, so that no customer pays twice', async () => {
  const paid = await begin();
  const payments = openPayments(peer);
  const offer = (await payments.offers()).find((one) => one.kind === 'plan' && one.app === 'hooks');
  const customerId = peer.holds.customers()[0]?.id ?? '';
  const urls = { successUrl: BASE_URL, cancelUrl: BASE_URL, locale: 'en', trialDays: 0 } as const;
  if (!offer) throw new Error('nothing is on sale');
  const { id: left } = await payments.createCheckout({ customerId, accountId, offer, ...urls });
  peer.pay(paid);
  await deliverAll(node, peer);
  expect(statusOf(left)).toBe('expired');
});

test('a page paid in the moment it is to be closed stays paid', async () => {
  const paid = await begin();
  const payments = openPayments(peer, async (input, init) => {
    if (String(input).includes('/expire')) peer.pay(paid);
    return peer.fetch(input, init);
  });
  await payments.closeCheckouts(peer.holds.customers()[0]?.id ?? '');
  expect(statusOf(paid)).toBe('complete');
});

test('an account that goes leaves no page behind that could still be paid', async () => {
  const open = await begin();
  const credits = (
    await node.billing.buyCredits(buyerOf(accountId), { packageId: 'hooks_credits_2000' }, returns)
  ).id;
  await node.billing.cancelSubscriptions(accountId);
  expect([open, credits].map(statusOf)).toEqual(['expired', 'expired']);
});

test.each([
  ['month', 3],
  ['week', 52],
] as const)(
  'a subscription of every %s × %i is one, shown as such, and no second is sold beside it',
  async (interval, interval_count) => {
    await payWith({ recurring: { interval, interval_count }, metadata: { app: 'hooks', plan: 'pro' } });
    await deliverAll(node, peer);
    expect(await node.billing.summary(accountId, 'hooks')).toMatchObject({
      plan: 'pro',
      interval,
      interval_count,
    });
    await expect(begin()).rejects.toMatchObject({ key: 'already_subscribed.plan' });
    await node.billing.cancelSubscriptions(accountId);
    expect(peer.holds.subscriptions().map(({ status }) => status)).toEqual(['canceled']);
  },
);

test('an account that goes takes along what is none of our plans too', async () => {
  await payWith({ recurring: { interval: 'month' }, metadata: { app: 'garden', plan: 'tools' } });
  await deliverAll(node, peer);
  expect(await node.billing.summary(accountId, 'hooks')).toMatchObject({ plan: 'free' });
  await node.billing.cancelSubscriptions(accountId);
  expect(peer.holds.subscriptions().map(({ status }) => status)).toEqual(['canceled']);
});

test('an account goes though its customer was deleted at Stripe', async () => {
  peer.pay(await begin());
  peer.dashboard.deleteCustomer(peer.holds.customers()[0]?.id ?? '');
  await node.billing.cancelSubscriptions(accountId);
  expect(peer.holds.subscriptions().map(({ status }) => status)).toEqual(['canceled']);
});

test('a customer deleted at Stripe unheard of is created again by the next purchase', async () => {
  await begin();
  peer.dashboard.deleteCustomer(peer.holds.customers()[0]?.id ?? '');
  const session = await begin();
  peer.pay(session);
  expect(await node.billing.summary(accountId, 'hooks', session)).toMatchObject({ plan: 'pro' });
});

test('a price without a mark of its own gives the plan of its product, not the one subscribed to first', async () => {
  const priceId = await addPriceByHand('hooks_pro', 500, 'usd');
  peer.pay(await begin({ ...pro, plan: 'enterprise' }));
  peer.portal.changePlan(peer.holds.subscriptions()[0]?.id ?? '', priceId);
  await deliverAll(node, peer);
  expect(await node.billing.summary(accountId, 'hooks')).toMatchObject({ plan: 'pro', amount: '5.00' });
  expect((await node.entitlements.of(accountId)).hooks.plan).toBe('pro');
});

test('who pays in euros is moved to a larger plan in euros', async () => {
  const priceId = await addPriceByHand('hooks_pro', 900, 'eur');
  await addPriceByHand('hooks_enterprise', 4900, 'eur');
  const { id } = await node.billing.checkout(
    buyerOf(accountId),
    { app: 'hooks', priceId, interval: 'month' },
    returns,
  );
  peer.pay(id);
  await node.billing.change(buyerOf(accountId), { ...pro, plan: 'enterprise' }, '/billing');
  const summary = await node.billing.summary(accountId, 'hooks');
  expect(summary).toMatchObject({ plan: 'enterprise', amount: '49.00', currency: 'EUR' });
});

test('the audit log tells of a change of plan only when it was made', async () => {
  peer.pay(await begin());
  peer.cards(peer.holds.customers()[0]?.id ?? '', 'declined');
  await node.billing.change(buyerOf(accountId), { ...pro, plan: 'enterprise' }, '/billing');
  const changes = () =>
    database.sql`select detail from audit_events where account_id = ${accountId} and action = 'plan.changed'`;
  expect(await changes()).toHaveLength(0);
  peer.cards(peer.holds.customers()[0]?.id ?? '', 'ok');
  await node.billing.change(buyerOf(accountId), { ...pro, plan: 'enterprise' }, '/billing');
  expect(await changes()).toHaveLength(1);
});

test('the cursor of a list of invoices must be one that it gave out', async () => {
  await begin();
  await expect(node.billing.invoices(accountId, { limit: 2, cursor: 'in_another' })).rejects.toMatchObject({
    key: 'validation_failed.cursor',
  });
});

test('the portal begins with cancelling, unless that was done already', async () => {
  peer.pay(await begin());
  const flowOf = async () => {
    await node.billing.portal(buyerOf(accountId), 'hooks', '/billing', 'cancel');
    const { flow_data: flow } = peer.requests.at(-1)?.params ?? {};
    return flow;
  };
  const subscription = peer.holds.subscriptions()[0]?.id ?? '';
  expect(await flowOf()).toEqual({ type: 'subscription_cancel', subscription_cancel: { subscription } });
  peer.portal.cancel(subscription);
  expect(await flowOf()).toBeUndefined();
});

test('where nothing of the kind is on sale the refusal says what is', async () => {
  await expect(
    node.billing.checkout(buyerOf(accountId), { app: 'sync', plan: 'pro', interval: 'year' }, returns),
  ).rejects.toMatchObject({ params: { known: 'pro (month), pro_api (month)' } });
});
