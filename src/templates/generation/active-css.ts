export const CODE_IN_CSS = /expression\s*\(|javascript:|-moz-binding|(?<![\w-])behavior\s*:/i;

/** Whether a style sheet loads another, or runs code in some mail program. */
export function isActiveCss(css: string): boolean {
  return CODE_IN_CSS.test(css) || importRanges(css).length > 0;
}

/** A style sheet without the sheets it would load. */
export function stripImports(css: string): { css: string; removed: string[] } {
  const ranges = importRanges(css);
  return { css: without(css, ranges), removed: ranges.length > 0 ? ['@import'] : [] };
}

/** The text without some ranges of it, which stand in order and may lie within one another. */
export function without(text: string, ranges: readonly (readonly [start: number, end: number])[]): string {
  let kept = '';
  let at = 0;
  for (const [start, end] of ranges) {
    if (start > at) kept += text.slice(at, start);
    at = Math.max(at, end);
  }
  return kept + text.slice(at);
}

type Range = readonly [start: number, end: number];

/** Where a style sheet loads others: the characters from each `@import` to the end of its rule, comments and texts aside. */
export function importRanges(css: string): Range[] {
  const ranges: Range[] = [];
  let at = 0;
  while (at < css.length) {
    if (css[at] === '@' && css.slice(at, at + 7).toLowerCase() === '@import') {
      const end = ruleEnd(css, at);
      ranges.push([at, end]);
      at = end;
    } else {
      at = next(css, at);
    }
  }
  return ranges;
}

/** After the semicolon, which an address may hold as well, or before the brace that ends the block around it. */
function ruleEnd(css: string, start: number): number {
  let inAddress = false;
  for (let at = start; at < css.length; at = next(css, at)) {
    const sign = css[at];
    if (sign === '(') inAddress = true;
    else if (sign === ')') inAddress = false;
    else if (!inAddress && sign === ';') return at + 1;
    else if (!inAddress && sign === '}') return at;
  }
  return css.length;
}

/** The next character, past a whole comment or text that begins here. */
function next(css: string, at: number): number {
  const sign = css[at];
  if (sign === '/' && css[at + 1] === '*') return after(css, '*/', at + 2);
  return sign === '"' || sign === "'" ? after(css, sign, at + 1) : at + 1;
}

function after(css: string, end: string, from: number): number {
  const found = css.indexOf(end, from);
  return found < 0 ? css.length : found + end.length;
}
