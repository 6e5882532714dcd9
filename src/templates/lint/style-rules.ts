import { LINT_LIMITS } from './rules.ts';

// By hand, not by postcss or css-tree: it reads each character once, stops at LINT_LIMITS and never throws.

/** One rule that holds on every screen: what stands in `@media` and the like is left out. */
export type StyleRule = {
  readonly selectors: readonly string[];
  readonly declarations: readonly Declaration[];
  /** Of its first character in the sheet. */
  readonly offset: number;
};

/** A sheet as far as an email needs it. */
type Sheet = { readonly rules: readonly StyleRule[]; readonly imports: readonly number[] };

/** Reads an embedded style sheet. Reads every character once, whatever is wrong with it. */
export function styleRules(written: string): Sheet {
  const css = blank(written);
  const rules: StyleRule[] = [];
  const imports: number[] = [];
  const mark = /[{};]/g;
  let from = 0;
  for (let match = mark.exec(css); match; match = mark.exec(css)) {
    const head = css.slice(from, match.index);
    const offset = from + head.length - head.trimStart().length;
    const prelude = head.trim();
    if (/^@import\b/i.test(prelude)) imports.push(offset);
    if (match[0] === '{') {
      const end = endOfBlock(css, mark.lastIndex);
      const body = css.slice(mark.lastIndex, end);
      mark.lastIndex = end + 1;
      if (!prelude.startsWith('@') && rules.length < LINT_LIMITS.styleRules)
        rules.push({ selectors: selectorsOf(prelude), declarations: declarations(body), offset });
    }
    from = mark.lastIndex;
  }
  return { rules, imports };
}

/** The same text with its comments, and the signs that hide a sheet from old browsers, as spaces. */
function blank(css: string): string {
  const cut = css.length;
  let clean = '';
  let from = 0;
  for (let open = css.indexOf('/*'); open >= 0; open = css.indexOf('/*', from)) {
    const close = css.indexOf('*/', open + 2);
    const end = close < 0 ? cut : close + 2;
    clean += css.slice(from, open) + ' '.repeat(end - open);
    from = end;
  }
  return (clean + css.slice(from)).replace(/<!--|-->/g, (sign) => ' '.repeat(sign.length));
}

function endOfBlock(css: string, from: number): number {
  const brace = /[{}]/g;
  brace.lastIndex = from;
  let depth = 1;
  for (let match = brace.exec(css); match; match = brace.exec(css)) {
    depth += match[0] === '{' ? 1 : -1;
    if (depth === 0) return match.index;
  }
  return css.length;
}

function selectorsOf(prelude: string): string[] {
  return prelude
    .split(',', 50)
    .map((selector) => selector.trim())
    .filter((selector) => selector !== '' && selector.length <= 200);
}

export type Declaration = { readonly property: string; readonly value: string; readonly important: boolean };

/** Reads `color: red; margin: 0 !important`. Names come in lower case, values as they are written. */
export function declarations(style: string): Declaration[] {
  return pieces(style).flatMap((piece) => {
    const colon = piece.indexOf(':');
    const property = piece.slice(0, Math.max(colon, 0)).trim().toLowerCase();
    const written = piece.slice(colon + 1).trim();
    const important = written.toLowerCase().endsWith('important') && written.includes('!');
    const value = important ? written.slice(0, written.lastIndexOf('!')).trim() : written;
    return property === '' || value === '' ? [] : [{ property, value, important }];
  });
}

const CLOSERS: Readonly<Record<string, string>> = { '"': '"', "'": "'", '(': ')', '/*': '*/' };

/** Cuts at semicolons that are neither quoted nor in brackets, and leaves comments out. Reads every character once. */
function pieces(style: string): string[] {
  const found: string[] = [];
  const mark = /[;"'(]|\/\*/g;
  let piece = '';
  let from = 0;
  for (let match = mark.exec(style); match; match = mark.exec(style)) {
    const [sign] = match;
    const closer = CLOSERS[sign];
    const end = closer === undefined ? mark.lastIndex : style.indexOf(closer, mark.lastIndex);
    // What is opened and never closed runs to the end, as in a browser.
    mark.lastIndex = end < 0 ? style.length : end + (closer?.length ?? 0);
    const isKept = sign !== ';' && sign !== '/*';
    piece += style.slice(from, isKept ? mark.lastIndex : match.index);
    from = mark.lastIndex;
    if (sign === ';') found.push(piece);
    if (sign === ';') piece = '';
  }
  return [...found, piece + style.slice(from)];
}
