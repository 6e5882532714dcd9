import { normalDecimal } from './decimal.ts';

/**
 * A number that someone wrote but the spreadsheet kept as text, as normal decimal text: `1.234,5` is `1234.5`
 * in es_ES. Null where it is anything but one number written as people of that locale do: a currency or percent
 * sign, parentheses, an exponent, a plus, groups of the wrong size, or separators of a locale that is not
 * known.
 */
export function numberText(text: string, locale: string): string | null {
  const written = text.trim();
  const parts = written.length <= MAX_LENGTH && patternOf(locale).exec(written);
  if (!parts) return null;
  const [, sign, whole = '', fraction] = parts;
  const digits = `${whole.replace(/\D/g, '')}${fraction ? `.${fraction}` : ''}`;
  return normalDecimal((sign ? '-' : '') + digits);
}

/** Longer than any number that fits a field; a cell may hold 50,000 characters. */
const MAX_LENGTH = 40;

// As many as there are locales; making one takes longer than all the cells of a row.
const patterns = new Map<string, RegExp>();

function patternOf(locale: string): RegExp {
  const kept = patterns.get(locale);
  if (kept) return kept;
  const tag = knownTag(locale);
  if (!tag) return DIGITS;
  const made = pattern(styleOf(tag));
  patterns.set(locale, made);
  return made;
}

const MINUS = '([-\u2212])?';
const DIGITS = new RegExp(`^${MINUS}(\\d+)$`);

/** Of `es_ES` the tag `es-ES`. Intl would take its own default for a locale it does not know. */
function knownTag(locale: string): string | undefined {
  try {
    return Intl.NumberFormat.supportedLocalesOf(locale.replaceAll('_', '-'))[0];
  } catch {
    // Not even the form of a locale.
    return undefined;
  }
}

type NumberStyle = {
  readonly group: string;
  readonly decimal: string;
  /** Digits in the last group, and in those before. In India they are 3 and 2. */
  readonly last: number;
  readonly others: number;
};

function styleOf(tag: string): NumberStyle {
  const parts = new Intl.NumberFormat(tag, { numberingSystem: 'latn' }).formatToParts(SAMPLE);
  const groups = parts.filter(({ type }) => type === 'integer').map(({ value }) => value.length);
  const signOf = (wanted: string) => parts.find(({ type }) => type === wanted)?.value ?? '';
  return {
    group: alike(signOf('group')),
    decimal: alike(signOf('decimal')),
    last: groups.at(-1) ?? 3,
    others: groups.at(-2) ?? 3,
  };
}

const SAMPLE = 1_234_567_890.5;

/** The characters that people use for a separator, as a class: no keyboard has the narrow space that Intl knows. */
function alike(separator: string): string {
  const kinds = ALIKE.find((one) => separator !== '' && one.includes(separator)) ?? separator;
  // Where a locale has no separator the class is empty, and fits nothing.
  return `[${kinds.replace(/[\\\]^-]/g, '\\$&')}]`;
}

const ALIKE = [' \u00a0\u202f', "'\u2019"];

/** A grouped number never begins with 0: `0.123` in es_ES was not meant as 123. */
function pattern({ group, decimal, last, others }: NumberStyle): RegExp {
  const grouped = `[1-9]\\d{0,${others - 1}}(?:${group}\\d{${others}})*${group}\\d{${last}}`;
  return new RegExp(`^${MINUS}(?=.*\\d)(${grouped}|\\d*)(?:${decimal}(\\d+))?$`);
}
