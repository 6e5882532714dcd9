import { existsSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { Stripe } from 'stripe';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { StripePeer } from './stripe/peer.ts';
import { startStripePeer } from './stripe/server.ts';

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

const FIXTURES = new URL('../../../shared/contracts/stripe-fixtures3-2026-08.json.gz', import.meta.url);

test.runIf(existsSync(FIXTURES))(
  'answers have the fields of the official fixtures, with their types',
  async () => {
    const { resources } = JSON.parse(gunzipSync(readFileSync(FIXTURES)).toString());
    const { customer } = await subscribed();
    const portal = await stripe.billingPortal.sessions.create({
      customer: customer.id,
      return_url: 'https://app.example',
    });
    const { holds, events } = peer;
    const objects = [
      ...[
        holds.customers(),
        holds.products(),
        holds.prices(),
        holds.sessions(),
        holds.subscriptions(),
        holds.invoices(),
        holds.charges(),
        holds.paymentIntents(),
      ].map(([first]) => first),
      events[0],
      portal,
    ];
    const different = objects.flatMap((object) => {
      const mine: Record<string, unknown> = { ...object };
      const official: Record<string, unknown> = resources[String(mine['object'])];
      return Object.entries(official)
        .filter(
          ([name]) =>
            !(mine['object'] === 'invoice' && name === 'subscription') &&
            !(mine['object'] === 'charge' && name === 'refunds'),
        )
        .filter(
          ([name, value]) =>
            !(name in mine) ||
            (mine[name] !== null && value !== null && kindOf(mine[name]) !== kindOf(value)),
        )
        .map(([name]) => `${mine['object']}.${name}`);
    });
    expect(different).toEqual([]);
  },
);

function kindOf(value: unknown): string {
  return Array.isArray(value) ? 'array' : typeof value;
}
