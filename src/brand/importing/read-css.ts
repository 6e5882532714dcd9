import { formatHex, parse } from 'culori';

export type CssColor = { readonly color: string; readonly where: string };

/** What style sheets say of a brand: colors that have a telling name, and the fonts of texts and headings. */
export type CssFacts = {
  readonly named: readonly CssColor[];
  readonly heading?: string | undefined;
  readonly body?: string | undefined;
};

const MAX_RULES = 20_000;
/** The parser's work grows with the square of a number's length. */
const MAX_COLOR_CHARS = 100;
const NAMED = /^--[\w-]*(?:brand|primary|accent)[\w-]*$/i;
const HEADING = /(?:^|[\s,>])h[12]\s*(?:,|$)/i;
const BODY = /(?:^|[\s,>])(?:body|html|:root)\s*(?:,|$)/i;
const GENERIC =
  /^(?:serif|sans-serif|monospace|cursive|fantasy|system-ui|ui-[\w-]+|inherit|initial|unset|revert|-apple-system|blinkmacsystemfont|segoe ui|roboto|helvetica( neue)?|arial|emoji)$/i;
const FAMILY = /^[\p{L}\p{N}][\p{L}\p{M}\p{N} _-]{0,59}$/u;

/** Reads rules one after the other, in time that grows with the length of the text. */
export function readCss(css: string): CssFacts {
  const all = css.split('}', MAX_RULES).flatMap(declarationsOf);
  const named = all.flatMap(({ name, value }) => {
    const color = NAMED.test(name) ? toHex(value) : undefined;
    return color ? [{ color, where: name }] : [];
  });
  const fonts = all.filter(({ name }) => name === 'font-family');
  const fontOf = (selector: RegExp) =>
    fonts.flatMap((rule) => (selector.test(rule.selector) ? (ownFont(rule.value) ?? []) : []))[0];
  return { named, heading: fontOf(HEADING), body: fontOf(BODY) };
}

function declarationsOf(rule: string) {
  const open = rule.lastIndexOf('{');
  if (open < 0) return [];
  const before = rule.slice(Math.max(0, open - 1_000), open);
  const selector = before.split(/[{;]/).at(-1)?.trim() ?? '';
  return declarations(rule.slice(open + 1)).map(([name, value]) => ({ selector, name, value }));
}

function declarations(text: string): (readonly [string, string])[] {
  return text.split(';', 500).flatMap((one) => {
    const colon = one.indexOf(':');
    if (colon < 0) return [];
    return [[one.slice(0, colon).trim().toLowerCase(), one.slice(colon + 1, colon + 300).trim()] as const];
  });
}

/** As six digits; undefined for what is no color, or has transparency. */
export function toHex(text: string): string | undefined {
  const color = parse(text.trim().slice(0, MAX_COLOR_CHARS).toLowerCase());
  return color && (color.alpha ?? 1) === 1 ? formatHex(color) : undefined;
}

/** The first family that is the page's own, and not one of every system. */
function ownFont(value: string): string | undefined {
  const families = value.split(',').map((family) => family.trim().replace(/^["']|["']$/g, ''));
  return families.find((family) => FAMILY.test(family) && !GENERIC.test(family));
}
