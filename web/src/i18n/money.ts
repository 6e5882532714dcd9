import { numberFormat } from './formats.ts';
import { text } from './text.ts';

type Money = { readonly amount: string; readonly currency: string };

/** Such as $9 or 8,64 €: whole amounts without decimals. */
export function price({ amount, currency }: Money): string {
  const value = Number(amount);
  const digits = Number.isInteger(value) ? { minimumFractionDigits: 0, maximumFractionDigits: 0 } : {};
  return numberFormat({
    style: 'currency',
    currency,
    currencyDisplay: 'narrowSymbol',
    ...digits,
  }).format(value);
}

/** Such as 9.00: with all decimals of its currency. */
function decimals(amount: string): string {
  const digits = amount.split('.')[1]?.length ?? 0;
  return numberFormat({
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  }).format(Number(amount));
}

type Recurring = Money & { readonly interval: string; readonly interval_count: number };

/** Such as 9.00 EUR/month. */
export function recurring({ amount, currency, interval, interval_count: count }: Recurring): string {
  const shown = `${decimals(amount)} ${currency}`;
  const isYear = interval === 'year';
  if (count === 1) return text(isYear ? 'money.aYear' : 'money.aMonth', { amount: shown });
  return text(isYear ? 'money.years' : 'money.months', { amount: shown, count });
}

/** Such as 9.00 EUR. */
export function plainMoney({ amount, currency }: Money): string {
  return `${decimals(amount)} ${currency}`;
}
