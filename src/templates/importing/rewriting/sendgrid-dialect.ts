import type { ExpressionNode } from '../../engine/language/ast.ts';
import { type Dialect, type Mark, quoted, type RewritableCall } from './rewriting.ts';

/** Links that SendGrid puts in itself; here they are data. */
const LINKS: Readonly<Record<string, string>> = {
  unsubscribe: 'unsubscribe_url',
  unsubscribe_preferences: 'unsubscribe_preferences_url',
  weblink: 'weblink_url',
};

const ASM: Readonly<Record<string, string>> = {
  group_unsubscribe: 'unsubscribe_url',
  preferences: 'unsubscribe_preferences_url',
  global_unsubscribe: 'global_unsubscribe_url',
};

const LINK_MARKS: readonly Mark[] = [
  {
    pattern: /<%\s*asm_(group_unsubscribe|preferences|global_unsubscribe)(?:_raw)?_url\s*%>/g,
    instead: ([, name = '']) => `{{${ASM[name] ?? name}}}`,
  },
  {
    pattern: /\[(unsubscribe|unsubscribe_preferences|weblink)\]/gi,
    instead: ([, name = '']) => `{{${LINKS[name.toLowerCase()] ?? name}}}`,
  },
];

/** Dynamic templates: Handlebars with SendGrid's own helpers (twilio.com/docs/sendgrid, "Using Handlebars"). */
export const sendgridDialect: Dialect = {
  helpers: { equals: 'eq', notEquals: 'ne', greaterThan: 'gt', lessThan: 'lt' },
  marks: LINK_MARKS,
  call(call) {
    const { node } = call;
    const name = node.path.original;
    if (node.params.length === 0) rewriteLink(call);
    else if (name === 'insert') rewriteInsert(call);
    else if (name === 'length') rewriteLength(call);
    else if (name === 'formatDate') rewriteDate(call);
  },
};

/** Legacy templates: substitution tags instead of Handlebars. Which tags there are is up to each sender; `-name-` is SendGrid's own example. */
export const sendgridLegacyDialect: Dialect = {
  helpers: {},
  marks: [
    ...LINK_MARKS,
    {
      pattern: /<%\s*body\s*%>/g,
      instead: (_match, field) => (field === 'html' ? '{{{body}}}' : '{{body}}'),
    },
    { pattern: /<%\s*subject\s*%>/g, instead: () => '{{subject}}' },
    { pattern: /(?<![\w-])-([A-Za-z][A-Za-z0-9_]*)-(?![\w-])/g, instead: ([, name = '']) => `{{${name}}}` },
  ],
};

function rewriteLink({ node, spanOf, replace, note }: RewritableCall): void {
  const name = node.path.original;
  const to = node.type === 'MustacheStatement' && Object.hasOwn(LINKS, name) && LINKS[name];
  if (!to) return;
  replace(spanOf(node), `{{${to}}}`);
  note('import_variable', { from: `{{{${name}}}}`, to: `{{${to}}}` }, spanOf(node));
}

/** `insert name "default=there"`, and the form without the word that SendGrid takes too. */
function rewriteInsert({ node, spanOf, replace, note }: RewritableCall): void {
  const [value, fallback] = node.params;
  if (!value || node.params.length > 2) return;
  note('import_helper', { from: 'insert', to: 'default' }, spanOf(node.path));
  replace(spanOf(node.path), fallback ? 'default' : '');
  const text = textOf(fallback);
  if (fallback && text !== undefined) replace(spanOf(fallback), quoted(text.replace(/^default=/, '')));
}

function rewriteLength({ node, source, spanOf, replace, note }: RewritableCall): void {
  const [list] = node.params;
  if (list?.type !== 'PathExpression' || node.params.length > 1 || node.type === 'BlockStatement') return;
  const { start, end } = spanOf(list);
  const path = `${source.slice(start, end)}.length`;
  const span = spanOf(node);
  replace(span, node.type === 'SubExpression' ? path : `{{${path}}}`);
  note('import_helper', { from: 'length', to: path }, span);
}

/** SendGrid takes the date, a pattern of letters and an offset; we take what `Intl` takes. */
function rewriteDate({ node, source, spanOf, replace, note }: RewritableCall): void {
  const [, pattern, zone] = node.params;
  if (!pattern) return;
  const format = textOf(pattern);
  const options = format === undefined ? undefined : intlDate(format);
  const shown = source.slice(spanOf(pattern).start, spanOf(pattern).end);
  replace(spanOf(pattern), options ?? '"medium"');
  note(options ? 'import_date_format' : 'import_date_unknown', { format: format ?? shown }, spanOf(node));
  if (!zone) return;
  const offset = textOf(zone)?.replace(/^([+-]\d{2}):?(\d{2})$/, '$1:$2');
  const { start, end } = spanOf(zone);
  replace(spanOf(zone), `timeZone=${offset === undefined ? source.slice(start, end) : quoted(offset)}`);
}

function textOf(node: ExpressionNode | undefined): string | undefined {
  return node?.type === 'StringLiteral' ? String(node.value) : undefined;
}

/** Letters of a date pattern, longest first, and the option of `Intl.DateTimeFormat` each stands for. */
const TOKENS: readonly (readonly [token: string, option: string])[] = [
  ['YYYY', 'year="numeric"'],
  ['MMMM', 'month="long"'],
  ['dddd', 'weekday="long"'],
  ['MMM', 'month="short"'],
  ['ddd', 'weekday="short"'],
  ['YY', 'year="2-digit"'],
  ['MM', 'month="2-digit"'],
  ['DD', 'day="2-digit"'],
  ['HH', 'hour="2-digit" hour12=false'],
  ['hh', 'hour="2-digit" hour12=true'],
  ['mm', 'minute="2-digit"'],
  ['ss', 'second="2-digit"'],
  ['M', 'month="numeric"'],
  ['D', 'day="numeric"'],
  ['H', 'hour="numeric" hour12=false'],
  ['h', 'hour="numeric" hour12=true'],
  ['m', 'minute="numeric"'],
  ['s', 'second="numeric"'],
  ['A', ''],
  ['a', ''],
];

/**
 * The options that show the same parts of a date as a pattern such as `MMMM D, YYYY`; their order follows the locale.
 * Undefined for a pattern with other letters in it, or with the same part twice.
 */
function intlDate(pattern: string): string | undefined {
  const options: string[] = [];
  let rest = pattern;
  while (rest !== '') {
    const found = TOKENS.find(([token]) => rest.startsWith(token));
    if (!found && /^\p{L}/u.test(rest)) return undefined;
    if (found?.[1]) options.push(found[1]);
    rest = rest.slice(found ? found[0].length : 1);
  }
  const names = options.map((option) => option.slice(0, option.indexOf('=')));
  return options.length > 0 && new Set(names).size === names.length ? options.join(' ') : undefined;
}
