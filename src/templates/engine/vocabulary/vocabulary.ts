/** A helper as its users see it. */
type HelperDoc = {
  readonly name: string;
  readonly signature: string;
  readonly about: string;
};

type HelperEntry = HelperDoc & {
  /** Whether `{{#name}}…{{/name}}` is the only form, one of two, or not a form at all. */
  readonly block: 'only' | 'too' | 'no';
  /** How many arguments it takes, at least and at most. */
  readonly args: readonly [min: number, max: number];
  /** How the first argument is read, where that tells its type. */
  readonly reads?: 'number' | 'list';
};

/** As good as any number of arguments. */
const ANY = 64;

const HELPERS: readonly HelperEntry[] = [
  {
    name: 'if',
    signature: '{{#if value}}…{{else}}…{{/if}}',
    about: 'Shows the block when the value is present and not empty.',
    block: 'only',
    args: [1, 1],
  },
  {
    name: 'unless',
    signature: '{{#unless value}}…{{/unless}}',
    about: 'Shows the block when the value is missing or empty.',
    block: 'only',
    args: [1, 1],
  },
  {
    name: 'each',
    signature: '{{#each list as |item index|}}…{{else}}…{{/each}}',
    about: 'Repeats the block for every item of a list, or every field of an object.',
    block: 'only',
    args: [1, 1],
  },
  {
    name: 'with',
    signature: '{{#with object}}…{{else}}…{{/with}}',
    about: 'Resolves paths in the block from that object.',
    block: 'only',
    args: [1, 1],
  },
  {
    name: 'lookup',
    signature: '{{lookup object key}}',
    about: 'The field or item whose name is itself a value.',
    block: 'no',
    args: [2, 2],
  },
  {
    name: 'eq',
    signature: '{{#if (eq a b)}} or {{#eq a b}}',
    about: 'True when both values are the same.',
    block: 'too',
    args: [2, 2],
  },
  {
    name: 'ne',
    signature: '{{#if (ne a b)}} or {{#ne a b}}',
    about: 'True when the values differ.',
    block: 'too',
    args: [2, 2],
  },
  {
    name: 'lt',
    signature: '{{#if (lt a b)}} or {{#lt a b}}',
    about: 'True when a is less than b; compares numbers or two texts.',
    block: 'too',
    args: [2, 2],
  },
  {
    name: 'gt',
    signature: '{{#if (gt a b)}} or {{#gt a b}}',
    about: 'True when a is greater than b; compares numbers or two texts.',
    block: 'too',
    args: [2, 2],
  },
  {
    name: 'and',
    signature: '{{#if (and a b …)}}',
    about: 'The first empty value, otherwise the last one.',
    block: 'too',
    args: [1, ANY],
  },
  {
    name: 'or',
    signature: '{{#if (or a b …)}}',
    about: 'The first value that is not empty, otherwise the last one.',
    block: 'too',
    args: [1, ANY],
  },
  {
    name: 'not',
    signature: '{{#if (not a)}}',
    about: 'True when the value is missing or empty.',
    block: 'too',
    args: [1, 1],
  },
  {
    name: 'default',
    signature: '{{default value "there"}}',
    about: 'The value, or the fallback when it is missing, null or empty text.',
    block: 'no',
    args: [2, 2],
  },
  {
    name: 'formatDate',
    signature: '{{formatDate date "long" timeZone="Europe/Madrid"}}',
    about:
      'An ISO 8601 date formatted for the locale: short, medium, long, full, or options of Intl.DateTimeFormat. The default time zone is UTC.',
    block: 'no',
    args: [1, 2],
  },
  {
    name: 'formatNumber',
    signature: '{{formatNumber value maximumFractionDigits=2}}',
    about: 'A number formatted for the locale, with options of Intl.NumberFormat.',
    block: 'no',
    args: [1, 1],
    reads: 'number',
  },
  {
    name: 'currency',
    signature: '{{currency amount "EUR"}}',
    about: 'An amount of money formatted for the locale; the code is ISO 4217.',
    block: 'no',
    args: [2, 2],
    reads: 'number',
  },
  {
    name: 'pluralize',
    signature: '{{count}} {{pluralize count "item" "items"}}',
    about: 'The plural form for a number; set zero=, one=, two=, few=, many= and other= for other languages.',
    block: 'no',
    args: [1, 3],
    reads: 'number',
  },
  {
    name: 'upper',
    signature: '{{upper text}}',
    about: 'The text in uppercase.',
    block: 'no',
    args: [1, 1],
  },
  {
    name: 'lower',
    signature: '{{lower text}}',
    about: 'The text in lowercase.',
    block: 'no',
    args: [1, 1],
  },
  {
    name: 'truncate',
    signature: '{{truncate text 80 "…"}}',
    about: 'The first characters of a text, followed by the mark when it was cut.',
    block: 'no',
    args: [2, 3],
  },
  {
    name: 'join',
    signature: '{{join list ", "}}',
    about: 'The items of a list as one text.',
    block: 'no',
    args: [1, 2],
    reads: 'list',
  },
  {
    name: 't',
    signature: '{{t "greeting" name=user.name}}',
    about:
      'The text of the key in `translations` for the locale or its language, otherwise the key itself; {name} in it is replaced.',
    block: 'no',
    args: [1, 1],
  },
  {
    name: 'encodeURIComponent',
    signature: 'https://example.com/?q={{encodeURIComponent text}}',
    about: 'The text encoded as one part of a URL.',
    block: 'no',
    args: [1, 1],
  },
];

/**
 * In: the name of a helper. Out: how it is called, and its documentation. Invariant: a helper that is not listed here
 * is refused when a template is compiled.
 */
export const VOCABULARY: ReadonlyMap<string, HelperEntry> = new Map(HELPERS.map((one) => [one.name, one]));

/** Every helper a template may call: its name, how it is written, and what it does. */
export const helperDocs: readonly HelperDoc[] = HELPERS.map(({ name, signature, about }) => ({
  name,
  signature,
  about,
}));

/** Helpers the engine writes into a template automatically; the names are refused in sources. */
export const INTERNAL = {
  url: '@url',
  image: '@image',
  part: '@part',
  style: '@style',
  html: '@html',
} as const;

/** The partial that stands for the layout around a template. */
export const LAYOUT = '@layout';

/** What the same thing is called in other template services. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  equals: 'eq',
  ifequals: 'eq',
  is: 'eq',
  notequals: 'ne',
  greaterthan: 'gt',
  lessthan: 'lt',
  uppercase: 'upper',
  lowercase: 'lower',
  insert: 'default',
  fallback: 'default',
  dateformat: 'formatDate',
  date: 'formatDate',
  number: 'formatNumber',
  money: 'currency',
  plural: 'pluralize',
  translate: 't',
  i18n: 't',
  urlencode: 'encodeURIComponent',
  foreach: 'each',
  get: 'lookup',
};

/** The known helper a wrong name most likely means, when one is near. */
export function nearestHelper(name: string): string | null {
  const wrong = name.toLowerCase().slice(0, 40);
  if (Object.hasOwn(ELSEWHERE, wrong)) return ELSEWHERE[wrong] ?? null;
  let best: { name: string; distance: number } | null = null;
  for (const known of VOCABULARY.keys()) {
    const distance = editDistance(wrong, known.toLowerCase());
    if (!best || distance < best.distance) best = { name: known, distance };
  }
  return best && best.distance <= Math.ceil(best.name.length / 4) ? best.name : null;
}

/** Levenshtein's distance. */
function editDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let column = 1; column <= b.length; column++) {
      const replaced = (previous[column - 1] ?? 0) + (a[row - 1] === b[column - 1] ? 0 : 1);
      current.push(Math.min(replaced, (previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1));
    }
    previous = current;
  }
  return previous[b.length] ?? 0;
}
