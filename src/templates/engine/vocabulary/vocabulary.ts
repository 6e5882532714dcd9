/** A helper as its users see it. */
type HelperDoc = {
  readonly name: string;
  readonly signature: string;
  readonly about: string;
};

type Helper = HelperDoc & {
  /** Whether `{{#name}}…{{/name}}` is the only form, one of two, or not a form at all. */
  readonly block: 'only' | 'too' | 'no';
  readonly min: number;
  readonly max: number;
  /** How the first argument is read, where that tells its type. */
  readonly reads?: 'number' | 'list';
};

const ANY = 64;

const HELPERS: readonly Helper[] = [
  helper(
    'if',
    '{{#if value}}…{{else}}…{{/if}}',
    'Shows the block when the value is there and not empty.',
    'only',
    1,
    1,
  ),
  helper(
    'unless',
    '{{#unless value}}…{{/unless}}',
    'Shows the block when the value is missing or empty.',
    'only',
    1,
    1,
  ),
  helper(
    'each',
    '{{#each list as |item index|}}…{{else}}…{{/each}}',
    'Repeats the block for every item of a list, or every field of an object.',
    'only',
    1,
    1,
  ),
  helper(
    'with',
    '{{#with object}}…{{else}}…{{/with}}',
    'Reads the paths in the block from that object.',
    'only',
    1,
    1,
  ),
  helper('lookup', '{{lookup object key}}', 'The field or item whose name is itself a value.', 'no', 2, 2),
  helper('eq', '{{#if (eq a b)}} or {{#eq a b}}', 'True when both values are the same.', 'too', 2, 2),
  helper('ne', '{{#if (ne a b)}} or {{#ne a b}}', 'True when the values differ.', 'too', 2, 2),
  helper(
    'lt',
    '{{#if (lt a b)}} or {{#lt a b}}',
    'True when a is less than b, as numbers or as two texts.',
    'too',
    2,
    2,
  ),
  helper(
    'gt',
    '{{#if (gt a b)}} or {{#gt a b}}',
    'True when a is greater than b, as numbers or as two texts.',
    'too',
    2,
    2,
  ),
  helper('and', '{{#if (and a b …)}}', 'The first empty value, else the last one.', 'too', 1, ANY),
  helper('or', '{{#if (or a b …)}}', 'The first value that is not empty, else the last one.', 'too', 1, ANY),
  helper('not', '{{#if (not a)}}', 'True when the value is missing or empty.', 'too', 1, 1),
  helper(
    'default',
    '{{default value "there"}}',
    'The value, or the second one when it is missing, null or an empty text.',
    'no',
    2,
    2,
  ),
  helper(
    'formatDate',
    '{{formatDate date "long" timeZone="Europe/Madrid"}}',
    'An ISO 8601 date in the words of the locale: short, medium, long, full, or the options of Intl.DateTimeFormat. UTC unless timeZone says otherwise.',
    'no',
    1,
    2,
  ),
  helper(
    'formatNumber',
    '{{formatNumber value maximumFractionDigits=2}}',
    'A number in the form of the locale, with the options of Intl.NumberFormat.',
    'no',
    1,
    1,
    'number',
  ),
  helper(
    'currency',
    '{{currency amount "EUR"}}',
    'An amount of money in the form of the locale; the code is ISO 4217.',
    'no',
    2,
    2,
    'number',
  ),
  helper(
    'pluralize',
    '{{count}} {{pluralize count "item" "items"}}',
    'The word form for a number; zero=, one=, two=, few=, many= and other= name the forms of other languages.',
    'no',
    1,
    3,
    'number',
  ),
  helper('upper', '{{upper text}}', 'The text in upper case.', 'no', 1, 1),
  helper('lower', '{{lower text}}', 'The text in lower case.', 'no', 1, 1),
  helper(
    'truncate',
    '{{truncate text 80 "…"}}',
    'The first characters of a text, with a sign when something was cut.',
    'no',
    2,
    3,
  ),
  helper('join', '{{join list ", "}}', 'The items of a list as one text.', 'no', 1, 2, 'list'),
  helper(
    't',
    '{{t "greeting" name=user.name}}',
    'The text of that key in `translations` for the locale, its language, or else the key; {name} in it is replaced.',
    'no',
    1,
    1,
  ),
  helper(
    'encodeURIComponent',
    'https://example.com/?q={{encodeURIComponent text}}',
    'The text as one part of an address.',
    'no',
    1,
    1,
  ),
];

export const VOCABULARY: ReadonlyMap<string, Helper> = new Map(HELPERS.map((one) => [one.name, one]));

/** Every helper a template may call: its name, how it is written, and what it does. */
export const helperDocs: readonly HelperDoc[] = HELPERS.map(({ name, signature, about }) => ({
  name,
  signature,
  about,
}));

/** Helpers the engine writes into a template by itself; the names are refused in sources. */
export const INTERNAL = { url: '@url', image: '@image', part: '@part', html: '@html' } as const;

/** The partial that stands for the layout around a template. */
export const LAYOUT = '@layout';

function helper(
  name: string,
  signature: string,
  about: string,
  block: Helper['block'],
  min: number,
  max: number,
  reads?: 'number' | 'list',
): Helper {
  return { name, signature, about, block, min, max, ...(reads ? { reads } : {}) };
}

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
