import { encodeSound, firstSupported, type MixPackets } from './encode-sound.ts';
import { mixSounds, type Sound, type SoundUse } from './mix-sounds.ts';
import { RATE } from './sound-levels.ts';

export type MixRequest = {
  /** `source` is the path of an asset, relative to the document. */
  readonly tracks: readonly (SoundUse & { readonly source: string })[];
  readonly seconds: number;
  /** LUFS */
  readonly loudness?: number | undefined;
  /** Codecs the file may contain, best first, such as `mp4a.40.2`; `pcm-f32` always works. */
  readonly codecs: readonly string[];
};

/** `unplayable` is the index of the track that cannot be decoded. */
export type MixStarted =
  | { readonly codec: string }
  | { readonly unplayable: number }
  | { readonly unsupported: true };

let current: { next(): Promise<MixPackets> } | undefined;

/**
 * Decodes all sounds and prepares their mix, which `nextSound` returns. One at a time.
 *
 * In: the tracks of a video. Out: packets of one codec, a few seconds at a time. Invariant: one mix at a time, as long
 * as the video.
 */
export async function startSound({ tracks, seconds, loudness, codecs }: MixRequest): Promise<MixStarted> {
  const codec = await firstSupported(codecs);
  if (!codec) return { unsupported: true };
  const sounds = new Map<string, Sound>();
  for (const [place, { source }] of tracks.entries()) {
    const sound = sounds.get(source) ?? (await decodeSound(source));
    if (!sound) return { unplayable: place };
    sounds.set(source, sound);
  }
  const used = tracks.flatMap((use) => {
    const sound = sounds.get(use.source);
    return sound ? [{ sound, use }] : [];
  });
  current = encodeSound(mixSounds(used, seconds, loudness), codec);
  return { codec };
}

/** Returns the next seconds, encoded. */
export async function nextSound(): Promise<MixPackets> {
  if (!current) throw new Error('no sound was begun');
  const packets = await current.next();
  if (packets.done) current = undefined;
  return packets;
}

/** Decodes an asset by its path from the document; undefined when it is not a sound. */
async function decodeSound(source: string): Promise<Sound | undefined> {
  const answer = await fetch(new URL(source, document.baseURI));
  if (!answer.ok) throw new Error(`there is no asset ${source}`);
  const bytes = await answer.arrayBuffer();
  try {
    // Decoding also resamples to the rate of the context.
    return soundOf(await inStereo(await new OfflineAudioContext(2, 1, RATE).decodeAudioData(bytes)));
  } catch {
    return undefined;
  }
}

/** Mixes more than two channels down to stereo. */
async function inStereo(buffer: AudioBuffer): Promise<AudioBuffer> {
  if (buffer.numberOfChannels <= 2) return buffer;
  const context = new OfflineAudioContext(2, buffer.length, RATE);
  const source = new AudioBufferSourceNode(context, { buffer });
  source.connect(context.destination);
  source.start();
  return context.startRendering();
}

function soundOf(buffer: AudioBuffer): Sound {
  const left = buffer.getChannelData(0);
  const right = buffer.numberOfChannels > 1 ? buffer.getChannelData(1) : left;
  return {
    length: buffer.length,
    read(from, to) {
      const samples = new Float32Array((to - from) * 2);
      for (let i = from; i < to; i += 1) {
        samples[(i - from) * 2] = left[i] ?? 0;
        samples[(i - from) * 2 + 1] = right[i] ?? 0;
      }
      return samples;
    },
  };
}
