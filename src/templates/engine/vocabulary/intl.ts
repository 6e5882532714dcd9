const SIZE = 500;
const OPTION_LENGTH = 64;
const formats = new Map<string, unknown>();

/**
 * An `Intl` object for a locale and options, made once: making one costs as much as a whole small template. Null where the options
 * are none that `Intl` knows.
 */
export function cached<Format, Options>(
  kind: string,
  locale: string,
  options: Options,
  make: new (locale: string, options: Options) => Format,
): Format | null {
  const key = JSON.stringify([kind, locale, options]);
  if (!formats.has(key)) {
    if (formats.size >= SIZE) formats.clear();
    formats.set(key, attempt(locale, options, make));
  }
  // The key names the kind, and each kind is made by one constructor.
  return formats.get(key) as Format | null;
}

/** The named arguments that are options of `Intl`, where their type is one that an option can have. */
export function options(
  hash: Readonly<Record<string, unknown>>,
  names: readonly string[],
): Record<string, unknown> {
  const given = names.filter((name) => Object.hasOwn(hash, name) && isOption(hash[name]));
  return Object.fromEntries(given.map((name) => [name, hash[name]]));
}

/** A locale `Intl` takes, in its canonical form; English for anything else. */
export function canonicalLocale(locale: string): string {
  try {
    return Intl.getCanonicalLocales(locale.slice(0, OPTION_LENGTH))[0] ?? 'en';
  } catch {
    return 'en';
  }
}

function isOption(value: unknown): boolean {
  if (typeof value === 'string') return value.length <= OPTION_LENGTH;
  return typeof value === 'number' || typeof value === 'boolean';
}

function attempt<Format, Options>(
  locale: string,
  options: Options,
  make: new (locale: string, options: Options) => Format,
): Format | null {
  try {
    return new make(locale, options);
  } catch {
    return null;
  }
}
