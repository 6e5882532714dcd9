import type { Examined } from '../effective-style.ts';
import { CLIP_BYTES, type PageComment, type PageElement } from '../page.ts';
import type { Found, Mail, RuleId } from '../rules.ts';
import { isMergeTag, schemeOf, shortened } from './links.ts';

/** Rules about elements that email does not have, that never end, or that are read out wrongly. */
export function* markup({ page }: Examined): Iterable<Found> {
  const data = dataTables(page.elements);
  for (const element of page.elements) {
    const rule = dropped(element);
    if (rule) yield { rule, at: element.at, params: { tag: element.tag } };
    if (!page.isCut && isUnclosed(element))
      yield { rule: 'unclosed-element', at: element.at, params: { tag: element.tag } };
    if (element.tag === 'table' && !element.attributes.has('role') && !data.has(element))
      yield { rule: 'table-role', at: element.at };
    if (element.tag === 'link' && element.attributes.get('rel')?.toLowerCase() === 'stylesheet')
      yield { rule: 'css-import', at: element.at };
  }
  for (const at of page.imports) yield { rule: 'css-import', at };
  if (!page.isCut) yield* conditionals(page.comments);
}

const EMBEDDED = new Set(['iframe', 'frame', 'frameset', 'object', 'embed', 'applet', 'video', 'audio']);

function dropped({ tag, attributes }: PageElement): RuleId | undefined {
  // Gmail reads structured data from scripts of this type.
  if (tag === 'script') return attributes.get('type') === 'application/ld+json' ? undefined : 'script';
  if (tag === 'form') return 'form';
  return EMBEDDED.has(tag) ? 'embedded-content' : undefined;
}

// Only elements whose end is never implied, and whose missing end changes what is around them.
const MUST_CLOSE = new Set(
  'a article aside b blockquote center div em figure font footer form h1 h2 h3 h4 h5 h6 header i main ol section span strong table u ul'.split(
    ' ',
  ),
);

function isUnclosed({ tag, at, isClosed }: PageElement): boolean {
  return MUST_CLOSE.has(tag) && at !== undefined && !isClosed;
}

/** Tables with a header or a caption, which hold data and not layout. */
function dataTables(elements: readonly PageElement[]): ReadonlySet<PageElement> {
  const found = new Set<PageElement>();
  for (const element of elements) {
    if (element.tag !== 'th' && element.tag !== 'caption') continue;
    let outer = element.parent;
    while (outer && outer.tag !== 'table') outer = outer.parent;
    if (outer) found.add(outer);
  }
  return found;
}

/**
 * Conditional comments without their end. `<!--[if mso]>…<![endif]-->` is one comment; `<!--[if !mso]><!-->` and
 * `<![if !mso]>` wait for a later comment that ends them.
 */
function* conditionals(comments: readonly PageComment[]): Iterable<Found> {
  const open: PageComment[] = [];
  for (const comment of comments) {
    const text = comment.text.trim();
    if (/^(?:<!)?\[endif\]/i.test(text)) open.pop();
    if (!/^\[if\b/i.test(text)) continue;
    if (/<!--\s*\[if\b/i.test(text)) yield { rule: 'conditional-comment', at: comment.at };
    else if (!/<!\[endif\]/i.test(text)) open.push(comment);
  }
  for (const { at } of open) yield { rule: 'conditional-comment', at };
}

/** Rules about the head of the HTML and what it says of the whole email. */
export function* document({ page }: Examined): Iterable<Found> {
  const first = (tag: string) => page.elements.find((element) => element.tag === tag);
  const html = first('html');
  const metas = page.elements.filter(({ tag }) => tag === 'meta');
  if (page.doctype?.toLowerCase() !== 'html') yield { rule: 'doctype' };
  if (!html?.attributes.get('lang')?.trim() && !isSaidBelow(page.elements))
    yield { rule: 'html-lang', at: html?.at };
  if (!first('title')?.text.trim()) yield { rule: 'title', at: first('title')?.at };
  if (!metas.some(saysCharset)) yield { rule: 'charset' };
  if (!metas.some((meta) => named(meta, 'viewport'))) yield { rule: 'viewport' };
  if (!metas.some((meta) => named(meta, 'color-scheme'))) yield { rule: 'color-scheme' };
}

// Webmail drops the HTML element, so emails say the language on the element around all else too.
function isSaidBelow(elements: readonly PageElement[]): boolean {
  const body = elements.find(({ tag }) => tag === 'body');
  return elements.some((element) => {
    const isOutermost = element === body || (body !== undefined && element.parent === body);
    return isOutermost && Boolean(element.attributes.get('lang')?.trim());
  });
}

function saysCharset({ attributes }: PageElement): boolean {
  const isType = attributes.get('http-equiv')?.toLowerCase() === 'content-type';
  return attributes.has('charset') || (isType && /charset=/i.test(attributes.get('content') ?? ''));
}

function named({ attributes }: PageElement, name: string): boolean {
  return attributes.get('name')?.toLowerCase() === name;
}

/** Gmail shows the start of a large email and a link to the rest, so what is below, and its count of opens, is lost. */
export function* size({ html }: Pick<Mail, 'html'>): Iterable<Found> {
  const bytes = Buffer.byteLength(html);
  const params = { bytes, limit: CLIP_BYTES };
  if (bytes > CLIP_BYTES) yield { rule: 'size-clip', params };
  else if (bytes >= CLIP_BYTES * 0.8) yield { rule: 'size-near-clip', params };
}

/** Gmail ignores style elements beyond this many characters. */
const STYLE_CHARS = 16 * 1024;

export function* styleSize({ styleChars }: { readonly styleChars: number }): Iterable<Found> {
  if (styleChars > STYLE_CHARS)
    yield { rule: 'style-size', params: { chars: styleChars, limit: STYLE_CHARS } };
}

/** Rules about images. Images of one pixel count readers and stay unchanged. */
export function* images({ page, looks }: Examined): Iterable<Found> {
  const hasBase = page.elements.some(({ tag }) => tag === 'base');
  for (const element of page.elements) {
    if (element.tag !== 'img' || isPixel(element)) continue;
    const { attributes, at } = element;
    yield* source(element, hasBase);
    if (!attributes.has('alt')) yield { rule: 'img-alt', at };
    const styles = looks.get(element)?.styles;
    if (
      !attributes.has('width') &&
      !styles?.has('width') &&
      !attributes.has('height') &&
      !styles?.has('height')
    )
      yield { rule: 'img-dimensions', at };
  }
}

/** Over a phone's connection, an image of so many bytes takes seconds. */
const HEAVY_BYTES = 500_000;

export function* imageWeights(
  page: Pick<Examined['page'], 'elements'>,
  weights: Readonly<Record<string, number>>,
): Iterable<Found> {
  for (const { tag, attributes, at } of page.elements) {
    const bytes = tag === 'img' ? (weights[attributes.get('src') ?? ''] ?? 0) : 0;
    const params = { kilobytes: Math.round(bytes / 1000), limit: HEAVY_BYTES / 1000 };
    if (bytes > HEAVY_BYTES) yield { rule: 'img-weight', at, params };
  }
}

function* source({ attributes, at }: PageElement, hasBase: boolean): Iterable<Found> {
  const address = (attributes.get('src') ?? '').trim();
  const scheme = schemeOf(address);
  const params = { address: shortened(address) };
  if (isMergeTag(address)) return;
  if (scheme === 'data') yield { rule: 'img-data', at };
  else if (scheme === 'http' || address.startsWith('//')) yield { rule: 'img-insecure', at, params };
  else if (!['https', 'cid', 'asset'].includes(scheme) && !(hasBase && scheme === '' && address !== ''))
    yield { rule: 'img-source', at, params };
}

function isPixel({ attributes, style }: PageElement): boolean {
  return ['width', 'height'].every((side) => {
    const size = attributes.get(side) ?? style.find(({ property }) => property === side)?.value;
    return size !== undefined && Number.parseFloat(size) <= 1;
  });
}
