import { Fault } from '../../errors.ts';
import type { Asset, FetchAsset } from '../../platform/guarded-fetch/guarded-fetch.ts';
import type { AssetKind } from '../../platform/guarded-fetch/sniff.ts';
import type { CssUrl } from '../../platform/html/css-urls.ts';
import { applyEdits } from '../../platform/html/edits.ts';
import type { Place } from '../../platform/html/html-places.ts';
import { writeSrcset } from '../../platform/html/srcset.ts';
import { assetFault } from './asset-fetch.ts';
import { type AssetCollector, createAssetCollector } from './collect-assets.ts';
import type { Composition, CompositionAsset, FilledPage, Track } from './composition.ts';
import { namesFile } from './inspect-page.ts';
import type { PageReader } from './page-reader.ts';
import type { PrepareClip, PreparedClip } from './prepare-clip.ts';

/** A file of an account's library by its path or ID; undefined where it has none. */
type ReadReferenced = (
  accountId: string,
  reference: string,
  kinds: readonly AssetKind[],
) => Promise<Asset | undefined>;

type BuilderDeps = {
  /** Made by `createVideoFetch`. */
  readonly fetchAsset: FetchAsset;
  readonly readReferenced?: ReadReferenced;
  readonly reader: Pick<PageReader, 'places' | 'urls'>;
  readonly prepareClip: PrepareClip;
  /** Files of the built-in templates by path, such as `built-in/slideshow/photo-1.jpg`. */
  readonly files: ReadonlyMap<string, CompositionAsset>;
};

/**
 * Collects everything a page shows and plays. In its HTML and tracks each address becomes the path of an asset; paths
 * of shipped fonts stay.
 * @throws Fault video_failed.asset_… with the address and the reason, video_failed.assets_count, .assets_bytes; those
 * of `PageReader`; and the signal's reason
 */
type BuildComposition = (page: FilledPage, signal: AbortSignal, accountId?: string) => Promise<Composition>;

export function createCompositionBuilder({
  fetchAsset,
  readReferenced,
  reader,
  prepareClip,
  files,
}: BuilderDeps): BuildComposition {
  return async (page, signal, accountId) => {
    // When one asset fails, the others are canceled.
    const ended = new AbortController();
    const ends = AbortSignal.any([signal, ended.signal]);
    const collector = createAssetCollector({
      ...{ fetchAsset, files, signal: ends },
      readReferenced: async (reference, kinds) =>
        accountId === undefined ? undefined : readReferenced?.(accountId, reference, kinds),
    });
    const asker = { signal: ends, accountId };
    const findUrls = (css: string) => reader.urls(css, asker);
    const clips = createClipCollector(collector, (clip, address) => prepareClip(clip, { address, ...asker }));
    try {
      const places = await reader.places(page.html, asker);
      const [texts, tracks] = await Promise.all([
        Promise.all(places.map((place) => editedText(place, { collector, findUrls, clips }))),
        Promise.all(page.tracks.map((track) => collectTrack(track, { collector, clips }))),
      ]);
      const edits = places.map(({ start, end }, index) => ({ start, end, text: texts[index] ?? '' }));
      const html = applyEdits(page.html, edits);
      return { ...page, html, tracks: tracks.flat(), assets: collector.assets };
    } finally {
      ended.abort();
    }
  };
}

type ClipCollector = {
  /** @returns the asset path and the sound of a clip, which is read once */
  take(address: string): Promise<{ readonly path: string; readonly sound: PreparedClip['sound'] }>;
};

type PrepareRead = (clip: Asset, address: string) => Promise<PreparedClip>;

function createClipCollector(collector: AssetCollector, prepare: PrepareRead): ClipCollector {
  const taken = new Map<string, ReturnType<ClipCollector['take']>>();
  return {
    take(written) {
      const address = written.trim();
      const known = taken.get(address) ?? collect(address);
      taken.set(address, known);
      return known;
    },
  };

  async function collect(address: string) {
    const clip = await collector.read(address, ['video']);
    const { asset, sound } = await prepare(clip, address);
    return { path: collector.keep(asset), sound };
  }
}

type TrackDeps = Pick<EditDeps, 'collector' | 'clips'>;

/** A clip without a sound is no track. */
async function collectTrack(track: Track, { collector, clips }: TrackDeps): Promise<Track[]> {
  if (!track.clip) return [{ ...track, source: await collector.take(track.source, ['audio']) }];
  const { path, sound } = await clips.take(track.source);
  return sound ? [{ ...track, source: path, clip: sound }] : [];
}

type EditDeps = {
  readonly collector: AssetCollector;
  readonly clips: ClipCollector;
  /** Finds the addresses in a style sheet. */
  readonly findUrls: (css: string) => Promise<readonly CssUrl[]>;
};

const IMAGE: readonly AssetKind[] = ['image'];
const OF_CSS: readonly AssetKind[] = ['image', 'font'];

/** The new text of a range, with assets in place of addresses. @throws Fault as `AssetCollector.take` */
async function editedText(place: Place, work: EditDeps): Promise<string> {
  switch (place.kind) {
    case 'style': {
      const css = await rewriteCss(place.css, place.urls, work);
      return place.isRaw ? css : escapeMarkup(css);
    }
    case 'link':
      return inlineStyle(place.url, place.media, work);
    case 'attribute':
      if (place.role === 'image' && place.name === 'src') return imageText(place.url, work);
      return `${place.name}="${escapeMarkup(await attributeText(place, work))}"`;
  }
}

/** What a clip is called where an image was expected; page/clips shows it there. */
const CLIP_ATTRIBUTE = 'data-clip';

/** The source of an image. Where an image belongs, a clip may be: it is shown without its sound. */
async function imageText(url: string, { collector, clips }: EditDeps): Promise<string> {
  try {
    return `src="${escapeMarkup(await collector.take(url, IMAGE))}"`;
  } catch (error) {
    if (!(error instanceof Fault && MAY_BE_CLIP.has(error.key))) throw error;
    const { path } = await clips.take(url).catch((other: unknown) => {
      throw other instanceof Fault && other.key.startsWith('video_failed.clip_') ? other : error;
    });
    return `${CLIP_ATTRIBUTE}="${path}"`;
  }
}

const MAY_BE_CLIP: ReadonlySet<string> = new Set([
  'video_failed.asset_wrong_type',
  'video_failed.asset_too_large',
]);

async function attributeText(place: Extract<Place, { kind: 'attribute' }>, work: EditDeps): Promise<string> {
  const { collector, clips } = work;
  switch (place.role) {
    case 'css':
      return rewriteCss(place.css, place.urls, work);
    case 'srcset':
      return writeSrcset(
        await Promise.all(
          place.images.map(async ({ url, descriptor }) => ({
            url: namesFile(url) ? await collector.take(url, IMAGE) : url,
            descriptor,
          })),
        ),
      );
    case 'clip':
      return (await clips.take(place.url)).path;
    default:
      return collector.take(place.url, IMAGE);
  }
}

/** The style element that replaces a link to a style sheet. */
async function inlineStyle(url: string, media: string, work: EditDeps): Promise<string> {
  const { collector, findUrls } = work;
  const { bytes } = await collector.read(url, ['css']);
  const css = new TextDecoder().decode(bytes);
  const urls = await findUrls(css);
  if (urls.some(({ imported }) => imported)) throw assetFault(url, 'import');
  const base = url.startsWith('//') ? `https:${url}` : url;
  const gathered = await rewriteCss(css, urls, work, base);
  // Fetched CSS must not close the element. In a CSS string the escaped slash is a slash.
  const safe = gathered.replaceAll('</', '<\\/');
  return `<style${media ? ` media="${escapeMarkup(media)}"` : ''}>${safe}</style>`;
}

async function rewriteCss(
  css: string,
  urls: readonly CssUrl[],
  { collector }: Pick<EditDeps, 'collector'>,
  base?: string,
): Promise<string> {
  const edits = urls.map(async ({ start, end, url }) => {
    const address = base === undefined ? url : (URL.parse(url, base)?.href ?? url);
    return { start, end, text: `"${await collector.take(address, OF_CSS)}"` };
  });
  return applyEdits(css, await Promise.all(edits));
}

function escapeMarkup(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
}
