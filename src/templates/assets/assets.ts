import type { Warning } from '../../language.ts';
import type { BlockReason } from '../../platform/guarded-fetch/asset-blocked.ts';
import type { FetchAsset } from '../../platform/guarded-fetch/guarded-fetch.ts';
import { applyEdits } from '../../platform/html/edits.ts';
import type { Log } from '../../platform/log.ts';
import type { Examiner } from '../examiner/examiner.ts';
import { type Inlining, replacementOf } from './inlining.ts';
import { createCache, createFetches, createLoader } from './loader.ts';

export type Assets = ReturnType<typeof createAssets>;

type AssetDeps = {
  readonly fetchAsset: FetchAsset;
  readonly examiner: Pick<Examiner, 'findPlaces' | 'findUrls'>;
  readonly log?: Log;
};

type InlineOptions = {
  readonly signal: AbortSignal;
  readonly accountId?: string | undefined;
  /** What relative addresses start from; unset, they lead nowhere. */
  readonly baseUrl?: string;
};

const MAX_BYTES = 20 * 1024 * 1024;
const MAX_USES = 1000;
const MAX_MS = 10_000;
const MAX_WARNINGS = 20;
const SHOWN_CHARACTERS = 200;

// Text without any of these loads nothing. The backslash is for CSS, which may write `url` with escapes.
const MAY_LOAD =
  /\\|url\(|@import|image-set|[\s/"'](?:src|srcset|background|poster)\s*=|<(?:link|image|feimage)/i;

/**
 * Makes documents that stand for themselves: what they load from elsewhere is put into them.
 *
 * In: HTML. Out: the same HTML with its assets inside, and warnings. Invariant: every address is loaded through
 * `fetchAsset`, within limits of bytes, number and time.
 */
export function createAssets({ fetchAsset, examiner, log }: AssetDeps) {
  const shared = { fetchAsset, cache: createCache(), fetches: createFetches() };
  const onError = (error: unknown) =>
    log?.warn({ err: error }, 'an asset of a template could not be fetched');

  return {
    /**
     * Replaces remote images, fonts and style sheets by `data:` addresses. Those that cannot be had become a
     * box with their alternative text, a transparent pixel or nothing, with a warning each. Everything else of the HTML stays as it was, to the byte.
     * @throws Fault render_limit for HTML that takes too much to read, unavailable when too many wait
     */
    async inline(
      html: string,
      { signal, accountId, baseUrl }: InlineOptions,
    ): Promise<{ html: string; warnings: Warning[] }> {
      if (!MAY_LOAD.test(html)) return { html, warnings: [] };
      const { places, base } = await examiner.findPlaces(html, { accountId, signal });
      signal.throwIfAborted();
      const blocked = new Map<string, BlockReason>();
      const deadline = AbortSignal.any([signal, AbortSignal.timeout(MAX_MS)]);
      const work: Inlining = {
        loader: createLoader({
          ...shared,
          asker: { accountId, signal: deadline },
          maxBytes: MAX_BYTES,
          onError,
        }),
        findUrls: (css) => examiner.findUrls(css, { accountId, signal }),
        base: base === undefined ? baseUrl : (URL.parse(base, baseUrl)?.href ?? baseUrl),
        onBlocked: (url, reason) => blocked.set(url, reason),
        bytesLeft: MAX_BYTES,
        usesLeft: MAX_USES,
      };
      const texts = await Promise.all(places.map((place) => replacementOf(place, work)));
      signal.throwIfAborted();
      const edits = places.map(({ start, end }, index) => ({ start, end, text: texts[index] ?? '' }));
      return { html: applyEdits(html, edits), warnings: warningsOf(blocked) };
    },
  };
}

function warningsOf(blocked: ReadonlyMap<string, BlockReason>): Warning[] {
  const warnings = [...blocked].slice(0, MAX_WARNINGS).map(([address, reason]): Warning => {
    const url = address.length > SHOWN_CHARACTERS ? `${address.slice(0, SHOWN_CHARACTERS)}…` : address;
    return { key: 'resource_blocked', params: { url, reason } };
  });
  const more = blocked.size - warnings.length;
  return more > 0 ? [...warnings, { key: 'resources_blocked', params: { count: more } }] : warnings;
}
