import { hash } from 'node:crypto';
import { Fault } from '../../errors.ts';
import { createFairQueue } from '../../platform/fair-queue.ts';
import { AssetRefused } from '../../platform/guarded-fetch/asset-refused.ts';
import type { Asset, FetchAsset } from '../../platform/guarded-fetch/guarded-fetch.ts';
import { type AssetKind, sniff } from '../../platform/guarded-fetch/sniff.ts';
import { LIMITS } from '../request.ts';
import { refusedAsset } from './asset-fault.ts';
import type { CompositionAsset } from './composition.ts';
import { readDataUri } from './data-uri.ts';

type Parts = {
  readonly fetchAsset: FetchAsset;
  readonly files: ReadonlyMap<string, CompositionAsset>;
  readonly signal: AbortSignal;
};

export type Collector = {
  /** By their path on the page's origin. */
  readonly assets: ReadonlyMap<string, CompositionAsset>;
  /** The path of what is at the address. @throws Fault video_failed.asset_…, .assets_count, .assets_bytes */
  take(address: string, kinds: readonly AssetKind[]): Promise<string>;
  /** What is at the address, which becomes no asset. @throws the same */
  read(address: string, kinds: readonly AssetKind[]): Promise<Asset>;
};

const AT_ONCE = 6;
const MEGABYTE = 1024 * 1024;
// The page's own origin has them.
const FONT = /^fonts\/[a-z0-9-]+\/[\w-]+(?:\.[\w-]+)*$/;

/** Collects the files of one video: each address once, each content once, within the limits. */
export function createCollector({ fetchAsset, files, signal }: Parts): Collector {
  const { count, allBytes } = LIMITS.asset;
  const assets = new Map<string, CompositionAsset>();
  const begun = new Map<string, Promise<Asset>>();
  const refuse = () => new Fault('video_failed.assets_count', { limit: count });
  const line = createFairQueue({ concurrency: AT_ONCE, waiting: count, rejection: refuse });
  let bytesTaken = 0;

  function read(address: string, kinds: readonly AssetKind[]): Promise<Asset> {
    const key = `${kinds.join()} ${address}`;
    const known = begun.get(key);
    if (known !== undefined) return known;
    if (begun.size >= count) return Promise.reject(refuse());
    const reading = load(address, kinds);
    begun.set(key, reading);
    return reading;
  }

  async function load(address: string, kinds: readonly AssetKind[]): Promise<Asset> {
    await line.enter({ signal });
    try {
      if (bytesTaken > allBytes) throw tooMuch();
      const asset = await loadOne(address, kinds);
      bytesTaken += asset.bytes.length;
      if (bytesTaken > allBytes) throw tooMuch();
      return asset;
    } catch (error) {
      throw error instanceof AssetRefused ? refusedAsset(address, error.reason, error) : error;
    } finally {
      line.leave();
    }
  }

  async function loadOne(address: string, kinds: readonly AssetKind[]): Promise<Asset> {
    if (!/^data:/i.test(address)) return fetchAsset(address, { kinds, signal });
    const data = readDataUri(address);
    if (!data) throw new AssetRefused('address_unusable');
    if (data.bytes.length > LIMITS.asset.bytes) throw new AssetRefused('too_large');
    const mediaType = await sniff(data.bytes, data.contentType, kinds);
    if (mediaType === undefined) throw new AssetRefused('wrong_type');
    return { bytes: data.bytes, mediaType };
  }

  function keep({ bytes, mediaType }: CompositionAsset): string {
    const path = `assets/${hash('sha256', bytes)}`;
    assets.set(path, { bytes, mediaType });
    return path;
  }

  return {
    assets,
    read: (address, kinds) => read(absolute(address), kinds),
    async take(written, kinds) {
      const [address, fragment] = splitFragment(written.trim());
      if (FONT.test(address)) return address;
      const own = files.get(address);
      const path = keep(own ?? (await read(absolute(address), kinds)));
      // Of an SVG it names the part to show. After a font it is a trick for browsers of old.
      const isPart = fragment !== undefined && assets.get(path)?.mediaType === 'image/svg+xml';
      return isPart ? `${path}#${encodeURIComponent(fragment.toWellFormed())}` : path;
    },
  };
}

/** @throws Fault video_failed.asset_unknown for a path without a server */
function absolute(written: string): string {
  const address = written.startsWith('//') ? `https:${written}` : written;
  if (/^data:/i.test(address)) return address;
  if (!/^[a-z][a-z0-9+.-]*:/i.test(address)) throw refusedAsset(written, 'unknown');
  return URL.parse(address)?.href ?? address;
}

/** In a data: address a number sign that is not encoded begins the fragment, too. */
function splitFragment(address: string): [address: string, fragment: string | undefined] {
  const at = address.indexOf('#');
  return at < 0 ? [address, undefined] : [address.slice(0, at), address.slice(at + 1)];
}

function tooMuch(): Fault {
  return new Fault('video_failed.assets_bytes', { limit: LIMITS.asset.allBytes / MEGABYTE });
}
