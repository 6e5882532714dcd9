import { z } from 'zod';
import { PricingPlan } from '../../src/billing/present-offers.ts';
import { defineTool } from '../contract/define.ts';
import { page } from '../contract/page.ts';
import { AppName, CurrencyCode } from './input.ts';

export const listPricingPlans = defineTool({
  name: 'list_pricing_plans',
  title: 'List pricing plans',
  description:
    'List the plans of the hooks and sync apps with their cost, limits and features. Works without an account.',
  keywords: {
    en: ['pricing', 'what does pro cost', 'plan features', 'compare plans', 'how much'],
    es: ['tarifas', 'cuánto cuesta', 'precios', 'qué incluye cada plan', 'comparar planes'],
  },
  toolset: 'billing',
  effect: 'read',
  scope: 'billing:read',
  anonymous: true,
  rest: { route: 'GET /api/v1/billing/pricing-plans', list: true },
  input: z.object({ app: AppName.optional(), currency: CurrencyCode.optional() }),
  output: page(PricingPlan),
  run: (filter, { app, locale }) => app.billing.plans(filter, locale),
  examples: [{ title: 'Prices of the hook plans', input: { app: 'hooks' } }],
});
