import { cached, options } from './intl.ts';
import { type HelperCall, isKept, type ValueHelper } from './value-helper.ts';

type Style = 'short' | 'medium' | 'long' | 'full';

const ISO = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})?)?$/;
const STYLES: readonly unknown[] = ['short', 'medium', 'long', 'full'];
const OPTIONS =
  'calendar dateStyle day dayPeriod era fractionalSecondDigits hour hour12 hourCycle minute month numberingSystem second timeStyle timeZone timeZoneName weekday year'.split(
    ' ',
  );

export const dates = {
  formatDate([value, style], call) {
    if (isKept(value)) return value;
    const date = dateOf(value);
    return date ? print(date, value, style, call) : '';
  },
} satisfies Record<string, ValueHelper>;

function print(date: Date, value: unknown, style: unknown, { hash, meter }: HelperCall): string {
  const chosen: Record<string, unknown> = { timeZone: 'UTC', ...options(hash, OPTIONS) };
  // A date without a time is that day everywhere: a time zone would move it to the day before.
  if (typeof value === 'string' && value.length === 10) chosen['timeZone'] = 'UTC';
  const plain = Object.keys(chosen).length === 1;
  if (isStyle(style)) chosen['dateStyle'] = style;
  else if (plain) chosen['dateStyle'] = 'medium';
  return cached('date', meter.locale, chosen, Intl.DateTimeFormat)?.format(date) ?? '';
}

function isStyle(style: unknown): style is Style {
  return STYLES.includes(style);
}

/** ISO 8601 in UTC unless it says otherwise, or milliseconds since 1970. */
function dateOf(value: unknown): Date | null {
  const text = typeof value === 'string' ? value.trim() : value;
  if (typeof text !== 'number' && typeof text !== 'string') return null;
  const iso = typeof text === 'string' ? ISO.exec(text) : null;
  if (typeof text === 'string' && !iso) return null;
  const zoned = typeof text === 'number' || text.length === 10 || iso?.[1] ? text : `${text}Z`;
  const date = new Date(zoned);
  return Number.isNaN(date.getTime()) ? null : date;
}
