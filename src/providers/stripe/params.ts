import type { Stripe } from 'stripe';
import type { CheckoutOrder, Contact, PortalOrder } from '../../billing/payment-service.ts';

/** What the operator chooses for every checkout. */
export type CheckoutSettings = {
  readonly automaticTax: boolean;
  /** Companies may enter their VAT or other tax ID. */
  readonly taxIds: boolean;
  readonly billingAddress: 'auto' | 'required';
  readonly promotionCodes: boolean;
};

const MAX_NAME = 256;

export function contactParams({ email, name, language }: Partial<Contact>) {
  return {
    ...(email && { email }),
    ...(name && { name: name.slice(0, MAX_NAME) }),
    ...(language && { preferred_locales: [language] }),
  };
}

export function checkoutParams(
  order: CheckoutOrder,
  settings: CheckoutSettings,
): Stripe.Checkout.SessionCreateParams {
  const { customerId, accountId, offer, successUrl, cancelUrl, locale, trialDays } = order;
  const of =
    offer.kind === 'plan'
      ? { plan: offer.plan, interval: offer.interval }
      : { credits: String(offer.credits) };
  const metadata = { account_id: accountId, app: offer.app, ...of };
  return {
    ...(offer.kind === 'plan'
      ? {
          mode: 'subscription',
          subscription_data: { metadata, ...(trialDays > 0 && { trial_period_days: trialDays }) },
        }
      : {
          mode: 'payment',
          payment_intent_data: { metadata },
          // Without it, a single payment leaves a receipt and no invoice.
          invoice_creation: { enabled: true, invoice_data: { metadata } },
        }),
    customer: customerId,
    // Tax needs the address, and a tax ID the name of the company: what is entered stays with the customer.
    customer_update: { address: 'auto', name: 'auto' },
    automatic_tax: { enabled: settings.automaticTax },
    tax_id_collection: { enabled: settings.taxIds },
    billing_address_collection: settings.billingAddress,
    allow_promotion_codes: settings.promotionCodes,
    locale,
    client_reference_id: accountId,
    line_items: [{ price: offer.priceId, quantity: 1 }],
    success_url: successUrl,
    cancel_url: cancelUrl,
    metadata,
  };
}

export function portalParams(
  { customerId, returnUrl, flow, locale }: PortalOrder,
  configuration: string | undefined,
): Stripe.BillingPortal.SessionCreateParams {
  const base = {
    customer: customerId,
    return_url: returnUrl,
    locale,
    ...(configuration !== undefined && { configuration }),
  };
  switch (flow?.type) {
    case undefined:
      return base;
    case 'payment_method':
      return { ...base, flow_data: { type: 'payment_method_update' } };
    case 'cancel':
      return {
        ...base,
        flow_data: {
          type: 'subscription_cancel',
          subscription_cancel: { subscription: flow.subscriptionId },
        },
      };
    case 'update':
      return {
        ...base,
        flow_data: {
          type: 'subscription_update',
          subscription_update: { subscription: flow.subscriptionId },
        },
      };
  }
}
