import { z } from 'zod';
import { BillingSummary } from '../../src/billing/present.ts';
import { defineTool } from '../contract/define.ts';
import { AppName } from './input.ts';

export const getBillingSummary = defineTool({
  name: 'get_billing_summary',
  title: 'Get the billing summary',
  description:
    "Get the account's plan, payment status, renewal date and credits. After a checkout, send session_id to refresh the status from Stripe.",
  keywords: {
    en: [
      'current plan',
      'my subscription',
      'when does it renew',
      'payment status',
      'next charge',
      'which plan am I on',
    ],
    es: [
      'mi suscripción',
      'plan actual',
      'cuándo se renueva',
      'estado del pago',
      'próximo cobro',
      'qué plan tengo',
    ],
  },
  toolset: 'billing',
  effect: 'read',
  scope: 'billing:read',
  rest: { route: 'GET /api/v1/billing/summary' },
  input: z.object({
    app: AppName.default('hooks'),
    session_id: z
      .string()
      .max(200)
      .optional()
      .meta({ description: 'Checkout session ID from the return URL' }),
  }),
  output: BillingSummary,
  run: ({ app: name, session_id }, { app, caller }) =>
    app.billing.summary(caller.accountId, name, session_id),
  examples: [{ title: 'The current plan', input: {} }],
});
