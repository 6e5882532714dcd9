/**
 * Reads an SVG as the XML that it is and writes it again with what is known to be harmless: no scripts, no event handlers,
 * no foreign content, nothing from elsewhere. In: text. Out: text that is well-formed; undefined where the input is not.
 * It is read once, from start to end, so no text keeps it busy.
 */
export function sanitizeSvg(text: string): SanitizedSvg | undefined {
  const source = text.replace(/^\uFEFF/, '');
  const drawing: Drawing = { open: [], out: [], css: '', root: undefined, elements: 0 };
  TOKEN.lastIndex = 0;
  for (let at = 0; at < source.length; at = TOKEN.lastIndex) {
    const token = TOKEN.exec(source);
    if (!token || token.index !== at || !take(token.groups ?? {}, drawing)) return undefined;
  }
  const { open, out, root } = drawing;
  if (!root || open.length > 0 || out.length === 0) return undefined;
  return { svg: out.join(''), ...sizeOf(root) };
}

/** What has been read and written so far. */
type Drawing = {
  readonly open: { readonly name: string; readonly kept: boolean }[];
  readonly out: string[];
  /** A style sheet is judged as a whole: comments and sections may split it anywhere. */
  css: string;
  root: ReadonlyMap<string, string> | undefined;
  elements: number;
};

type Token = Readonly<Record<string, string | undefined>>;

/** False for what is not well-formed. */
function take(token: Token, drawing: Drawing): boolean {
  const { close, name } = token;
  if (close !== undefined) return takeEnd(close, drawing);
  if (name !== undefined) return takeStart(name, token, drawing);
  return takeText(token, drawing);
}

function takeEnd(name: string, { open, out, css }: Drawing): boolean {
  const opened = open.pop();
  if (opened?.name !== name) return false;
  if (opened.kept) out.push(`${name === 'style' ? escapeText(safeCss(css)) : ''}</${name}>`);
  return true;
}

function takeStart(name: string, { attributes = '', selfClosing }: Token, drawing: Drawing): boolean {
  const { open, out, root } = drawing;
  const parent = open.at(-1);
  const all = readAttributes(attributes);
  drawing.elements += 1;
  const isTooMuch = drawing.elements > MAX_ELEMENTS || open.length >= MAX_LEVELS;
  if (!all || isTooMuch || (!parent && root)) return false;
  const isInside = parent ? parent.kept && parent.name !== 'style' : name === 'svg';
  const kept = isInside && ELEMENTS.has(name) && !isUnsafeAnimation(name, all);
  if (kept) out.push(`<${name}${writeAttributes(all, !parent)}${selfClosing ? '/' : ''}>`);
  if (!selfClosing) open.push({ name, kept });
  if (name === 'style') drawing.css = '';
  drawing.root ??= all;
  return true;
}

function takeText({ chars, cdata }: Token, drawing: Drawing): boolean {
  const parent = drawing.open.at(-1);
  const content = cdata === undefined ? decode(chars ?? '') : isXmlText(cdata) ? cdata : undefined;
  if (content === undefined || (!parent && content.trim() !== '')) return false;
  if (parent?.kept && parent.name === 'style') drawing.css += content;
  else if (parent?.kept) drawing.out.push(escapeText(content));
  return true;
}

export type SanitizedSvg = { readonly svg: string; readonly width?: number; readonly height?: number };

const MAX_ELEMENTS = 20_000;
const MAX_LEVELS = 100;
const NAME = '[A-Za-z_][\\w.:-]*';

// Comments, instructions and the doctype are passed over. Every alternative ends at its first possible end.
const TOKEN = new RegExp(
  [
    '<!--[^]*?-->',
    '<\\?[^]*?\\?>',
    '<!DOCTYPE[^\\[>]*(?:\\[[^\\]]*\\]\\s*)?>',
    '<!\\[CDATA\\[(?<cdata>[^]*?)\\]\\]>',
    `</(?<close>${NAME})\\s*>`,
    `<(?<name>${NAME})(?<attributes>(?:\\s+${NAME}\\s*=\\s*(?:"[^"<]*"|'[^'<]*'))*)\\s*(?<selfClosing>/)?>`,
    '(?<chars>[^<]+)',
  ].join('|'),
  'gy',
);
const ATTRIBUTE = new RegExp(`(${NAME})\\s*=\\s*(?:"([^"<]*)"|'([^'<]*)')`, 'g');

const ELEMENTS = new Set(
  `svg g defs symbol use title desc style switch view a path rect circle ellipse line polyline polygon text tspan textPath
  linearGradient radialGradient stop pattern clipPath mask marker image filter feBlend feColorMatrix feComponentTransfer
  feComposite feConvolveMatrix feDiffuseLighting feDisplacementMap feDistantLight feDropShadow feFlood feFuncA feFuncB
  feFuncG feFuncR feGaussianBlur feMerge feMergeNode feMorphology feOffset fePointLight feSpecularLighting feSpotLight
  feTile feTurbulence animate animateMotion animateTransform set mpath`.split(/\s+/),
);

/** Setting an address at a later time is setting it. */
function isUnsafeAnimation(name: string, attributes: ReadonlyMap<string, string>): boolean {
  const target = attributes.get('attributeName') ?? '';
  return /^(?:animate|set)/.test(name) && /href|^on|^style$/i.test(target);
}

function readAttributes(text: string): Map<string, string> | undefined {
  const all = new Map<string, string>();
  for (const [, name = '', double, single] of text.matchAll(ATTRIBUTE)) {
    const value = decode(double ?? single ?? '');
    // An unknown entity is of a doctype; its attribute is of the program that drew the picture.
    if (all.has(name)) return undefined;
    if (value !== undefined) all.set(name, value);
  }
  return all;
}

function writeAttributes(all: ReadonlyMap<string, string>, isRoot: boolean): string {
  const kept = [...all].filter(([name, value]) => isSafe(name, value));
  const links = kept.some(([name]) => name.startsWith('xlink:'));
  const spaces = isRoot
    ? ' xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"'
    : links
      ? ' xmlns:xlink="http://www.w3.org/1999/xlink"'
      : '';
  return spaces + kept.map(([name, value]) => ` ${name}="${escapeText(value)}"`).join('');
}

function isSafe(name: string, value: string): boolean {
  if (/^xmlns(?::|$)/i.test(name) || /^on/i.test(name)) return false;
  if (/^(?:xlink:)?href$/i.test(name)) return isOwnAddress(value);
  // Of another vocabulary, such as that of the program it was drawn with.
  if (name.includes(':')) return name === 'xml:space' || name === 'xml:lang';
  if (/^(?:src|action|formaction|base)$/i.test(name)) return false;
  return safeCss(value) === value;
}

/** A part of the picture, or a picture that stands in the address. */
function isOwnAddress(value: string): boolean {
  const address = value.trim();
  return (
    /^#[^\s]*$/.test(address) || /^data:image\/(?:png|jpeg|gif|webp);base64,[\sA-Za-z0-9+/=]*$/.test(address)
  );
}

/** The style sheet, or nothing of it when it could load something: CSS hides addresses too well to cut them out. */
function safeCss(css: string): string {
  const rest = css.replace(/url\(\s*(["']?)#[^"'()\\\s]*\1\s*\)/gi, '');
  return /\\|@import|@font-face|url\s*\(|image-set|image\s*\(|src\s*\(|expression|javascript:|-moz-binding|behavior\s*:/i.test(
    rest,
  )
    ? ''
    : css;
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** Undefined for an entity that XML does not have, and for characters that it can't have. */
function decode(text: string): string | undefined {
  let isKnown = isXmlText(text);
  const decoded = text.replace(/&([^;&\s]{0,32});?/g, (whole, name: string) => {
    const code = /^#(?:x([0-9a-f]{1,6})|(\d{1,7}))$/i.exec(name);
    const point = code ? Number.parseInt(code[1] ?? code[2] ?? '', code[1] ? 16 : 10) : Number.NaN;
    const character = code ? characterOf(point) : ENTITIES[name];
    if (character === undefined || !whole.endsWith(';')) isKnown = false;
    return character ?? '';
  });
  return isKnown ? decoded : undefined;
}

/** Of the characters that XML may have. */
function isXmlText(text: string): boolean {
  return !/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/u.test(text);
}

function characterOf(point: number): string | undefined {
  const isText = point === 9 || point === 10 || point === 13 || (point >= 0x20 && point <= 0xd7ff);
  return isText || (point >= 0xe000 && point <= 0xfffd) || (point >= 0x10000 && point <= 0x10ffff)
    ? String.fromCodePoint(point)
    : undefined;
}

function escapeText(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

/** In pixels, rounded; from the view box where the sides are not written. */
function sizeOf(root: ReadonlyMap<string, string>): { width?: number; height?: number } {
  const [, , wide, high] = (root.get('viewBox') ?? '')
    .trim()
    .split(/[\s,]+/)
    .map(Number);
  const width = pixels(root.get('width')) ?? usable(wide);
  const height = pixels(root.get('height')) ?? usable(high);
  return width === undefined || height === undefined ? {} : { width, height };
}

function pixels(written: string | undefined): number | undefined {
  const [, digits] = /^\s*(\d{1,6}(?:\.\d{1,10})?)(?:px)?\s*$/.exec(written ?? '') ?? [];
  return usable(digits === undefined ? undefined : Number(digits));
}

function usable(size: number | undefined): number | undefined {
  return size !== undefined && size > 0 && size < 1e6 ? Math.max(1, Math.round(size)) : undefined;
}
