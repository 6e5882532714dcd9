import type { Line } from './invoice-objects.ts';
import type { Invoices, Settlement } from './invoices.ts';
import type { Invoice, Subscription, SubscriptionItem } from './objects.ts';
import { periodEnd } from './periods.ts';
import { missing } from './refusal.ts';
import { type Start, subscriptionOf } from './subscription-objects.ts';
import type { World } from './world.ts';

const RUNNING: readonly string[] = ['active', 'trialing', 'past_due', 'unpaid'];

export type SubscriptionLife = ReturnType<typeof createSubscriptionLife>;

/** Automatic events of a subscription: its first invoice, renewals, failed payments, its end. */
export function createSubscriptionLife(
  world: World,
  invoices: Invoices,
  afterRetries: 'canceled' | 'unpaid',
) {
  /** Lines of plan changes that wait for the next invoice. */
  const waitingLines = new Map<string, Line[]>();

  function changed(subscription: Subscription, act: () => void): Subscription {
    return world.change('customer.subscription.updated', subscription, act);
  }

  /** Begins with a first invoice, tried at once. */
  function start(wanted: Start): Subscription {
    const subscription = subscriptionOf(world, wanted);
    world.subscriptions.set(subscription.id, subscription);
    world.emit('customer.subscription.created', subscription);
    bill(
      subscription,
      'subscription_create',
      subscription.items.data.map((item) => lineOf(item, subscription)),
    );
    return subscription;
  }

  /** A new invoice with what waited for it; answers whether it is paid. */
  function bill(
    subscription: Subscription,
    reason: 'subscription_create' | 'subscription_cycle' | 'subscription_update',
    lines: readonly Line[],
  ): boolean {
    const { customer, currency, id, metadata } = subscription;
    const all = [...(waitingLines.get(id) ?? []), ...lines];
    waitingLines.delete(id);
    const invoice = invoices.draft({
      customer,
      subscription: { id, metadata },
      reason,
      currency,
      lines: all,
      automaticTax: subscription.automatic_tax.enabled,
    });
    changed(subscription, () => {
      subscription.latest_invoice = invoice.id;
    });
    if (subscription.status === 'unpaid') return false;
    invoices.finalize(invoice);
    return invoices.attempt(invoice);
  }

  function renew(subscription: Subscription): void {
    changed(subscription, () => {
      for (const item of subscription.items.data) {
        item.current_period_start = item.current_period_end;
        item.current_period_end = nextEnd(subscription, item);
      }
      if (subscription.status === 'trialing') subscription.status = 'active';
    });
    bill(
      subscription,
      'subscription_cycle',
      subscription.items.data.map((item) => lineOf(item, subscription)),
    );
  }

  /** @throws Refusal 404 where it has ended already, as Stripe answers. */
  function end(
    subscription: Subscription,
    reason: 'cancellation_requested' | 'payment_failed',
  ): Subscription {
    if (subscription.status === 'canceled') throw missing('subscription', subscription.id);
    subscription.status = 'canceled';
    subscription.canceled_at ??= world.now();
    subscription.ended_at = world.now();
    subscription.cancellation_details = { comment: null, feedback: null, feedback_option: null, reason };
    subscription.pending_update = null;
    for (const invoice of world.invoices.values()) {
      if (subscriptionIdOf(invoice) === subscription.id) invoice.next_payment_attempt = null;
    }
    world.emit('customer.subscription.deleted', subscription);
    return subscription;
  }

  function settled(invoice: Invoice, settlement: Settlement): void {
    const subscription = world.subscriptions.get(subscriptionIdOf(invoice) ?? '');
    if (!subscription || subscription.latest_invoice !== invoice.id) return;
    if (subscription.pending_update || subscription.status === 'canceled') return;
    const status = statusAfter(subscription.status, settlement);
    if (settlement === 'exhausted' && afterRetries === 'canceled') {
      end(subscription, 'payment_failed');
      return;
    }
    changed(subscription, () => {
      subscription.status = status;
    });
  }

  function statusAfter(status: Subscription['status'], settlement: Settlement): Subscription['status'] {
    if (status === 'trialing') return status;
    if (settlement === 'exhausted') return 'unpaid';
    return settlement === 'failed' ? 'past_due' : 'active';
  }

  function lineOf(item: SubscriptionItem, { status }: Subscription): Line {
    const amount = status === 'trialing' ? 0 : (item.price.unit_amount ?? 0) * item.quantity;
    return {
      price: item.price,
      quantity: item.quantity,
      amount,
      description: `${item.quantity} × ${world.products.get(item.price.product)?.name ?? item.price.product}`,
      period: { start: item.current_period_start, end: item.current_period_end },
      proration: false,
      subscriptionItem: item.id,
    };
  }

  /** What the clock has to do next: renewals, and ends that were asked for. */
  function due() {
    return [...world.subscriptions.values()]
      .filter(({ status }) => RUNNING.includes(status))
      .map((subscription) => {
        const turn = Math.min(...subscription.items.data.map((item) => item.current_period_end));
        const { cancel_at } = subscription;
        return cancel_at !== null && cancel_at <= turn
          ? { at: cancel_at, act: () => void end(subscription, 'cancellation_requested') }
          : { at: turn, act: () => renew(subscription) };
      });
  }

  return {
    start,
    bill,
    end,
    changed,
    settled,
    lineOf,
    due,
    postpone(subscription: Subscription, lines: readonly Line[]): void {
      waitingLines.set(subscription.id, [...(waitingLines.get(subscription.id) ?? []), ...lines]);
    },
  };
}

export function subscriptionIdOf({ parent }: Invoice): string | undefined {
  const subscription = parent?.subscription_details?.subscription;
  return typeof subscription === 'string' ? subscription : subscription?.id;
}

function nextEnd({ billing_cycle_anchor }: Subscription, item: SubscriptionItem): number {
  const { recurring } = item.price;
  if (!recurring) throw new Error(`item ${item.id} has a price without an interval`);
  return periodEnd(billing_cycle_anchor, item.current_period_end, recurring);
}
