import { z } from 'zod';
import {
  Flag,
  MetadataChange,
  mergedMetadata,
  Paging,
  Range,
  readParams,
  Text,
  Whole,
  within,
} from './forms.ts';
import type { Invoices } from './invoices.ts';
import type { Subscription } from './objects.ts';
import { pageOf } from './pages.ts';
import { createPlanChange, type PlanChange } from './plan-change.ts';
import { malformed, refused } from './refusal.ts';
import type { Route } from './routes.ts';
import { createSubscriptionLife } from './subscription-life.ts';
import { need, type World } from './world.ts';

const Item = z.object({
  id: Text.optional(),
  price: Text.optional(),
  quantity: Whole.optional(),
  deleted: Flag.optional(),
});
/** What the peer acts on; that there is nothing else in it is the published schema's to say. */
const Update = z.object({
  cancel_at: z.union([Whole, z.literal('').transform(() => null)]).optional(),
  cancel_at_period_end: Flag.optional(),
  description: z.string().optional(),
  items: z.array(Item).optional(),
  metadata: MetadataChange.optional(),
  payment_behavior: z
    .enum(['allow_incomplete', 'default_incomplete', 'error_if_incomplete', 'pending_if_incomplete'])
    .default('allow_incomplete'),
  proration_behavior: z.enum(['always_invoice', 'create_prorations', 'none']).default('create_prorations'),
});
const Cancel = z.strictObject({
  cancellation_details: z
    .strictObject({ comment: z.string().optional(), feedback: Text.optional() })
    .optional(),
  invoice_now: Flag.optional(),
  prorate: Flag.optional(),
});
const List = z.strictObject({
  ...Paging,
  created: Range.optional(),
  current_period_end: Range.optional(),
  customer: Text.optional(),
  price: Text.optional(),
  status: z
    .enum([
      'active',
      'all',
      'canceled',
      'ended',
      'incomplete',
      'incomplete_expired',
      'past_due',
      'paused',
      'trialing',
      'unpaid',
    ])
    .optional(),
});
const NOT_PENDING = [
  'cancel_at',
  'cancel_at_period_end',
  'collection_method',
  'days_until_due',
  'default_payment_method',
  'description',
];

export type Subscriptions = ReturnType<typeof createSubscriptions>;

export function createSubscriptions(world: World, invoices: Invoices, afterRetries: 'canceled' | 'unpaid') {
  const life = createSubscriptionLife(world, invoices, afterRetries);
  const plans = createPlanChange(world, invoices, life);
  invoices.whenSettled((invoice, settlement) => {
    if (settlement === 'paid') plans.paid(invoice.id);
    life.settled(invoice, settlement);
  });

  const known = (id: string): Subscription => need(world.subscriptions, 'subscription', id);

  function update(id: string, given: Readonly<Record<string, unknown>>): Subscription {
    const fields = readParams(Update, given);
    const subscription = known(id);
    if (subscription.status === 'canceled' && Object.keys(given).some((name) => name !== 'metadata')) {
      throw refused('A canceled subscription can only update its cancellation_details and metadata.');
    }
    const unfit = NOT_PENDING.find((name) => name in given);
    if (fields.payment_behavior === 'pending_if_incomplete' && unfit) {
      throw refused(`You can't pass \`${unfit}\` with payment_behavior=pending_if_incomplete.`, unfit);
    }
    if (fields.items) {
      plans.change({
        subscription,
        items: fields.items.map((item, index) => changeOf(subscription, item, index)),
        proration: fields.proration_behavior,
        behavior: fields.payment_behavior,
      });
    }
    return life.changed(subscription, () => {
      if (fields.cancel_at !== undefined) endAt(subscription, fields.cancel_at, false);
      if (fields.cancel_at_period_end !== undefined) {
        endAt(subscription, fields.cancel_at_period_end ? periodEndOf(subscription) : null, true);
      }
      if (fields.description !== undefined) subscription.description = fields.description || null;
      subscription.metadata = mergedMetadata(subscription.metadata, fields.metadata);
    });
  }

  function changeOf(
    subscription: Subscription,
    item: z.infer<typeof Item>,
    index: number,
  ): PlanChange['items'][number] {
    const held = subscription.items.data.find(({ id }) => id === item.id);
    if (item.id && !held)
      throw refused(`No such subscription item: '${item.id}'`, `items[${index}][id]`, 'resource_missing');
    if (item.deleted) return { id: item.id ?? null, wanted: undefined };
    const priceId = item.price ?? held?.price.id;
    if (!priceId)
      throw malformed('parameter_missing', `items[${index}][price]`, 'Missing required param: price.');
    const price = need(world.prices, 'price', priceId, `items[${index}][price]`);
    if (!price.active && price.id !== held?.price.id)
      throw refused(
        'The price specified is inactive. This field only accepts active prices.',
        `items[${index}][price]`,
      );
    if (price.currency !== subscription.currency)
      throw refused('The price’s currency is not the subscription’s.', `items[${index}][price]`);
    return { id: item.id ?? null, wanted: { price, quantity: item.quantity ?? held?.quantity ?? 1 } };
  }

  function endAt(subscription: Subscription, at: number | null, atPeriodEnd: boolean): void {
    subscription.cancel_at = at;
    subscription.cancel_at_period_end = atPeriodEnd && at !== null;
    subscription.canceled_at = at === null ? null : world.now();
    subscription.cancellation_details = {
      comment: null,
      feedback: null,
      feedback_option: null,
      reason: at === null ? null : 'cancellation_requested',
    };
  }

  function listed({ created, customer, price, status, current_period_end, ...paging }: z.infer<typeof List>) {
    const found = [...world.subscriptions.values()].filter(
      (subscription) =>
        (customer === undefined || subscription.customer === customer) &&
        (price === undefined || subscription.items.data.some((item) => item.price.id === price)) &&
        isOf(subscription, status) &&
        within(created, subscription.created) &&
        within(current_period_end, periodEndOf(subscription)),
    );
    return pageOf('/v1/subscriptions', found, paging);
  }

  const routes: Route[] = [
    { method: 'GET', path: '/v1/subscriptions', run: (params) => listed(readParams(List, params)) },
    { method: 'GET', path: '/v1/subscriptions/:id', run: (_params, id) => known(id) },
    {
      method: 'POST',
      path: '/v1/subscriptions/:id',
      contract: 'SubUpdate',
      run: (params, id) => update(id, params),
    },
    {
      method: 'DELETE',
      path: '/v1/subscriptions/:id',
      run: (params, id) => {
        readParams(Cancel, params);
        return life.end(known(id), 'cancellation_requested');
      },
    },
  ];

  return {
    routes,
    start: life.start,
    update,
    endNow: (id: string) => life.end(known(id), 'cancellation_requested'),
    endAllOf(customerId: string): void {
      for (const subscription of world.subscriptions.values()) {
        if (subscription.customer === customerId && subscription.status !== 'canceled') {
          life.end(subscription, 'cancellation_requested');
        }
      }
    },
    due: () => [...life.due(), ...plans.due()],
  };
}

function isOf({ status }: Subscription, wanted: string | undefined): boolean {
  if (wanted === 'all') return true;
  const ended = status === 'canceled' || status === 'incomplete_expired';
  if (wanted === 'ended') return ended;
  return wanted === undefined ? status !== 'canceled' : status === wanted;
}

function periodEndOf(subscription: Subscription): number {
  return Math.min(...subscription.items.data.map((item) => item.current_period_end));
}
