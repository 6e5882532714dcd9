import { type Declaration, declarations } from './declarations.ts';
import { LINT_LIMITS } from './limits.ts';

/** One rule that holds on every screen: what stands in `@media` and the like is left out. */
export type StyleRule = {
  readonly selectors: readonly string[];
  readonly declarations: readonly Declaration[];
  /** Of its first character in the sheet. */
  readonly offset: number;
};

/** A sheet as far as a mail needs it. */
export type Sheet = { readonly rules: readonly StyleRule[]; readonly imports: readonly number[] };

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
