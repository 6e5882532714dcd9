import { z } from 'zod';
import { defineTool } from '../contract/define.ts';
import { buyer } from './buyer.ts';
import { AppName, CheckoutLink, CurrencyCode, Interval, PlanName, ReturnUrl } from './input.ts';

export const createCheckoutSession = defineTool({
  name: 'create_checkout_session',
  title: 'Create a checkout link',
  description:
    'Create a checkout link for a subscription, by plan and interval or by price_id. A person pays on that page; this call charges nothing. See list_pricing_plans for plans.',
  keywords: {
    en: [
      'subscribe',
      'pay for the hooks app',
      'get pro or enterprise',
      'sign up for a plan',
      'first purchase',
    ],
    es: ['suscribirme', 'contratar un plan', 'pagar el plan de ganchos', 'quiero pro o enterprise', 'pagar'],
  },
  toolset: 'billing',
  effect: 'external',
  scope: 'billing:write',
  rest: { route: 'POST /api/v1/billing/create-checkout-session' },
  input: z.object({
    app: AppName.default('hooks'),
    plan: PlanName.optional(),
    price_id: z.string().min(1).max(200).optional(),
    interval: Interval.default('month'),
    currency: CurrencyCode.optional(),
    success_url: ReturnUrl,
    cancel_url: ReturnUrl.optional(),
  }),
  output: CheckoutLink,
  run: ({ price_id: priceId, success_url: successUrl, cancel_url: cancelUrl, ...choice }, call) =>
    call.app.billing.checkout(buyer(call), { ...choice, priceId }, { successUrl, cancelUrl }),
  examples: [{ title: 'Pro, monthly', input: { plan: 'pro', success_url: '/billing' } }],
});
