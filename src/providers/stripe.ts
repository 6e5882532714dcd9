import type { Stripe } from 'stripe';
import type { PaymentService } from '../billing/payment-service.ts';
import { Fault } from '../errors.ts';
import { cancelSubscriptions } from './stripe/cancel-subscriptions.ts';
import { closeCheckouts } from './stripe/close-checkouts.ts';
import { openStripe, type StripeSettings } from './stripe/open-stripe.ts';
import { checkoutParams, portalParams } from './stripe/params.ts';
import { readCustomer } from './stripe/read-customer.ts';
import { readHint } from './stripe/read-hint.ts';
import { readInvoice, readOffer } from './stripe/read-objects.ts';
import { stripeFault } from './stripe/stripe-fault.ts';

/** Older than this a webhook is a recording. */
const TOLERANCE_SECONDS = 300;
const PAGE = 100;

/** Money by Stripe. The SDK is loaded at the first use. */
export function createStripePayments(
  settings: StripeSettings & { readonly webhookSecret: string },
): PaymentService {
  let opened: Promise<Stripe> | undefined;

  /** Every request of the adapter: what goes wrong is told in our words. */
  async function ask<T>(request: (stripe: Stripe) => Promise<T>): Promise<T> {
    opened ??= openStripe(settings);
    const stripe = await opened;
    return request(stripe).catch((error: unknown) => {
      throw stripeFault(error);
    });
  }

  return {
    offers: () =>
      ask(async ({ prices }) => {
        const found = prices.list({ active: true, limit: PAGE, expand: ['data.product'] });
        return (await found.autoPagingToArray({ limit: 1000 })).flatMap((price) => readOffer(price) ?? []);
      }),

    createCustomer: (accountId, key) =>
      ask(async ({ customers }) => {
        const metadata = { account_id: accountId };
        return (await customers.create({ metadata }, { idempotencyKey: key })).id;
      }),

    customer: (id) => ask((stripe) => readCustomer(stripe, id)),

    customerOfCharge: (id) =>
      ask(async ({ charges }) => {
        const { customer } = await charges.retrieve(id);
        return idOf(customer);
      }),

    createCheckout: (order) =>
      ask(async ({ checkout }) => {
        const { id, url } = await checkout.sessions.create(checkoutParams(order));
        if (!url)
          throw new Fault('upstream_failed.stripe', {}, { cause: new Error('a checkout has no page') });
        return { id, url };
      }),

    closeCheckouts: (customerId, which) => ask((stripe) => closeCheckouts(stripe, customerId, which)),

    openPortal: (order) =>
      ask(async ({ billingPortal }) => (await billingPortal.sessions.create(portalParams(order))).url),

    changeSubscription: (id, offer) =>
      ask(async ({ subscriptions }) => {
        const { items } = await subscriptions.retrieve(id);
        const [item] = items.data;
        if (!item)
          throw new Fault('upstream_failed.stripe', {}, { cause: new Error('nothing is subscribed to') });
        await subscriptions.update(id, {
          items: [{ id: item.id, price: offer.priceId }],
          proration_behavior: 'always_invoice',
          payment_behavior: 'pending_if_incomplete',
        });
      }),

    cancelSubscriptions: (customerId) => ask((stripe) => cancelSubscriptions(stripe, customerId)),

    invoices: (customer, { limit, after }) =>
      ask(async ({ invoices }) => {
        const page = await invoices.list({ customer, limit, ...(after && { starting_after: after }) });
        const read = page.data.flatMap((invoice) => readInvoice(invoice) ?? []);
        // By what Stripe sent last: a page may hold nothing but drafts.
        return { invoices: read, next: page.has_more ? page.data.at(-1)?.id : undefined };
      }),

    async *eventsSince(from) {
      const created = { gte: Math.floor(from.getTime() / 1000) };
      let after: string | undefined;
      for (;;) {
        const starting = after === undefined ? {} : { starting_after: after };
        const page = await ask(({ events }) => events.list({ created, limit: PAGE, ...starting }));
        for (const event of page.data) yield readHint(event);
        after = page.data.at(-1)?.id;
        if (!page.has_more || after === undefined) return;
      }
    },

    async readEvent(body, signature) {
      const { Stripe } = await import('stripe');
      try {
        return readHint(
          Stripe.webhooks.constructEvent(body, signature, settings.webhookSecret, TOLERANCE_SECONDS),
        );
      } catch {
        // Its cause would quote the body.
        throw new Fault('invalid_signature.webhook');
      }
    },
  };
}

function idOf(value: string | { id: string } | null): string | undefined {
  return typeof value === 'string' ? value : value?.id;
}
