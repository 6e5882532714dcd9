import type en from '../../../locales/web/en.json';
import type { Language } from './language.ts';

export type TextKey = keyof typeof en;
type Text = string | { readonly one: string; readonly other: string };
type Texts = Readonly<Record<TextKey, Text>>;

// Their types hold both languages to the same keys.
const FILES: Readonly<Record<Language, () => Promise<{ readonly default: typeof en }>>> = {
  en: () => import('../../../locales/web/en.json'),
  es: () => import('../../../locales/web/es.json'),
};

const loaded = new Map<Language, Texts>();

/** Downloads the texts of one language. */
export async function loadTexts(language: Language): Promise<void> {
  if (!loaded.has(language)) loaded.set(language, (await FILES[language]()).default);
}

/** @throws Error before they are loaded */
export function textsOf(language: Language): Texts {
  const texts = loaded.get(language);
  if (!texts) throw new Error(`the texts in ${language} are not loaded`);
  return texts;
}
