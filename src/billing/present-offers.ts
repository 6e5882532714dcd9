import { z } from 'zod';
import type { Locale } from '../language.ts';
import { BILLED_APPS, type BilledApp, HOOKS_PLANS } from '../plans.ts';
import { CURRENCY, creditsLookupKey, PLAN_CATALOGUE } from './catalog.ts';
import { Money, moneyOf } from './money.ts';
import type { Offer } from './payment-service.ts';
import { isCredits, isPlan } from './pricing.ts';

export const PricingPlan = z.object({
  id: z.string().meta({ description: 'App and plan, such as hooks_pro' }),
  app: z.enum(BILLED_APPS),
  plan: z.string(),
  name: z.string(),
  description: z.string(),
  features: z.array(z.string()),
  hooks_limit: z.int().optional().meta({ description: 'Hooks per month; -1 means unlimited' }),
  popular: z.boolean(),
  billing_enabled: z.boolean().meta({ description: 'True when it can be bought on this server' }),
  prices: z.array(z.object({ id: z.string().optional(), interval: z.enum(['month', 'year']), ...Money })),
});
type PricingPlan = z.output<typeof PricingPlan>;

export const CreditPackage = z.object({
  id: z.string(),
  credits: z.int(),
  ...Money,
  billing_enabled: z.boolean(),
});
type CreditPackage = z.output<typeof CreditPackage>;

export type Shown = {
  readonly locale: Locale;
  readonly enabled: boolean;
  readonly currency?: string | undefined;
};

/** The free plans, which have no offer, and the plans on sale with their prices. */
export function presentPlans(
  offers: readonly Offer[],
  app: BilledApp | undefined,
  shown: Shown,
): PricingPlan[] {
  const currency = shown.currency ?? offers[0]?.currency ?? CURRENCY;
  const free = PLAN_CATALOGUE.filter(({ plan }) => plan === 'free').map(
    ({ app, plan, popular, en, es }): PricingPlan => ({
      id: `${app}_${plan}`,
      app,
      plan,
      ...(shown.locale === 'es' ? es : en),
      features: [...(shown.locale === 'es' ? es : en).features],
      ...limitOf(app, plan),
      popular,
      billing_enabled: shown.enabled,
      prices: [{ interval: 'month', ...moneyOf({ amount: 0, currency }) }],
    }),
  );
  const sold = new Map<string, PricingPlan>();
  for (const offer of offers.filter(isPlan).filter((one) => isIn(one, shown))) {
    const id = `${offer.app}_${offer.plan}`;
    const known = sold.get(id);
    const { interval } = offer;
    const price = { ...(offer.priceId && { id: offer.priceId }), interval, ...moneyOf(offer) };
    if (known) known.prices.push(price);
    else sold.set(id, { id, ...planOf(offer, shown), prices: [price] });
  }
  const order = (plan: PricingPlan) =>
    PLAN_CATALOGUE.findIndex((one) => `${one.app}_${one.plan}` === plan.id);
  return [...free, ...sold.values()]
    .filter((plan) => app === undefined || plan.app === app)
    .sort((a, b) => (order(a) >>> 0) - (order(b) >>> 0));
}

function planOf(offer: Offer & { kind: 'plan' }, { locale, enabled }: Shown) {
  const { name, description, features } = (locale === 'es' && offer.spanish) || offer;
  const { app, plan, popular } = offer;
  const texts = { name, description, features: [...features] };
  return { app, plan, ...texts, ...limitOf(app, plan), popular, billing_enabled: enabled };
}

function limitOf(app: BilledApp, plan: string): { hooks_limit?: number } {
  const plans: Readonly<Record<string, { readonly hooksLimit: number }>> = HOOKS_PLANS;
  const limits = app === 'hooks' && Object.hasOwn(plans, plan) ? plans[plan] : undefined;
  return limits ? { hooks_limit: limits.hooksLimit } : {};
}

export function presentCredits(offers: readonly Offer[], shown: Shown): CreditPackage[] {
  return offers
    .filter(isCredits)
    .filter((offer) => isIn(offer, shown))
    .sort((a, b) => a.credits - b.credits)
    .map((offer) => {
      const { credits } = offer;
      return { id: creditsLookupKey(credits), credits, ...moneyOf(offer), billing_enabled: shown.enabled };
    });
}

function isIn(offer: Offer, { currency }: Shown): boolean {
  return currency === undefined || offer.currency === currency.toLowerCase();
}
