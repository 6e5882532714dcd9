import type { FetchAsset } from '../../platform/guarded-fetch/guarded-fetch.ts';
import { applyEdits } from '../../platform/html/edits.ts';
import { createCollector } from './collect-assets.ts';
import type { Composition, CompositionAsset, FilledPage } from './composition.ts';
import type { PageReader } from './page-reader.ts';
import { placeText } from './place-text.ts';

type Parts = {
  /** One made by `createVideoFetch`. */
  readonly fetchAsset: FetchAsset;
  readonly reader: Pick<PageReader, 'places' | 'urls'>;
  /** Files of our own that a page may name by path, such as `built-in/slideshow/photo-1.jpg`. */
  readonly files: ReadonlyMap<string, CompositionAsset>;
};

/**
 * Brings together everything a page shows and plays. In its html and tracks each address becomes the path of an asset;
 * paths of shipped fonts stay.
 * @throws Fault video_failed.asset_… naming the address and why it cannot be had, video_failed.assets_count,
 * .assets_bytes; those of `PageReader`; and the signal's reason
 */
export type Gather = (page: FilledPage, signal: AbortSignal, accountId?: string) => Promise<Composition>;

export function createGather({ fetchAsset, reader, files }: Parts): Gather {
  return async (page, signal, accountId) => {
    // What is still loading when one of them fails is for nobody.
    const ended = new AbortController();
    const ends = AbortSignal.any([signal, ended.signal]);
    const collector = createCollector({ fetchAsset, files, signal: ends });
    const asker = { signal: ends, accountId };
    const findUrls = (css: string) => reader.urls(css, asker);
    try {
      const places = await reader.places(page.html, asker);
      const [texts, tracks] = await Promise.all([
        Promise.all(places.map((place) => placeText(place, { collector, findUrls }))),
        Promise.all(
          page.tracks.map(async (track) => ({
            ...track,
            source: await collector.take(track.source, ['audio']),
          })),
        ),
      ]);
      const edits = places.map(({ start, end }, index) => ({ start, end, text: texts[index] ?? '' }));
      return { ...page, html: applyEdits(page.html, edits), tracks, assets: collector.assets };
    } finally {
      ended.abort();
    }
  };
}
