/** What a span says of a statement: `select jobs`. */
export type StatementSummary = { readonly operation: string; readonly table: string | undefined };

const NAME = String.raw`("?[a-z_][\w$]*"?(?:\.[a-z_]\w*)?)`;
const CHANGE = new RegExp(
  String.raw`\b(?:(insert) into ${NAME}|(update) (?:only )?${NAME}(?: as \w+| \w+)? set\b|(delete) from ${NAME})`,
  'i',
);
// A function, such as in extract(epoch from now()), is no table.
const SOURCE = new RegExp(String.raw`\b(?:from|join) ${NAME}\b(?! ?[([])`, 'gi');

/**
 * The operation and the table of a statement. The first change counts, also where it is in a `with`: what such a statement
 * selects is only its answer. Nothing else of the text is kept, so values that are written into one stay out.
 */
export function summarize(text: string): StatementSummary {
  const plain = text
    .replaceAll(/--[^\n]*|\/\*.*?\*\//gs, ' ')
    .replaceAll(/'(?:[^']|'')*'/g, '?')
    .replaceAll(/\s+/g, ' ')
    .trim();
  const change = CHANGE.exec(plain)?.filter((part) => part !== undefined);
  if (change) return { operation: change[1]?.toLowerCase() ?? '', table: change[2]?.toLowerCase() };
  const [word = 'statement'] = /^[a-z]+/i.exec(plain) ?? [];
  const operation = word.toLowerCase();
  return { operation: operation === 'with' ? 'select' : operation, table: sourceOf(plain) };
}

/** The first table that a statement selects from: of itself, or else of what is in it. */
function sourceOf(plain: string): string | undefined {
  const results = new Set(
    [...plain.matchAll(/(\w+) as (?:(?:not )?materialized )?\(/gi)].map(([, name]) => name),
  );
  const tables = [withoutInner(plain), plain].flatMap((text) => [...text.matchAll(SOURCE)]);
  return tables
    .map(([, name]) => name)
    .find((name) => !results.has(name))
    ?.toLowerCase();
}

/** The text without what is in parentheses. */
function withoutInner(text: string): string {
  // A mark stays, so that a function is known.
  const less = text.replaceAll(/\([^()]*\)/g, '[]');
  return less === text ? text : withoutInner(less);
}
