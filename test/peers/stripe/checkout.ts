import { z } from 'zod';
import type { Catalogue } from './catalogue.ts';
import { createSession, type Plan } from './checkout-create.ts';
import type { Customers } from './customers.ts';
import { Paging, Range, readParams, Text, within } from './forms.ts';
import type { Invoices } from './invoices.ts';
import type { PaymentIntent, Session } from './objects.ts';
import { pageOf } from './pages.ts';
import type { Payments } from './payments.ts';
import { cardDeclined, refused } from './refusal.ts';
import type { Route } from './routes.ts';
import type { Subscriptions } from './subscriptions.ts';
import { need, type World } from './world.ts';

const List = z.strictObject({
  ...Paging,
  created: Range.optional(),
  customer: Text.optional(),
  payment_intent: Text.optional(),
  status: z.enum(['complete', 'expired', 'open']).optional(),
  subscription: Text.optional(),
});

type Parts = {
  customers: Customers;
  catalogue: Catalogue;
  payments: Payments;
  invoices: Invoices;
  subscriptions: Subscriptions;
};

/** What a person does on the page. */
type Entered = {
  readonly email?: string | undefined;
  readonly later?: boolean | undefined;
  readonly company?: string | undefined;
  readonly country?: string | undefined;
};

export type Checkout = ReturnType<typeof createCheckout>;

/** Checkout sessions, and what their hosted page does. */
export function createCheckout(
  world: World,
  { customers, catalogue, payments, invoices, subscriptions }: Parts,
  origin: () => string,
) {
  const plans = new Map<string, Plan>();
  const known = (id: string): Session => need(world.sessions, 'checkout.session', id);

  function pay(id: string, { email, later = false, company, country }: Entered = {}): Session {
    const session = known(id);
    if (session.status !== 'open') throw refused(`Checkout session ${id} is ${session.status}.`);
    const address = email ?? session.customer_details?.email ?? null;
    if (session.customer && world.moods.get(session.customer) === 'declined') throw cardDeclined();
    if (!session.customer && session.customer_creation === 'always') {
      session.customer = customers.create(address === null ? {} : { email: address }).id;
    }
    if (session.customer) enter(session.customer, plans.get(session.id), { company, country });
    session.customer_details = {
      address: null,
      business_name: null,
      email: address,
      individual_name: null,
      name: null,
      phone: null,
      tax_exempt: 'none',
      tax_ids: [],
    };
    if (session.mode === 'subscription') subscribe(session);
    else charge(session, address, later);
    session.status = 'complete';
    if (session.automatic_tax.enabled) session.automatic_tax.status = 'complete';
    session.url = null;
    if (!later && session.payment_status === 'unpaid') session.payment_status = 'paid';
    world.emit('checkout.session.completed', session);
    return session;
  }

  /** What the person enters on the page replaces what the customer has, where the session lets it. */
  function enter(customerId: string, plan: Plan | undefined, { company, country }: Entered): void {
    const { name = false, address = false } = plan?.replaces ?? {};
    if (name && company !== undefined) customers.update(customerId, { name: company });
    if (address && country !== undefined) customers.update(customerId, { address: { country } });
  }

  function subscribe(session: Session): void {
    const { trial_period_days, metadata, description } = plans.get(session.id)?.subscription ?? {};
    const subscription = subscriptions.start({
      customer: session.customer ?? '',
      items: session.line_items.data.filter(({ price }) => price.type === 'recurring'),
      metadata: metadata ?? {},
      description: description ?? null,
      automaticTax: session.automatic_tax.enabled,
      ...(trial_period_days && { trialDays: trial_period_days }),
    });
    session.subscription = subscription.id;
    session.invoice = subscription.latest_invoice;
  }

  function charge(session: Session, email: string | null, later: boolean): void {
    if (session.amount_total === 0) return;
    const { metadata, description } = plans.get(session.id)?.payment ?? {};
    const intent = payments.begin({
      amount: session.amount_total ?? 0,
      currency: session.currency ?? 'eur',
      customer: session.customer,
      email,
      description: description ?? null,
      metadata: metadata ?? {},
    });
    session.payment_intent = intent.id;
    if (later) return;
    payments.succeed(intent, email);
    invoice(session, intent);
  }

  /** A single payment leaves an invoice where the session says so, once it is paid. */
  function invoice(session: Session, intent: PaymentIntent): void {
    const data = plans.get(session.id)?.invoice;
    if (!data || session.customer === null) return;
    const now = world.now();
    const { id } = invoices.settled(
      {
        customer: session.customer,
        subscription: null,
        reason: 'manual',
        currency: intent.currency,
        lines: session.line_items.data.map(({ price, quantity, amount_total: amount, description }) => ({
          price,
          quantity,
          amount,
          description: description ?? '',
          period: { start: now, end: now },
          proration: false,
          subscriptionItem: null,
        })),
        automaticTax: session.automatic_tax.enabled,
        metadata: data.metadata ?? {},
      },
      intent,
    );
    session.invoice = id;
  }

  function settle(id: string, outcome: 'succeeded' | 'failed'): void {
    const session = known(id);
    const intent = world.paymentIntents.get(session.payment_intent ?? '');
    if (intent?.status !== 'processing') throw refused(`Checkout session ${id} waits for no payment.`);
    if (outcome === 'failed') payments.fail(intent);
    else {
      payments.succeed(intent);
      invoice(session, intent);
      session.payment_status = 'paid';
    }
    world.emit(`checkout.session.async_payment_${outcome}`, session);
  }

  function expire(id: string): Session {
    const session = known(id);
    if (session.status !== 'open') {
      throw refused(
        `Only Checkout Sessions with a status in ["open"] can be expired. This Checkout Session has a status of \`${session.status}\`.`,
      );
    }
    session.status = 'expired';
    session.url = null;
    world.emit('checkout.session.expired', session);
    return session;
  }

  const routes: Route[] = [
    {
      method: 'POST',
      path: '/v1/checkout/sessions',
      contract: 'CheckoutCreate',
      run: (params) => {
        const { session, plan } = createSession(world, catalogue, params, (id) => `${origin()}/c/pay/${id}`);
        plans.set(session.id, plan);
        return session;
      },
    },
    {
      method: 'GET',
      path: '/v1/checkout/sessions',
      run: (params) => {
        const { created, limit, starting_after, ending_before, ...wanted } = readParams(List, params);
        const found = [...world.sessions.values()].filter(
          (session) =>
            within(created, session.created) &&
            Object.entries(wanted).every(
              ([name, value]) => value === undefined || Reflect.get(session, name) === value,
            ),
        );
        return pageOf('/v1/checkout/sessions', found, { limit, starting_after, ending_before });
      },
    },
    { method: 'GET', path: '/v1/checkout/sessions/:id', run: (_params, id) => known(id) },
    { method: 'POST', path: '/v1/checkout/sessions/:id/expire', run: (_params, id) => expire(id) },
    {
      method: 'GET',
      path: '/v1/checkout/sessions/:id/line_items',
      run: (params, id) => {
        const items = known(id).line_items.data.toReversed();
        const page = pageOf(
          `/v1/checkout/sessions/${id}/line_items`,
          items,
          readParams(z.strictObject(Paging), params),
        );
        return page;
      },
    },
  ];
  return {
    routes,
    pay,
    settle,
    expire,
    find: (id: string) => world.sessions.get(id),
    due: () =>
      [...world.sessions.values()]
        .filter(({ status }) => status === 'open')
        .map(({ id, expires_at }) => ({ at: expires_at, act: () => void expire(id) })),
  };
}
