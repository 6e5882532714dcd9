import { parse, type DefaultTreeAdapterTypes as Tree } from 'parse5';
import { cssUrls } from '../../platform/html/css-urls.ts';
import {
  elementsOf,
  type HtmlPlaces,
  htmlPlaces,
  type LoadPolicy,
  roleOf,
} from '../../platform/html/html-places.ts';
import { dataNumber } from '../page/data-values.ts';
import { type Share, sharesOf } from '../page/scene-cuts.ts';

/** A position in the HTML; lines and columns count from 1. */
type Spot = { readonly line: number; readonly col: number };

type Range = { readonly start: number; readonly end: number };

/** Content that a video page must not have. */
export type ForbiddenItem = Spot &
  (
    | { readonly what: 'element'; readonly tag: string }
    | { readonly what: 'script' | 'script_source' | 'import' }
  );

/** An `<audio>` element; `src` may come from a `<source>` in it. */
export type Sound = Spot & { readonly attributes: Readonly<Record<string, string>> };

/** A `<video>` element. */
export type ClipElement = Sound & {
  /** The scenes around it, outermost first, each as its share of the time of the one before. */
  readonly scenes: readonly Share[];
};

export type Inspection = {
  /** Number of elements with the id stage. */
  readonly stages: number;
  /** In document order. A `script` is forbidden only if the template may not run scripts. */
  readonly forbidden: readonly ForbiddenItem[];
  readonly sounds: readonly Sound[];
  /** At most 100. */
  readonly clips: readonly ClipElement[];
  /** The `<canvas>` elements. */
  readonly canvases: readonly Spot[];
  /** Ranges to remove, such as autoplay and preloads; in order, without overlap. */
  readonly cuts: readonly Range[];
  /** Offset of the head's content, or of the place where a head would be. */
  readonly head: number;
};

const MAX_FORBIDDEN = 50;
const MAX_CLIPS = 100;

/** Inspects a video page: forbidden content, sounds, and ranges to remove. */
export function inspectPage(html: string): Inspection {
  const document = parse(html, { sourceCodeLocationInfo: true });
  const elements = [...elementsOf(document, true)];
  const cuts = elements.flatMap(cutsOf).sort((one, other) => one.start - other.start);
  return {
    stages: elements.filter((element) => attribute(element, 'id') === 'stage').length,
    forbidden: elements.flatMap(forbiddenIn).slice(0, MAX_FORBIDDEN),
    sounds: elements.filter(({ tagName }) => tagName === 'audio').map(soundOf),
    clips: elements
      .filter(({ tagName }) => tagName === 'video')
      .slice(0, MAX_CLIPS)
      .map((element) => ({ ...soundOf(element), scenes: scenesAround(element) })),
    canvases: elements.filter(({ tagName }) => tagName === 'canvas').map(spotOf),
    cuts: cuts.filter((cut, index) => cut.start >= (cuts[index - 1]?.end ?? 0)),
    head: headOf(document),
  };
}

// Embedded pages, which the engine's clock cannot control.
const FORBIDDEN_TAGS = new Set(['iframe', 'frame', 'frameset', 'object', 'embed', 'portal', 'fencedframe']);

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
  // JSON data is not executed.
  const isData = /^application\/(?:ld\+)?json$/i.test(attribute(element, 'type') ?? '');
  return isData ? [] : [{ what: 'script', ...spot }];
}

function soundOf(element: Tree.Element): Sound {
  const attributes = Object.fromEntries(element.attrs.map(({ name, value }) => [name, value]));
  const source = element.childNodes.find((child) => 'tagName' in child && child.tagName === 'source');
  const inner = source && 'tagName' in source ? attribute(source, 'src') : undefined;
  return { ...spotOf(element), attributes: { ...(inner !== undefined && { src: inner }), ...attributes } };
}

/** As page/scenes.ts finds them: below the stage, scenes are children of one parent. */
function scenesAround(element: Tree.Element): Share[] {
  const shares: Share[] = [];
  let at: Tree.Element = element;
  while (attribute(at, 'id') !== 'stage') {
    const { parentNode: parent } = at;
    if (!parent || !('tagName' in parent)) return [];
    if (isScene(at)) shares.unshift(shareIn(parent, at));
    at = parent;
  }
  return shares;
}

function isScene(node: Tree.ChildNode): node is Tree.Element {
  return 'tagName' in node && attribute(node, 'data-scene') !== undefined;
}

function shareIn(parent: Tree.Element, scene: Tree.Element): Share {
  const scenes = parent.childNodes.filter(isScene);
  const shares = sharesOf(scenes.map((one) => dataNumber(attribute(one, 'data-weight'), 1)));
  return shares[scenes.indexOf(scene)] ?? { from: 0, to: 1 };
}

function cutsOf(element: Tree.Element): Range[] {
  const place = element.sourceCodeLocation;
  if (!place) return [];
  const removed = REMOVED_ATTRIBUTES[element.tagName];
  if (removed) return removed.flatMap((name) => cut(place.attrs?.[name]));
  const isCut = isRemoved(element);
  return isCut ? cut(place.startTag ?? place) : [];
}

// The sound of both is mixed outside the page.
const REMOVED_ATTRIBUTES: Readonly<Record<string, readonly string[]>> = {
  audio: ['src', 'controls', 'autoplay'],
  video: ['controls', 'autoplay', 'preload'],
};

/** A page must not navigate, change its base address, set its own loading policy, or preload. */
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

/**
 * Every range of a video page from which the browser would load something, also from the page itself and from
 * `data:`.
 */
export function pagePlaces(html: string): HtmlPlaces['places'] {
  return htmlPlaces(html, PAGE).places;
}

/** False for a URL that names no file: empty, a fragment, or about:. */
export function namesFile(url: string): boolean {
  return !/^[\0- ]*(?:$|#|about:)/i.test(url);
}

const PAGE: LoadPolicy = { scripts: true, isExternal: namesFile, roleOf: roleInPage };

const SVG = 'http://www.w3.org/2000/svg';

function roleInPage(element: Tree.Element, name: string, value: string) {
  const { tagName: tag, parentNode: parent } = element;
  const isSource = tag === 'source' && parent !== null && 'tagName' in parent && parent.tagName === 'video';
  if (name === 'src' && (tag === 'video' || isSource)) return 'clip';
  if (element.tagName === 'use' && name === 'href') return 'image';
  // In SVG many attributes are CSS declarations, such as fill and mask.
  const isStyle = element.namespaceURI === SVG && name !== 'href' && /url\(|\\/i.test(value);
  return isStyle ? 'css' : roleOf(element, name);
}
