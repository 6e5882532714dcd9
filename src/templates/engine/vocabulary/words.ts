import { plainText } from '../render/rich-text.ts';
import { isObject, type Json, own } from '../variable.ts';
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

export const translations = {
  /**
   * `translations` of the data holds one object for each locale or language: `{"es-MX": {"greeting": "Hola, {name}"}}`. A text
   * that the locale lacks is that of its language, of English or of the first locale there is, and a warning says so.
   */
  t([value], call) {
    if (isKept(value)) return value;
    const key = plainText(value, call.meter);
    return fill(find(key, call) ?? key, call);
  },
} satisfies Record<string, ValueHelper>;

function find(key: string, { root, meter }: HelperCall): string | null {
  const all = own(root, 'translations');
  if (!isObject(all)) return null;
  const [language = ''] = meter.locale.split('-');
  const textIn = (name: string) => textAt(own(all, name), key);
  const text = textIn(meter.locale) ?? textIn(language);
  if (text !== null) return text;
  meter.warn({ key: 'translation_missing', params: { variable: key, locale: meter.locale } });
  const [first = ''] = Object.keys(all);
  return textIn('en') ?? textIn(first);
}

/** The text under the whole key, or under its parts: `{"mail.hello": …}` as well as `{"mail": {"hello": …}}`. */
function textAt(texts: Json | undefined, key: string): string | null {
  if (!isObject(texts)) return null;
  const whole = own(texts, key);
  if (typeof whole === 'string') return whole;
  let at: Json | undefined = texts;
  for (const part of key.split('.', 16)) at = isObject(at) ? own(at, part) : undefined;
  return typeof at === 'string' ? at : null;
}

function fill(text: string, { hash, meter }: HelperCall): string {
  let filled = '';
  let copied = 0;
  for (const match of text.matchAll(/\{(\w{1,64})\}/g)) {
    const [whole, name = ''] = match;
    if (!Object.hasOwn(hash, name)) continue;
    filled += text.slice(copied, match.index) + plainText(hash[name], meter);
    copied = match.index + whole.length;
    meter.checkFits(filled.length);
  }
  return filled + text.slice(copied);
}
