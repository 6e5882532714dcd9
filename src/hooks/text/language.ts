import { LRUCache } from 'lru-cache';
import { wordsOf } from './text.ts';

/** The languages with their own rules and patterns; hooks in others are checked by the general rules only. */
export const LANGUAGES = ['en', 'es'] as const;
export type Language = (typeof LANGUAGES)[number];

/** The supported language of a BCP 47 tag: `es` for `es-MX`, undefined for `fr`. */
export function languageOf(tag: string): Language | undefined {
  const primary = tag.toLowerCase().split(/[-_]/)[0];
  return LANGUAGES.find((language) => language === primary);
}

/** A BCP 47 tag: `es`, `pt-BR`, `zh-Hant-TW`. */
export const LANGUAGE_TAG = /^[a-z]{2,3}(?:-[a-z0-9]{2,8})*$/i;

/** The BCP 47 tag of several or unknown languages. */
const UNKNOWN = 'mul';

/** Guesses the language of a text: the preferred one unless it clearly is another; `mul` when it is not supported. */
export function detectLanguage(text: string, preferred: Language): string {
  const order = [preferred, ...LANGUAGES.filter((language) => language !== preferred)];
  return order.find((language) => !looksForeign(text, language)) ?? UNKNOWN;
}

// Frequent words that exist in one of the languages only.
const SMALL_WORDS: Readonly<Record<Language, ReadonlySet<string>>> = {
  en: new Set(
    'the and of to you your is that with for this what why how my it are was not from they when before'.split(
      ' ',
    ),
  ),
  es: new Set(
    'el la los las de que y en un una por para con tu su lo es del como mi cuando antes este esta esto'.split(
      ' ',
    ),
  ),
};

// This many words of another language, and none of its own, are more than a quotation.
const FOREIGN_WORDS = 3;

/** Whether a text is clearly not in the requested language: in another script, or in the other supported language. */
export function looksForeign(text: string, language: string): boolean {
  return inOtherScript(text, language) || inOtherWords(text, language);
}

function inOtherScript(text: string, language: string): boolean {
  const script = SCRIPTS[scriptOf(language)];
  return script !== undefined && /\p{L}/u.test(text) && !script.test(text);
}

function inOtherWords(text: string, language: string): boolean {
  const own = languageOf(language);
  if (own === undefined) return false;
  const words = wordsOf(text);
  const count = (of: Language) => words.filter((word) => SMALL_WORDS[of].has(word)).length;
  return count(own === 'en' ? 'es' : 'en') >= FOREIGN_WORDS && count(own) === 0;
}

const SCRIPTS: Readonly<Record<string, RegExp>> = {
  Latn: /\p{sc=Latin}/u,
  Cyrl: /\p{sc=Cyrillic}/u,
  Grek: /\p{sc=Greek}/u,
  Arab: /\p{sc=Arabic}/u,
  Hebr: /\p{sc=Hebrew}/u,
  Deva: /\p{sc=Devanagari}/u,
  Beng: /\p{sc=Bengali}/u,
  Thai: /\p{sc=Thai}/u,
  Hans: /\p{sc=Han}/u,
  Hant: /\p{sc=Han}/u,
  Jpan: /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]/u,
  Kore: /[\p{sc=Hangul}\p{sc=Han}]/u,
};

function scriptOf(language: string): string {
  const known = scripts.get(language);
  if (known !== undefined) return known;
  const script = likelyScript(language);
  scripts.set(language, script);
  return script;
}

const scripts = new LRUCache<string, string>({ max: 100 });

function likelyScript(language: string): string {
  try {
    return new Intl.Locale(language).maximize().script ?? '';
  } catch {
    // An unknown tag has no script.
    return '';
  }
}
