import { z } from 'zod';
import { Metadata, Paging, Range, readParams, Text, Whole, within } from './forms.ts';
import type { Charge, Dispute, PaymentIntent, Refund } from './objects.ts';
import { pageOf } from './pages.ts';
import { chargeOf, disputeOf, intentOf, refundOf } from './payment-objects.ts';
import { malformed, missing, refused } from './refusal.ts';
import type { Route } from './routes.ts';
import { need, type World } from './world.ts';

const RefundCreate = z.strictObject({
  amount: Whole.pipe(z.number().min(1)).optional(),
  charge: Text.optional(),
  payment_intent: Text.optional(),
  metadata: z.union([Metadata, z.literal('').transform(() => ({}))]).optional(),
  reason: z.enum(['duplicate', 'fraudulent', 'requested_by_customer']).optional(),
});
const List = z.strictObject({ ...Paging, customer: Text.optional(), created: Range.optional() });
const ListOfIntent = z.strictObject({
  ...Paging,
  charge: Text.optional(),
  created: Range.optional(),
  customer: Text.optional(),
  payment_intent: Text.optional(),
});

export type Payment = {
  readonly amount: number;
  readonly currency: string;
  readonly customer: string | null;
  readonly email?: string | null;
  readonly description?: string | null;
  readonly metadata?: Record<string, string>;
};

export type Payments = ReturnType<typeof createPayments>;

/** Payment intents, charges, refunds and disputes: as much as a checkout and an invoice leave behind. */
export function createPayments(world: World) {
  function begin(payment: Payment): PaymentIntent {
    const intent = intentOf(world, payment);
    world.paymentIntents.set(intent.id, intent);
    world.emit('payment_intent.created', intent);
    return intent;
  }

  function succeed(intent: PaymentIntent, email: string | null = null): PaymentIntent {
    const charge = chargeOf(world, intent, email);
    world.charges.set(charge.id, charge);
    intent.status = 'succeeded';
    intent.amount_received = intent.amount;
    intent.latest_charge = charge.id;
    intent.processing = null;
    world.emit('charge.succeeded', charge);
    world.emit('payment_intent.succeeded', intent);
    return intent;
  }

  function failWith(intent: PaymentIntent): void {
    intent.status = 'requires_payment_method';
    intent.processing = null;
    world.emit('payment_intent.payment_failed', intent);
  }

  /** The charge of a charge's or payment intent's id. */
  function chargeFor(id: string): Charge {
    const chargeId = world.paymentIntents.get(id)?.latest_charge ?? id;
    const charge = world.charges.get(chargeId);
    if (!charge) throw missing(id.startsWith('pi_') ? 'payment_intent' : 'charge', id, 'charge', 400);
    return charge;
  }

  function refund(
    id: string,
    amount?: number,
    fields: Pick<Refund, 'metadata' | 'reason'> | undefined = undefined,
  ): Refund {
    const charge = chargeFor(id);
    const left = charge.amount - charge.amount_refunded;
    if (left === 0) {
      throw refused(`Charge ${charge.id} has already been refunded.`, undefined, 'charge_already_refunded');
    }
    if ((amount ?? left) > left) {
      throw refused(
        `Refund amount (${amount}) is greater than unrefunded amount on charge (${left})`,
        'amount',
      );
    }
    const refunded = refundOf(world, charge, amount ?? left, fields);
    world.refunds.set(refunded.id, refunded);
    world.emit('refund.created', refunded);
    world.change('charge.refunded', charge, () => {
      charge.amount_refunded += refunded.amount;
      charge.refunded = charge.amount_refunded === charge.amount;
    });
    return refunded;
  }

  function dispute(id: string, amount?: number): Dispute {
    const charge = chargeFor(id);
    const disputed = disputeOf(world, charge, amount ?? charge.amount);
    charge.disputed = true;
    world.disputes.set(disputed.id, disputed);
    world.emit('charge.dispute.created', disputed);
    return disputed;
  }

  function closeDispute(id: string, outcome: 'won' | 'lost'): void {
    const disputed = need(world.disputes, 'dispute', id);
    world.change('charge.dispute.closed', disputed, () => {
      disputed.status = outcome;
    });
  }

  const routes: Route[] = [
    {
      method: 'GET',
      path: '/v1/payment_intents',
      run: (params) => {
        const { customer, created, ...paging } = readParams(List, params);
        const found = [...world.paymentIntents.values()].filter(
          (intent) =>
            (customer === undefined || intent.customer === customer) && within(created, intent.created),
        );
        return pageOf('/v1/payment_intents', found, paging);
      },
    },
    {
      method: 'GET',
      path: '/v1/payment_intents/:id',
      run: (_params, id) => need(world.paymentIntents, 'payment_intent', id),
    },
    listRoute('/v1/charges', world.charges),
    { method: 'GET', path: '/v1/charges/:id', run: (_params, id) => need(world.charges, 'charge', id) },
    {
      method: 'POST',
      path: '/v1/refunds',
      run: (params) => {
        const { charge, payment_intent, amount, metadata, reason } = readParams(RefundCreate, params);
        const id = charge ?? payment_intent;
        if (!id) throw malformed('parameter_missing', 'charge', 'One of charge or payment_intent is needed.');
        return refund(id, amount, { metadata: metadata ?? {}, reason: reason ?? null });
      },
    },
    listRoute('/v1/refunds', world.refunds),
    { method: 'GET', path: '/v1/refunds/:id', run: (_params, id) => need(world.refunds, 'refund', id) },
    listRoute('/v1/disputes', world.disputes),
    { method: 'GET', path: '/v1/disputes/:id', run: (_params, id) => need(world.disputes, 'dispute', id) },
  ];
  return { routes, begin, succeed, fail: failWith, refund, dispute, closeDispute };
}

function listRoute(path: `/v1/${string}`, shelf: Map<string, Charge | Refund | Dispute>): Route {
  return {
    method: 'GET',
    path,
    run: (params) => {
      const { limit, starting_after, ending_before, created, ...wanted } = readParams(ListOfIntent, params);
      const found = [...shelf.values()].filter(
        (object) =>
          within(created, object.created) &&
          Object.entries(wanted).every(
            ([name, value]) => value === undefined || Reflect.get(object, name) === value,
          ),
      );
      return pageOf(path, found, { limit, starting_after, ending_before });
    },
  };
}
