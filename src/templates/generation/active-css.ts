import { importRanges } from './import-ranges.ts';

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
