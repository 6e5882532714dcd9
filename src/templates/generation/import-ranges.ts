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
