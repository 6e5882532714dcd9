import { plainText } from '../plain-text.ts';
import { type HelperCall, isKept, numberOf, type ValueHelper } from './value-helper.ts';

export const words = {
  default: ([value, fallback]) => (value === undefined || value === null || value === '' ? fallback : value),
  upper: ([value], call) => kept(value, call, (text) => text.toLocaleUpperCase(localeOf(call))),
  lower: ([value], call) => kept(value, call, (text) => text.toLocaleLowerCase(localeOf(call))),
  encodeURIComponent: ([value], call) => kept(value, call, (text) => encodeURIComponent(text.toWellFormed())),
  truncate([value, length, sign], call) {
    const limit = numberOf(length);
    if (limit === null || limit < 0) return '';
    return kept(value, call, (text) => cut(text, Math.floor(limit), plainText(sign ?? '…', call.meter)));
  },
  join([list, separator], { meter }) {
    if (isKept(list)) return list;
    return Array.isArray(list) ? join(list, plainText(separator ?? ', ', meter), { meter }) : '';
  },
} satisfies Record<string, ValueHelper>;

function kept(value: unknown, { meter }: HelperCall, change: (text: string) => string): string {
  return isKept(value) ? value : change(plainText(value, meter));
}

function localeOf({ meter }: HelperCall): string {
  return meter.locale;
}

/** Counts characters, not halves of them. */
function cut(text: string, limit: number, sign: string): string {
  if (text.length <= limit) return text;
  let end = 0;
  for (let count = 0; count < limit && end < text.length; count++)
    end += (text.codePointAt(end) ?? 0) > 0xffff ? 2 : 1;
  return end >= text.length ? text : text.slice(0, end).trimEnd() + sign;
}

function join(list: readonly unknown[], separator: string, { meter }: Pick<HelperCall, 'meter'>): string {
  let text = '';
  for (const [index, item] of list.entries()) {
    if ((index & 255) === 0) meter.checkTime();
    text += (index > 0 ? separator : '') + plainText(item, meter);
    meter.checkFits(text.length);
  }
  return text;
}
