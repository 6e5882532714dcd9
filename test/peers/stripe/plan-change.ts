import type { Line } from './invoice-objects.ts';
import type { Invoices } from './invoices.ts';
import type { Subscription, SubscriptionItem } from './objects.ts';
import { cardDeclined } from './refusal.ts';
import type { SubscriptionLife } from './subscription-life.ts';
import { itemOf, priced, type Wanted } from './subscription-objects.ts';
import type { World } from './world.ts';

export type PlanChange = {
  readonly subscription: Subscription;
  /** By item id; `null` adds an item, `undefined` as what is wanted takes it out. */
  readonly items: readonly { readonly id: string | null; readonly wanted: Wanted | undefined }[];
  readonly proration: 'always_invoice' | 'create_prorations' | 'none';
  readonly behavior:
    | 'allow_incomplete'
    | 'default_incomplete'
    | 'error_if_incomplete'
    | 'pending_if_incomplete';
};

const PENDING_FOR = 23 * 3600;

/** Other prices for a running subscription: what is owed for the rest of the period, and what happens when the card is declined. */
export function createPlanChange(world: World, invoices: Invoices, life: SubscriptionLife) {
  /** Changes that wait for their invoice, by its id. */
  const pending = new Map<string, { readonly change: PlanChange; readonly until: number }>();

  function change(wanted: PlanChange): void {
    const { subscription, proration, behavior } = wanted;
    const lines = linesOf(wanted);
    const now = proration === 'always_invoice' || resets(wanted);
    const declined = world.moods.get(subscription.customer) === 'declined' && owed(lines) > 0;
    if (now && declined && behavior === 'error_if_incomplete') throw cardDeclined();
    if (now && declined && behavior === 'pending_if_incomplete') {
      hold(wanted, lines);
      return;
    }
    apply(wanted);
    if (now && lines.length > 0) life.bill(subscription, 'subscription_update', lines);
    else life.postpone(subscription, lines);
  }

  function hold(wanted: PlanChange, lines: readonly Line[]): void {
    const { subscription } = wanted;
    const until = world.now() + PENDING_FOR;
    life.changed(subscription, () => {
      subscription.pending_update = {
        billing_cycle_anchor: null,
        cancel_at_period_end: null,
        discount: null,
        discounts: null,
        expires_at: until,
        metadata: null,
        // Only its presence is looked at; the items are what the change will make of them.
        subscription_items: [],
        trial_end: null,
        trial_from_plan: null,
      };
    });
    life.bill(subscription, 'subscription_update', lines);
    pending.set(subscription.latest_invoice ?? '', { change: wanted, until });
  }

  function apply(wanted: PlanChange): void {
    const { subscription } = wanted;
    const reset = resets(wanted);
    life.changed(subscription, () => {
      if (reset) subscription.billing_cycle_anchor = world.now();
      for (const { id, wanted: next } of wanted.items) write(subscription, id, next, reset);
    });
  }

  function write(
    subscription: Subscription,
    id: string | null,
    next: Wanted | undefined,
    reset: boolean,
  ): void {
    const items = subscription.items.data;
    const place = items.findIndex((item) => item.id === id);
    const item = items[place];
    if (!next) return void (item && items.splice(place, 1));
    if (!item) return void items.push(itemOf(world, subscription.id, next, items[0]?.current_period_end));
    Object.assign(item, priced(next));
    if (!reset) return;
    const { current_period_start, current_period_end } = itemOf(world, subscription.id, next);
    Object.assign(item, { current_period_start, current_period_end });
  }

  /** True if the interval changes: a new period then begins, and is billed at once. */
  function resets({ subscription, items }: PlanChange): boolean {
    return items.some(({ id, wanted }) => {
      const before = subscription.items.data.find((item) => item.id === id)?.price.recurring;
      const after = wanted?.price.recurring;
      return before && after
        ? before.interval !== after.interval || before.interval_count !== after.interval_count
        : false;
    });
  }

  function linesOf(wanted: PlanChange): readonly Line[] {
    const reset = resets(wanted);
    return wanted.items.flatMap(({ id, wanted: next }) => {
      const item = wanted.subscription.items.data.find((held) => held.id === id);
      const credit = item && wanted.proration !== 'none' ? [remaining(item, item, -1)] : [];
      if (!next) return credit;
      if (reset)
        return [...credit, life.lineOf(itemOf(world, wanted.subscription.id, next), wanted.subscription)];
      const span = item ?? wanted.subscription.items.data[0];
      return wanted.proration === 'none' || !span ? [] : [...credit, remaining(next, span, 1)];
    });
  }

  /** The price of the remaining period, rounded to the nearest minor unit. */
  function remaining({ price, quantity }: Wanted, span: SubscriptionItem, sign: 1 | -1): Line {
    const { current_period_start: start, current_period_end: end } = span;
    const share = Math.max(0, end - world.now()) / (end - start);
    return {
      price,
      quantity,
      amount: sign * Math.round((price.unit_amount ?? 0) * quantity * share),
      description: sign < 0 ? 'Unused time' : 'Remaining time',
      period: { start: world.now(), end },
      proration: true,
      subscriptionItem: span.id,
    };
  }

  return {
    change,
    /** Carries out what waited for this invoice. */
    paid(invoiceId: string): void {
      const waiting = pending.get(invoiceId);
      if (!waiting) return;
      pending.delete(invoiceId);
      const { subscription } = waiting.change;
      if (subscription.status === 'canceled') return;
      apply(waiting.change);
      life.changed(subscription, () => {
        subscription.pending_update = null;
      });
      world.emit('customer.subscription.pending_update_applied', subscription);
    },
    due: () =>
      [...pending].map(
        ([
          invoiceId,
          {
            change: { subscription },
            until,
          },
        ]) => ({
          at: until,
          act: () => {
            pending.delete(invoiceId);
            const invoice = world.invoices.get(invoiceId);
            if (invoice?.status === 'open') invoices.close(invoice, 'void');
            if (subscription.status === 'canceled') return;
            life.changed(subscription, () => {
              subscription.pending_update = null;
            });
            world.emit('customer.subscription.pending_update_expired', subscription);
          },
        }),
      ),
  };
}

function owed(lines: readonly Line[]): number {
  return lines.reduce((sum, { amount }) => sum + amount, 0);
}
