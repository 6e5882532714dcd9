import { z } from 'zod';
import { defineTool } from '../contract/define.ts';
import { buyer } from './buyer.ts';
import { CheckoutLink, ReturnUrl } from './input.ts';

export const buyCredits = defineTool({
  name: 'buy_credits',
  title: 'Buy credits',
  description:
    'Make a link to the page where a person buys a package of extra hooks. Nothing is paid by this call. list_credit_packages shows the packages.',
  toolset: 'billing',
  effect: 'external',
  scope: 'billing:write',
  rest: { route: 'POST /api/v1/billing/buy-credits' },
  input: z.object({
    package_id: z.string().min(1).max(200),
    success_url: ReturnUrl,
    cancel_url: ReturnUrl.optional(),
  }),
  output: CheckoutLink,
  run: ({ package_id, success_url: successUrl, cancel_url: cancelUrl }, call) =>
    call.app.billing.buyCredits(buyer(call), package_id, { successUrl, cancelUrl }),
  examples: [
    { title: '100 hooks more', input: { package_id: 'hooks_credits_100', success_url: '/billing' } },
  ],
});
