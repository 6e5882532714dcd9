import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { StripePeer } from '../peers/stripe/peer.ts';
import { openTestDatabase, type TestDatabase } from '../support/database.ts';
import { buyerOf, deliverAll, type Node, openMarket, openNode, receive } from './setup.ts';

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

const month = { app: 'hooks', plan: 'pro', interval: 'month' } as const;

async function subscribe(
  choice: { app: 'hooks' | 'sync'; plan: string; interval: 'month' | 'year' } = month,
) {
  const { id } = await node.billing.checkout(buyerOf(accountId), choice, { successUrl: '/billing' });
  peer.pay(id);
  return id;
}

test('what was paid is the plan on the page one returns to, though no webhook ever came', async () => {
  const session = await subscribe();
  expect(await node.billing.summary(accountId, 'hooks')).toMatchObject({ plan: 'free', status: 'none' });
  expect(await node.billing.summary(accountId, 'hooks', session)).toEqual({
    app: 'hooks',
    plan: 'pro',
    status: 'active',
    renewal_date: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
    cancelAtPeriodEnd: false,
    amount: '9.00',
    currency: 'USD',
    interval: 'month',
    interval_count: 1,
    credits: 0,
    billing_enabled: true,
  });
  expect((await node.entitlements.of(accountId)).hooks.plan).toBe('pro');
});

test('webhooks alone bring the plan too, and each has its effect once', async () => {
  await subscribe();
  await deliverAll(node, peer);
  await deliverAll(node, peer);
  expect(await node.billing.summary(accountId, 'hooks')).toMatchObject({ plan: 'pro' });
  const [row] = await database.sql`
    select count(*)::int as events, count(done_at)::int as done from stripe_events`;
  expect(row).toEqual({ events: peer.events.length, done: peer.events.length });
});

test('where webhooks were lost, going through the list of events makes up for them', async () => {
  await subscribe();
  await node.billing.reconcile();
  expect(await node.billing.summary(accountId, 'hooks')).toMatchObject({ plan: 'pro' });
  const asked = peer.requests.length;
  await node.billing.reconcile();
  expect(peer.requests.length).toBe(asked);
});

test('fifty purchases begun at once make one customer', async () => {
  const other = openNode(database.sql, peer);
  const buy = (on: Node) =>
    on.billing.buyCredits(buyerOf(accountId), { packageId: 'hooks_credits_100' }, { successUrl: '/' });
  await Promise.all(Array.from({ length: 50 }, (_, index) => buy(index % 2 ? node : other)));
  expect(peer.holds.customers()).toHaveLength(1);
});

test('a second subscription to an app is refused with the way to change the first', async () => {
  await subscribe();
  await expect(subscribe({ ...month, plan: 'enterprise' })).rejects.toMatchObject({
    key: 'already_subscribed.plan',
    params: { plan: 'pro', url: expect.stringMatching(/^http/) },
    status: 409,
  });
  await subscribe({ app: 'sync', plan: 'pro_api', interval: 'month' });
  expect(await node.billing.summary(accountId, 'sync', 'cs')).toMatchObject({
    plan: 'pro_api',
    amount: '12.00',
  });
});

test('a larger plan holds at once, a smaller one is confirmed on a page', async () => {
  await subscribe();
  const buyer = buyerOf(accountId);
  expect(await node.billing.change(buyer, { ...month, plan: 'enterprise' }, '/billing')).toEqual({
    state: 'changed',
    plan: 'enterprise',
    interval: 'month',
  });
  expect(await node.billing.summary(accountId, 'hooks')).toMatchObject({
    plan: 'enterprise',
    amount: '49.00',
  });
  expect(await node.billing.change(buyer, month, '/billing')).toEqual({
    state: 'confirm',
    url: expect.stringMatching(/^http/),
  });
  await expect(
    node.billing.change(buyer, { ...month, plan: 'enterprise' }, '/billing'),
  ).rejects.toMatchObject({ key: 'conflict.same_plan' });
});

test('an upgrade whose payment fails leaves the plan as it was', async () => {
  await subscribe();
  const [customer] = peer.holds.customers();
  peer.cards(customer?.id ?? '', 'declined');
  expect(
    await node.billing.change(buyerOf(accountId), { ...month, plan: 'enterprise' }, '/billing'),
  ).toMatchObject({ state: 'confirm' });
  expect(await node.billing.summary(accountId, 'hooks')).toMatchObject({ plan: 'pro' });
});

test('bought credits arrive once, and go with their money', async () => {
  const { id } = await node.billing.buyCredits(
    buyerOf(accountId),
    { packageId: 'hooks_credits_500' },
    { successUrl: '/' },
  );
  peer.pay(id);
  await deliverAll(node, peer);
  await deliverAll(node, peer);
  expect((await node.quota.usage(accountId)).credits).toBe(500);
  const [intent] = peer.holds.paymentIntents();
  peer.dashboard.refund(intent?.id ?? '', 200);
  await deliverAll(node, peer);
  expect((await node.quota.usage(accountId)).credits).toBe(375);
  peer.dashboard.dispute(intent?.id ?? '');
  await deliverAll(node, peer);
  await deliverAll(node, peer);
  expect((await node.quota.usage(accountId)).credits).toBe(0);
});

test('a failed renewal keeps the plan for seven days, then the account is on the free one', async () => {
  await subscribe();
  const [customer] = peer.holds.customers();
  peer.cards(customer?.id ?? '', 'declined');
  peer.clock.advance(32 * 86_400);
  await deliverAll(node, peer);
  const summary = await node.billing.summary(accountId, 'hooks');
  expect(summary).toMatchObject({ plan: 'pro', status: 'past_due', past_due_since: expect.any(String) });
  const since = Date.parse(String(summary.past_due_since));
  const planAfter = async (days: number) =>
    (await openNode(database.sql, peer, { now: () => since + days * 86_400_000 }).entitlements.of(accountId))
      .hooks.plan;
  expect([await planAfter(6), await planAfter(8)]).toEqual(['pro', 'free']);
});

test('who comes back from Stripe sees what it has now, however soon after the last one', async () => {
  const session = await subscribe();
  const comeBack = () => node.billing.summary(accountId, 'hooks', session);
  expect(await comeBack()).toMatchObject({ cancelAtPeriodEnd: false });
  peer.portal.cancel(peer.holds.subscriptions()[0]?.id ?? '');
  expect(await comeBack()).toMatchObject({ cancelAtPeriodEnd: true });
});

test('ten pages that wait at once have Stripe asked once', async () => {
  const session = await subscribe();
  const lists = () => peer.requests.filter(({ path }) => path === '/v1/subscriptions').length;
  const before = lists();
  const ten = Array.from({ length: 10 }, () => node.billing.summary(accountId, 'hooks', session));
  expect((await Promise.all(ten)).map(({ plan }) => plan)).toEqual(Array(10).fill('pro'));
  expect(lists() - before).toBe(1);
});

test('a customer deleted at Stripe ends the plan, and the next purchase makes another', async () => {
  await subscribe();
  await deliverAll(node, peer);
  peer.dashboard.deleteCustomer(peer.holds.customers()[0]?.id ?? '');
  await deliverAll(node, peer);
  expect(await node.billing.summary(accountId, 'hooks')).toMatchObject({ plan: 'free' });
  await subscribe();
  expect(await node.billing.summary(accountId, 'hooks', 'cs')).toMatchObject({ plan: 'pro' });
});

test('an account that is deleted is charged no more, and keeps its plan until what is paid for ends', async () => {
  await subscribe();
  await subscribe({ app: 'sync', plan: 'pro', interval: 'month' });
  await node.billing.summary(accountId, 'hooks', 'cs');
  await node.billing.endSubscriptions(accountId);
  const ends_at = expect.stringMatching(/Z$/);
  expect(await node.billing.endingSubscriptions(accountId)).toEqual(
    expect.arrayContaining([
      { app: 'hooks', plan: 'pro', ends_at },
      { app: 'sync', plan: 'pro', ends_at },
    ]),
  );
  expect(await node.billing.summary(accountId, 'hooks')).toMatchObject({
    plan: 'pro',
    cancelAtPeriodEnd: true,
  });
  const paid = (await node.billing.invoices(accountId, { limit: 50 })).items.length;
  peer.clock.advance(400 * 86_400);
  expect((await node.billing.invoices(accountId, { limit: 50 })).items).toHaveLength(paid);
  expect(peer.holds.subscriptions().map(({ status }) => status)).toEqual(['canceled', 'canceled']);
});

test('what an account owes ends at once when it is deleted', async () => {
  await subscribe();
  const [customer] = peer.holds.customers();
  peer.cards(customer?.id ?? '', 'declined');
  peer.clock.advance(32 * 86_400);
  await deliverAll(node, peer);
  expect(peer.holds.subscriptions()).toMatchObject([{ status: 'past_due' }]);
  await node.billing.endSubscriptions(accountId);
  expect(peer.holds.subscriptions()).toMatchObject([{ status: 'canceled' }]);
  expect(await node.billing.endingSubscriptions(accountId)).toEqual([]);
});

test('an account that goes takes its subscriptions along', async () => {
  await subscribe();
  await node.billing.cancelSubscriptions(accountId);
  expect(peer.holds.subscriptions().map(({ status }) => status)).toEqual(['canceled']);
});

test('invoices are listed newest first, a page at a time', async () => {
  await subscribe();
  peer.clock.advance(65 * 86_400);
  const first = await node.billing.invoices(accountId, { limit: 2 });
  const cursor = first.next_cursor ?? undefined;
  const second = await node.billing.invoices(accountId, { limit: 2, cursor });
  expect(
    [...first.items, ...second.items].map(({ amount, currency, status }) => [amount, currency, status]),
  ).toEqual([
    ['9.00', 'USD', 'paid'],
    ['9.00', 'USD', 'paid'],
    ['9.00', 'USD', 'paid'],
  ]);
  expect(second.next_cursor).toBeNull();
});

test('while Stripe refuses our key events wait, and eight tries later they are kept for the operator', async () => {
  await subscribe();
  let time = Date.now();
  const late = openNode(database.sql, peer, { now: () => time });
  peer.fail({ next: 1000, status: 401 });
  for (const { id } of peer.events.filter(({ type }) => type === 'customer.subscription.created')) {
    await receive(late.billing, peer, id);
  }
  for (let attempt = 0; attempt < 9; attempt++) {
    await late.billing.work();
    time += 24 * 60 * 60_000;
  }
  const [row] = await database.sql`
    select attempts, dead_at is not null as dead, done_at from stripe_events`;
  expect(row).toEqual({ attempts: 8, dead: true, done_at: null });
});
