import { Fault } from '../errors.ts';
import type { BilledApp } from '../plans.ts';
import type { Sql } from '../platform/database/database.ts';
import * as billingRepo from './billing-repo.ts';
import { currentSubscription, rankOf } from './current-subscription.ts';
import type { BillingAudit, SyncCustomer } from './customer-sync.ts';
import type { Customers } from './customers.ts';
import type { Interval, Offer, PaymentService, PortalFlow } from './payment-service.ts';
import type { PlanOffer, Pricing } from './pricing.ts';
import {
  type PurchaseAddresses,
  type PurchaseReturns,
  purchaseAddresses,
  type ReturnPlaces,
  returnAddress,
} from './return-address.ts';

/** Who buys, and where they may be led back to. */
export type Buyer = { readonly accountId: string; readonly actor: string; readonly baseUrl: string };

export type PlanChoice = {
  readonly app: BilledApp;
  readonly plan?: string | undefined;
  readonly priceId?: string | undefined;
  readonly interval: Interval;
};

/** A plan to change to. */
export type NextPlan = { readonly app: BilledApp; readonly plan: string; readonly interval: Interval };

/** What a change of plan came to: done, or to be confirmed by the customer on a page. */
export type PlanChange =
  | { readonly state: 'changed'; readonly plan: string; readonly interval: Interval }
  | { readonly state: 'confirm'; readonly url: string };

type Checkout = { readonly id: string; readonly url: string };

type PurchasesDeps = {
  readonly sql: Sql;
  readonly payments: PaymentService;
  readonly customers: Customers;
  readonly pricing: Pricing;
  readonly sync: SyncCustomer;
  readonly audit: BillingAudit;
  /** Origins a purchase may return to besides the server's own. */
  readonly origins: readonly string[];
};

export type Purchases = ReturnType<typeof createPurchases>;

/** Links to pages where people pay; nothing is paid here. */
export function createPurchases(parts: PurchasesDeps) {
  const { sql, payments, customers, pricing, sync, audit } = parts;

  return {
    /** @throws Fault validation_failed, already_subscribed.plan, upstream_failed */
    async checkout(buyer: Buyer, choice: PlanChoice, returns: PurchaseReturns): Promise<Checkout> {
      const addresses = purchaseAddresses(returns, placesOf(buyer));
      const offer = await chosen(choice);
      const customerId = await customers.upToDate(buyer.accountId);
      const current = await subscriptionTo(buyer, offer.app);
      if (current) {
        const url = await payments.openPortal({ customerId, returnUrl: addresses.cancelUrl });
        throw new Fault(
          'already_subscribed.plan',
          { plan: current.plan, url },
          { data: { portal_url: url } },
        );
      }
      const checkout = await begin(buyer, offer, customerId, addresses);
      // Only the newest page can be paid: two would be two subscriptions.
      await payments.closeCheckouts(customerId, { app: offer.app, before: checkout.id });
      return checkout;
    },

    /** @throws Fault validation_failed, upstream_failed */
    async buyCredits(buyer: Buyer, packageId: string, returns: PurchaseReturns): Promise<Checkout> {
      const addresses = purchaseAddresses(returns, placesOf(buyer));
      const offer = await pricing.credits(packageId);
      return begin(buyer, offer, await customers.upToDate(buyer.accountId), addresses);
    },

    /** @throws Fault validation_failed.return_url, conflict.no_subscription, upstream_failed */
    async portal(buyer: Buyer, app: BilledApp, returnTo: string, flow?: PortalFlow): Promise<string> {
      const returnUrl = returnAddress('return_url', returnTo, placesOf(buyer)).href;
      const customerId = await customers.upToDate(buyer.accountId);
      if (flow === undefined) return payments.openPortal({ customerId, returnUrl });
      if (flow === 'payment_method')
        return payments.openPortal({ customerId, returnUrl, flow: { type: flow } });
      const { id: subscriptionId, cancelAtPeriodEnd } = await requireSubscription(buyer, app);
      // What is cancelled already cannot be once more; the portal itself shows until when it goes on.
      if (flow === 'cancel' && cancelAtPeriodEnd) return payments.openPortal({ customerId, returnUrl });
      return payments.openPortal({ customerId, returnUrl, flow: { type: flow, subscriptionId } });
    },

    /**
     * To more at once, with the difference invoiced; to less, or another interval, on a page of the portal, which says when.
     * @throws Fault validation_failed, conflict.no_subscription, conflict.same_plan, upstream_failed
     */
    async change(buyer: Buyer, choice: NextPlan, returnTo: string): Promise<PlanChange> {
      const returnUrl = returnAddress('return_url', returnTo, placesOf(buyer)).href;
      const customerId = await customers.upToDate(buyer.accountId);
      const current = await requireSubscription(buyer, choice.app);
      const offer = await pricing.plan(choice.app, choice.plan, choice.interval, current.currency);
      const { plan, interval } = offer;
      if (current.plan === plan && current.interval === interval)
        throw new Fault('conflict.same_plan', { plan, interval });
      const isMore = rankOf(offer.app, plan) > rankOf(offer.app, current.plan);
      if (!isMore || current.interval !== interval) {
        const flow = { type: 'update', subscriptionId: current.id } as const;
        return { state: 'confirm', url: await payments.openPortal({ customerId, returnUrl, flow }) };
      }
      await payments.changeSubscription(current.id, offer);
      await sync(customerId);
      const after = await requireSubscription(buyer, offer.app);
      // Where the bank wants the buyer's word first, the change waits for it on the portal's page.
      if (after.plan !== plan)
        return { state: 'confirm', url: await payments.openPortal({ customerId, returnUrl }) };
      await record(buyer, 'plan.changed', offer.app, `${plan} ${interval}`);
      return { state: 'changed', plan, interval };
    },
  };

  async function begin(
    buyer: Buyer,
    offer: Offer,
    customerId: string,
    addresses: PurchaseAddresses,
  ): Promise<Checkout> {
    const checkout = await payments.createCheckout({
      customerId,
      accountId: buyer.accountId,
      offer,
      ...addresses,
    });
    const what = offer.kind === 'plan' ? `${offer.plan} ${offer.interval}` : `${offer.credits} credits`;
    await record(buyer, 'checkout.created', offer.app, what);
    return checkout;
  }

  async function record({ accountId, actor }: Buyer, action: string, target: string, to: string) {
    await sql.begin((tx) => audit.record(tx, accountId, { actor, action, target, to }));
  }

  function chosen({ app, plan, priceId, interval }: PlanChoice): Promise<PlanOffer> {
    if (plan !== undefined && priceId === undefined) return pricing.plan(app, plan, interval);
    if (priceId !== undefined && plan === undefined) return pricing.price(priceId);
    throw new Fault('validation_failed.plan_choice');
  }

  async function subscriptionTo({ accountId }: Buyer, app: BilledApp) {
    return currentSubscription(await billingRepo.subscriptions(sql, accountId), app);
  }

  async function requireSubscription(buyer: Buyer, app: BilledApp) {
    const found = await subscriptionTo(buyer, app);
    if (!found) throw new Fault('conflict.no_subscription');
    return found;
  }

  function placesOf({ baseUrl }: Buyer): ReturnPlaces {
    return { baseUrl, origins: parts.origins };
  }
}
