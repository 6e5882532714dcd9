import { isObject, type Json, own } from '../json.ts';
import { plainText } from '../plain-text.ts';
import { type HelperCall, isKept, type ValueHelper } from './value-helper.ts';

export const translations = {
  /** `translations` of the data holds one object for each locale or language: `{"es-MX": {"greeting": "Hola, {name}"}}`. */
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
  for (const name of [meter.locale, language]) {
    const text = textAt(own(all, name), key);
    if (text !== null) return text;
  }
  return null;
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
