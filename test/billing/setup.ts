import { expect } from 'vitest';
import { createAudit } from '../../src/audit/audit.ts';
import { type Billing, createBilling } from '../../src/billing/billing.ts';
import { createEntitlements, type Entitlements } from '../../src/billing/entitlements.ts';
import type { PaymentService } from '../../src/billing/payment-service.ts';
import { pushCatalogue } from '../../src/billing/push-plans-to-stripe.ts';
import { createContactsOf } from '../../src/identity/accounts/account-contact.ts';
import { createAccounts } from '../../src/identity/accounts/accounts.ts';
import type { Sql } from '../../src/platform/database/database.ts';
import type { CheckoutSettings } from '../../src/providers/stripe/params.ts';
import { createStripeShelf } from '../../src/providers/stripe/shelf.ts';
import { createStripePayments } from '../../src/providers/stripe/stripe.ts';
import { createQuota } from '../../src/quota/create-quota.ts';
import type { Quota } from '../../src/quota/quota.ts';
import type { StripePeer } from '../peers/stripe/peer.ts';
import { startStripePeer } from '../peers/stripe/server.ts';
import { silentLog } from '../support/app.ts';

/** One process of the product, as far as billing goes. */
export type Node = { readonly billing: Billing; readonly entitlements: Entitlements; readonly quota: Quota };

type Options = {
  readonly fetch?: typeof fetch;
  readonly now?: () => number;
  readonly checkout?: Partial<CheckoutSettings>;
  readonly trialDays?: number;
  readonly currency?: 'usd' | 'eur';
};

const CHECKOUT: CheckoutSettings = {
  automaticTax: false,
  taxIds: true,
  billingAddress: 'auto',
  promotionCodes: true,
};

/** A Stripe with our catalogue on its shelf. */
export async function openStripePeer(): Promise<StripePeer> {
  const peer = await startStripePeer();
  await pushCatalogue(createStripeShelf({ secretKey: peer.secretKey, fetch: peer.fetch }));
  return peer;
}

/**
 * A Stripe, one process that sells through it, and an account that buys. `close` sees that Stripe was asked nothing it
 * would refuse.
 */
export async function openMarket(sql: Sql) {
  const peer = await openStripePeer();
  return {
    peer,
    node: openNode(sql, peer),
    accountId: await newAccount(sql),
    async close(): Promise<void> {
      expect(peer.violations).toEqual([]);
      await peer.close();
    },
  };
}

export function openPayments(
  peer: StripePeer,
  fetch = peer.fetch,
  checkout: Partial<CheckoutSettings> = {},
): PaymentService {
  const { secretKey, webhookSecret } = peer;
  return createStripePayments({ secretKey, webhookSecret, fetch, checkout: { ...CHECKOUT, ...checkout } });
}

export function openNode(
  sql: Sql,
  peer: StripePeer,
  { fetch = peer.fetch, now = Date.now, checkout, trialDays = 0, currency = 'usd' }: Options = {},
): Node {
  const payments = openPayments(peer, fetch, checkout);
  const entitlements = createEntitlements({ sql, now });
  const quota = createQuota({ sql, entitlements, now });
  const contactsOf = createContactsOf({ sql });
  const shop = { payments, origins: [], currency, trialDays };
  const parts = { ...shop, sql, entitlements, credits: quota, audit: createAudit(sql), contactsOf };
  return { billing: createBilling({ ...parts, log: silentLog, now }), entitlements, quota };
}

export async function newAccount(sql: Sql): Promise<string> {
  return (await createAccounts({ sql, seedAccount: async () => {} }).create('test')).id;
}

export const BASE_URL = 'https://stallhand.test';

export function buyerOf(accountId: string) {
  return { accountId, actor: 'test', locale: 'en', baseUrl: BASE_URL } as const;
}

/** Every event of the peer that this node has not been told of yet. */
export async function deliverAll({ billing }: Node, peer: StripePeer, from = 0): Promise<void> {
  for (const { id } of peer.events.slice(from)) await receive(billing, peer, id);
  await billing.work();
}

export async function receive(billing: Billing, peer: StripePeer, eventId: string): Promise<void> {
  const { body, headers } = peer.signed(eventId);
  await billing.receive(Buffer.from(body), signatureOf(headers));
}

function signatureOf(headers: Readonly<Record<string, string>>): string {
  const [, value = ''] =
    Object.entries(headers).find(([name]) => name.toLowerCase() === 'stripe-signature') ?? [];
  return value;
}
