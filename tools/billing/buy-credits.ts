import { z } from 'zod';
import { defineTool } from '../contract/define.ts';
import { buyer } from './buyer.ts';
import { CheckoutLink, CurrencyCode, ReturnUrl } from './input.ts';

export const buyCredits = defineTool({
  name: 'buy_credits',
  title: 'Buy credits',
  description:
    'Create a checkout link for a package of extra hooks from list_credit_packages. A person pays on that page; this call charges nothing.',
  keywords: {
    en: ['buy more hooks', 'top up', 'recharge', 'extra hooks'],
    es: ['más créditos', 'comprar ganchos', 'recargar', 'créditos extra'],
  },
  toolset: 'billing',
  effect: 'external',
  scope: 'billing:write',
  rest: { route: 'POST /api/v1/billing/buy-credits' },
  input: z.object({
    package_id: z.string().min(1).max(200),
    currency: CurrencyCode.optional(),
    success_url: ReturnUrl,
    cancel_url: ReturnUrl.optional(),
  }),
  output: CheckoutLink,
  run: ({ package_id: packageId, currency, success_url: successUrl, cancel_url: cancelUrl }, call) =>
    call.app.billing.buyCredits(buyer(call), { packageId, currency }, { successUrl, cancelUrl }),
  examples: [
    { title: '100 more hooks', input: { package_id: 'hooks_credits_100', success_url: '/billing' } },
  ],
});
