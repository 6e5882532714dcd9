import { z } from 'zod';
import { defineTool } from '../contract/define.ts';
import { buyer } from './buyer.ts';
import { AppName, Interval, PlanName, ReturnUrl } from './input.ts';

export const changePlan = defineTool({
  name: 'change_plan',
  title: 'Change the plan',
  description:
    "Change a subscription's plan. An upgrade takes effect and charges the difference immediately; a downgrade or interval change returns a link where a person confirms it.",
  keywords: {
    en: [
      'upgrade to pro',
      'downgrade',
      'switch plan',
      'yearly instead of monthly',
      'move to enterprise',
      'go to a higher plan',
    ],
    es: [
      'cambiar de plan',
      'mejorar mi plan',
      'subir o bajar de plan',
      'pasar a anual',
      'pasar a enterprise',
      'pasarme a otro plan',
    ],
  },
  toolset: 'billing',
  effect: 'external',
  scope: 'billing:write',
  dangerous: { page: '/billing' },
  rest: { route: 'POST /api/v1/billing/change-plan' },
  input: z.object({
    app: AppName.default('hooks'),
    plan: PlanName,
    interval: Interval.default('month'),
    return_url: ReturnUrl.default('/billing'),
  }),
  output: z.object({
    state: z.enum(['changed', 'confirm']),
    plan: z.string().optional(),
    interval: Interval.optional(),
    url: z.string().optional().meta({ description: 'Page to confirm the change' }),
  }),
  run: ({ return_url, ...choice }, call) => call.app.billing.change(buyer(call), choice, return_url),
  examples: [
    {
      title: 'From Pro to Enterprise',
      given: [['create_checkout_session', { plan: 'pro', success_url: '/billing' }]],
      input: { plan: 'enterprise' },
    },
  ],
});
