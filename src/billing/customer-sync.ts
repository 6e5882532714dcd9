import type { Sql, Tx } from '../platform/database/database.ts';
import { type Credits, createCreditGrants } from './credit-grants.ts';
import type { CreditPurchase, CustomerState, PaymentService, Subscription } from './payment-service.ts';
import { isGoing } from './current-subscription.ts';
import { type BillingStore, createBillingStore, type Fetch } from './billing-repo.ts';

/** What billing needs of the audit log. */
export type BillingAudit = {
  record(
    tx: Tx,
    accountId: string,
    event: { actor: string; action: string; target: string; from?: string; to?: string },
  ): Promise<void>;
};

type Parts = {
  readonly sql: Sql;
  readonly payments: PaymentService;
  readonly credits: Credits;
  readonly audit: BillingAudit;
};

/** Brings our copy of a customer up to what the payment service has. @throws Fault upstream_failed */
export type SyncCustomer = (customerId: string) => Promise<void>;

/**
 * Whoever asks, and in whatever order: fetches are counted before they ask, and one that comes back after a newer has
 * written writes nothing, so the copy never goes back in time. No transaction is open while the network is asked.
 */
export function createCustomerSync({ sql, payments, credits, audit }: Parts): SyncCustomer {
  const store = createBillingStore(sql);
  const grantCredits = createCreditGrants({ store, credits });

  return async (customerId) => {
    const fetch = await store.beginFetch(customerId);
    if (!fetch) return;
    const state = await payments.customer(customerId);
    await closeOthers(fetch.accountId, customerId, state?.subscriptions ?? []);
    await sql.begin((tx) => write(tx, fetch, customerId, state));
    await grantCredits(fetch.accountId);
  };

  /** Whoever has just subscribed to an app must not pay for it again on a page that is still open. */
  async function closeOthers(accountId: string, customerId: string, subscriptions: readonly Subscription[]) {
    const known = new Set((await store.subscriptions(accountId)).map(({ id }) => id));
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
    const within = createBillingStore(tx);
    const { accountId } = fetch;
    if (!(await within.claimWrite(fetch, customerId))) return;
    const before = new Map((await within.subscriptions(accountId)).map((one) => [one.id, one]));
    if (!state) await within.unlinkCustomer(accountId, customerId);
    for (const one of state?.subscriptions ?? []) {
      await within.saveSubscription(accountId, one);
      await note(tx, accountId, before.get(one.id), one);
      before.delete(one.id);
    }
    for (const gone of before.keys()) await within.deleteSubscription(accountId, gone);
    await notePurchases(within, accountId, state?.purchases ?? []);
    await within.announce(accountId);
  }

  async function notePurchases(
    within: BillingStore,
    accountId: string,
    purchases: readonly CreditPurchase[],
  ) {
    const noted = await within.purchases(accountId);
    const known = new Map(noted.map(({ sessionId, takenBack }) => [sessionId, takenBack.at(-1) ?? 0]));
    for (const purchase of purchases)
      if (known.get(purchase.sessionId) !== purchase.takeBack) await within.savePurchase(accountId, purchase);
  }

  async function note(tx: Tx, accountId: string, before: Subscription | undefined, after: Subscription) {
    const [from, to] = [before && standing(before), standing(after)];
    if (from === to) return;
    const event = { actor: 'stripe', action: 'subscription.changed', target: after.app, to };
    await audit.record(tx, accountId, { ...event, ...(from !== undefined && { from }) });
  }
}

function standing({ plan, status, interval, cancelAtPeriodEnd }: Subscription): string {
  return `${plan} ${interval} ${status}${cancelAtPeriodEnd ? ', ends' : ''}`;
}
