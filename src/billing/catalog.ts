import type { BilledApp } from '../plans.ts';
import type { Interval } from './payment-service.ts';

type Texts = { readonly name: string; readonly description: string; readonly features: readonly string[] };

/** A plan as it is sold. Prices are in cents, the same number in every currency; a free plan has none. */
export type CataloguePlan = {
  readonly app: BilledApp;
  readonly plan: string;
  readonly popular: boolean;
  readonly prices: Readonly<Partial<Record<Interval, number>>>;
  readonly en: Texts;
  readonly es: Texts;
};

/** What everything is sold in. */
export const CURRENCIES = ['usd', 'eur'] as const;
export type CatalogCurrency = (typeof CURRENCIES)[number];

/** What is sold: `npm run billing -- push` brings it to Stripe, and without Stripe this is what is shown. */
export const PLAN_CATALOGUE: readonly CataloguePlan[] = [
  {
    app: 'hooks',
    plan: 'free',
    popular: false,
    prices: {},
    en: {
      name: 'Free',
      description: 'To try it out',
      features: ['50 hooks a month', 'The last 20 generations in the history'],
    },
    es: {
      name: 'Gratis',
      description: 'Para probarlo',
      features: ['50 hooks al mes', 'Las últimas 20 generaciones en el historial'],
    },
  },
  {
    app: 'hooks',
    plan: 'pro',
    popular: true,
    // A year costs a fifth less than twelve months.
    prices: { month: 900, year: 8640 },
    en: {
      name: 'Pro',
      description: 'For people who publish every week',
      features: [
        '1000 hooks a month',
        'All styles',
        'CSV and JSON export',
        'Full history',
        'Brand voices',
        'Priority support',
      ],
    },
    es: {
      name: 'Pro',
      description: 'Para quien publica cada semana',
      features: [
        '1000 hooks al mes',
        'Todos los estilos',
        'Exportación a CSV y JSON',
        'Historial completo',
        'Voces de marca',
        'Soporte prioritario',
      ],
    },
  },
  {
    app: 'hooks',
    plan: 'enterprise',
    popular: false,
    prices: { month: 4900, year: 47_040 },
    en: {
      name: 'Enterprise',
      description: 'For teams and integrations',
      features: ['Unlimited hooks', 'REST API and API keys', 'Several users', 'Custom templates'],
    },
    es: {
      name: 'Enterprise',
      description: 'Para equipos e integraciones',
      features: ['Hooks ilimitados', 'API REST y claves de API', 'Varios usuarios', 'Plantillas propias'],
    },
  },
  {
    app: 'sync',
    plan: 'free',
    popular: false,
    prices: {},
    en: {
      name: 'Free',
      description: 'One store, manual sync',
      features: ['1 store', '1 sheet', 'Manual sync'],
    },
    es: {
      name: 'Gratis',
      description: 'Una tienda, sincronización manual',
      features: ['1 tienda', '1 hoja', 'Sincronización manual'],
    },
  },
  {
    app: 'sync',
    plan: 'pro',
    popular: true,
    prices: { month: 700 },
    en: {
      name: 'Pro',
      description: 'Stores that stay in sync automatically',
      features: ['5 stores', '5 sheets', 'Auto sync', 'Priority support'],
    },
    es: {
      name: 'Pro',
      description: 'Tiendas que se sincronizan automáticamente',
      features: ['5 tiendas', '5 hojas', 'Sincronización automática', 'Soporte prioritario'],
    },
  },
  {
    app: 'sync',
    plan: 'pro_api',
    popular: false,
    prices: { month: 1200 },
    en: {
      name: 'Pro API',
      description: 'Unlimited, with API access',
      features: ['Unlimited stores and sheets', 'API access', 'Auto sync', 'Priority support'],
    },
    es: {
      name: 'Pro API',
      description: 'Sin límites y con acceso a la API',
      features: [
        'Tiendas y hojas ilimitadas',
        'Acceso a la API',
        'Sincronización automática',
        'Soporte prioritario',
      ],
    },
  },
];

/** Hooks that are bought once and never expire, in cents of every currency. */
export const CREDIT_CATALOGUE = [
  { credits: 100, amount: 200 },
  { credits: 500, amount: 800 },
  { credits: 2000, amount: 2400 },
] as const;

/** What a price is found by, also after its amount has changed. */
export function planLookupKey(app: BilledApp, plan: string, interval: Interval): string {
  return `${app}_${plan}_${interval}`;
}

/** The same for the price in a currency: dollars came first, and their keys name no currency. */
export function inCurrency(lookupKey: string, currency: CatalogCurrency): string {
  return currency === 'usd' ? lookupKey : `${lookupKey}_${currency}`;
}

/** What the portal's configuration for an app and a currency is found by. */
export function portalKey(app: string, currency: string): string {
  return `portal_${app}_${currency}`;
}

export function creditsLookupKey(credits: number): string {
  return `hooks_credits_${credits}`;
}
