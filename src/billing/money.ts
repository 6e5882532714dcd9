import { z } from 'zod';

/** Money as it is shown: two fields of an answer. */
export const Money = {
  amount: z.string().meta({ description: 'Decimal amount, such as "9.00"' }),
  currency: z.string().meta({ description: 'ISO 4217 code, such as "USD"' }),
};

/** An amount in the smallest unit, in any case of the currency, as it is shown. */
export function moneyOf({ amount, currency }: { amount: number; currency: string }) {
  return { amount: decimalAmount(amount, currency), currency: currency.toUpperCase() };
}

/** Stripe's currencies without a smaller unit, and those it counts in thousandths; all others are in hundredths. */
const WHOLE = 'bif clp djf gnf jpy kmf krw mga pyg rwf ugx vnd vuv xaf xof xpf'.split(' ');
const THOUSANDTHS = 'bhd jod kwd omr tnd'.split(' ');

/** An amount in the smallest unit as a decimal of units: 900 usd → `9.00`. */
function decimalAmount(amount: number, currency: string): string {
  const digits = digitsOf(currency.toLowerCase());
  return (amount / 10 ** digits).toFixed(digits);
}

function digitsOf(currency: string): number {
  if (WHOLE.includes(currency)) return 0;
  return THOUSANDTHS.includes(currency) ? 3 : 2;
}
