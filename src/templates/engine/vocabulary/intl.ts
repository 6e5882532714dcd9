import { type HelperCall, isKept, numberOf, unusable, type ValueHelper } from './value-helper.ts';

const SIZE = 500;
const OPTION_LENGTH = 64;
const formats = new Map<string, unknown>();

/**
 * An `Intl` object for a locale and options, made once: making one costs as much as a whole small template. Null where the options
 * are none that `Intl` knows.
 */
function cached<Format, Options>(
  kind: string,
  locale: string,
  options: Options,
  make: new (locale: string, options: Options) => Format,
): Format | null {
  const key = JSON.stringify([kind, locale, options]);
  if (!formats.has(key)) {
    if (formats.size >= SIZE) formats.clear();
    formats.set(key, attempt(locale, options, make));
  }
  // The key names the kind, and each kind is made by one constructor.
  return formats.get(key) as Format | null;
}

/** The named arguments that are options of `Intl`, where their type is one that an option can have. */
function options(hash: Readonly<Record<string, unknown>>, names: readonly string[]): Record<string, unknown> {
  const given = names.filter((name) => Object.hasOwn(hash, name) && isOption(hash[name]));
  return Object.fromEntries(given.map((name) => [name, hash[name]]));
}

/** A locale `Intl` takes, in its canonical form; English for anything else. */
export function canonicalLocale(locale: string): string {
  try {
    return Intl.getCanonicalLocales(locale.slice(0, OPTION_LENGTH))[0] ?? 'en';
  } catch {
    return 'en';
  }
}

function isOption(value: unknown): boolean {
  if (typeof value === 'string') return value.length <= OPTION_LENGTH;
  return typeof value === 'number' || typeof value === 'boolean';
}

function attempt<Format, Options>(
  locale: string,
  options: Options,
  make: new (locale: string, options: Options) => Format,
): Format | null {
  try {
    return new make(locale, options);
  } catch {
    return null;
  }
}

const NUMBER_OPTIONS =
  'compactDisplay currency currencyDisplay currencySign maximumFractionDigits maximumSignificantDigits minimumFractionDigits minimumIntegerDigits minimumSignificantDigits notation numberingSystem roundingMode signDisplay style trailingZeroDisplay unit unitDisplay useGrouping'.split(
    ' ',
  );

export const numbers = {
  formatNumber: ([value], call) => formatNumberWith(value, options(call.hash, NUMBER_OPTIONS), call),
  currency([value, code], call) {
    if (typeof code !== 'string' || !/^[a-z]{3}$/i.test(code)) return unusable(code, call);
    return formatNumberWith(
      value,
      { ...options(call.hash, NUMBER_OPTIONS), style: 'currency', currency: code },
      call,
    );
  },
  pluralize([value, singular, plural], call) {
    const { hash, meter } = call;
    if (isKept(value)) return '';
    const count = Array.isArray(value) ? value.length : numberOf(value);
    if (count === null) return unusable(value, call);
    const named = count === 0 ? hash['zero'] : undefined;
    const form = cached('plural', meter.locale, {}, Intl.PluralRules)?.select(count) ?? 'other';
    const one = hash['one'] ?? singular;
    const other = hash['other'] ?? plural ?? (typeof singular === 'string' ? `${singular}s` : '');
    return named ?? (form === 'one' ? one : Object.hasOwn(hash, form) ? hash[form] : other) ?? '';
  },
} satisfies Record<string, ValueHelper>;

function formatNumberWith(value: unknown, chosen: Record<string, unknown>, call: HelperCall): string {
  if (isKept(value)) return value;
  const number = numberOf(value);
  if (number === null) return unusable(value, call);
  const format = cached('number', call.meter.locale, chosen, Intl.NumberFormat);
  return format ? format.format(number) : unusable(Object.values(chosen).join(' '), call);
}

type Style = 'short' | 'medium' | 'long' | 'full';

const ISO = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})?)?$/;
const STYLES: readonly unknown[] = ['short', 'medium', 'long', 'full'];
const DATE_OPTIONS =
  'calendar dateStyle day dayPeriod era fractionalSecondDigits hour hour12 hourCycle minute month numberingSystem second timeStyle timeZone timeZoneName weekday year'.split(
    ' ',
  );

export const dates = {
  formatDate([value, style], call) {
    if (isKept(value)) return value;
    const date = dateOf(value);
    return date ? formatDateWith(date, value, style, call) : unusable(value, call);
  },
} satisfies Record<string, ValueHelper>;

function formatDateWith(date: Date, value: unknown, style: unknown, call: HelperCall): string {
  const { hash, meter } = call;
  const chosen: Record<string, unknown> = { timeZone: 'UTC', ...options(hash, DATE_OPTIONS) };
  // A date without a time is that day everywhere: a time zone would move it to the day before.
  if (typeof value === 'string' && value.length === 10) chosen['timeZone'] = 'UTC';
  const plain = Object.keys(chosen).length === 1;
  if (isStyle(style)) chosen['dateStyle'] = style;
  else if (plain) chosen['dateStyle'] = 'medium';
  const format = cached('date', meter.locale, chosen, Intl.DateTimeFormat);
  return format ? format.format(date) : unusable(Object.values(chosen).join(' '), call);
}

function isStyle(style: unknown): style is Style {
  return STYLES.includes(style);
}

/** ISO 8601 in UTC by default, or milliseconds since 1970. */
function dateOf(value: unknown): Date | null {
  const text = typeof value === 'string' ? value.trim() : value;
  if (typeof text !== 'number' && typeof text !== 'string') return null;
  const iso = typeof text === 'string' ? ISO.exec(text) : null;
  if (typeof text === 'string' && !iso) return null;
  const zoned = typeof text === 'number' || text.length === 10 || iso?.[1] ? text : `${text}Z`;
  const date = new Date(zoned);
  return Number.isNaN(date.getTime()) ? null : date;
}
