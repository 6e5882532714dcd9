import type en from '../../../../locales/apps/en.json';

type Texts = typeof en;
export type TextKey = { [App in keyof Texts]: keyof Texts[App] }[keyof Texts];
type Language = 'en' | 'es';

/** The texts of the app in both languages: build-page.ts puts them here. */
declare const TEXTS: Readonly<Record<Language, Readonly<Record<string, string>>>>;

let locale = navigator.language;
let heard = () => {};

/** The language of the host decides; what is neither English nor Spanish reads English. */
export function setLocale(tag: string): void {
  if (tag === locale && document.documentElement.lang) return;
  locale = Intl.DateTimeFormat.supportedLocalesOf([tag])[0] ?? 'en';
  document.documentElement.lang = language();
  heard();
}

/** Calls `change` when the language of the texts changes. */
export function onLanguage(change: () => void): void {
  heard = change;
}

const language = (): Language => (locale.toLowerCase().startsWith('es') ? 'es' : 'en');

/** A text with values in the places of `{name}`. */
export function t(key: TextKey, values: Readonly<Record<string, string | number>> = {}): string {
  const text = TEXTS[language()][key] ?? key;
  return text.replace(/\{(\w+)\}/g, (_place, name: string) => {
    const value = values[name] ?? '';
    return typeof value === 'number' ? number(value) : value;
  });
}

/** A text about a number of things; of one, the key that ends with `_one`. */
export function count(
  key: TextKey,
  many: number,
  values: Readonly<Record<string, string | number>> = {},
): string {
  // Every counted text has its singular; a test compares the files.
  const one = `${key}_one` as TextKey;
  return t(many === 1 ? one : key, { n: many, ...values });
}

export const number = (value: number) => new Intl.NumberFormat(locale).format(value);

export const percent = (value: number) =>
  new Intl.NumberFormat(locale, { style: 'percent' }).format(value / 100);

export function bytes(value: number): string {
  const mega = value >= 1e6;
  return new Intl.NumberFormat(locale, {
    style: 'unit',
    unit: mega ? 'megabyte' : 'kilobyte',
    maximumFractionDigits: mega || value < 1e4 ? 1 : 0,
  }).format(value / (mega ? 1e6 : 1e3));
}

export function time(iso: string): string {
  return new Intl.DateTimeFormat(locale, { hour: '2-digit', minute: '2-digit' }).format(new Date(iso));
}
