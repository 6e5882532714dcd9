import { z } from 'zod';
import { defineTool } from '../contract/define.ts';
import { buyer } from './buyer.ts';
import { CurrencyCode, Interval, PageLink, PlanName, ReturnUrl } from './input.ts';

export const createSyncCheckout = defineTool({
  name: 'create_sync_checkout',
  title: 'Create a sync checkout link',
  description:
    'Create a checkout link for a sync plan: pro or pro_api. A person pays on that page; this call charges nothing. For hooks plans, use create_checkout_session.',
  keywords: {
    en: ['pay for sync', 'subscribe to sync', 'upgrade sync'],
    es: ['pagar la sincronización', 'contratar la sincronización', 'suscribirme a la sincronización'],
  },
  toolset: 'billing',
  effect: 'external',
  scope: 'billing:write',
  rest: { route: 'POST /billing/checkout' },
  input: z.object({
    plan: PlanName,
    interval: Interval.default('month'),
    currency: CurrencyCode.optional(),
    success_url: ReturnUrl.default('/settings'),
    cancel_url: ReturnUrl.optional(),
  }),
  output: PageLink,
  run: ({ plan, interval, currency, success_url: successUrl, cancel_url: cancelUrl }, call) =>
    call.app.billing.checkout(
      buyer(call),
      { app: 'sync', plan, interval, currency },
      { successUrl, cancelUrl },
    ),
  examples: [{ title: 'Pro for the sync app', input: { plan: 'pro' } }],
});
