import { type Invoice, list, type Price } from './objects.ts';
import type { World } from './world.ts';

/** One line of an invoice to be; the amount in minor units, negative for a credit. */
export type Line = {
  readonly price: Price;
  readonly quantity: number;
  readonly amount: number;
  readonly description: string;
  readonly period: { readonly start: number; readonly end: number };
  readonly proration: boolean;
  readonly subscriptionItem: string | null;
};

export type Bill = {
  readonly customer: string;
  readonly subscription: { readonly id: string; readonly metadata: Record<string, string> } | null;
  readonly reason: 'subscription_create' | 'subscription_cycle' | 'subscription_update' | 'manual';
  readonly currency: string;
  readonly lines: readonly Line[];
  readonly metadata?: Record<string, string>;
  readonly automaticTax?: boolean;
};

/** A draft. What the customer has in credit is taken off. */
export function invoiceOf(world: World, bill: Bill): Invoice {
  const customer = world.customers.get(bill.customer);
  const id = world.id('in');
  const total = bill.lines.reduce((sum, { amount }) => sum + amount, 0);
  // What is paid already takes nothing from the balance.
  const starting = bill.reason === 'manual' ? 0 : (customer?.balance ?? 0);
  const due = Math.max(0, total + starting);
  const period = bill.lines[0]?.period ?? { start: world.now(), end: world.now() };
  return {
    id,
    object: 'invoice',
    account_country: 'DE',
    account_name: 'Stallhand',
    account_tax_ids: null,
    amount_due: due,
    amount_overpaid: 0,
    amount_paid: 0,
    amount_remaining: due,
    amount_shipping: 0,
    application: null,
    attempt_count: 0,
    attempted: false,
    auto_advance: true,
    automatic_tax: bill.automaticTax
      ? {
          disabled_reason: null,
          enabled: true,
          liability: { type: 'self' },
          provider: 'stripe',
          status: 'complete',
        }
      : { disabled_reason: null, enabled: false, liability: null, provider: null, status: null },
    automatically_finalizes_at: null,
    billing_reason: bill.reason,
    collection_method: 'charge_automatically',
    created: world.now(),
    currency: bill.currency,
    custom_fields: null,
    customer: bill.customer,
    customer_account: null,
    customer_address: customer?.address ?? null,
    customer_email: customer?.email ?? null,
    customer_name: customer?.name ?? null,
    customer_phone: null,
    customer_shipping: null,
    customer_tax_exempt: 'none',
    customer_tax_ids: [],
    default_payment_method: null,
    default_source: null,
    default_tax_rates: [],
    description: null,
    discounts: [],
    due_date: null,
    effective_at: null,
    ending_balance: null,
    footer: null,
    from_invoice: null,
    hosted_invoice_url: null,
    invoice_pdf: null,
    issuer: { type: 'self' },
    last_finalization_error: null,
    latest_revision: null,
    lines: list(
      `/v1/invoices/${id}/lines`,
      bill.lines.map((line) => lineOf(world, id, bill, line)),
    ),
    livemode: false,
    metadata: bill.metadata ?? {},
    next_payment_attempt: null,
    number: null,
    on_behalf_of: null,
    parent: bill.subscription
      ? {
          quote_details: null,
          subscription_details: {
            metadata: { ...bill.subscription.metadata },
            subscription: bill.subscription.id,
          },
          type: 'subscription_details',
        }
      : null,
    payment_settings: { default_mandate: null, payment_method_options: null, payment_method_types: null },
    payments: list(`/v1/invoice_payments?invoice=${id}`, []),
    period_end: period.end,
    period_start: period.start,
    post_payment_credit_notes_amount: 0,
    pre_payment_credit_notes_amount: 0,
    receipt_number: null,
    rendering: null,
    shipping_cost: null,
    shipping_details: null,
    starting_balance: starting,
    statement_descriptor: null,
    status: 'draft',
    status_transitions: { finalized_at: null, marked_uncollectible_at: null, paid_at: null, voided_at: null },
    subtotal: total,
    subtotal_excluding_tax: total,
    test_clock: null,
    total,
    total_discount_amounts: [],
    total_excluding_tax: total,
    total_pretax_credit_amounts: [],
    total_taxes: [],
    webhooks_delivered_at: world.now(),
  };
}

function lineOf(world: World, invoice: string, bill: Bill, line: Line): Invoice['lines']['data'][number] {
  return {
    id: world.id('il'),
    object: 'line_item',
    amount: line.amount,
    currency: bill.currency,
    description: line.description,
    discount_amounts: [],
    discountable: !line.proration,
    discounts: [],
    invoice,
    livemode: false,
    metadata: { ...bill.subscription?.metadata },
    parent: bill.subscription
      ? {
          invoice_item_details: null,
          subscription_item_details: {
            invoice_item: null,
            proration: line.proration,
            proration_details: null,
            subscription: bill.subscription.id,
            subscription_item: line.subscriptionItem ?? '',
          },
          type: 'subscription_item_details',
        }
      : null,
    period: { ...line.period },
    pretax_credit_amounts: [],
    pricing: {
      price_details: { price: line.price.id, product: line.price.product },
      type: 'price_details',
      unit_amount_decimal: null,
    },
    quantity: line.quantity,
    quantity_decimal: null,
    subscription: bill.subscription?.id ?? null,
    subtotal: line.amount,
    taxes: [],
  };
}
