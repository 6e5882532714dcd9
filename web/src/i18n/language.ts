import { useSyncExternalStore } from 'react';
import { loadTexts } from './texts.ts';

export type Language = 'en' | 'es';

const listeners = new Set<() => void>();
const YEAR_SECONDS = 365 * 24 * 60 * 60;

/** The language of the page; the server writes it from the cookie, or from what the browser asks for. */
export const language = (): Language => (document.documentElement.lang === 'es' ? 'es' : 'en');

/** Keeps the choice, also for a person who leaves the page at once, and shows the page in it once its texts are here. */
export async function setLanguage(to: Language): Promise<void> {
  keepLanguage(to);
  await loadTexts(to);
  document.documentElement.lang = to;
  for (const listener of listeners) listener();
}

/** Both keys, since two specifications name it differently, and a cookie for the server. */
function keepLanguage(language: Language): void {
  localStorage.setItem('language', language);
  localStorage.setItem('lang', language);
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in every browser
  document.cookie = `language=${language}; Path=/; Max-Age=${YEAR_SECONDS}; SameSite=Lax`;
}

/** Loads the texts of the page's language. A person who chose one before there was a cookie keeps it. */
export async function restoreLanguage(): Promise<void> {
  const kept = localStorage.getItem('language') ?? localStorage.getItem('lang');
  if ((kept === 'en' || kept === 'es') && kept !== language()) await setLanguage(kept);
  else await loadTexts(language());
}

export function useLanguage(): Language {
  return useSyncExternalStore((listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, language);
}
