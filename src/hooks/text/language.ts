import { LRUCache } from 'lru-cache';
import { wordsOf } from './text.ts';

/** The languages whose own rules and patterns there are; in others only what holds everywhere is looked at. */
export const LANGUAGES = ['en', 'es'] as const;
export type Language = (typeof LANGUAGES)[number];

/** The one of our languages a BCP 47 tag belongs to: `es-MX` is Spanish, `fr` none of them. */
export function languageOf(tag: string): Language | undefined {
  const primary = tag.toLowerCase().split(/[-_]/)[0];
  return LANGUAGES.find((language) => language === primary);
}

/** What a BCP 47 tag looks like: `es`, `pt-BR`, `zh-Hant-TW`. */
export const LANGUAGE_TAG = /^[a-z]{2,3}(?:-[a-z0-9]{2,8})*$/i;

/** A language of which nothing is known. */
const UNKNOWN = 'mul';

/** The language a text seems to be in: the preferred one unless it plainly is not, `mul` when it is none of ours. */
export function detectLanguage(text: string, preferred: Language): string {
  const order = [preferred, ...LANGUAGES.filter((language) => language !== preferred)];
  return order.find((language) => !looksForeign(text, language)) ?? UNKNOWN;
}

// Small words that stand in one of the languages only.
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

// So many words of another language and none of one's own are no quotation any more.
const FOREIGN_WORDS = 3;

/** Whether a text is plainly not in the language asked for: in another script, or in the other of our languages. */
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
  return count(own) === 0 && count(own === 'en' ? 'es' : 'en') >= FOREIGN_WORDS;
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
    // A tag nobody knows says nothing about the script.
    return '';
  }
}
