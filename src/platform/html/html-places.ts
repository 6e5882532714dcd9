import { parse, type DefaultTreeAdapterTypes as Tree } from 'parse5';
import { Fault } from '../../errors.ts';
import type { CssUrl } from './css-urls.ts';
import { loadedUrls, MAX_LOADS } from './loaded-urls.ts';
import { readSrcset, type SrcsetImage } from './srcset.ts';

type Range = { readonly start: number; readonly end: number };

/** A range of the HTML that loads something external. An edit replaces `start` to `end`. */
export type Place = Range &
  (
    | (Attribute & AttributeContent)
    | ({ readonly kind: 'style'; readonly isRaw: boolean } & Css)
    | { readonly kind: 'link'; readonly url: string; readonly media: string }
  );

type Attribute = { readonly kind: 'attribute'; readonly name: string };

/** Content of an attribute: a required image, an optional one, several, a clip, or CSS declarations. */
type AttributeContent =
  | { readonly role: 'image'; readonly url: string; readonly text?: ImageText }
  | { readonly role: 'decoration' | 'clip'; readonly url: string }
  | { readonly role: 'srcset'; readonly images: readonly SrcsetImage[] }
  | ({ readonly role: 'css' } & Css);

/** The replacement of a missing image: its alternative text, and its size as written. */
export type ImageText = {
  readonly alt: string;
  readonly width?: string | undefined;
  readonly height?: string | undefined;
};

/** CSS and its external URLs. */
type Css = { readonly css: string; readonly urls: readonly CssUrl[] };

export type HtmlPlaces = {
  /** In document order. */
  readonly places: readonly Place[];
  /** The value of `<base href>`, as written. */
  readonly base: string | undefined;
};

/** Decides which parts of a document are loaded. */
export type LoadPolicy = {
  /** Without scripts, a browser shows `noscript` and ignores `template`. */
  readonly scripts: boolean;
  isExternal(url: string): boolean;
  roleOf(element: Tree.Element, name: string, value: string): AttributeContent['role'] | undefined;
};

/**
 * Finds every range of a document from which a browser would load an external image, font or style sheet.
 * @throws Fault render_limit.loads
 */
export function htmlPlaces(html: string, shower: LoadPolicy): HtmlPlaces {
  const document = parse(html, { sourceCodeLocationInfo: true, scriptingEnabled: shower.scripts });
  const places = new Map<number, Place>();
  let loads = 0;
  let base: string | undefined;
  for (const element of elementsOf(document, shower.scripts)) {
    if (element.tagName === 'base') base ??= attribute(element, 'href');
    // Elements that the parser closes and reopens refer to the same text.
    for (const place of placesOf(element, html, shower)) {
      places.set(place.start, place);
      loads += loadsOf(place);
      if (loads > MAX_LOADS) throw new Fault('render_limit.loads', { limit: MAX_LOADS });
    }
  }
  return { places: [...places.values()].sort((one, other) => one.start - other.start), base };
}

/** All elements, without recursion, since HTML can be nested deeper than the stack. */
export function* elementsOf(document: Tree.Document, inTemplates = false): Generator<Tree.Element> {
  const waiting: Tree.ChildNode[] = document.childNodes.toReversed();
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    if (!('tagName' in node)) continue;
    yield node;
    for (const child of node.childNodes.toReversed()) waiting.push(child);
    if (inTemplates && 'content' in node)
      for (const child of node.content.childNodes.toReversed()) waiting.push(child);
  }
}

function loadsOf(place: Place): number {
  if ('urls' in place) return place.urls.length;
  return 'images' in place ? place.images.length : 1;
}

function placesOf(element: Tree.Element, html: string, shower: LoadPolicy): Place[] {
  if (element.tagName === 'style') return styleOf(element, html, shower);
  if (element.tagName === 'link') return linkOf(element, shower);
  return element.attrs.flatMap(({ name, prefix, value }): Place[] => {
    const full = prefix ? `${prefix}:${name}` : name;
    const role = shower.roleOf(element, name, value);
    const place = element.sourceCodeLocation?.attrs?.[full];
    const content = role && place && contentOf(role, value, shower, element);
    if (!content) return [];
    return [{ kind: 'attribute', name: full, ...content, start: place.startOffset, end: place.endOffset }];
  });
}

/** Undefined when nothing in it is external. */
function contentOf(
  role: AttributeContent['role'],
  value: string,
  { isExternal }: LoadPolicy,
  element: Tree.Element,
): AttributeContent | undefined {
  switch (role) {
    case 'css': {
      const urls = loadedUrls(value, isExternal);
      return urls.length > 0 ? { role, css: value, urls } : undefined;
    }
    case 'srcset': {
      const images = readSrcset(value);
      return images.some(({ url }) => isExternal(url)) ? { role, images } : undefined;
    }
    case 'image': {
      const text = textOf(element);
      return isExternal(value) ? { role, url: value, ...(text && { text }) } : undefined;
    }
    case 'decoration':
    case 'clip':
      return isExternal(value) ? { role, url: value } : undefined;
  }
}

function textOf(element: Tree.Element): ImageText | undefined {
  const alt = attribute(element, 'alt')?.trim();
  if (!alt) return undefined;
  return { alt, width: attribute(element, 'width'), height: attribute(element, 'height') };
}

const IMAGES: Readonly<Record<string, string>> = {
  img: 'src',
  input: 'src',
  image: 'href',
  feImage: 'href',
};

/** What an HTML attribute loads. */
export function roleOf({ tagName: tag }: Tree.Element, name: string): AttributeContent['role'] | undefined {
  if (name === 'style') return 'css';
  if (IMAGES[tag] === name) return 'image';
  if (name === 'srcset' && (tag === 'img' || tag === 'source')) return 'srcset';
  if (name === 'background' || (name === 'poster' && tag === 'video')) return 'decoration';
  return undefined;
}

function styleOf(element: Tree.Element, html: string, { isExternal }: LoadPolicy): Place[] {
  const texts = element.childNodes.flatMap((child) => {
    const place = child.sourceCodeLocation;
    return place && 'value' in child ? [{ value: child.value, place }] : [];
  });
  const [first] = texts;
  const last = texts.at(-1);
  if (!first || !last) return [];
  const range = { start: first.place.startOffset, end: last.place.endOffset };
  // In HTML the text is the style sheet as written; in SVG it is markup with entities.
  const isRaw = element.namespaceURI === 'http://www.w3.org/1999/xhtml';
  const css = isRaw ? html.slice(range.start, range.end) : texts.map(({ value }) => value).join('');
  const urls = loadedUrls(css, isExternal);
  return urls.length > 0 ? [{ kind: 'style', css, urls, isRaw, ...range }] : [];
}

function linkOf(element: Tree.Element, { isExternal }: LoadPolicy): Place[] {
  const place = element.sourceCodeLocation;
  const rel = (attribute(element, 'rel') ?? '').toLowerCase().split(/\s+/);
  const url = attribute(element, 'href')?.trim();
  if (!place || !url || !rel.includes('stylesheet') || rel.includes('alternate')) return [];
  if (!isExternal(url)) return [];
  const media = attribute(element, 'media') ?? '';
  return [{ kind: 'link', url, media, start: place.startOffset, end: place.endOffset }];
}

function attribute({ attrs }: Tree.Element, name: string): string | undefined {
  return attrs.find((one) => one.name === name)?.value;
}
