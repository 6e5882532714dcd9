import type { Stripe } from 'stripe';

// The SDK's types, with ids where it allows an object: the peer stores ids, and `expand` puts the objects in.
export type Customer = Stripe.Customer;
export type Product = Stripe.Product;
/** Decimals travel as texts. */
export type Price = Omit<Stripe.Price, 'unit_amount_decimal' | 'product'> & {
  product: string;
  unit_amount_decimal: string | null;
};
export type PaymentIntent = Stripe.PaymentIntent & { customer: string | null; latest_charge: string | null };
export type Charge = Stripe.Charge & { customer: string | null; payment_intent: string | null };
export type Refund = Stripe.Refund;
export type Dispute = Stripe.Dispute;
export type Invoice = Stripe.Invoice & { customer: string; payments: Stripe.ApiList<Stripe.InvoicePayment> };
export type SubscriptionItem = Omit<Stripe.SubscriptionItem, 'price'> & { price: Price; quantity: number };
export type Subscription = Omit<Stripe.Subscription, 'items'> & {
  customer: string;
  latest_invoice: string | null;
  items: Omit<Stripe.ApiList<Stripe.SubscriptionItem>, 'data'> & { data: SubscriptionItem[] };
};
export type LineItem = Omit<Stripe.LineItem, 'price'> & { price: Price; quantity: number };
export type Session = Omit<Stripe.Checkout.Session, 'line_items'> & {
  customer: string | null;
  subscription: string | null;
  payment_intent: string | null;
  invoice: string | null;
  line_items: Omit<Stripe.ApiList<Stripe.LineItem>, 'data'> & { data: LineItem[] };
};
export type PortalConfiguration = Stripe.BillingPortal.Configuration;
export type PortalSession = Stripe.BillingPortal.Session;

/** What every object of the API has. */
export type StripeObject = { readonly id: string; readonly object: string; readonly created?: number };

/** Fields that are only answered where `expand` names them. */
const INCLUDABLE: Readonly<Record<string, readonly string[]>> = {
  'checkout.session': ['line_items'],
  invoice: ['payments'],
  charge: ['refunds'],
};

/** A copy as the API answers it. */
export function answered(object: StripeObject): Record<string, unknown> & StripeObject {
  const copy = structuredClone(object);
  for (const name of INCLUDABLE[object.object] ?? []) Reflect.deleteProperty(copy, name);
  return { ...copy };
}

export function list<T>(url: string, data: T[], has_more = false) {
  return { object: 'list' as const, data, has_more, url };
}
