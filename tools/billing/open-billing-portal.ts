import { z } from 'zod';
import { defineTool } from '../contract/define.ts';
import { buyer } from './buyer.ts';
import { AppName, PageLink, ReturnUrl } from './input.ts';

export const openBillingPortal = defineTool({
  name: 'open_billing_portal',
  title: 'Open the billing portal',
  description:
    'Create a one-time link to the billing portal, where a person changes or cancels a subscription, replaces the payment card or sees invoices.',
  keywords: {
    en: ['cancel my subscription', 'update the credit card', 'payment method', 'manage billing'],
    es: [
      'cambiar la tarjeta',
      'cancelar la suscripción',
      'método de pago',
      'datos de facturación',
      'gestionar pagos',
    ],
  },
  toolset: 'billing',
  effect: 'external',
  scope: 'billing:write',
  rest: { route: 'POST /api/v1/billing/portal' },
  input: z.object({
    app: AppName.default('hooks').meta({ description: 'App whose subscription the flow is for' }),
    return_url: ReturnUrl.default('/billing'),
    flow: z.enum(['cancel', 'update', 'payment_method']).optional().meta({ description: 'Page to start on' }),
  }),
  output: PageLink,
  run: async ({ app, return_url, flow }, call) => ({
    url: await call.app.billing.portal(buyer(call), app, return_url, flow),
  }),
  examples: [{ title: 'Manage everything', input: { return_url: '/billing' } }],
});
