import { z } from 'zod';
import { BillingSummary } from '../../src/billing/present.ts';
import { defineTool } from '../contract/define.ts';
import { AppName } from './input.ts';

export const getBillingSummary = defineTool({
  name: 'get_billing_summary',
  title: 'Get the billing summary',
  description:
    'Say which plan the account is on, whether it is paid, when it renews and how many credits are left. After paying, give session_id: the payment service is then asked anew.',
  toolset: 'billing',
  effect: 'read',
  scope: 'billing:read',
  rest: { route: 'GET /api/v1/billing/summary' },
  input: z.object({
    app: AppName.default('hooks'),
    session_id: z.string().max(200).optional().meta({ description: 'From the address one returned to' }),
  }),
  output: BillingSummary,
  run: ({ app: name, session_id }, { app, caller }) =>
    app.billing.summary(caller.accountId, name, session_id),
  examples: [{ title: 'my plan', input: {} }],
});
