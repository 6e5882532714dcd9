export type Statement = {
  /** The line of the source it begins on, counted from 1. */
  readonly line: number;
  /** The SQL with `$1`, `$2` … for its values. */
  readonly text: string;
  /** The source of each value. */
  readonly values: readonly string[];
  /** What the house rule has against it: a statement is static, and only values are put in. */
  readonly faults: readonly string[];
};

/** Finds the SQL of a TypeScript source: every template with the tag `sql` or `tx`, in order. */
export function readStatements(source: string): Statement[] {
  const found: { start: number; template: Template }[] = [];
  readCode(source, 0, (start, template) => found.push({ start, template }));
  // One inside of another is found before it.
  found.sort((a, b) => a.start - b.start);
  return found.map(({ start, template }) => statementOf(source, start, template));
}

type Template = { readonly strings: string[]; readonly values: string[]; readonly end: number };
type Report = (start: number, template: Template) => void;

const TAG = /(?:sql|tx)$/;
const VALUE_MAKERS = /\b(?:sql|tx)\.(?:json|array)\(/g;

function statementOf(source: string, start: number, { strings, values }: Template): Statement {
  const line = source.slice(0, start).split('\n').length;
  const text = strings.map((string, index) => (index === 0 ? string : `$${index}${string}`)).join('');
  return { line, text, values, faults: values.flatMap(faultsOf) };
}

function faultsOf(value: string): string[] {
  const rest = value.replace(VALUE_MAKERS, '(');
  const called = /\b(?:sql|tx)\b\s*(\(|\.\w+|<|`)/.exec(rest)?.[1];
  if (!called) return [];
  if (called === '(') return [`\${${value}} builds SQL out of data; write the columns out, or use unnest.`];
  return [`\${${value}} puts SQL into SQL; write two whole statements, or decide inside of the SQL.`];
}

/** Reads code up to the bracket that closes what it is in, or to the end. Gives the place after it. */
function readCode(source: string, start: number, report: Report): number {
  let depth = 0;
  for (let at = start; at < source.length; ) {
    const skipped = skipSilent(source, at);
    if (skipped > at) {
      at = skipped;
      continue;
    }
    const char = source[at];
    const word = /^[A-Za-z_$][\w$]*/.exec(source.slice(at, at + 100))?.[0];
    if (char === '`') at = readTemplate(source, at, report).end;
    else if (word) at = readWord(source, at, word, report);
    else {
      if (char === '{') depth += 1;
      if (char === '}') depth -= 1;
      at += 1;
      if (depth < 0) return at;
    }
  }
  return source.length;
}

function readWord(source: string, at: number, word: string, report: Report): number {
  const after = at + word.length;
  if (!TAG.test(word) || word.length > 3) return after;
  const tick = source[after] === '<' ? skipTypes(source, after) : after;
  if (source[tick] !== '`') return after;
  const template = readTemplate(source, tick, report);
  report(at, template);
  return template.end;
}

function readTemplate(source: string, tick: number, report: Report): Template {
  const strings: string[] = [];
  const values: string[] = [];
  let from = tick + 1;
  for (let at = from; at < source.length; ) {
    if (source[at] === '\\') at += 2;
    else if (source[at] === '`')
      return { strings: [...strings, source.slice(from, at)], values, end: at + 1 };
    else if (source.startsWith('${', at)) {
      strings.push(source.slice(from, at));
      const end = readCode(source, at + 2, report);
      values.push(source.slice(at + 2, end - 1));
      at = end;
      from = end;
    } else at += 1;
  }
  throw new Error('a template that does not end');
}

/** The place after a comment, a string or a regular expression that begins here; the place itself when none does. */
function skipSilent(source: string, at: number): number {
  const silent =
    /^(?:\/\/[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*")/.exec(source.slice(at)) ??
    (/(?:^|[=(,:[!&|?{};\n]|=>|return)\s*$/.test(source.slice(Math.max(0, at - 40), at))
      ? /^\/(?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/\w*/.exec(source.slice(at))
      : null);
  return at + (silent?.[0].length ?? 0);
}

/** The place after `<…>`. */
function skipTypes(source: string, start: number): number {
  let depth = 0;
  for (let at = start; at < source.length; ) {
    const skipped = skipSilent(source, at);
    if (skipped > at) {
      at = skipped;
      continue;
    }
    if (source[at] === '<') depth += 1;
    if (source[at] === '>' && source[at - 1] !== '=') depth -= 1;
    at += 1;
    if (depth === 0) return at;
  }
  return start;
}
