import { Fault } from '../errors.ts';
import type { Locale } from '../language.ts';
import type { BilledApp } from '../plans.ts';
import type { Sql } from '../platform/database/database.ts';
import * as billingRepo from './billing-repo.ts';
import { portalKey } from './catalog.ts';
import type { CheckoutTurns } from './checkout-turns.ts';
import { currentSubscription, isGoing, rankOf } from './current-subscription.ts';
import type { BillingAudit, SyncCustomer } from './customer-sync.ts';
import type { Customers } from './customers.ts';
import type { Interval, Offer, PaymentService, PortalFlow } from './payment-service.ts';
import type { Currency, PlanOffer, Pricing } from './pricing.ts';
import {
  type PurchaseAddresses,
  type PurchaseReturns,
  purchaseAddresses,
  type ReturnPlaces,
  returnAddress,
} from './return-address.ts';

/** Who buys, in which language, and where they may be led back to. */
export type Buyer = {
  readonly accountId: string;
  readonly actor: string;
  readonly locale: Locale;
  readonly baseUrl: string;
};

export type PlanChoice = {
  readonly app: BilledApp;
  readonly plan?: string | undefined;
  readonly priceId?: string | undefined;
  readonly interval: Interval;
  /** Code in any case; unset, the one the account pays in, or else the server's. */
  readonly currency?: string | undefined;
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
  readonly turns: CheckoutTurns;
  readonly pricing: Pricing;
  readonly sync: SyncCustomer;
  readonly audit: BillingAudit;
  /** Origins a purchase may return to besides the server's own. */
  readonly origins: readonly string[];
  /** Of purchases by accounts that have paid in none yet and ask for none. */
  readonly currency: string;
  /** Days the first subscription of an account to an app is free; 0 for none. */
  readonly trialDays: number;
};

export type Purchases = ReturnType<typeof createPurchases>;

/** Links to pages where people pay; nothing is paid here. */
export function createPurchases(parts: PurchasesDeps) {
  const { sql, payments, customers, turns, pricing, sync, audit } = parts;

  return {
    /** @throws Fault validation_failed, already_subscribed.plan, conflict.currency, conflict.checkout, upstream_failed */
    async checkout(buyer: Buyer, choice: PlanChoice, returns: PurchaseReturns): Promise<Checkout> {
      const addresses = purchaseAddresses(returns, placesOf(buyer));
      const offer = await chosen(buyer, choice);
      return turns.open(buyer, offer.app, () => openCheckout(buyer, offer, addresses));
    },

    /** @throws Fault validation_failed, conflict.currency, upstream_failed */
    async buyCredits(
      buyer: Buyer,
      choice: { packageId: string; currency?: string | undefined },
      returns: PurchaseReturns,
    ): Promise<Checkout> {
      const addresses = purchaseAddresses(returns, placesOf(buyer));
      const offer = await pricing.credits(choice.packageId, await currencyOf(buyer, choice.currency));
      return begin(buyer, offer, await customers.upToDate(buyer.accountId), addresses);
    },

    /** @throws Fault validation_failed.return_url, conflict.no_subscription, upstream_failed */
    async portal(buyer: Buyer, app: BilledApp, returnTo: string, flow?: PortalFlow): Promise<string> {
      const returnUrl = returnAddress('return_url', returnTo, placesOf(buyer)).href;
      const customerId = await customers.upToDate(buyer.accountId);
      const page = await portalPage(buyer, app, customerId, returnUrl);
      if (flow === undefined) return payments.openPortal(page);
      if (flow === 'payment_method') return payments.openPortal({ ...page, flow: { type: flow } });
      const { id: subscriptionId, cancelAtPeriodEnd } = await requireSubscription(buyer, app);
      // What is cancelled already cannot be once more; the portal itself shows until when it goes on.
      if (flow === 'cancel' && cancelAtPeriodEnd) return payments.openPortal(page);
      return payments.openPortal({ ...page, flow: { type: flow, subscriptionId } });
    },

    /**
     * To more at once, with the difference invoiced; to less, or another interval, on a page of the portal, which says when.
     * @throws Fault validation_failed, conflict.no_subscription, conflict.same_plan, upstream_failed
     */
    async change(buyer: Buyer, choice: NextPlan, returnTo: string): Promise<PlanChange> {
      const returnUrl = returnAddress('return_url', returnTo, placesOf(buyer)).href;
      const customerId = await customers.upToDate(buyer.accountId);
      const current = await requireSubscription(buyer, choice.app);
      const currency = { code: current.currency, required: true };
      const offer = await pricing.plan(choice.app, choice.plan, choice.interval, currency);
      const { plan, interval } = offer;
      const isSamePeriod = current.interval === interval && current.intervalCount === offer.intervalCount;
      if (current.plan === plan && isSamePeriod) throw new Fault('conflict.same_plan', { plan, interval });
      const page = await portalPage(buyer, offer.app, customerId, returnUrl);
      const isMore = rankOf(offer.app, plan) > rankOf(offer.app, current.plan);
      if (!isMore || !isSamePeriod) {
        const flow = { type: 'update', subscriptionId: current.id } as const;
        return { state: 'confirm', url: await payments.openPortal({ ...page, flow }) };
      }
      await payments.changeSubscription(current.id, offer);
      await sync(customerId);
      const after = await requireSubscription(buyer, offer.app);
      // Where the bank wants the buyer's word first, the change waits for it on the portal's page.
      if (after.plan !== plan) return { state: 'confirm', url: await payments.openPortal(page) };
      await record(buyer, 'plan.changed', offer.app, `${plan} ${interval}`);
      return { state: 'changed', plan, interval };
    },
  };

  async function openCheckout(
    buyer: Buyer,
    offer: PlanOffer,
    addresses: PurchaseAddresses,
  ): Promise<Checkout> {
    const customerId = await customers.upToDate(buyer.accountId);
    const current = await subscriptionTo(buyer, offer.app);
    if (current) {
      const page = await portalPage(buyer, offer.app, customerId, addresses.cancelUrl);
      const url = await payments.openPortal(page);
      throw new Fault('already_subscribed.plan', { plan: current.plan, url }, { data: { portal_url: url } });
    }
    const checkout = await begin(buyer, offer, customerId, addresses);
    // Pages that a crash has left behind, too.
    await payments.closeCheckouts(customerId, { app: offer.app, before: checkout.id });
    return checkout;
  }

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
      locale: buyer.locale,
      trialDays: offer.kind === 'plan' ? await trialDaysOf(buyer, offer.app) : 0,
      ...addresses,
    });
    const what = offer.kind === 'plan' ? `${offer.plan} ${offer.interval}` : `${offer.credits} credits`;
    await record(buyer, 'checkout.created', offer.app, what);
    return checkout;
  }

  async function record({ accountId, actor }: Buyer, action: string, target: string, to: string) {
    await sql.begin((tx) => audit.record(tx, accountId, { actor, action, target, to }));
  }

  async function chosen(buyer: Buyer, choice: PlanChoice): Promise<PlanOffer> {
    const { app, plan, priceId, interval, currency } = choice;
    if (plan !== undefined && priceId === undefined)
      return pricing.plan(app, plan, interval, await currencyOf(buyer, currency));
    if (priceId === undefined || plan !== undefined) throw new Fault('validation_failed.plan_choice');
    const offer = await pricing.price(priceId);
    await currencyOf(buyer, offer.currency);
    return offer;
  }

  /** Stripe bills a customer in one currency at a time. @throws Fault conflict.currency */
  async function currencyOf({ accountId }: Buyer, asked?: string): Promise<Currency> {
    const current = (await billingRepo.subscriptions(sql, accountId)).find(isGoing)?.currency;
    const wanted = asked?.toLowerCase();
    if (wanted !== undefined && current !== undefined && wanted !== current)
      throw new Fault('conflict.currency', {
        currency: current.toUpperCase(),
        asked: wanted.toUpperCase(),
      });
    return { code: wanted ?? current ?? parts.currency, required: wanted !== undefined };
  }

  /** Who has subscribed to the app before has had the trial. */
  async function trialDaysOf({ accountId }: Buyer, app: BilledApp): Promise<number> {
    if (parts.trialDays === 0) return 0;
    const had = (await billingRepo.subscriptions(sql, accountId)).some((one) => one.app === app);
    return had ? 0 : parts.trialDays;
  }

  async function portalPage(buyer: Buyer, app: BilledApp, customerId: string, returnUrl: string) {
    const currency = (await subscriptionTo(buyer, app))?.currency ?? parts.currency;
    return { customerId, returnUrl, locale: buyer.locale, configuration: portalKey(app, currency) };
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
