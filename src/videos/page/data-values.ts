/** Parses a number of a data attribute; `standard` when it is not a number or below `least`. */
export function dataNumber(value: string | undefined, standard: number, least = 0): number {
  const number = value === undefined || value.trim() === '' ? Number.NaN : Number(value);
  return Number.isFinite(number) && number >= least ? number : standard;
}

/** The language of an element for Intl; English when the page names none or an invalid one. */
export function languageOf(element: Element, named = element.closest<HTMLElement>('[lang]')?.lang): string {
  try {
    return Intl.getCanonicalLocales(named || 'en')[0] ?? 'en';
  } catch {
    return 'en';
  }
}
