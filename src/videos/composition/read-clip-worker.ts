import { ALL_FORMATS, BufferSource, Input, type InputAudioTrack, type InputVideoTrack } from 'mediabunny';
import type { Timed } from '../../platform/thread-pool.ts';
import { begin } from '../../platform/thread-time.ts';

/** What the container of a clip says. Times are seconds. */
export type ClipFacts = {
  /** As in MIME types, such as `avc1.640028`; the name of the codec where there is none. */
  readonly codec: string;
  /** In pixels, upright. */
  readonly width: number;
  readonly height: number;
  readonly duration: number;
  /** Where the clock of the file begins. */
  readonly zero: number;
  /** `delay` is from the beginning of the picture to that of the sound. */
  readonly sound: { readonly delay: number; readonly codec: string } | undefined;
};

export type ClipJob = { readonly bytes: Uint8Array };

/** `undefined` for a file that has no video track or can't be read. */
export type ClipResult = ClipFacts | undefined;

/** Entry point of the thread. */
export async function readClipJob({ bytes, begun }: Timed<ClipJob>): Promise<ClipResult> {
  begin(begun);
  const input = new Input({ source: new BufferSource(bytes), formats: ALL_FORMATS });
  try {
    const picture = await input.getPrimaryVideoTrack();
    return picture ? await factsOf(input, picture) : undefined;
  } catch {
    return undefined;
  } finally {
    input.dispose();
  }
}

async function factsOf(input: Input, picture: InputVideoTrack): Promise<ClipFacts> {
  const zero = Math.max(0, await input.getFirstTimestamp());
  const sound = await input.getPrimaryAudioTrack();
  const end = (await picture.getDurationFromMetadata()) ?? (await picture.computeDuration());
  return {
    codec: await codecOf(picture),
    width: await picture.getDisplayWidth(),
    height: await picture.getDisplayHeight(),
    duration: end - zero,
    zero,
    sound: sound
      ? { delay: Math.max(0, await sound.getFirstTimestamp()) - zero, codec: await codecOf(sound) }
      : undefined,
  };
}

async function codecOf(track: InputVideoTrack | InputAudioTrack): Promise<string> {
  const known = (await track.getCodecParameterString()) ?? (await track.getCodec());
  if (known) return known;
  const internal = await track.getInternalCodecId();
  return typeof internal === 'string' && /^[\w-]+$/.test(internal) ? internal : 'unknown';
}
