import { type DefaultTreeAdapterTypes, parse } from 'parse5';
import { addressStatus } from '../engine/html/address.ts';

/** Something in HTML that runs or loads code. `cuts` are the character ranges to leave out, where that is all there is to do. */
export type Active = {
  /** `<script>` or `onclick`. */
  readonly what: string;
  readonly line: number;
  readonly col: number;
  readonly cuts: readonly (readonly [start: number, end: number])[];
};

/** HTML without what could be cut out of it, and what that was. */
export type Stripped = { readonly html: string; readonly removed: readonly string[] };

type Element = DefaultTreeAdapterTypes.Element;

/** Out with all they hold. */
const REMOVED = new Set(
  'script iframe frame frameset object embed applet portal base link input select textarea'.split(' '),
);
/** Out, but what stands in them stays. */
const UNWRAPPED = new Set(['form', 'button']);
const ADDRESSES = new Set('href src action formaction background poster xlink:href srcset'.split(' '));

/**
 * What in HTML, filled or still a template, no email may hold: scripts, frames, forms, event handlers, outside style
 * sheets, addresses that run code. In the order of the HTML.
 */
export function findActive(html: string): Active[] {
  const plain = withoutMustaches(html);
  const document = parse(plain, { sourceCodeLocationInfo: true, scriptingEnabled: false });
  const found: Active[] = [];
  const open: DefaultTreeAdapterTypes.Node[] = [document];
  for (let node = open.pop(); node; node = open.pop()) {
    // One by one: a call takes no more arguments than the stack holds.
    if ('tagName' in node) for (const active of activeOf(node, plain)) found.push(active);
    if ('content' in node) open.push(node.content);
    if ('childNodes' in node) for (const child of node.childNodes.toReversed()) open.push(child);
  }
  return found;
}

/** Leaves out what `findActive` can cut, and says what that was. */
export function stripActive(html: string): Stripped {
  const found = findActive(html).filter(({ cuts }) => cuts.length > 0);
  const cuts = found.flatMap((active) => active.cuts).sort(([a], [b]) => a - b);
  return { html: without(html, cuts), removed: [...new Set(found.map(({ what }) => what))] };
}

/** Spaces of the same length for expressions: the HTML around them is then read as it will be once they are filled. */
function withoutMustaches(html: string): string {
  let plain = '';
  let at = 0;
  for (let open = html.indexOf('{{'); open >= 0; open = html.indexOf('{{', at)) {
    const close = /^\{\{~?!--/.test(html.slice(open, open + 6)) ? html.indexOf('--', open + 6) : open + 2;
    const end = close < 0 ? -1 : html.indexOf('}}', close);
    if (end < 0) break;
    const past = html[end + 2] === '}' ? end + 3 : end + 2;
    plain += html.slice(at, open) + html.slice(open, past).replace(/[^\n]/g, ' ');
    at = past;
  }
  return plain + html.slice(at);
}

function activeOf(element: Element, html: string): Active[] {
  const { tagName, sourceCodeLocation: place } = element;
  // Elements the parser itself adds, such as a missing head, hold nothing of their own.
  if (!place) return [];
  const at = { line: place.startLine, col: place.startCol };
  const whole = [place.startOffset, place.endOffset] as const;
  if (REMOVED.has(tagName) || isRefresh(element)) return [{ what: `<${tagName}>`, ...at, cuts: [whole] }];
  if (UNWRAPPED.has(tagName)) {
    const tags = [place.startTag, place.endTag].flatMap((tag) =>
      tag ? [[tag.startOffset, tag.endOffset] as const] : [],
    );
    return [{ what: `<${tagName}>`, ...at, cuts: tags }];
  }
  const inside = tagName === 'style' ? styleOf(html, place) : [];
  return [...inside, ...element.attrs.flatMap((attribute) => attributeOf(element, attribute))];
}

function isRefresh({ tagName, attrs }: Element): boolean {
  return (
    tagName === 'meta' && attrs.some(({ name, value }) => name === 'http-equiv' && /refresh/i.test(value))
  );
}

function styleOf(html: string, place: NonNullable<Element['sourceCodeLocation']>): Active[] {
  const start = place.startTag?.endOffset ?? place.startOffset;
  const css = html.slice(start, place.endTag?.startOffset ?? place.endOffset);
  const at = { line: place.startLine, col: place.startCol };
  const imports = importRanges(css).map(([from, to]) => {
    return { what: '@import', ...at, cuts: [[start + from, start + to] as const] };
  });
  return CODE_IN_CSS.test(css) ? [...imports, { what: '<style>', ...at, cuts: [] }] : imports;
}

function attributeOf(element: Element, { name, prefix, value }: Element['attrs'][number]): Active[] {
  const full = prefix ? `${prefix}:${name}` : name;
  const place = element.sourceCodeLocation?.attrs?.[full] ?? element.sourceCodeLocation;
  if (!place) return [];
  const at = { line: place.startLine, col: place.startCol };
  // A handler is nothing but code; a link that runs code was meant to lead somewhere, which only its writer knows.
  if (/^on/i.test(name)) return [{ what: name, ...at, cuts: [[place.startOffset, place.endOffset]] }];
  const runs = ADDRESSES.has(full) && addressStatus(value) === 'script';
  return runs || (name === 'style' && CODE_IN_CSS.test(value)) ? [{ what: full, ...at, cuts: [] }] : [];
}

// A pattern, not a parser: code is refused wherever it is written, in broken CSS and comments too.
const CODE_IN_CSS = /expression\s*\(|javascript:|-moz-binding|(?<![\w-])behavior\s*:/i;

/** Whether a style sheet loads another, or runs code in some email client. */
export function isActiveCss(css: string): boolean {
  return CODE_IN_CSS.test(css) || importRanges(css).length > 0;
}

/** A style sheet without the sheets it would load. */
export function stripImports(css: string): { css: string; removed: string[] } {
  const ranges = importRanges(css);
  return { css: without(css, ranges), removed: ranges.length > 0 ? ['@import'] : [] };
}

/** The text without some ranges of it, which stand in order and may lie within one another. */
function without(text: string, ranges: readonly (readonly [start: number, end: number])[]): string {
  let kept = '';
  let at = 0;
  for (const [start, end] of ranges) {
    if (start > at) kept += text.slice(at, start);
    at = Math.max(at, end);
  }
  return kept + text.slice(at);
}

// By hand, not by postcss or css-tree: the CSS of a template source has expressions, whose braces are no blocks.
type Range = readonly [start: number, end: number];

/** Where a style sheet loads others: the characters from each `@import` to the end of its rule, comments and texts aside. */
function importRanges(css: string): Range[] {
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

/** The next character, past a whole comment or text that starts here. */
function next(css: string, at: number): number {
  const sign = css[at];
  if (sign === '/' && css[at + 1] === '*') return after(css, '*/', at + 2);
  return sign === '"' || sign === "'" ? after(css, sign, at + 1) : at + 1;
}

function after(css: string, end: string, from: number): number {
  const found = css.indexOf(end, from);
  return found < 0 ? css.length : found + end.length;
}
