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
