import { setTimeout as sleep } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { Fault } from '../errors.ts';
import type { Locale } from '../language.ts';
import type { BilledApp } from '../plans.ts';
import type { Sql } from '../platform/database/database.ts';
import type { Log } from '../platform/log.ts';
import { onePage } from '../platform/paging.ts';
import * as billingRepo from './billing-repo.ts';
import type { CatalogCurrency } from './catalog.ts';
import { createCheckoutTurns } from './checkout-turns.ts';
import { type ContactsOf, createContacts } from './contacts.ts';
import type { Credits } from './credit-grants.ts';
import { currentSubscription, isGoing } from './current-subscription.ts';
import { type BillingAudit, createCustomerSync } from './customer-sync.ts';
import { createCustomers } from './customers.ts';
import type { Entitlements } from './entitlements.ts';
import * as eventRepo from './event-repo.ts';
import { createInbox } from './inbox.ts';
import type { PaymentService, Subscription } from './payment-service.ts';
import { type BillingSummary, presentInvoice, presentSummary } from './present.ts';
import { presentCredits, presentPlans } from './present-offers.ts';
import { createPricing } from './pricing.ts';
import { createPurchases, type Purchases } from './purchases.ts';
import { createReconcile } from './reconcile.ts';

export type Billing = ReturnType<typeof createBilling>;

type BillingDeps = {
  readonly sql: Sql;
  /** Absent where no payment service is set up: everything but purchases works. */
  readonly payments: PaymentService | undefined;
  readonly entitlements: Pick<Entitlements, 'of' | 'invalidate'>;
  readonly credits: Credits & { usage(accountId: string): Promise<{ readonly credits: number }> };
  readonly audit: BillingAudit;
  readonly contactsOf: ContactsOf;
  readonly origins: readonly string[];
  /** Of what is shown and sold where the caller asks for none. */
  readonly currency: CatalogCurrency;
  readonly trialDays: number;
  readonly log: Log;
  readonly now?: () => number;
};

type Filter = { app?: BilledApp | undefined; currency?: string | undefined };

/** A waiting page polls; it has Stripe queried at most this often per account. */
const SYNC_INTERVAL_MS = 1_000;

/**
 * Plans, credits and invoices. Stripe is the source; the database keeps a copy of what every call needs.
 *
 * In: an account, and what it buys or changes. Out: pages of the payment service, plans, credits and invoices.
 * Invariant: a payment counts once, however often Stripe announces it.
 */
export function createBilling(parts: BillingDeps) {
  const { sql, payments, entitlements, credits, log, currency: usual, trialDays, now = Date.now } = parts;
  const pricing = createPricing({ payments, now });
  const selling = payments && createSelling(payments);
  const enabled = payments !== undefined;
  const shop = { enabled, defaultCurrency: usual, trialDays };
  const synced = new LRUCache<string, true>({ max: 10_000, ttl: SYNC_INTERVAL_MS });
  /** Of each account, the sync that waits for its turn. */
  const waiting = new Map<string, Promise<void>>();

  function createSelling(payments: PaymentService) {
    const sync = createCustomerSync({ ...parts, payments });
    const contacts = createContacts({ ...parts, payments });
    const customers = createCustomers({ sql, payments, sync, contacts });
    const turns = createCheckoutTurns({ sql, payments });
    return {
      payments,
      sync,
      contacts,
      customers,
      purchases: createPurchases({ ...parts, payments, customers, turns, pricing, sync }),
      inbox: createInbox({ sql, payments, sync, log, now }),
      reconcile: createReconcile({ sql, payments, log, now }),
    };
  }

  /** @throws Fault billing_not_configured.stripe */
  function requirePayments() {
    if (!selling) throw new Fault('billing_not_configured.stripe');
    return selling;
  }

  /**
   * Syncs a purchase whose event may not have arrived yet. Waits for the rest of the interval after the last sync, at
   * most a second: that one may have read what Stripe had before the call.
   */
  async function catchUp(accountId: string): Promise<void> {
    if (!selling) return;
    const next = waiting.get(accountId) ?? syncInTurn(accountId, selling);
    waiting.set(accountId, next);
    await next;
  }

  /** A failure leaves the copy as it is. */
  async function syncInTurn(accountId: string, selling: ReturnType<typeof createSelling>): Promise<void> {
    await sleep(synced.getRemainingTTL(accountId));
    waiting.delete(accountId);
    synced.set(accountId, true);
    try {
      const customerId = await selling.customers.find(accountId);
      if (customerId) await selling.sync(customerId);
      entitlements.invalidate(accountId);
    } catch (error) {
      log.warn({ err: error, account: accountId }, 'a customer could not be looked up after paying');
    }
  }

  /** Processes waiting events. Never rejects: failures are retried. */
  async function work(): Promise<void> {
    await selling?.inbox
      .work()
      .catch((error: unknown) => log.warn({ err: error }, 'the events of Stripe could not be worked off'));
  }

  /** The account's current subscription to an app, if any. */
  async function subscriptionTo(accountId: string, app: BilledApp): Promise<Subscription | undefined> {
    return currentSubscription(await billingRepo.subscriptions(sql, accountId), app);
  }

  /** The customer at Stripe of an account that has a subscription; null for one that has only looked at a checkout. */
  async function payingCustomer(accountId: string): Promise<string | null> {
    const going = (await billingRepo.subscriptions(sql, accountId)).filter(isGoing);
    if (going.every(({ status }) => status === 'incomplete')) return null;
    return billingRepo.findCustomer(sql, accountId);
  }

  return {
    subscriptionTo,
    payingCustomer,

    async plans({ app, currency }: Filter, locale: Locale) {
      return onePage(presentPlans(await pricing.offers(), app, { ...shop, locale, currency }));
    },

    async creditPackages({ currency }: Filter, locale: Locale) {
      return onePage(presentCredits(await pricing.offers(), { ...shop, locale, currency }));
    },

    /** With the `sessionId` of a checkout, syncs with Stripe before reading the copy. */
    async summary(accountId: string, app: BilledApp, sessionId?: string): Promise<BillingSummary> {
      if (sessionId !== undefined) await catchUp(accountId);
      const [subscription, usage, entitlement] = await Promise.all([
        subscriptionTo(accountId, app),
        credits.usage(accountId),
        entitlements.of(accountId),
      ]);
      return presentSummary({
        app,
        subscription,
        plan: entitlement[app].plan,
        credits: usage.credits,
        enabled,
        currency: usual,
      });
    },

    /** Newest first. */
    async invoices(accountId: string, { limit, cursor }: { limit: number; cursor?: string | undefined }) {
      const customerId = await selling?.customers.find(accountId);
      if (!selling || !customerId) return onePage<ReturnType<typeof presentInvoice>>([]);
      const after = cursor === undefined ? undefined : invoiceOf(cursor);
      const { invoices, next } = await selling.payments.invoices(customerId, { limit, after });
      return { items: invoices.map(presentInvoice), next_cursor: next ?? null };
    },

    checkout: (...order: Parameters<Purchases['checkout']>) => requirePayments().purchases.checkout(...order),
    buyCredits: (...order: Parameters<Purchases['buyCredits']>) =>
      requirePayments().purchases.buyCredits(...order),
    portal: (...order: Parameters<Purchases['portal']>) => requirePayments().purchases.portal(...order),
    change: (...order: Parameters<Purchases['change']>) => requirePayments().purchases.change(...order),

    /**
     * Lets all subscriptions end with the period that is paid for, when the account is deleted and may be restored.
     * @throws Fault upstream_failed
     */
    async endSubscriptions(accountId: string): Promise<void> {
      const customerId = await selling?.customers.find(accountId);
      if (!selling || !customerId) return;
      await selling.payments.closeCheckouts(customerId);
      await selling.payments.endSubscriptions(customerId);
      await selling.sync(customerId);
      entitlements.invalidate(accountId);
    },

    /** Subscriptions that still give their plan, and end. */
    async endingSubscriptions(accountId: string) {
      const going = (await billingRepo.subscriptions(sql, accountId)).filter(isGoing);
      return going
        .filter(({ cancelAtPeriodEnd }) => cancelAtPeriodEnd)
        .map(({ app, plan, currentPeriodEnd }) => ({ app, plan, ends_at: currentPeriodEnd.toISOString() }));
    },

    /** Cancels all subscriptions immediately, before the account is permanently deleted. @throws Fault upstream_failed */
    async cancelSubscriptions(accountId: string): Promise<void> {
      const customerId = await selling?.customers.find(accountId);
      if (!selling || !customerId) return;
      await selling.payments.closeCheckouts(customerId);
      await selling.payments.cancelSubscriptions(customerId);
    },

    /**
     * Stores a webhook event for processing. A repeated event has no effect.
     * @throws Fault invalid_signature.webhook, billing_not_configured.stripe
     */
    async receive(body: Buffer, signature: string): Promise<void> {
      const { payments } = requirePayments();
      await eventRepo.add(sql, await payments.readEvent(body, signature));
    },

    work,

    /** Recovers events that were never delivered. Runs once an hour, on one node. */
    async reconcile(): Promise<void> {
      const missed = (await selling?.reconcile()) ?? 0;
      if (missed > 0) await work();
    },

    /** Sends changed emails and names of accounts to Stripe. Runs once an hour. */
    refreshContacts: async (): Promise<void> => selling?.contacts.refreshAll(),

    invalidatePrices: pricing.invalidate,
  };
}

/** @throws Fault validation_failed.cursor */
function invoiceOf(cursor: string): string {
  if (!/^in_\w{1,100}$/.test(cursor)) throw new Fault('validation_failed.cursor');
  return cursor;
}
