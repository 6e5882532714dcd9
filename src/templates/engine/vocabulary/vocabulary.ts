/** A helper as its users see it. */
export type HelperDoc = {
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
    'Shows the block when the value is present and not empty.',
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
    'Resolves paths in the block from that object.',
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
    'True when a is less than b; compares numbers or two texts.',
    'too',
    2,
    2,
  ),
  helper(
    'gt',
    '{{#if (gt a b)}} or {{#gt a b}}',
    'True when a is greater than b; compares numbers or two texts.',
    'too',
    2,
    2,
  ),
  helper('and', '{{#if (and a b …)}}', 'The first empty value, otherwise the last one.', 'too', 1, ANY),
  helper(
    'or',
    '{{#if (or a b …)}}',
    'The first value that is not empty, otherwise the last one.',
    'too',
    1,
    ANY,
  ),
  helper('not', '{{#if (not a)}}', 'True when the value is missing or empty.', 'too', 1, 1),
  helper(
    'default',
    '{{default value "there"}}',
    'The value, or the fallback when it is missing, null or empty text.',
    'no',
    2,
    2,
  ),
  helper(
    'formatDate',
    '{{formatDate date "long" timeZone="Europe/Madrid"}}',
    'An ISO 8601 date formatted for the locale: short, medium, long, full, or options of Intl.DateTimeFormat. The default time zone is UTC.',
    'no',
    1,
    2,
  ),
  helper(
    'formatNumber',
    '{{formatNumber value maximumFractionDigits=2}}',
    'A number formatted for the locale, with options of Intl.NumberFormat.',
    'no',
    1,
    1,
    'number',
  ),
  helper(
    'currency',
    '{{currency amount "EUR"}}',
    'An amount of money formatted for the locale; the code is ISO 4217.',
    'no',
    2,
    2,
    'number',
  ),
  helper(
    'pluralize',
    '{{count}} {{pluralize count "item" "items"}}',
    'The plural form for a number; set zero=, one=, two=, few=, many= and other= for other languages.',
    'no',
    1,
    3,
    'number',
  ),
  helper('upper', '{{upper text}}', 'The text in uppercase.', 'no', 1, 1),
  helper('lower', '{{lower text}}', 'The text in lowercase.', 'no', 1, 1),
  helper(
    'truncate',
    '{{truncate text 80 "…"}}',
    'The first characters of a text, followed by the mark when it was cut.',
    'no',
    2,
    3,
  ),
  helper('join', '{{join list ", "}}', 'The items of a list as one text.', 'no', 1, 2, 'list'),
  helper(
    't',
    '{{t "greeting" name=user.name}}',
    'The text of the key in `translations` for the locale or its language, otherwise the key itself; {name} in it is replaced.',
    'no',
    1,
    1,
  ),
  helper(
    'encodeURIComponent',
    'https://example.com/?q={{encodeURIComponent text}}',
    'The text encoded as one part of a URL.',
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
