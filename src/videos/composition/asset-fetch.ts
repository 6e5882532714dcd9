import { Fault, type FaultKey, type FaultParams } from '../../errors.ts';
import type { BlockReason } from '../../platform/guarded-fetch/asset-blocked.ts';
import {
  createGuardedFetch,
  type FetchAsset,
  type GuardedFetchSettings,
} from '../../platform/guarded-fetch/guarded-fetch.ts';
import { LIMITS } from '../request.ts';

/** Time limit of one file, in milliseconds. */
const FETCH_TIMEOUT_MS = 15_000;
/** Of one that may be a clip. */
const CLIP_TIMEOUT_MS = 60_000;

/** Fetches the assets of videos, which may be larger and slower than those of emails. */
export function createVideoFetch(
  settings: Omit<GuardedFetchSettings, 'maxBytes' | 'maxMs' | 'purpose'> = {},
): { readonly fetchAsset: FetchAsset } {
  const purpose = 'images, sounds and clips of videos';
  const small = createGuardedFetch({
    ...settings,
    maxBytes: LIMITS.asset.bytes,
    maxMs: FETCH_TIMEOUT_MS,
    purpose,
  });
  const large = createGuardedFetch({
    ...settings,
    maxBytes: LIMITS.clip.bytes,
    maxMs: CLIP_TIMEOUT_MS,
    purpose,
  });
  return {
    fetchAsset: (address, options) =>
      (options.kinds.includes('video') ? large : small).fetchAsset(address, options),
  };
}

type Reason =
  | Exclude<BlockReason, 'too_many'>
  /** An unknown relative path. */
  | 'unknown'
  /** A style sheet with @import. */
  | 'import';

/** The part of an address that is shown; the content of a data: address would not help. */
const MAX_SHOWN_CHARS = { address: 200, data: 60 };

const KEYS: Readonly<Record<Reason, FaultKey>> = {
  address_unusable: 'video_failed.asset_address_unusable',
  unknown: 'video_failed.asset_unknown',
  not_https: 'video_failed.asset_not_https',
  credentials: 'video_failed.asset_credentials',
  host_not_allowed: 'video_failed.asset_host_not_allowed',
  not_public: 'video_failed.asset_not_public',
  unreachable: 'video_failed.asset_unreachable',
  too_many_redirects: 'video_failed.asset_too_many_redirects',
  bad_answer: 'video_failed.asset_bad_answer',
  too_large: 'video_failed.asset_too_large',
  too_slow: 'video_failed.asset_too_slow',
  wrong_type: 'video_failed.asset_wrong_type',
  import: 'video_failed.asset_import',
};

/** The Fault for an asset that cannot be used, with the start of its address. */
export function assetFault(
  address: string,
  reason: Reason | 'too_many',
  { cause, isClip = false }: { readonly cause?: unknown; readonly isClip?: boolean } = {},
): Fault {
  if (reason === 'too_many') return new Fault('video_failed.assets_count', { limit: LIMITS.asset.count });
  return new Fault(KEYS[reason], { address: shownAddress(address), ...boundOf(reason, isClip) }, { cause });
}

/** The start of an address, as people read it. */
export function shownAddress(address: string): string {
  const most = address.startsWith('data:') ? MAX_SHOWN_CHARS.data : MAX_SHOWN_CHARS.address;
  return address.length > most ? `${address.slice(0, most)}…` : address;
}

function boundOf(reason: Reason, isClip: boolean): FaultParams {
  const { bytes } = isClip ? LIMITS.clip : LIMITS.asset;
  if (reason === 'too_large') return { limit: bytes / 1024 / 1024 };
  return reason === 'too_slow' ? { seconds: (isClip ? CLIP_TIMEOUT_MS : FETCH_TIMEOUT_MS) / 1000 } : {};
}
