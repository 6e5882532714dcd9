import { z } from 'zod';
import { CreditPackage } from '../../src/billing/present-offers.ts';
import { defineTool } from '../contract/define.ts';
import { page } from '../contract/page.ts';
import { CurrencyCode } from './input.ts';

export const listCreditPackages = defineTool({
  name: 'list_credit_packages',
  title: 'List credit packages',
  description:
    'List packages of extra hooks with prices. Packages are one-time payments, and credits never expire. Works without an account. To buy one, use buy_credits.',
  keywords: {
    en: ['credit packs', 'price of more hooks', 'packages', 'extra credits'],
    es: ['paquetes de créditos', 'precio de más ganchos', 'bonos', 'créditos extra', 'cuánto cuestan'],
  },
  toolset: 'billing',
  effect: 'read',
  scope: 'billing:read',
  anonymous: true,
  rest: { route: 'GET /api/v1/billing/credit-packages', list: true },
  input: z.object({ currency: CurrencyCode.optional() }),
  output: page(CreditPackage),
  run: (filter, { app, locale }) => app.billing.creditPackages(filter, locale),
  examples: [{ title: 'All packages', input: {} }],
});
