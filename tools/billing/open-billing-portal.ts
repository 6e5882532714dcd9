import { z } from 'zod';
import { defineTool } from '../contract/define.ts';
import { buyer } from './buyer.ts';
import { AppName, PageLink, ReturnUrl } from './input.ts';

export const openBillingPortal = defineTool({
  name: 'open_billing_portal',
  title: 'Open the billing portal',
  description:
    'Make a link to the page where a person changes or cancels a subscription, replaces the card and sees invoices. The link is for one visit.',
  toolset: 'billing',
  effect: 'external',
  scope: 'billing:write',
  rest: { route: 'POST /api/v1/billing/portal' },
  input: z.object({
    app: AppName.default('hooks').meta({ description: 'Whose subscription the flow is about' }),
    return_url: ReturnUrl.default('/billing'),
    flow: z.enum(['cancel', 'update', 'payment_method']).optional().meta({ description: 'Where to begin' }),
  }),
  output: PageLink,
  run: async ({ app, return_url, flow }, call) => ({
    url: await call.app.billing.portal(buyer(call), app, return_url, flow),
  }),
  examples: [{ title: 'to manage it all', input: { return_url: '/billing' } }],
});
