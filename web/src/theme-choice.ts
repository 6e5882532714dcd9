import { useSyncExternalStore } from 'react';

export const THEMES = ['dark', 'light', 'system'] as const;
export type ThemeChoice = (typeof THEMES)[number];

const listeners = new Set<() => void>();
const YEAR_SECONDS = 365 * 24 * 60 * 60;
const isLight = matchMedia('(prefers-color-scheme: light)');

/** What the person chose; the server writes it into the page from the cookie. */
function themeChoice(): ThemeChoice {
  const { theme } = document.documentElement.dataset;
  return THEMES.find((one) => one === theme) ?? 'dark';
}

export function setThemeChoice(to: ThemeChoice): void {
  document.documentElement.dataset['theme'] = to;
  localStorage.setItem('theme', to);
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in every browser
  document.cookie = `theme=${to}; Path=/; Max-Age=${YEAR_SECONDS}; SameSite=Lax`;
  show();
}

/** What is shown: of `system`, what the system says now. */
export function colorScheme(): 'dark' | 'light' {
  const choice = themeChoice();
  if (choice !== 'system') return choice;
  return isLight.matches ? 'light' : 'dark';
}

/** Follows the system from now on, and takes over a choice that was made before there was a cookie. */
export function restoreTheme(): void {
  const kept = THEMES.find((one) => one === localStorage.getItem('theme'));
  if (kept && kept !== themeChoice()) setThemeChoice(kept);
  isLight.addEventListener('change', show);
}

export function useThemeChoice(): ThemeChoice {
  return useSyncExternalStore(subscribe, themeChoice);
}

export function useColorScheme(): 'dark' | 'light' {
  return useSyncExternalStore(subscribe, colorScheme);
}

function show(): void {
  const scheme = colorScheme();
  const root = document.documentElement;
  root.classList.toggle('dark', scheme === 'dark');
  root.dataset['mantineColorScheme'] = scheme;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
