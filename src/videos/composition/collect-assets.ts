import { hash } from 'node:crypto';
import { Fault } from '../../errors.ts';
import { readAssetReference } from '../../platform/asset-reference.ts';
import { createFairQueue } from '../../platform/fair-queue.ts';
import { AssetBlocked } from '../../platform/guarded-fetch/asset-blocked.ts';
import type { Asset, FetchAsset } from '../../platform/guarded-fetch/guarded-fetch.ts';
import { type AssetKind, sniff } from '../../platform/guarded-fetch/sniff.ts';
import { LIMITS } from '../request.ts';
import { assetFault } from './asset-fetch.ts';
import type { CompositionAsset } from './composition.ts';

type CollectorDeps = {
  readonly fetchAsset: FetchAsset;
  readonly files: ReadonlyMap<string, CompositionAsset>;
  /** A file of the account's library; undefined where it has none. */
  readonly readReferenced?: (reference: string, kinds: readonly AssetKind[]) => Promise<Asset | undefined>;
  readonly signal: AbortSignal;
};

export type AssetCollector = {
  /** Assets by their path on the page's origin. */
  readonly assets: ReadonlyMap<string, CompositionAsset>;
  /** Returns the asset path for an address. @throws Fault video_failed.asset_…, .assets_count, .assets_bytes */
  take(address: string, kinds: readonly AssetKind[]): Promise<string>;
  /** Reads an address without making it an asset. @throws the same */
  read(address: string, kinds: readonly AssetKind[]): Promise<Asset>;
  /** Makes bytes an asset and returns its path. */
  keep(asset: CompositionAsset): string;
};

const FETCH_CONCURRENCY = 6;
const MEGABYTE = 1024 * 1024;
// Shipped fonts, served from the page's own origin.
const FONT = /^fonts\/[a-z0-9-]+\/[\w-]+(?:\.[\w-]+)*$/;

/** Collects the files of one video: each address once, each content once, within the limits. */
export function createAssetCollector({
  fetchAsset,
  files,
  readReferenced,
  signal,
}: CollectorDeps): AssetCollector {
  const { count, allBytes } = LIMITS.asset;
  const assets = new Map<string, CompositionAsset>();
  const pending = new Map<string, Promise<Asset>>();
  const tooMany = () => new Fault('video_failed.assets_count', { limit: count });
  const line = createFairQueue({ concurrency: FETCH_CONCURRENCY, waiting: count, rejection: tooMany });
  let bytesTaken = 0;

  function read(address: string, kinds: readonly AssetKind[]): Promise<Asset> {
    const key = `${kinds.join()} ${address}`;
    const known = pending.get(key);
    if (known !== undefined) return known;
    if (pending.size >= count) return Promise.reject(tooMany());
    const reading = load(address, kinds);
    pending.set(key, reading);
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
      const isClip = kinds.includes('video');
      throw error instanceof AssetBlocked
        ? assetFault(address, error.reason, { cause: error, isClip })
        : error;
    } finally {
      line.leave();
    }
  }

  async function loadOne(address: string, kinds: readonly AssetKind[]): Promise<Asset> {
    const reference = readAssetReference(address);
    if (reference !== undefined) {
      const own = await readReferenced?.(reference, kinds);
      if (!own) throw assetFault(address, 'unknown');
      return own;
    }
    if (!/^data:/i.test(address)) return fetchAsset(address, { kinds, signal });
    const data = readDataUri(address);
    if (!data) throw new AssetBlocked('address_unusable');
    if (data.bytes.length > LIMITS.asset.bytes) throw new AssetBlocked('too_large');
    const mediaType = await sniff(data.bytes, data.contentType, kinds);
    if (mediaType === undefined) throw new AssetBlocked('wrong_type');
    return { bytes: data.bytes, mediaType };
  }

  function keep({ bytes, mediaType }: CompositionAsset): string {
    const path = `assets/${hash('sha256', bytes)}`;
    assets.set(path, { bytes, mediaType });
    return path;
  }

  return {
    assets,
    keep,
    read: (address, kinds) => read(absoluteAddress(address), kinds),
    async take(written, kinds) {
      const [address, fragment] = splitFragment(written.trim());
      if (FONT.test(address)) return address;
      const own = files.get(address);
      const path = keep(own ?? (await read(absoluteAddress(address), kinds)));
      // A fragment selects part of an SVG. After a font it is a workaround for old browsers.
      const isPart = fragment !== undefined && assets.get(path)?.mediaType === 'image/svg+xml';
      return isPart ? `${path}#${encodeURIComponent(fragment.toWellFormed())}` : path;
    },
  };
}

/** @throws Fault video_failed.asset_unknown for a path without a server */
function absoluteAddress(written: string): string {
  const address = written.startsWith('//') ? `https:${written}` : written;
  if (/^data:/i.test(address)) return address;
  if (!/^[a-z][a-z0-9+.-]*:/i.test(address)) throw assetFault(written, 'unknown');
  return URL.parse(address)?.href ?? address;
}

/** Also splits data: addresses, where an unencoded `#` starts the fragment. */
function splitFragment(address: string): [address: string, fragment: string | undefined] {
  const at = address.indexOf('#');
  return at < 0 ? [address, undefined] : [address.slice(0, at), address.slice(at + 1)];
}

function tooMuch(): Fault {
  return new Fault('video_failed.assets_bytes', { limit: LIMITS.asset.allBytes / MEGABYTE });
}

type DataUri = { readonly bytes: Buffer; readonly contentType: string };

const PERCENT = 0x25;

/** Reads a `data:` address as https://fetch.spec.whatwg.org/#data-url-processor does; undefined when it is invalid. */
export function readDataUri(address: string): DataUri | undefined {
  const comma = address.indexOf(',');
  if (!/^data:/i.test(address) || comma < 0) return undefined;
  const head = address.slice('data:'.length, comma).trim();
  const body = percentDecoded(address.slice(comma + 1));
  const [contentType = ''] = head.split(/;\s*base64$/i);
  if (!/;\s*base64$/i.test(head)) return { bytes: body, contentType };
  const text = body.toString('latin1').replace(/[\t\n\f\r ]/g, '');
  if (!/^[a-z0-9+/]*={0,2}$/i.test(text)) return undefined;
  return { bytes: Buffer.from(text, 'base64'), contentType };
}

/** In place, since one address may have millions of percent signs. */
function percentDecoded(text: string): Buffer {
  const bytes = Buffer.from(text);
  let length = 0;
  for (let at = 0; at < bytes.length; at++) {
    const code = bytes[at] === PERCENT ? bytes.toString('latin1', at + 1, at + 3) : '';
    const isCode = /^[0-9a-f]{2}$/i.test(code);
    bytes[length++] = isCode ? Number.parseInt(code, 16) : (bytes[at] ?? 0);
    if (isCode) at += 2;
  }
  return bytes.subarray(0, length);
}
