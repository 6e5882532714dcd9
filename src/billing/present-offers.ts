import { z } from 'zod';
import type { Locale } from '../language.ts';
import { BILLED_APPS, type BilledApp, HOOKS_PLANS } from '../plans.ts';
import { creditsLookupKey, PLAN_CATALOGUE } from './catalog.ts';
import { Money, moneyOf } from './money.ts';
import { INTERVALS, type Offer } from './payment-service.ts';
import { isCredits, isPlan, type PlanOffer } from './pricing.ts';

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
  trial_days: z
    .int()
    .optional()
    .meta({ description: "Free days at the start of an account's first subscription to the app" }),
  prices: z.array(
    z.object({
      id: z.string().optional(),
      interval: z.enum(INTERVALS),
      interval_count: z.int().meta({ description: 'Intervals per payment: a quarter is 3 months' }),
      ...Money,
    }),
  ),
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
  /** Code in any case; unset, everything is shown in the server's currency where it is sold in it. */
  readonly currency?: string | undefined;
  readonly defaultCurrency: string;
  readonly trialDays: number;
};

/** The free plans, which have no offer, and the plans on sale with their prices. */
export function presentPlans(
  offers: readonly Offer[],
  app: BilledApp | undefined,
  shown: Shown,
): PricingPlan[] {
  const currency = shown.currency ?? shown.defaultCurrency;
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
      prices: [{ interval: 'month', interval_count: 1, ...moneyOf({ amount: 0, currency }) }],
    }),
  );
  const sold = new Map<string, PricingPlan>();
  for (const offer of shownOf(offers.filter(isPlan), shown, periodOf)) {
    const id = `${offer.app}_${offer.plan}`;
    const known = sold.get(id);
    const { interval, intervalCount: interval_count } = offer;
    const named = offer.priceId && { id: offer.priceId };
    const price = { ...named, interval, interval_count, ...moneyOf(offer) };
    if (known) known.prices.push(price);
    else sold.set(id, { id, ...planOf(offer, shown), prices: [price] });
  }
  const order = (plan: PricingPlan) =>
    PLAN_CATALOGUE.findIndex((one) => `${one.app}_${one.plan}` === plan.id);
  return [...free, ...sold.values()]
    .filter((plan) => app === undefined || plan.app === app)
    .sort((a, b) => (order(a) >>> 0) - (order(b) >>> 0));
}

function planOf(offer: PlanOffer, { locale, enabled, trialDays }: Shown) {
  const { name, description, features } = (locale === 'es' && offer.spanish) || offer;
  const { app, plan, popular } = offer;
  const texts = { name, description, features: [...features] };
  const trial = trialDays > 0 && { trial_days: trialDays };
  return { app, plan, ...texts, ...limitOf(app, plan), popular, billing_enabled: enabled, ...trial };
}

function limitOf(app: BilledApp, plan: string): { hooks_limit?: number } {
  const plans: Readonly<Record<string, { readonly hooksLimit: number }>> = HOOKS_PLANS;
  const limits = app === 'hooks' && Object.hasOwn(plans, plan) ? plans[plan] : undefined;
  return limits ? { hooks_limit: limits.hooksLimit } : {};
}

export function presentCredits(offers: readonly Offer[], shown: Shown): CreditPackage[] {
  return shownOf(offers.filter(isCredits), shown, ({ credits }) => String(credits))
    .sort((a, b) => a.credits - b.credits)
    .map((offer) => {
      const { credits } = offer;
      return { id: creditsLookupKey(credits), credits, ...moneyOf(offer), billing_enabled: shown.enabled };
    });
}

/** In the currency asked for; else in the server's, and what is not sold in that, in the one it is sold in. */
function shownOf<One extends Offer>(
  offers: readonly One[],
  { currency, defaultCurrency }: Shown,
  kind: (offer: One) => string,
): One[] {
  if (currency !== undefined) return offers.filter((offer) => offer.currency === currency.toLowerCase());
  const usual = new Set(offers.filter((one) => one.currency === defaultCurrency).map(kind));
  return offers.filter((offer) => offer.currency === defaultCurrency || !usual.has(kind(offer)));
}

function periodOf({ app, plan, interval, intervalCount }: PlanOffer): string {
  return `${app} ${plan} ${interval} ${intervalCount}`;
}
