import type { Stripe } from 'stripe';
import type { CheckoutOrder, PortalOrder } from '../../billing/payment-service.ts';

export function checkoutParams(order: CheckoutOrder): Stripe.Checkout.SessionCreateParams {
  const { customerId, accountId, offer, successUrl, cancelUrl } = order;
  const of =
    offer.kind === 'plan'
      ? { plan: offer.plan, interval: offer.interval }
      : { credits: String(offer.credits) };
  const metadata = { account_id: accountId, app: offer.app, ...of };
  return {
    ...(offer.kind === 'plan'
      ? { mode: 'subscription', subscription_data: { metadata } }
      : { mode: 'payment', payment_intent_data: { metadata } }),
    customer: customerId,
    client_reference_id: accountId,
    line_items: [{ price: offer.priceId, quantity: 1 }],
    success_url: successUrl,
    cancel_url: cancelUrl,
    metadata,
  };
}

export function portalParams({
  customerId,
  returnUrl,
  flow,
}: PortalOrder): Stripe.BillingPortal.SessionCreateParams {
  const base = { customer: customerId, return_url: returnUrl };
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
