import type { Stripe } from 'stripe';
import { z } from 'zod';
import { isGoing } from '../../billing/current-subscription.ts';
import type { Contact, PaymentEvent, PaymentService } from '../../billing/payment-service.ts';
import { Fault } from '../../errors.ts';
import type { BilledApp } from '../../plans.ts';
import { isMissing, isRefusedEmail, openStripe, type StripeSettings, stripeFault } from './open-stripe.ts';
import { type CheckoutSettings, checkoutParams, contactParams, portalParams } from './params.ts';
import { createPortalConfigurations } from './portal-configurations.ts';
import { readCustomer } from './read-customer.ts';
import { readInvoice, readOffer } from './read-objects.ts';

/** An older webhook is a replay. */
const TOLERANCE_SECONDS = 300;
const PAGE_SIZE = 100;
const MAX_ITEMS = 1000;

/**
 * Payments with Stripe: the port `PaymentService` of billing. In: what billing asks in its own words, and signed webhook
 * bodies. Out: its customers, subscriptions, invoices and events; a Stripe error becomes a Fault. Always: a write carries
 * an idempotency key, and no object of the SDK leaves this folder. The SDK is loaded at first use.
 */
export function createStripePayments(
  settings: StripeSettings & {
    readonly webhookSecret: string;
    readonly checkout: CheckoutSettings;
    /** Milliseconds since 1970. Default: the machine's clock. */
    readonly now?: () => number;
  },
): PaymentService {
  const { webhookSecret, now = Date.now } = settings;
  const portals = createPortalConfigurations();
  let opened: Promise<Stripe> | undefined;

  /** Sends a request and translates its errors. */
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
        const found = prices.list({ active: true, limit: PAGE_SIZE, expand: ['data.product'] });
        return (await found.autoPagingToArray({ limit: MAX_ITEMS })).flatMap(
          (price) => readOffer(price) ?? [],
        );
      }),

    createCustomer: (accountId, contact, key) =>
      ask(async ({ customers }) => {
        const create = async (whom: Partial<Contact>, idempotencyKey: string) => {
          const params = { ...contactParams(whom), metadata: { account_id: accountId } };
          return (await customers.create(params, { idempotencyKey })).id;
        };
        return create(contact, key).catch((error: unknown) => {
          if (!isRefusedEmail(error)) throw error;
          return create({ ...contact, email: null }, `${key}-without-email`);
        });
      }),

    updateCustomer: (id, changes) =>
      ask(async ({ customers }) => {
        await customers.update(id, contactParams(changes)).catch((error: unknown) => {
          if (!isMissing(error) && !isRefusedEmail(error)) throw error;
        });
      }),

    customer: (id) => ask((stripe) => readCustomer(stripe, id)),

    customerOfCharge: (id) =>
      ask(async ({ charges }) => {
        const { customer } = await charges.retrieve(id);
        return idOf(customer);
      }),

    createCheckout: (order) =>
      ask(async ({ checkout }) => {
        const { id, url } = await checkout.sessions.create(checkoutParams(order, settings.checkout));
        if (!url)
          throw new Fault(
            'upstream_failed.stripe',
            {},
            { cause: new Error('the checkout session has no URL') },
          );
        return { id, url };
      }),

    closeCheckouts: (customerId, which) => ask((stripe) => closeCheckouts(stripe, customerId, which)),

    closeCheckout: (id) => ask((stripe) => expire(stripe, id)),

    openPortal: (order) =>
      ask(async (stripe) => {
        const configuration = await portals.find(stripe, order.configuration);
        return (await stripe.billingPortal.sessions.create(portalParams(order, configuration))).url;
      }),

    changeSubscription: (id, offer) =>
      ask(async ({ subscriptions, subscriptionSchedules }) => {
        const { items, schedule } = await subscriptions.retrieve(id);
        const [item] = items.data;
        if (!item)
          throw new Fault('upstream_failed.stripe', {}, { cause: new Error('the subscription has no item') });
        // A smaller plan that was to begin with the next period would undo the change then.
        const planned = idOf(schedule);
        if (planned !== undefined) await subscriptionSchedules.release(planned);
        await subscriptions.update(id, {
          items: [{ id: item.id, price: offer.priceId }],
          proration_behavior: 'always_invoice',
          payment_behavior: 'pending_if_incomplete',
        });
      }),

    cancelSubscriptions: (customerId) =>
      ask((stripe) =>
        eachSubscription(stripe, customerId, async ({ id }) => {
          await stripe.subscriptions.cancel(id);
        }),
      ),

    endSubscriptions: (customerId) =>
      ask((stripe) => eachSubscription(stripe, customerId, (one) => endSubscription(stripe, one))),

    invoices: (customer, { limit, after }) =>
      ask(async ({ invoices }) => {
        const page = await invoices.list({ customer, limit, ...(after && { starting_after: after }) });
        const read = page.data.flatMap((invoice) => readInvoice(invoice) ?? []);
        // The cursor is Stripe's last invoice: a page may have only drafts.
        return { invoices: read, next: page.has_more ? page.data.at(-1)?.id : undefined };
      }),

    async *eventsSince(from) {
      const created = { gte: Math.floor(from.getTime() / 1000) };
      let after: string | undefined;
      for (;;) {
        const starting = after === undefined ? {} : { starting_after: after };
        const page = await ask(({ events }) => events.list({ created, limit: PAGE_SIZE, ...starting }));
        for (const event of page.data) yield readHint(event);
        after = page.data.at(-1)?.id;
        if (!page.has_more || after === undefined) return;
      }
    },

    async readEvent(body, signature) {
      const { Stripe } = await import('stripe');
      try {
        const tolerance = TOLERANCE_SECONDS;
        return readHint(
          Stripe.webhooks.constructEvent(body, signature, webhookSecret, tolerance, undefined, now()),
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

/** Every subscription of a customer that costs money, also those outside our plans. */
async function eachSubscription(
  stripe: Stripe,
  customer: string,
  change: (subscription: Stripe.Subscription) => Promise<void>,
): Promise<void> {
  const found = await stripe.subscriptions
    .list({ customer, status: 'all', limit: PAGE_SIZE })
    .autoPagingToArray({ limit: MAX_ITEMS });
  for (const one of found.filter(isGoing)) await change(one);
}

async function endSubscription(
  stripe: Stripe,
  { id, status, schedule, cancel_at_period_end: ends }: Stripe.Subscription,
): Promise<void> {
  if (ends) return;
  // What is owed would be collected on, and a schedule may begin another period.
  if ((status !== 'active' && status !== 'trialing') || schedule) await stripe.subscriptions.cancel(id);
  else await stripe.subscriptions.update(id, { cancel_at_period_end: true });
}

// A customer is named by its id, or is the object itself.
const Hinted = z.object({
  id: z.string(),
  object: z.string(),
  customer: z.string().nullish().catch(null),
  charge: z.string().nullish().catch(null),
});

type StripeEvent = {
  readonly id: string;
  readonly type: string;
  readonly data: { readonly object: unknown };
};

/** Reduces an event to which customer changed; the state is then read from Stripe. */
function readHint({ id, type, data }: StripeEvent): PaymentEvent {
  const hinted = Hinted.safeParse(data.object).data;
  const customerId = hinted?.object === 'customer' ? hinted.id : (hinted?.customer ?? null);
  return { id, type, customerId, chargeId: hinted?.charge ?? null };
}

type Which = { readonly app: BilledApp; readonly before?: string };

/** Expires open checkouts, all or those `which` selects, so that a customer cannot pay twice. */
async function closeCheckouts(stripe: Stripe, customer: string, which?: Which): Promise<void> {
  const open = await stripe.checkout.sessions
    .list({ customer, status: 'open', limit: PAGE_SIZE })
    .autoPagingToArray({ limit: MAX_ITEMS });
  // The newest come first.
  const older = which?.before === undefined ? open : open.slice(placeAfter(open, which.before));
  const closing = older.filter(
    ({ mode, metadata }) => !which || (mode === 'subscription' && metadata?.['app'] === which.app),
  );
  for (const { id } of closing) await expire(stripe, id);
}

function placeAfter(open: readonly { id: string }[], id: string): number {
  const place = open.findIndex((one) => one.id === id);
  // Not found: a newer checkout has closed it and will close these too.
  return place < 0 ? open.length : place + 1;
}

/** Stripe rejects this when the session was paid or closed in the meantime; then there is nothing to do. */
async function expire(stripe: Stripe, id: string): Promise<void> {
  await stripe.checkout.sessions.expire(id).catch(async (error: unknown) => {
    if (isMissing(error)) return;
    const { status } = await stripe.checkout.sessions.retrieve(id);
    if (status === 'open') throw error;
  });
}
