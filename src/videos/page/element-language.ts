/** The language of an element for Intl; English when the page names none or an invalid one. */
export function languageOf(element: Element, named = element.closest<HTMLElement>('[lang]')?.lang): string {
  try {
    return Intl.getCanonicalLocales(named || 'en')[0] ?? 'en';
  } catch {
    return 'en';
  }
}
