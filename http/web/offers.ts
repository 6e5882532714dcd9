import type { z } from 'zod';
import type { PricingPlan } from '../../src/billing/present-offers.ts';
import type { Locale } from '../../src/language.ts';

type Plan = z.output<typeof PricingPlan>;
type Price = Plan['prices'][number];
type Words = { readonly choose: string; readonly freeAccount: string };

/**
 * Plans as the pricing pages show them. `saving` is how much less a year costs than twelve months, in percent, of the plan
 * where it is least; absent unless every plan that costs something can be paid by year, and for less.
 */
export function offersOf(plans: readonly Plan[], locale: Locale, words: Words) {
  const shown = plans.map(({ plan, name, description, features, popular, prices }) => {
    const [month, year] = [priceBy(prices, 'month'), priceBy(prices, 'year')];
    return {
      ...{ name, description, features, popular },
      month: money(month ?? { amount: '0', currency: year?.currency ?? 'USD' }, locale),
      ...(year && { year: money(year, locale) }),
      action: plan === 'free' ? words.freeAccount : words.choose.replace('{plan}', name),
    };
  });
  return { plans: shown, saving: savingOf(plans) };
}

function savingOf(plans: readonly Plan[]): number | undefined {
  const paid = plans.filter(({ prices }) => prices.some(({ amount }) => Number(amount) > 0));
  const savings = paid.map(({ prices }) => {
    const [month, year] = [priceBy(prices, 'month'), priceBy(prices, 'year')];
    return month && year ? 1 - Number(year.amount) / (12 * Number(month.amount)) : 0;
  });
  // A fifth is a little less than 0.2 in binary.
  const least = Math.floor(Math.min(...savings) * 100 + 1e-9);
  return paid.length > 0 && least > 0 ? least : undefined;
}

function priceBy(prices: readonly Price[], wanted: Price['interval']): Price | undefined {
  return prices.find(({ interval, interval_count: count }) => interval === wanted && count === 1);
}

function money({ amount, currency }: Pick<Price, 'amount' | 'currency'>, locale: Locale): string {
  const isWhole = Number.isInteger(Number(amount));
  const options = { style: 'currency', currency, ...(isWhole && { maximumFractionDigits: 0 }) } as const;
  return new Intl.NumberFormat(locale, options).format(Number(amount));
}
