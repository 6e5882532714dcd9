import { Fault } from '../../errors.ts';
import type { Asset } from '../../platform/guarded-fetch/guarded-fetch.ts';
import { LIMITS } from '../request.ts';
import { shownAddress } from './asset-fetch.ts';
import type { ClipReader } from './clip-reader.ts';
import type { ClipSound, CompositionAsset } from './composition.ts';
import type { ClipFacts } from './read-clip-worker.ts';

/** A clip that the engine's browser decodes; `sound` is undefined for a silent one. */
export type PreparedClip = { readonly asset: CompositionAsset; readonly sound: ClipSound | undefined };

type ClipOrder = {
  /** As the page names it. */
  readonly address: string;
  readonly signal: AbortSignal;
  readonly accountId?: string | undefined;
};

/** @throws Fault video_failed.clip_unreadable, .clip_size, .clip_codec, .clip_reading; the signal's reason */
export type PrepareClip = (clip: Asset, order: ClipOrder) => Promise<PreparedClip>;

/**
 * Makes an MP4 with H.264 of a clip.
 * @returns undefined where this machine cannot
 * @throws Error when the clip cannot be decoded; the signal's reason
 */
export type ConvertClip = (clip: Uint8Array, signal: AbortSignal) => Promise<Uint8Array | undefined>;

type PreparerDeps = { readonly reader: Pick<ClipReader, 'read'>; readonly convert: ConvertClip };

/**
 * Reads the properties of a clip. Codecs that the browser can't decode, such as HEVC, are converted to H.264
 * where this machine has ffmpeg, so that a composition is rendered alike everywhere.
 */
export function createClipPreparer({ reader, convert }: PreparerDeps): PrepareClip {
  return async (clip, order) => {
    const facts = await read(clip.bytes, order);
    if (isDecodable(facts)) return { asset: clip, sound: soundOf(facts) };
    const bytes = await converted(clip, facts, order);
    return { asset: { bytes, mediaType: 'video/mp4' }, sound: soundOf(await read(bytes, order)) };
  };

  async function read(
    bytes: Uint8Array,
    { address: written, signal, accountId }: ClipOrder,
  ): Promise<ClipFacts> {
    const facts = await reader.read(bytes, { signal, accountId });
    const address = shownAddress(written);
    if (!facts || !(facts.duration > 0)) throw new Fault('video_failed.clip_unreadable', { address });
    const { width, height } = facts;
    if (width * height <= LIMITS.clip.pixels) return facts;
    throw new Fault('video_failed.clip_size', { address, width, height });
  }

  async function converted({ bytes }: Asset, { codec }: ClipFacts, { address, signal }: ClipOrder) {
    const made = await convert(bytes, signal).catch((cause: unknown) => {
      signal.throwIfAborted();
      throw new Fault('video_failed.clip_unreadable', { address: shownAddress(address) }, { cause });
    });
    if (made) return made;
    const name = NAMES.find(([pattern]) => pattern.test(codec))?.[1] ?? codec;
    throw new Fault('video_failed.clip_codec', { address: shownAddress(address), codec: name });
  }
}

// H.264 with eight bits in its common profiles, VP8, VP9 and AV1: see docs/video-templates.md.
const DECODABLE = /^(?:avc[13]\.(?:42|4d|58|64)|vp8|vp09\.0[02]|vp9|av01\.0|av1$)/i;

function isDecodable({ codec }: ClipFacts): boolean {
  return DECODABLE.test(codec);
}

/** Codecs by the names that cameras use. */
const NAMES: readonly (readonly [RegExp, string])[] = [
  [/^(?:hev1|hvc1|hevc|dvh)/i, 'HEVC (H.265)'],
  [/^(?:ap[co]|prores)/i, 'ProRes'],
  [/^avc/i, 'H.264 with more than 8 bits or 4:2:0'],
];

function soundOf({ sound, duration, zero }: ClipFacts): ClipSound | undefined {
  return sound && { delay: sound.delay, duration, zero };
}
