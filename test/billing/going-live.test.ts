import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Buyer } from '../../src/billing/purchases.ts';
import { openStripe } from '../../src/providers/stripe/open-stripe.ts';
import type { StripePeer } from '../peers/stripe/peer.ts';
import { openTestDatabase, type TestDatabase } from '../support/database.ts';
import { buyerOf, deliverAll, type Node, openMarket, openNode } from './setup.ts';

let database: TestDatabase;
let peer: StripePeer;
let node: Node;
let accountId: string;
let buyer: Buyer;

beforeAll(async () => {
  database = await openTestDatabase();
});
beforeEach(async () => {
  await database.reset();
  const market = await openMarket(database.sql);
  ({ peer, node, accountId } = market);
  buyer = buyerOf(accountId);
  return market.close;
});
afterAll(() => database.close());

const returns = { successUrl: '/billing' };
const pro = { app: 'hooks', plan: 'pro', interval: 'month' } as const;
const credits = { packageId: 'hooks_credits_100' };

const lastSession = () => peer.holds.sessions().at(-1);
const contact = () => {
  const [customer] = peer.holds.customers();
  const { email, name, preferred_locales: languages } = customer ?? {};
  return { email, name, languages };
};

/** Adds an owner to the account; `verified` is about the address. */
async function addOwner(id: string, email: string, { verified = true, language = 'en' } = {}) {
  await database.sql`
    insert into users (id, email, email_verified, name, language, auth_provider)
    values (${id}, ${email}, ${verified}, 'Ana', ${language}, 'code')`;
  await database.sql`insert into memberships (account_id, user_id, role) values (${accountId}, ${id}, 'owner')`;
}

async function renameAccount(name: string) {
  await database.sql`update accounts set name = ${name} where id = ${accountId}`;
}

test('a customer gets the name of the account and the verified address of an owner when it is created', async () => {
  await addOwner('usr_1', 'squatter@example.com', { verified: false });
  await addOwner('usr_2', 'ana@example.com', { language: 'es' });
  await node.billing.checkout(buyer, pro, returns);
  expect(contact()).toEqual({ email: 'ana@example.com', name: 'test', languages: ['es'] });
});

test('an address that is only known is better than none; without one the checkout asks for it', async () => {
  await node.billing.checkout(buyer, pro, returns);
  expect(contact()).toEqual({ email: null, name: 'test', languages: [] });
  await addOwner('usr_1', 'known@example.com', { verified: false });
  await node.billing.portal(buyer, 'hooks', '/billing');
  expect(contact().email).toBe('known@example.com');
});

test('email and name follow the account: with the next purchase, and once an hour without one', async () => {
  await addOwner('usr_1', 'ana@example.com');
  await node.billing.buyCredits(buyer, credits, returns);
  await renameAccount('Ana & Daughters');
  await node.billing.buyCredits(buyer, credits, returns);
  expect(contact()).toMatchObject({ name: 'Ana & Daughters', email: 'ana@example.com' });
  await database.sql`update users set email = 'ana@shop.example' where id = 'usr_1'`;
  await node.billing.refreshContacts();
  expect(contact()).toMatchObject({ name: 'Ana & Daughters', email: 'ana@shop.example' });
  const requests = peer.requests.length;
  await node.billing.refreshContacts();
  expect(peer.requests.length).toBe(requests);
});

test('the company a customer enters with its tax ID stays, until the account itself is renamed', async () => {
  await addOwner('usr_1', 'ana@example.com');
  const { id } = await node.billing.checkout(buyer, pro, returns);
  peer.pay(id, { company: 'Velas GmbH', country: 'DE' });
  await database.sql`update users set email = 'ana@shop.example' where id = 'usr_1'`;
  await node.billing.refreshContacts();
  expect(contact()).toMatchObject({ name: 'Velas GmbH', email: 'ana@shop.example' });
  expect(peer.holds.customers()[0]?.address?.country).toBe('DE');
});

test('an address that Stripe takes for none keeps nobody from buying', async () => {
  await addOwner('usr_1', 'ana@localhost');
  await node.billing.checkout(buyer, pro, returns);
  expect(contact()).toMatchObject({ email: null, name: 'test' });
});

test('a checkout collects what an invoice needs, in the language of the caller', async () => {
  await node.billing.checkout({ ...buyer, locale: 'es' }, pro, returns);
  expect(lastSession()).toMatchObject({
    locale: 'es',
    allow_promotion_codes: true,
    tax_id_collection: { enabled: true },
    automatic_tax: { enabled: false },
    billing_address_collection: 'auto',
  });
});

test('with automatic tax the address is required, kept, and the tax is on the first and every later invoice', async () => {
  const checkout = { automaticTax: true, billingAddress: 'required' } as const;
  const taxed = openNode(database.sql, peer, { checkout });
  const { id } = await taxed.billing.checkout(buyer, pro, returns);
  expect(lastSession()).toMatchObject({
    automatic_tax: { enabled: true },
    billing_address_collection: 'required',
  });
  peer.pay(id, { country: 'ES' });
  peer.clock.advance(32 * 86_400);
  const { id: bought } = await taxed.billing.buyCredits(buyer, credits, returns);
  peer.pay(bought);
  expect(peer.holds.invoices().map(({ automatic_tax }) => automatic_tax.enabled)).toEqual([true, true, true]);
  expect(peer.holds.customers()[0]?.address?.country).toBe('ES');
});

test('promotion codes and tax IDs can be turned off', async () => {
  const checkout = { promotionCodes: false, taxIds: false };
  await openNode(database.sql, peer, { checkout }).billing.checkout(buyer, pro, returns);
  expect(lastSession()).toMatchObject({
    allow_promotion_codes: false,
    tax_id_collection: { enabled: false },
  });
});

test('bought credits leave an invoice, also when the money comes later, with a page and a PDF', async () => {
  await addOwner('usr_1', 'ana@example.com');
  const now = await node.billing.buyCredits(buyer, credits, returns);
  peer.pay(now.id);
  const later = await node.billing.buyCredits(buyer, { packageId: 'hooks_credits_500' }, returns);
  peer.pay(later.id, { later: true });
  expect((await node.billing.invoices(accountId, { limit: 10 })).items).toHaveLength(1);
  peer.settle(later.id, 'succeeded');
  const { items } = await node.billing.invoices(accountId, { limit: 10 });
  const paid = { status: 'paid', currency: 'USD', number: expect.any(String), date: expect.any(String) };
  expect(items).toEqual([
    {
      id: expect.any(String),
      amount: '8.00',
      ...paid,
      hostedUrl: items[0]?.hostedUrl,
      pdfUrl: items[0]?.pdfUrl,
    },
    {
      id: expect.any(String),
      amount: '2.00',
      ...paid,
      hostedUrl: items[1]?.hostedUrl,
      pdfUrl: items[1]?.pdfUrl,
    },
  ]);
  const pdf = await fetch(items[0]?.pdfUrl ?? '');
  expect([pdf.status, pdf.headers.get('content-type')]).toEqual([200, 'application/pdf']);
  expect((await fetch(items[0]?.hostedUrl ?? '')).status).toBe(200);
  expect(peer.holds.paymentIntents()).toHaveLength(2);
  expect(peer.holds.invoices().map(({ customer_email }) => customer_email)).toEqual([
    'ana@example.com',
    'ana@example.com',
  ]);
});

test('credits that cost nothing arrive too', async () => {
  const stripe = await openStripe({ secretKey: peer.secretKey, fetch: peer.fetch });
  const priced = peer.holds.prices().find(({ lookup_key }) => lookup_key === 'hooks_credits_100');
  await stripe.prices.update(priced?.id ?? '', { active: false });
  const free = { product: String(priced?.product), currency: 'usd', unit_amount: 0 };
  await stripe.prices.create(free);
  const { id } = await node.billing.buyCredits(buyer, credits, returns);
  peer.pay(id);
  await deliverAll(node, peer);
  expect((await node.quota.usage(accountId)).credits).toBe(100);
});

test('a trial is for the first subscription of an account to an app', async () => {
  const trying = openNode(database.sql, peer, { trialDays: 14 });
  const first = await trying.billing.checkout(buyer, pro, returns);
  peer.pay(first.id);
  expect(await trying.billing.summary(accountId, 'hooks', first.id)).toMatchObject({
    plan: 'pro',
    status: 'trialing',
  });
  peer.portal.cancel(peer.holds.subscriptions()[0]?.id ?? '', { now: true });
  await deliverAll(trying, peer);
  const again = await trying.billing.checkout(buyer, pro, returns);
  peer.pay(again.id);
  await deliverAll(trying, peer);
  expect(await trying.billing.summary(accountId, 'hooks')).toMatchObject({ status: 'active' });
  const [, shown] = (await trying.billing.plans({ app: 'hooks' }, 'en')).items;
  expect(shown).toMatchObject({ plan: 'pro', trial_days: 14 });
});

test('paid plans and credits are shown in the currency asked for, or else in that of the server', async () => {
  const prices = async (on: Node, currency?: string) =>
    (await on.billing.plans({ app: 'sync', currency }, 'en')).items.map(({ plan, prices }) => [
      plan,
      ...prices.map(({ amount, currency }) => `${amount} ${currency}`),
    ]);
  const euros = [
    ['free', '0.00 EUR'],
    ['pro', '7.00 EUR'],
    ['pro_api', '12.00 EUR'],
  ];
  expect(await prices(node, 'eur')).toEqual(euros);
  expect(await prices(openNode(database.sql, peer, { currency: 'eur' }))).toEqual(euros);
  expect((await prices(node))[1]).toEqual(['pro', '7.00 USD']);
  const packages = await node.billing.creditPackages({ currency: 'EUR' }, 'en');
  expect(packages.items.map(({ id, amount, currency }) => [id, amount, currency])).toEqual([
    ['hooks_credits_100', '2.00', 'EUR'],
    ['hooks_credits_500', '8.00', 'EUR'],
    ['hooks_credits_2000', '24.00', 'EUR'],
  ]);
});

test('an account buys in the currency it asks for, and then stays in it', async () => {
  const { id } = await node.billing.checkout(buyer, { ...pro, currency: 'EUR' }, returns);
  peer.pay(id);
  expect(await node.billing.summary(accountId, 'hooks', id)).toMatchObject({
    amount: '9.00',
    currency: 'EUR',
  });
  const sync = { app: 'sync', plan: 'pro', interval: 'month' } as const;
  await expect(node.billing.checkout(buyer, { ...sync, currency: 'usd' }, returns)).rejects.toMatchObject({
    key: 'conflict.currency',
    params: { currency: 'EUR', asked: 'USD' },
  });
  await node.billing.checkout(buyer, sync, returns);
  expect(lastSession()?.currency).toBe('eur');
  await node.billing.buyCredits(buyer, credits, returns);
  expect(lastSession()?.currency).toBe('eur');
});

test('a currency that nothing is sold in is refused with those there are', async () => {
  await expect(node.billing.checkout(buyer, { ...pro, currency: 'gbp' }, returns)).rejects.toMatchObject({
    key: 'validation_failed.currency',
    params: { currency: 'GBP', known: 'EUR, USD' },
  });
  await expect(
    node.billing.buyCredits(buyer, { ...credits, currency: 'gbp' }, returns),
  ).rejects.toMatchObject({
    key: 'validation_failed.currency',
  });
});

test('the portal opens with the plans of the app, in the currency paid and the language of the caller', async () => {
  const { id } = await node.billing.checkout(buyer, { ...pro, currency: 'eur' }, returns);
  peer.pay(id);
  await node.billing.portal({ ...buyer, locale: 'es' }, 'hooks', '/billing', 'update');
  await node.billing.portal(buyer, 'sync', '/settings');
  const keyOf = (configuration: unknown) =>
    peer.holds.portalConfigurations().find((one) => one.id === configuration)?.metadata?.['catalogue_key'];
  const opened = peer.holds.portalSessions();
  expect(opened.map(({ configuration, locale }) => [keyOf(configuration), locale])).toEqual([
    ['portal_hooks_eur', 'es'],
    ['portal_sync_usd', 'en'],
  ]);
});

test('a smaller plan that was to begin with the next period does not undo a later upgrade', async () => {
  const { id } = await node.billing.checkout(buyer, pro, returns);
  peer.pay(id);
  const [subscription] = peer.holds.subscriptions();
  const yearly = peer.holds.prices().find(({ lookup_key }) => lookup_key === 'hooks_pro_year')?.id ?? '';
  peer.portal.changeLater(subscription?.id ?? '', yearly);
  await node.billing.change(buyer, { ...pro, plan: 'enterprise' }, '/billing');
  peer.clock.advance(40 * 86_400);
  expect(await node.billing.summary(accountId, 'hooks', id)).toMatchObject({
    plan: 'enterprise',
    interval: 'month',
  });
});

test('a quarterly price is shown, sold and paid as such, and a change to monthly is confirmed on a page', async () => {
  const stripe = await openStripe({ secretKey: peer.secretKey, fetch: peer.fetch });
  const product =
    peer.holds.products().find(({ metadata }) => metadata['catalogue_key'] === 'hooks_pro')?.id ?? '';
  const quarterly = await stripe.prices.create({
    product,
    currency: 'usd',
    unit_amount: 2500,
    recurring: { interval: 'month', interval_count: 3 },
  });
  const [, shown] = (await node.billing.plans({ app: 'hooks' }, 'en')).items;
  const prices = shown?.prices.map(({ interval, interval_count, amount }) => [
    interval,
    interval_count,
    amount,
  ]);
  expect(prices).toEqual(
    expect.arrayContaining([
      ['month', 1, '9.00'],
      ['month', 3, '25.00'],
      ['year', 1, '86.40'],
    ]),
  );
  const monthly = await node.billing.checkout(buyer, pro, returns);
  expect(peer.holds.sessions().find(({ id }) => id === monthly.id)?.amount_total).toBe(900);
  const choice = { app: 'hooks', priceId: quarterly.id, interval: 'month' } as const;
  const { id } = await node.billing.checkout(buyer, choice, returns);
  peer.pay(id);
  expect(await node.billing.summary(accountId, 'hooks', id)).toMatchObject({
    plan: 'pro',
    amount: '25.00',
    interval: 'month',
    interval_count: 3,
  });
  expect(await node.billing.change(buyer, pro, '/billing')).toMatchObject({ state: 'confirm' });
});

test('of twelve checkouts at the same instant on two nodes one is open, though the list of Stripe is behind', async () => {
  /** A list of open sessions never shows what was created in the meantime. */
  const stale: typeof fetch = async (input, init) => {
    const request = new Request(input, init);
    const answer = await peer.fetch(request);
    if (request.method !== 'GET' || !request.url.includes('/checkout/sessions?')) return answer;
    return Response.json({ object: 'list', url: '/v1/checkout/sessions', data: [], has_more: false });
  };
  const nodes = [
    openNode(database.sql, peer, { fetch: stale }),
    openNode(database.sql, peer, { fetch: stale }),
  ];
  const begun = await Promise.all(
    Array.from({ length: 12 }, (_, index) => nodes[index % 2]?.billing.checkout(buyer, pro, returns)),
  );
  const open = peer.holds.sessions().filter(({ status }) => status === 'open');
  expect([new Set(begun.map((one) => one?.id)).size, open.length]).toEqual([12, 1]);
});

test('a checkout that fails to open gives its turn to the next; one that was cut off loses it in two minutes', async () => {
  peer.fail({ next: 1, status: 401 });
  await expect(node.billing.checkout(buyer, pro, returns)).rejects.toMatchObject({ code: 'upstream_failed' });
  await node.billing.checkout(buyer, pro, returns);
  await database.sql`
    update checkout_turns set turn = 'turn_of_the_dead', until = now() - interval '1 second'
    where account_id = ${accountId}`;
  await node.billing.checkout(buyer, pro, returns);
  expect(peer.holds.sessions().map(({ status }) => status)).toEqual(['expired', 'open']);
});

test('only an account with a subscription has a paying customer', async () => {
  expect(await node.billing.payingCustomer(accountId)).toBeNull();
  const { id } = await node.billing.checkout(buyer, pro, returns);
  expect(await node.billing.payingCustomer(accountId)).toBeNull();
  peer.pay(id);
  await deliverAll(node, peer);
  expect(await node.billing.payingCustomer(accountId)).toBe(peer.holds.customers()[0]?.id);
  peer.portal.cancel(peer.holds.subscriptions()[0]?.id ?? '', { now: true });
  await deliverAll(node, peer);
  expect(await node.billing.payingCustomer(accountId)).toBeNull();
});
