import { parse, type DefaultTreeAdapterTypes as Tree } from 'parse5';
import { cssUrls } from '../../platform/html/css-urls.ts';
import {
  elementsOf,
  type HtmlPlaces,
  htmlPlaces,
  type LoadPolicy,
  roleOf,
} from '../../platform/html/html-places.ts';

/** Where something stands in html; lines and columns count from 1. */
type Spot = { readonly line: number; readonly col: number };

type Range = { readonly start: number; readonly end: number };

/** Something that no video page may hold. */
export type ForbiddenItem = Spot &
  (
    | { readonly what: 'element'; readonly tag: string }
    | { readonly what: 'script' | 'script_source' | 'import' }
  );

/** An `<audio>`, by its attributes; `src` may be that of a `<source>` in it. */
export type Sound = Spot & { readonly attributes: Readonly<Record<string, string>> };

export type Inspection = {
  /** How many elements are `#stage`. */
  readonly stages: number;
  /** In the order of the html. A `script` is refused only where the template may run none. */
  readonly forbidden: readonly ForbiddenItem[];
  readonly sounds: readonly Sound[];
  /** The `<canvas>` elements. */
  readonly canvases: readonly Spot[];
  /** What has no place in a page that plays by itself and loads nothing more; in order, without overlap. */
  readonly cuts: readonly Range[];
  /** Where the head begins, or what has to do for it. */
  readonly head: number;
};

/** More of it nobody reads. */
const MAX_FORBIDDEN = 50;

/** Reads a video page: what it may not hold, what it sounds like, and what has to be taken out of it. */
export function inspectPage(html: string): Inspection {
  const document = parse(html, { sourceCodeLocationInfo: true });
  const elements = [...elementsOf(document, true)];
  const cuts = elements.flatMap(cutsOf).sort((one, other) => one.start - other.start);
  return {
    stages: elements.filter((element) => attribute(element, 'id') === 'stage').length,
    forbidden: elements.flatMap(forbiddenIn).slice(0, MAX_FORBIDDEN),
    sounds: elements.filter(({ tagName }) => tagName === 'audio').map(soundOf),
    canvases: elements.filter(({ tagName }) => tagName === 'canvas').map(spotOf),
    cuts: cuts.filter((cut, index) => cut.start >= (cuts[index - 1]?.end ?? 0)),
    head: headOf(document),
  };
}

// Pages in the page, and moving pictures, which no clock of ours reaches.
const FORBIDDEN_TAGS = new Set([
  'video',
  'iframe',
  'frame',
  'frameset',
  'object',
  'embed',
  'portal',
  'fencedframe',
]);

function forbiddenIn(element: Tree.Element): ForbiddenItem[] {
  const { tagName: tag } = element;
  const spot = spotOf(element);
  if (FORBIDDEN_TAGS.has(tag)) return [{ what: 'element', tag, ...spot }];
  if (tag === 'script') return scriptOf(element, spot);
  if (tag !== 'style') return [];
  const imports = cssUrls(textOf(element)).some(({ imported }) => imported);
  return imports ? [{ what: 'import', ...spot }] : [];
}

function scriptOf(element: Tree.Element, spot: Spot): ForbiddenItem[] {
  const hasSource = ['src', 'href'].some((name) => attribute(element, name) !== undefined);
  if (hasSource) return [{ what: 'script_source', ...spot }];
  // Data for other scripts, which nothing runs.
  const isData = /^application\/(?:ld\+)?json$/i.test(attribute(element, 'type') ?? '');
  return isData ? [] : [{ what: 'script', ...spot }];
}

function soundOf(element: Tree.Element): Sound {
  const attributes = Object.fromEntries(element.attrs.map(({ name, value }) => [name, value]));
  const source = element.childNodes.find((child) => 'tagName' in child && child.tagName === 'source');
  const inner = source && 'tagName' in source ? attribute(source, 'src') : undefined;
  return { ...spotOf(element), attributes: { ...(inner !== undefined && { src: inner }), ...attributes } };
}

function cutsOf(element: Tree.Element): Range[] {
  const place = element.sourceCodeLocation;
  if (!place) return [];
  if (element.tagName === 'audio')
    return ['src', 'controls', 'autoplay'].flatMap((name) => cut(place.attrs?.[name]));
  const isCut = isRemoved(element);
  return isCut ? cut(place.startTag ?? place) : [];
}

/** A page must not leave for another, start from another address, have rules of its own for what may load, or load ahead. */
function isRemoved(element: Tree.Element): boolean {
  const { tagName: tag, parentNode } = element;
  if (tag === 'base') return true;
  if (tag === 'meta') return attribute(element, 'http-equiv') !== undefined;
  if (tag === 'source')
    return parentNode !== null && 'tagName' in parentNode && parentNode.tagName === 'audio';
  const rel = (attribute(element, 'rel') ?? '').toLowerCase().split(/\s+/);
  return tag === 'link' && (!rel.includes('stylesheet') || rel.includes('alternate'));
}

function cut(place: { startOffset: number; endOffset: number } | undefined): Range[] {
  return place ? [{ start: place.startOffset, end: place.endOffset }] : [];
}

function headOf(document: Tree.Document): number {
  const starts = document.childNodes.map((node) => {
    if (!('tagName' in node))
      return node.nodeName === '#documentType' ? node.sourceCodeLocation?.endOffset : 0;
    const head = node.childNodes.find((child) => child.nodeName === 'head');
    const places = [node, ...(head && 'tagName' in head ? [head] : [])].map((one) => one.sourceCodeLocation);
    return Math.max(...places.map((place) => place?.startTag?.endOffset ?? 0));
  });
  return Math.max(0, ...starts.map((start) => start ?? 0));
}

function textOf(element: Tree.Element): string {
  return element.childNodes.map((child) => ('value' in child ? child.value : '')).join('');
}

function spotOf({ sourceCodeLocation: place }: Tree.Element): Spot {
  return { line: place?.startLine ?? 1, col: place?.startCol ?? 1 };
}

function attribute({ attrs }: Tree.Element, name: string): string | undefined {
  return attrs.find((one) => one.name === name)?.value;
}

/** Every place of a video page where the browser would load something, also from the page itself and from `data:`. */
export function pagePlaces(html: string): HtmlPlaces['places'] {
  return htmlPlaces(html, PAGE).places;
}

/** What names no file: nothing, a part of the page itself, or an empty page. */
export function namesFile(url: string): boolean {
  return !/^[\0- ]*(?:$|#|about:)/i.test(url);
}

const PAGE: LoadPolicy = { scripts: true, isExternal: namesFile, roleOf: roleInPage };

const SVG = 'http://www.w3.org/2000/svg';

function roleInPage(element: Tree.Element, name: string, value: string) {
  if (element.tagName === 'use' && name === 'href') return 'image';
  // In SVG many attributes are declarations of CSS, such as fill and mask.
  const isStyle = element.namespaceURI === SVG && name !== 'href' && /url\(|\\/i.test(value);
  return isStyle ? 'css' : roleOf(element, name);
}
