import { afterEach, beforeEach, expect, test } from 'vitest';
import { pushCatalogue, type Shelf } from '../../src/billing/push-plans-to-stripe.ts';
import { createStripeShelf } from '../../src/providers/stripe/shelf.ts';
import type { StripePeer } from '../peers/stripe/peer.ts';
import { startStripePeer } from '../peers/stripe/server.ts';

let peer: StripePeer;
let shelf: Shelf;

beforeEach(async () => {
  peer = await startStripePeer();
  shelf = createStripeShelf({ secretKey: peer.secretKey, fetch: peer.fetch });
});
afterEach(async () => {
  expect(peer.violations).toEqual([]);
  await peer.close();
});

const FIRST = [
  'product hooks_pro: created',
  'price hooks_pro_month: created at 900 usd',
  'price hooks_pro_year: created at 8640 usd',
  'price hooks_pro_month_eur: created at 900 eur',
  'price hooks_pro_year_eur: created at 8640 eur',
  'product hooks_enterprise: created',
  'price hooks_enterprise_month: created at 4900 usd',
  'price hooks_enterprise_year: created at 47040 usd',
  'price hooks_enterprise_month_eur: created at 4900 eur',
  'price hooks_enterprise_year_eur: created at 47040 eur',
  'product sync_pro: created',
  'price sync_pro_month: created at 700 usd',
  'price sync_pro_month_eur: created at 700 eur',
  'product sync_pro_api: created',
  'price sync_pro_api_month: created at 1200 usd',
  'price sync_pro_api_month_eur: created at 1200 eur',
  'product hooks_credits_100: created',
  'price hooks_credits_100: created at 200 usd',
  'price hooks_credits_100_eur: created at 200 eur',
  'product hooks_credits_500: created',
  'price hooks_credits_500: created at 800 usd',
  'price hooks_credits_500_eur: created at 800 eur',
  'product hooks_credits_2000: created',
  'price hooks_credits_2000: created at 2400 usd',
  'price hooks_credits_2000_eur: created at 2400 eur',
  'portal_hooks_usd: created',
  'portal_hooks_eur: created',
  'portal_sync_usd: created',
  'portal_sync_eur: created',
];

test('the first push makes everything, the second finds it all there', async () => {
  expect(await pushCatalogue(shelf)).toEqual(FIRST);
  expect(await pushCatalogue(shelf)).toEqual([]);
  expect([peer.holds.products().length, peer.holds.prices().length]).toEqual([7, 18]);
});

test('a dry run says the same and does nothing', async () => {
  expect(await pushCatalogue(shelf, { dryRun: true })).toEqual(FIRST);
  expect(peer.holds.products()).toEqual([]);
});

test('an amount that differs becomes a new price under the same lookup key, and the old one is retired', async () => {
  await pushCatalogue(shelf);
  const products = await shelf.products();
  const { id = '' } = products.find(({ metadata }) => metadata['catalogue_key'] === 'hooks_pro') ?? {};
  const price = {
    lookupKey: 'hooks_pro_month',
    currency: 'usd',
    interval: 'month',
    metadata: {},
    taxBehavior: 'unspecified',
  } as const;
  await shelf.createPrice(id, { ...price, amount: 500 });
  expect(await pushCatalogue(shelf)).toEqual([
    'price hooks_pro_month: changed from 500 usd to 900 usd',
    'portal_hooks_usd: updated',
  ]);
  const [held] = (await shelf.prices()).filter(({ lookupKey }) => lookupKey === 'hooks_pro_month');
  expect(held).toMatchObject({ amount: 900, active: true });
  expect(peer.holds.prices().filter(({ active, unit_amount }) => active && unit_amount === 500)).toEqual([]);
});

test('a text that was changed at Stripe is set right', async () => {
  await pushCatalogue(shelf);
  const [product] = await shelf.products();
  if (product) await shelf.updateProduct(product.id, { ...product, name: 'Something else' });
  expect(await pushCatalogue(shelf)).toEqual([`product ${product?.metadata['catalogue_key']}: updated`]);
});

test('prices get the tax behavior the operator chose: in place while they have none, else as new prices', async () => {
  await pushCatalogue(shelf);
  const first = await pushCatalogue(shelf, { taxBehavior: 'inclusive' });
  expect([first.length, first[0]]).toEqual([18, 'price hooks_pro_month: tax is inclusive']);
  expect(await pushCatalogue(shelf, { taxBehavior: 'inclusive' })).toEqual([]);
  const [line] = await pushCatalogue(shelf, { taxBehavior: 'exclusive' });
  expect(line).toBe('price hooks_pro_month: changed from 900 usd to 900 usd, tax exclusive');
  const active = peer.holds.prices().filter(({ active }) => active);
  expect([active.length, new Set(active.map(({ tax_behavior }) => tax_behavior))]).toEqual([
    18,
    new Set(['exclusive']),
  ]);
});

test('the portal offers the plans of one app in one currency: more at once, less with the next period', async () => {
  await pushCatalogue(shelf);
  const portals = peer.holds.portalConfigurations().filter(({ is_default }) => !is_default);
  expect(portals.map(({ metadata }) => metadata?.['catalogue_key'])).toEqual([
    'portal_hooks_usd',
    'portal_hooks_eur',
    'portal_sync_usd',
    'portal_sync_eur',
  ]);
  const [, euros] = portals;
  expect(euros?.features).toMatchObject({
    customer_update: { enabled: true, allowed_updates: ['email', 'name', 'address', 'tax_id'] },
    invoice_history: { enabled: true },
    payment_method_update: { enabled: true },
    subscription_cancel: { enabled: true, mode: 'at_period_end' },
    subscription_update: {
      enabled: true,
      default_allowed_updates: ['price', 'promotion_code'],
      proration_behavior: 'always_invoice',
      schedule_at_period_end: {
        conditions: [{ type: 'decreasing_item_amount' }, { type: 'shortening_interval' }],
      },
    },
  });
  const keyOf = (id: string) => peer.holds.prices().find((price) => price.id === id)?.lookup_key;
  const offered = (euros?.features.subscription_update.products ?? []).map(({ prices }) => prices.map(keyOf));
  expect(offered).toEqual([
    ['hooks_pro_month_eur', 'hooks_pro_year_eur'],
    ['hooks_enterprise_month_eur', 'hooks_enterprise_year_eur'],
  ]);
});
