/** A number of a data attribute; what is none, or below `least`, stands for `standard`. */
export function dataNumber(value: string | undefined, standard: number, least = 0): number {
  const number = value === undefined || value.trim() === '' ? Number.NaN : Number(value);
  return Number.isFinite(number) && number >= least ? number : standard;
}

/** The language of an element for the functions of Intl; English when the page names none, or one that is none. */
export function languageOf(element: Element, named = element.closest<HTMLElement>('[lang]')?.lang): string {
  try {
    return Intl.getCanonicalLocales(named || 'en')[0] ?? 'en';
  } catch {
    return 'en';
  }
}
