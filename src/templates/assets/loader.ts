import { LRUCache } from 'lru-cache';
import { createFairQueue, type QueueCaller } from '../../platform/fair-queue.ts';
import { AssetRefused, type RefusalReason } from '../../platform/guarded-fetch/asset-refused.ts';
import type { Asset, FetchAsset } from '../../platform/guarded-fetch/guarded-fetch.ts';

export type Wanted = 'css' | 'media';

type Loaded =
  | { readonly state: 'loaded'; readonly asset: Asset }
  | { readonly state: 'refused'; readonly reason: RefusalReason };

export type Cache = LRUCache<string, Asset>;

type Fetches = ReturnType<typeof createFetches>;

/** Fetches what one document needs. */
export type Loader = {
  /** Begins, or answers what has begun: each address is fetched once. Never rejects. */
  load(url: string, wanted: Wanted): Promise<Loaded>;
};

const KEPT_BYTES = 32 * 1024 * 1024;
const KEPT_MS = 5 * 60 * 1000;
const MAX_URLS = 50;
const AT_ONCE = 6;
/** Of all documents together: each may hold the largest asset in memory. */
const FETCHES = { concurrency: 24, waiting: 1000 };

/** What was fetched, for all documents: an export is often repeated. */
export function createCache(): Cache {
  return new LRUCache({ maxSize: KEPT_BYTES, ttl: KEPT_MS, sizeCalculation: sizeOf });
}

function sizeOf({ bytes }: Asset, url: string): number {
  return bytes.length + url.length + 1;
}

/** The places of all documents that fetch at the same time. */
export function createFetches() {
  return createFairQueue({ ...FETCHES, rejection: () => new AssetRefused('too_slow') });
}

export function createLoader(parts: {
  readonly fetchAsset: FetchAsset;
  readonly cache: Cache;
  readonly fetches: Fetches;
  readonly asker: QueueCaller & { readonly signal: AbortSignal };
  /** The most that is fetched; what comes over it is not kept, and nothing more is asked for. */
  readonly maxBytes: number;
  readonly onError: (error: unknown) => void;
}): Loader {
  const { fetchAsset, cache, fetches, asker, maxBytes, onError } = parts;
  const { signal } = asker;
  const begun = new Map<string, Promise<Loaded>>();
  const refuse = () => new AssetRefused('too_many');
  const own = createFairQueue({ concurrency: AT_ONCE, waiting: MAX_URLS, rejection: refuse });
  let fetched = 0;

  async function fetchInTurn(url: string, wanted: Wanted): Promise<Asset> {
    await own.enter({ signal });
    try {
      await fetches.enter(asker);
      try {
        return await fetchWithin(url, wanted);
      } finally {
        fetches.leave();
      }
    } finally {
      own.leave();
    }
  }

  async function fetchWithin(url: string, wanted: Wanted): Promise<Asset> {
    signal.throwIfAborted();
    if (fetched >= maxBytes) throw new AssetRefused('too_large');
    const asset = await fetchAsset(url, { kinds: wanted === 'css' ? ['css'] : ['image', 'font'], signal });
    fetched += asset.bytes.length;
    if (fetched > maxBytes) throw new AssetRefused('too_large');
    return asset;
  }

  async function begin(url: string, wanted: Wanted): Promise<Loaded> {
    const key = `${wanted} ${url}`;
    const kept = cache.get(key);
    if (kept) return { state: 'loaded', asset: kept };
    try {
      const asset = await fetchInTurn(url, wanted);
      cache.set(key, asset);
      return { state: 'loaded', asset };
    } catch (error) {
      if (error instanceof AssetRefused) return { state: 'refused', reason: error.reason };
      if (signal.aborted) return { state: 'refused', reason: 'too_slow' };
      onError(error);
      return { state: 'refused', reason: 'unreachable' };
    }
  }

  return {
    async load(url, wanted) {
      const key = `${wanted} ${url}`;
      const known = begun.get(key);
      if (known !== undefined) return known;
      if (begun.size >= MAX_URLS) return { state: 'refused', reason: 'too_many' };
      const loading = begin(url, wanted);
      begun.set(key, loading);
      return loading;
    },
  };
}
