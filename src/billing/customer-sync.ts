import type { Sql, Tx } from '../platform/database/database.ts';
import { emitEvent, type OutboxEvent } from '../platform/outbox.ts';
import type { Fetch } from './billing-repo.ts';
import * as billingRepo from './billing-repo.ts';
import { type Credits, createCreditGrants } from './credit-grants.ts';
import { isGoing } from './current-subscription.ts';
import type { CreditPurchase, CustomerState, PaymentService, Subscription } from './payment-service.ts';

/** What billing needs of the audit log. */
export type BillingAudit = {
  record(
    tx: Tx,
    accountId: string,
    event: { actor: string; action: string; target: string; from?: string; to?: string },
  ): Promise<void>;
};

type CustomerSyncDeps = {
  readonly sql: Sql;
  readonly payments: PaymentService;
  readonly credits: Credits;
  readonly audit: BillingAudit;
};

/** Brings our copy of a customer up to what the payment service has. @throws Fault upstream_failed */
export type SyncCustomer = (customerId: string) => Promise<void>;

/**
 * Safe to call concurrently. Each fetch takes a number before it starts, and writes nothing if a fetch with a
 * higher number has written, so the copy never goes back in time. No transaction is open during network
 * calls.
 */
export function createCustomerSync({ sql, payments, credits, audit }: CustomerSyncDeps): SyncCustomer {
  const grantCredits = createCreditGrants({ sql, credits });

  return async (customerId) => {
    const fetch = await billingRepo.beginFetch(sql, customerId);
    if (!fetch) return;
    const state = await payments.customer(customerId);
    await closeOthers(fetch.accountId, customerId, state?.subscriptions ?? []);
    await sql.begin((tx) => write(tx, fetch, customerId, state));
    await grantCredits(fetch.accountId);
  };

  /** Closes open checkouts of an app with a new subscription, so that the customer cannot pay twice. */
  async function closeOthers(accountId: string, customerId: string, subscriptions: readonly Subscription[]) {
    const known = new Set((await billingRepo.subscriptions(sql, accountId)).map(({ id }) => id));
    const begun = subscriptions.filter((one) => isGoing(one) && !known.has(one.id));
    for (const app of new Set(begun.map((one) => one.app)))
      await payments.closeCheckouts(customerId, { app });
  }

  async function write(
    tx: Tx,
    fetch: Fetch,
    customerId: string,
    state: CustomerState | undefined,
  ): Promise<void> {
    const { accountId } = fetch;
    if (!(await billingRepo.claimWrite(tx, fetch, customerId))) return;
    const before = new Map((await billingRepo.subscriptions(tx, accountId)).map((one) => [one.id, one]));
    if (!state) await billingRepo.unlinkCustomer(tx, accountId, customerId);
    for (const one of state?.subscriptions ?? []) {
      await billingRepo.saveSubscription(tx, accountId, one);
      await note(tx, accountId, before.get(one.id), one);
      before.delete(one.id);
    }
    for (const gone of before.values()) {
      await billingRepo.deleteSubscription(tx, accountId, gone.id);
      if (isGoing(gone)) await emitEvent(tx, accountId, changeOf({ ...gone, status: 'canceled' }, gone));
    }
    await notePurchases(tx, accountId, state?.purchases ?? []);
    await billingRepo.announce(tx, accountId);
  }

  async function notePurchases(tx: Tx, accountId: string, purchases: readonly CreditPurchase[]) {
    const noted = await billingRepo.purchases(tx, accountId);
    const known = new Map(noted.map(({ sessionId, takenBack }) => [sessionId, takenBack.at(-1) ?? 0]));
    for (const purchase of purchases)
      if (known.get(purchase.sessionId) !== purchase.takeBack)
        await billingRepo.savePurchase(tx, accountId, purchase);
  }

  async function note(tx: Tx, accountId: string, before: Subscription | undefined, after: Subscription) {
    const [from, to] = [before && standing(before), standing(after)];
    if (from === to) return;
    const event = { actor: 'stripe', action: 'subscription.changed', target: after.app, to };
    await audit.record(tx, accountId, { ...event, ...(from !== undefined && { from }) });
    await emitEvent(tx, accountId, changeOf(after, before));
  }
}

/** What webhooks are told. */
function changeOf(after: Subscription, before: Subscription | undefined): OutboxEvent {
  const { app, plan, status, interval, intervalCount, cancelAtPeriodEnd, currentPeriodEnd } = after;
  return {
    type: 'billing.subscription.changed',
    data: {
      ...{
        app,
        plan,
        status,
        interval,
        interval_count: intervalCount,
        cancel_at_period_end: cancelAtPeriodEnd,
      },
      current_period_end: currentPeriodEnd.toISOString(),
      previous: before ? { plan: before.plan, status: before.status, interval: before.interval } : null,
    },
  };
}

function standing({ plan, status, interval, intervalCount, cancelAtPeriodEnd }: Subscription): string {
  const period = intervalCount === 1 ? interval : `${intervalCount} × ${interval}`;
  return `${plan} ${period} ${status}${cancelAtPeriodEnd ? ', ends' : ''}`;
}
