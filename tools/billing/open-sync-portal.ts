import { z } from 'zod';
import { defineTool } from '../contract/define.ts';
import { buyer } from './buyer.ts';
import { PageLink, ReturnUrl } from './input.ts';

export const openSyncPortal = defineTool({
  name: 'open_sync_portal',
  title: 'Open the sync billing portal',
  description:
    "Create a one-time link to the billing portal that returns to the sync app's settings. To start at cancellation or the payment method, use open_billing_portal.",
  keywords: {
    en: ['sync billing portal', 'manage the sync subscription', 'payments of the sync app'],
    es: [
      'portal de sincronización',
      'gestionar la suscripción de sincronización',
      'pagos de la app de sincronización',
    ],
  },
  toolset: 'billing',
  effect: 'external',
  scope: 'billing:write',
  rest: { route: 'POST /billing/portal' },
  input: z.object({ return_url: ReturnUrl.default('/settings') }),
  output: PageLink,
  run: async ({ return_url }, call) => ({
    url: await call.app.billing.portal(buyer(call), 'sync', return_url),
  }),
  examples: [{ title: 'Manage everything', input: {} }],
});
