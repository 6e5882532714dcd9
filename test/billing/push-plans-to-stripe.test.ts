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
  'product hooks_enterprise: created',
  'price hooks_enterprise_month: created at 4900 usd',
  'price hooks_enterprise_year: created at 47040 usd',
  'product sync_pro: created',
  'price sync_pro_month: created at 700 usd',
  'product sync_pro_api: created',
  'price sync_pro_api_month: created at 1200 usd',
  'product hooks_credits_100: created',
  'price hooks_credits_100: created at 200 usd',
  'product hooks_credits_500: created',
  'price hooks_credits_500: created at 800 usd',
  'product hooks_credits_2000: created',
  'price hooks_credits_2000: created at 2400 usd',
];

test('the first push makes everything, the second finds it all there', async () => {
  expect(await pushCatalogue(shelf)).toEqual(FIRST);
  expect(await pushCatalogue(shelf)).toEqual([]);
  expect([peer.holds.products().length, peer.holds.prices().length]).toEqual([7, 9]);
});

test('a dry run says the same and does nothing', async () => {
  expect(await pushCatalogue(shelf, { dryRun: true })).toEqual(FIRST);
  expect(peer.holds.products()).toEqual([]);
});

test('an amount that differs becomes a new price under the same lookup key, and the old one is retired', async () => {
  await pushCatalogue(shelf);
  const products = await shelf.products();
  const { id = '' } = products.find(({ metadata }) => metadata['catalogue_key'] === 'hooks_pro') ?? {};
  const price = { lookupKey: 'hooks_pro_month', currency: 'usd', interval: 'month', metadata: {} } as const;
  await shelf.createPrice(id, { ...price, amount: 500 });
  expect(await pushCatalogue(shelf)).toEqual(['price hooks_pro_month: changed from 500 usd to 900 usd']);
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
