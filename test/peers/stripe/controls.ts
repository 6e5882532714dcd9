import { answered, type StripeObject } from './objects.ts';
import type { StripePeer } from './peer.ts';
import type { LocalStripe } from './stripe.ts';
import { need } from './world.ts';

type Controls = Omit<
  StripePeer,
  'url' | 'secretKey' | 'webhookSecret' | 'fetch' | 'requests' | 'violations' | 'fail' | 'close'
>;

/** What a test does to the peer: as the customer, as the merchant, as the bank, as time. */
export function createControls({
  world,
  deliveries,
  payments,
  invoices,
  subscriptions,
  schedules,
  customers,
  catalogue,
  checkout,
  clock,
}: LocalStripe): Controls {
  const invoice = (id: string) => need(world.invoices, 'invoice', id);
  return {
    events: world.events,
    clock,
    pay: (id, how) => void checkout.pay(id, how),
    settle: checkout.settle,
    expire: (id) => void checkout.expire(id),
    cards: (customerId, mood) => void world.moods.set(customerId, mood),
    portal: {
      changePlan(id, priceId) {
        const item = need(world.subscriptions, 'subscription', id).items.data[0];
        const items = [{ ...(item && { id: item.id }), price: priceId }];
        subscriptions.update(id, { items, proration_behavior: 'always_invoice' });
      },
      cancel(id, { now = false } = {}) {
        if (now) subscriptions.endNow(id);
        else subscriptions.update(id, { cancel_at_period_end: 'true' });
      },
      changeLater: schedules.start,
      resume: (id) => void subscriptions.update(id, { cancel_at_period_end: 'false' }),
    },
    dashboard: {
      payInvoice: (id) => invoices.markPaid(invoice(id)),
      failInvoice: (id) => invoices.fail(invoice(id)),
      voidInvoice: (id) => void invoices.close(invoice(id), 'void'),
      writeOffInvoice: (id) => void invoices.close(invoice(id), 'uncollectible'),
      refund: (id, amount) => payments.refund(id, amount).id,
      dispute: (id, amount) => payments.dispute(id, amount).id,
      closeDispute: payments.closeDispute,
      deleteCustomer: (id) => void customers.remove(id),
      archiveProduct: (id) => void catalogue.archive(id),
    },
    holds: {
      customers: () => held(world.customers),
      subscriptions: () => held(world.subscriptions),
      sessions: () => held(world.sessions),
      invoices: () => held(world.invoices),
      paymentIntents: () => held(world.paymentIntents),
      charges: () => held(world.charges),
      disputes: () => held(world.disputes),
      products: () => held(world.products),
      prices: () => held(world.prices),
      portalSessions: () => held(world.portalSessions),
      portalConfigurations: () => held(world.portalConfigurations),
    },
    waiting: deliveries.waiting,
    deliver: deliveries.deliver,
    deliverAutomatically: deliveries.automatically,
    delivered: deliveries.delivered,
    signed: deliveries.signed,
  };
}

function held<T>(shelf: Map<string, StripeObject>): T[] {
  // The shelves hold the SDK's objects; only decimals are texts here, as they are on the wire.
  return [...shelf.values()].map((object) => answered(object) as T);
}
