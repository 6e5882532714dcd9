import { createCatalogue } from './catalogue.ts';
import { createCheckout } from './checkout.ts';
import { createClock } from './clock.ts';
import { createCustomers } from './customers.ts';
import { createDeliveries } from './deliveries.ts';
import { createEvents } from './events.ts';
import { createInvoices } from './invoices.ts';
import { createPayments } from './payments.ts';
import type { StripePeerOptions } from './peer.ts';
import { createPortal } from './portal.ts';
import { createSchedules } from './schedules.ts';
import { createSubscriptions } from './subscriptions.ts';
import { createWorld } from './world.ts';

export type LocalStripe = ReturnType<typeof createStripe>;

/** The parts of the peer, tied together. */
export function createStripe(options: StripePeerOptions, webhookSecret: string, origin: () => string) {
  const world = createWorld(options.now ?? Date.now);
  const deliveries = createDeliveries(world, webhookSecret);
  const payments = createPayments(world);
  const invoices = createInvoices(world, payments, origin);
  const subscriptions = createSubscriptions(world, invoices, options.afterRetries ?? 'canceled');
  const schedules = createSchedules(world, subscriptions);
  const customers = createCustomers(world, subscriptions.endAllOf);
  const catalogue = createCatalogue(world);
  const checkout = createCheckout(world, { customers, catalogue, payments, invoices, subscriptions }, origin);
  const portal = createPortal(world, origin);
  const events = createEvents(world, deliveries.isDelivered);
  const clock = createClock(world, [schedules.due, subscriptions.due, invoices.due, checkout.due]);
  const parts = [
    customers,
    catalogue,
    payments,
    invoices,
    subscriptions,
    schedules,
    checkout,
    portal,
    events,
  ];
  const routes = parts.flatMap((part) => part.routes);
  return {
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
    routes,
  };
}
