import { list, type Price, type Subscription, type SubscriptionItem } from './objects.ts';
import { periodEnd } from './periods.ts';
import { refused } from './refusal.ts';
import type { World } from './world.ts';

export type Wanted = { readonly price: Price; readonly quantity: number };

export type Start = {
  readonly customer: string;
  readonly items: readonly Wanted[];
  readonly metadata?: Record<string, string>;
  readonly description?: string | null;
  readonly trialDays?: number;
  readonly automaticTax?: boolean;
};

export function subscriptionOf(world: World, start: Start): Subscription {
  const now = world.now();
  const id = world.id('sub');
  const trialEnd = start.trialDays ? now + start.trialDays * 86_400 : null;
  return {
    id,
    object: 'subscription',
    application: null,
    application_fee_percent: null,
    automatic_tax: start.automaticTax
      ? { disabled_reason: null, enabled: true, liability: { type: 'self' } }
      : { disabled_reason: null, enabled: false, liability: null },
    billing_cycle_anchor: trialEnd ?? now,
    billing_cycle_anchor_config: null,
    billing_mode: { flexible: { proration_discounts: 'included' }, type: 'flexible' },
    billing_schedules: [],
    billing_thresholds: null,
    cancel_at: null,
    cancel_at_period_end: false,
    canceled_at: null,
    cancellation_details: { comment: null, feedback: null, feedback_option: null, reason: null },
    collection_method: 'charge_automatically',
    created: now,
    currency: start.items[0]?.price.currency ?? 'eur',
    customer: start.customer,
    customer_account: null,
    days_until_due: null,
    default_payment_method: null,
    default_source: null,
    default_tax_rates: [],
    description: start.description ?? null,
    discounts: [],
    ended_at: null,
    invoice_settings: {
      account_tax_ids: null,
      custom_fields: null,
      description: null,
      footer: null,
      issuer: { type: 'self' },
    },
    items: list(
      `/v1/subscription_items?subscription=${id}`,
      start.items.map((wanted) => itemOf(world, id, wanted, trialEnd ?? undefined)),
    ),
    latest_invoice: null,
    livemode: false,
    managed_payments: null,
    metadata: start.metadata ?? {},
    next_pending_invoice_item_invoice: null,
    on_behalf_of: null,
    pause_collection: null,
    payment_settings: null,
    pending_invoice_item_interval: null,
    pending_setup_intent: null,
    pending_update: null,
    schedule: null,
    start_date: now,
    status: trialEnd ? 'trialing' : 'incomplete',
    test_clock: null,
    transfer_data: null,
    trial_end: trialEnd,
    trial_settings: {
      end_behavior: { billing_cycle_anchor: null, missing_payment_method: 'create_invoice' },
    },
    trial_start: trialEnd && now,
  };
}

/** An item whose period begins now. */
export function itemOf(world: World, subscription: string, wanted: Wanted, end?: number): SubscriptionItem {
  const { recurring } = wanted.price;
  if (!recurring)
    throw refused(
      'The price specified is set to `type=one_time` but this field only accepts prices with `type=recurring`.',
    );
  const now = world.now();
  return {
    id: world.id('si'),
    object: 'subscription_item',
    billing_thresholds: null,
    created: now,
    current_period_end: end ?? periodEnd(now, now, recurring),
    current_period_start: now,
    current_trial: null,
    discounts: [],
    metadata: {},
    ...priced(wanted),
    subscription,
    tax_rates: [],
  };
}

/** The part of an item that changes with its price. */
export function priced({ price, quantity }: Wanted): Pick<SubscriptionItem, 'price' | 'plan' | 'quantity'> {
  return {
    quantity,
    price: structuredClone(price),
    // The old twin of the price; nothing reads its decimals.
    plan: {
      id: price.id,
      object: 'plan',
      active: price.active,
      amount: price.unit_amount,
      billing_scheme: 'per_unit',
      created: price.created,
      currency: price.currency,
      interval: price.recurring?.interval ?? 'month',
      interval_count: price.recurring?.interval_count ?? 1,
      livemode: false,
      metadata: { ...price.metadata },
      meter: null,
      nickname: price.nickname,
      product: price.product,
      tiers_mode: null,
      transform_usage: null,
      trial_period_days: null,
      usage_type: 'licensed',
      amount_decimal: null,
    },
  };
}
