import { z } from 'zod';
import { Flag, Paging, Range, readParams, Text, within } from './forms.ts';
import { type Bill, invoiceOf } from './invoice-objects.ts';
import type { Invoice, PaymentIntent } from './objects.ts';
import { pageOf } from './pages.ts';
import type { Payments } from './payments.ts';
import { cardDeclined, refused } from './refusal.ts';
import type { Route } from './routes.ts';
import { need, type World } from './world.ts';

const List = z.strictObject({
  ...Paging,
  collection_method: z.enum(['charge_automatically', 'send_invoice']).optional(),
  created: Range.optional(),
  customer: Text.optional(),
  status: z.enum(['draft', 'open', 'paid', 'uncollectible', 'void']).optional(),
  subscription: Text.optional(),
});
const Pay = z.strictObject({ off_session: Flag.optional(), payment_method: Text.optional() });

const DAY = 86_400;
/** Seconds from one failed attempt to the next; after the last of them Stripe gives up. */
const RETRIES = [3 * DAY, 5 * DAY, 7 * DAY];

/** Outcome of an invoice; `exhausted` after the last retry. */
export type Settlement = 'paid' | 'failed' | 'exhausted' | 'closed';

export type Invoices = ReturnType<typeof createInvoices>;

/** Invoices from draft to paid. A charge is tried at once, where Stripe waits about an hour. */
export function createInvoices(world: World, payments: Payments, origin: () => string) {
  let tell: (invoice: Invoice, settlement: Settlement) => void = () => {};

  function draft(bill: Bill): Invoice {
    const invoice = invoiceOf(world, bill);
    world.invoices.set(invoice.id, invoice);
    world.emit('invoice.created', invoice);
    return invoice;
  }

  function finalize(invoice: Invoice): Invoice {
    if (invoice.status !== 'draft') {
      throw refused('This invoice is already finalized, you can’t re-finalize a non-draft invoice.');
    }
    const customer = world.customers.get(invoice.customer);
    const sequence = customer?.next_invoice_sequence ?? 1;
    if (customer) customer.next_invoice_sequence = sequence + 1;
    if (customer && invoice.billing_reason !== 'manual') {
      customer.balance = Math.min(0, invoice.total + invoice.starting_balance);
      invoice.ending_balance = customer.balance;
    }
    invoice.number = `${customer?.invoice_prefix ?? 'GUEST'}-${String(sequence).padStart(4, '0')}`;
    invoice.status = 'open';
    invoice.hosted_invoice_url = `${origin()}/i/${invoice.id}`;
    invoice.invoice_pdf = `${origin()}/i/${invoice.id}/pdf`;
    invoice.effective_at = world.now();
    invoice.status_transitions.finalized_at = world.now();
    world.emit('invoice.finalized', invoice);
    return invoice;
  }

  /** Tries the customer's card. Answers whether the invoice is paid. */
  function attempt(invoice: Invoice): boolean {
    const declined = invoice.amount_due > 0 && world.moods.get(invoice.customer) === 'declined';
    if (declined) fail(invoice);
    else markPaid(invoice);
    return !declined;
  }

  /** With a new payment, or the one that was made before. */
  function markPaid(invoice: Invoice, made?: PaymentIntent): void {
    if (invoice.status !== 'open') throw refused('Invoice is already paid or closed.');
    if (invoice.amount_due > 0) {
      const intent = made ?? charge(invoice);
      invoice.payments.data.push({
        id: world.id('inpay'),
        object: 'invoice_payment',
        amount_paid: invoice.amount_due,
        amount_requested: invoice.amount_due,
        created: world.now(),
        currency: invoice.currency,
        invoice: invoice.id,
        is_default: true,
        livemode: false,
        payment: { payment_intent: intent.id, type: 'payment_intent' },
        status: 'paid',
        status_transitions: { canceled_at: null, paid_at: world.now() },
      });
      invoice.attempt_count += 1;
    }
    invoice.attempted = true;
    invoice.status = 'paid';
    invoice.amount_paid = invoice.amount_due;
    invoice.amount_remaining = 0;
    invoice.auto_advance = false;
    invoice.next_payment_attempt = null;
    invoice.status_transitions.paid_at = world.now();
    world.emit('invoice.paid', invoice);
    world.emit('invoice.payment_succeeded', invoice);
    tell(invoice, 'paid');
  }

  function charge(invoice: Invoice): PaymentIntent {
    const intent = payments.begin({
      amount: invoice.amount_due,
      currency: invoice.currency,
      customer: invoice.customer,
      description: 'Subscription payment',
    });
    return payments.succeed(intent, invoice.customer_email);
  }

  /** An invoice for what has been paid. */
  function settled(bill: Bill, intent: PaymentIntent): Invoice {
    const invoice = finalize(draft(bill));
    markPaid(invoice, intent);
    return invoice;
  }

  function fail(invoice: Invoice): void {
    if (invoice.status !== 'open') throw refused('Invoice is already paid or closed.');
    const intent = payments.begin({
      amount: invoice.amount_due,
      currency: invoice.currency,
      customer: invoice.customer,
    });
    payments.fail(intent);
    const wait = RETRIES[invoice.attempt_count];
    invoice.attempt_count += 1;
    invoice.attempted = true;
    invoice.next_payment_attempt = wait === undefined ? null : world.now() + wait;
    world.emit('invoice.payment_failed', invoice);
    tell(invoice, wait === undefined ? 'exhausted' : 'failed');
  }

  function close(invoice: Invoice, status: 'void' | 'uncollectible'): Invoice {
    if (invoice.status !== 'open') throw refused('You can only close an open invoice.');
    invoice.status = status;
    invoice.auto_advance = false;
    invoice.next_payment_attempt = null;
    if (status === 'void') invoice.status_transitions.voided_at = world.now();
    else invoice.status_transitions.marked_uncollectible_at = world.now();
    world.emit(status === 'void' ? 'invoice.voided' : 'invoice.marked_uncollectible', invoice);
    tell(invoice, 'closed');
    return invoice;
  }

  const known = (id: string): Invoice => need(world.invoices, 'invoice', id);
  const routes: Route[] = [
    { method: 'GET', path: '/v1/invoices', run: (params) => listed(readParams(List, params)) },
    { method: 'GET', path: '/v1/invoices/:id', run: (_params, id) => known(id) },
    {
      method: 'POST',
      path: '/v1/invoices/:id/pay',
      run: (params, id) => {
        readParams(Pay, params);
        if (!attempt(known(id))) throw cardDeclined();
        return known(id);
      },
    },
    { method: 'POST', path: '/v1/invoices/:id/finalize', run: (_params, id) => finalize(known(id)) },
    { method: 'POST', path: '/v1/invoices/:id/void', run: (_params, id) => close(known(id), 'void') },
    {
      method: 'POST',
      path: '/v1/invoices/:id/mark_uncollectible',
      run: (_params, id) => close(known(id), 'uncollectible'),
    },
  ];

  function listed({
    created,
    customer,
    status,
    subscription,
    collection_method: _all,
    ...paging
  }: z.infer<typeof List>) {
    const found = [...world.invoices.values()].filter(
      (invoice) =>
        (customer === undefined || invoice.customer === customer) &&
        (status === undefined || invoice.status === status) &&
        (subscription === undefined || invoice.parent?.subscription_details?.subscription === subscription) &&
        within(created, invoice.created),
    );
    return pageOf('/v1/invoices', found, paging);
  }

  return {
    routes,
    draft,
    finalize,
    attempt,
    markPaid,
    settled,
    fail,
    close,
    whenSettled(listener: typeof tell): void {
      tell = listener;
    },
    /** What the clock has to do next: the retries. */
    due: () =>
      [...world.invoices.values()].flatMap((invoice) =>
        invoice.status === 'open' && invoice.next_payment_attempt !== null
          ? [{ at: invoice.next_payment_attempt, act: () => void attempt(invoice) }]
          : [],
      ),
  };
}
