import { expect } from 'vitest';
import { createAudit } from '../../src/audit/audit.ts';
import { type Billing, createBilling } from '../../src/billing/billing.ts';
import { createEntitlements, type Entitlements } from '../../src/billing/entitlements.ts';
import type { PaymentService } from '../../src/billing/payment-service.ts';
import { pushCatalogue } from '../../src/billing/push-plans-to-stripe.ts';
import { createAccounts } from '../../src/identity/accounts.ts';
import type { Sql } from '../../src/platform/database/database.ts';
import { createStripeShelf } from '../../src/providers/stripe/shelf.ts';
import { createStripePayments } from '../../src/providers/stripe.ts';
import { createQuota } from '../../src/quota/create-quota.ts';
import type { Quota } from '../../src/quota/quota.ts';
import type { StripePeer } from '../peers/stripe/peer.ts';
import { startStripePeer } from '../peers/stripe/server.ts';
import { silentLog } from '../support/app.ts';

/** One process of the product, as far as billing goes. */
export type Node = { readonly billing: Billing; readonly entitlements: Entitlements; readonly quota: Quota };

type Options = { readonly fetch?: typeof fetch; readonly now?: () => number };

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

export function openPayments(peer: StripePeer, fetch = peer.fetch): PaymentService {
  const { secretKey, webhookSecret } = peer;
  return createStripePayments({ secretKey, webhookSecret, fetch });
}

export function openNode(
  sql: Sql,
  peer: StripePeer,
  { fetch = peer.fetch, now = Date.now }: Options = {},
): Node {
  const payments = openPayments(peer, fetch);
  const entitlements = createEntitlements({ sql, now });
  const quota = createQuota({ sql, entitlements, now });
  const parts = { sql, payments, entitlements, credits: quota, audit: createAudit(sql), origins: [] };
  return { billing: createBilling({ ...parts, log: silentLog, now }), entitlements, quota };
}

export async function newAccount(sql: Sql): Promise<string> {
  return (await createAccounts({ sql, seedAccount: async () => {} }).create('test')).id;
}

export const BASE_URL = 'https://stallhand.test';

export function buyerOf(accountId: string) {
  return { accountId, actor: 'test', baseUrl: BASE_URL };
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
