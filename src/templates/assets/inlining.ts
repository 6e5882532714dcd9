import type { BlockReason } from '../../platform/guarded-fetch/asset-blocked.ts';
import type { Asset } from '../../platform/guarded-fetch/guarded-fetch.ts';
import type { CssUrl } from '../../platform/html/css-urls.ts';
import { applyEdits } from '../../platform/html/edits.ts';
import type { ImageText, Place } from '../../platform/html/html-places.ts';
import { type SrcsetImage, writeSrcset } from '../../platform/html/srcset.ts';
import { altBox } from './alt-box.ts';
import type { Loader, Wanted } from './loader.ts';
import { isRemote } from './remote-urls.ts';

/** The work on one document. */
export type Inlining = {
  readonly loader: Loader;
  /** What a style sheet loads from elsewhere. */
  readonly findUrls: (css: string) => Promise<readonly CssUrl[]>;
  /** What relative addresses of the document start from. */
  readonly base: string | undefined;
  /** Hears of every address that is left out, once for each use. */
  readonly onBlocked: (url: string, reason: BlockReason) => void;
  /** Bytes that may still go into the document: each use of an image counts. */
  bytesLeft: number;
  usesLeft: number;
};

// 1 × 1, transparent.
const BLANK = 'data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7';
// Loads nothing, and leaves the declaration around it as valid as it was.
const EMPTY = 'data:,';
const MAX_DEPTH = 3;

/** The text that takes the place of what loads something. */
export async function replacementOf(place: Place, work: Inlining): Promise<string> {
  switch (place.kind) {
    case 'style': {
      const css = await inlineCss(place.css, place.urls, work.base, work);
      return place.isRaw ? css : escapeMarkup(css);
    }
    case 'link':
      return replaceLink(place.url, place.media, work);
    case 'attribute': {
      const value = await attributeOf(place, work);
      return value === undefined ? '' : `${place.name}="${escapeMarkup(value)}"`;
    }
  }
}

/** The new value of an attribute, undefined when it is to be left out. */
async function attributeOf(
  place: Extract<Place, { kind: 'attribute' }>,
  work: Inlining,
): Promise<string | undefined> {
  if (place.role === 'css') return inlineCss(place.css, place.urls, work.base, work);
  if (place.role === 'srcset') return inlineSrcset(place.images, work);
  return (await mediaUri(place.url, work.base, work)) ?? standIn(place);
}

/** What is shown in place of an image that cannot be had; decoration is left out. */
function standIn(place: { readonly role: 'image' | 'decoration' | 'clip'; readonly text?: ImageText }) {
  if (place.role !== 'image') return undefined;
  return place.text ? altBox(place.text) : BLANK;
}

/** An image that cannot be had is left out, so that the others, or `src`, take its place. */
async function inlineSrcset(images: readonly SrcsetImage[], work: Inlining): Promise<string | undefined> {
  const inlined = await Promise.all(
    images.map(async ({ url, descriptor }) => {
      const uri = isRemote(url) ? await mediaUri(url, work.base, work) : url;
      return uri === undefined ? [] : [{ url: uri, descriptor }];
    }),
  );
  return writeSrcset(inlined.flat()) || undefined;
}

async function replaceLink(url: string, media: string, work: Inlining): Promise<string> {
  const css = await styleSheet(url, work.base, work, 0);
  if (css === undefined) return '';
  // Nothing that was fetched may end the element. In a string of CSS the escaped slash is a slash.
  const safe = css.replaceAll('</', '<\\/');
  return `<style${media ? ` media="${escapeMarkup(media)}"` : ''}>${safe}</style>`;
}

async function inlineCss(
  css: string,
  urls: readonly CssUrl[],
  base: string | undefined,
  work: Inlining,
  depth = 0,
): Promise<string> {
  const edits = urls.map(async ({ start, end, url, imported }) => {
    const uri = imported ? await importUri(url, base, work, depth + 1) : await mediaUri(url, base, work);
    return { start, end, text: `"${uri ?? EMPTY}"` };
  });
  return applyEdits(css, await Promise.all(edits));
}

/** An imported sheet stays a sheet of its own, so that its layer, conditions and order stay as they are. */
async function importUri(url: string, base: string | undefined, work: Inlining, depth: number) {
  const css = await styleSheet(url, base, work, depth);
  return css === undefined ? undefined : `data:text/css;base64,${Buffer.from(css).toString('base64')}`;
}

async function styleSheet(url: string, base: string | undefined, work: Inlining, depth: number) {
  const address = resolve(url, base);
  if (depth > MAX_DEPTH) return block(address, 'too_many', work);
  const asset = await take(address, 'css', work);
  if (!asset) return undefined;
  const css = new TextDecoder().decode(asset.bytes);
  return inlineCss(css, await work.findUrls(css), address, work, depth);
}

async function mediaUri(url: string, base: string | undefined, work: Inlining): Promise<string | undefined> {
  const [address = '', fragment] = resolve(url, base).split('#', 2);
  const asset = await take(address, 'media', work);
  if (!asset) return undefined;
  const uri = `data:${asset.mediaType};base64,${asset.bytes.toString('base64')}`;
  // Of an SVG it may name the part to show; after a font it is a trick for browsers of old.
  return fragment && asset.mediaType === 'image/svg+xml' ? `${uri}#${encodeURIComponent(fragment)}` : uri;
}

async function take(address: string, wanted: Wanted, work: Inlining): Promise<Asset | undefined> {
  if (work.usesLeft-- <= 0) return block(address, 'too_many', work);
  const loaded = await work.loader.load(address, wanted);
  if (loaded.state === 'refused') return block(address, loaded.reason, work);
  const { asset } = loaded;
  if (asset.bytes.length > work.bytesLeft) return block(address, 'too_large', work);
  work.bytesLeft -= asset.bytes.length;
  return asset;
}

function block(address: string, reason: BlockReason, work: Inlining): undefined {
  work.onBlocked(address, reason);
}

/** The absolute address, or what is written when there is none: the fetcher refuses that. */
function resolve(url: string, base: string | undefined): string {
  const written = url.trim();
  return URL.parse(written.startsWith('//') ? `https:${written}` : written, base)?.href ?? written;
}

function escapeMarkup(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
}
