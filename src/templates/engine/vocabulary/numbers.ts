import { cached, options } from './intl.ts';
import { type HelperCall, isKept, numberOf, type ValueHelper } from './value-helper.ts';

const OPTIONS =
  'compactDisplay currency currencyDisplay currencySign maximumFractionDigits maximumSignificantDigits minimumFractionDigits minimumIntegerDigits minimumSignificantDigits notation numberingSystem roundingMode signDisplay style trailingZeroDisplay unit unitDisplay useGrouping'.split(
    ' ',
  );

export const numbers = {
  formatNumber: ([value], call) => print(value, options(call.hash, OPTIONS), call),
  currency([value, code], call) {
    if (typeof code !== 'string' || !/^[a-z]{3}$/i.test(code)) return '';
    return print(value, { ...options(call.hash, OPTIONS), style: 'currency', currency: code }, call);
  },
  pluralize([value, singular, plural], { hash, meter }) {
    if (isKept(value)) return '';
    const count = Array.isArray(value) ? value.length : numberOf(value);
    if (count === null) return '';
    const named = count === 0 ? hash['zero'] : undefined;
    const form = cached('plural', meter.locale, {}, Intl.PluralRules)?.select(count) ?? 'other';
    const one = hash['one'] ?? singular;
    const other = hash['other'] ?? plural ?? (typeof singular === 'string' ? `${singular}s` : '');
    return named ?? (form === 'one' ? one : Object.hasOwn(hash, form) ? hash[form] : other) ?? '';
  },
} satisfies Record<string, ValueHelper>;

function print(value: unknown, chosen: Record<string, unknown>, { meter }: HelperCall): string {
  if (isKept(value)) return value;
  const number = numberOf(value);
  if (number === null) return '';
  return cached('number', meter.locale, chosen, Intl.NumberFormat)?.format(number) ?? '';
}
