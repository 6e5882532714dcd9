import { type FileHandle, open, writeFile } from 'node:fs/promises';
import { Fault } from '../../../errors.ts';
import type { Sound } from '../../page/sources/mix-sounds.ts';
import { RATE } from '../../page/sources/sound-rate.ts';
import type { Ffmpeg } from '../ffmpeg.ts';

export type DecodedSound = Sound & { close(): Promise<void> };

type Order = {
  readonly bytes: Uint8Array | undefined;
  readonly source: string;
  /** Which of the tracks it is, from 0. */
  readonly place: number;
  /** Where it is kept, and with another ending its samples. */
  readonly file: string;
  /** More of it is never heard. */
  readonly seconds: number;
  readonly signal: AbortSignal;
};

const DECODE_MS = 2 * 60_000;

/** Of a WAV file with nothing but its samples. */
const WAV = { channelsAt: 22, headBytes: 44, sampleBytes: 2 } as const;

// Some formats are lists of other files, which would be read from this machine: only those that hold their own sound.
const FORMATS = 'mp3,wav,ogg,flac,aac,mov,matroska,aiff,w64,caf';

/** Decodes a sound into a file of samples. @throws Fault video_failed.sound; the signal's reason */
export async function decodeSound(ffmpeg: Ffmpeg, order: Order): Promise<DecodedSound> {
  const { bytes, file, seconds, signal } = order;
  if (!bytes) throw unplayable(order, undefined);
  await writeFile(file, bytes, { mode: 0o600 });
  const samples = `${file}.wav`;
  try {
    await ffmpeg.run(
      [
        ...['-protocol_whitelist', 'file', '-format_whitelist', FORMATS, '-t', String(seconds)],
        ...['-i', `file:${file}`, '-map', '0:a:0', '-map_metadata', '-1', '-af', TWO_CHANNELS],
        ...['-ar', String(RATE), '-c:a', 'pcm_s16le', '-fflags', '+bitexact', '-flags:a', '+bitexact'],
        ...['-f', 'wav', `file:${samples}`],
      ],
      { signal, ms: DECODE_MS },
    );
  } catch (error) {
    signal.throwIfAborted();
    throw unplayable(order, error);
  }
  return openSamples(await open(samples), order);
}

// Made stereo by ffmpeg, one channel would become quieter.
const TWO_CHANNELS = 'aformat=channel_layouts=stereo|mono';

async function openSamples(handle: FileHandle, order: Order): Promise<DecodedSound> {
  const { channelsAt, headBytes, sampleBytes } = WAV;
  const head = new Uint8Array(headBytes);
  await handle.read(head, 0, headBytes, 0);
  const channels = head[channelsAt] ?? 0;
  const momentBytes = channels * sampleBytes;
  const length = Math.floor(((await handle.stat()).size - headBytes) / momentBytes);
  if (!(length > 0)) {
    await handle.close();
    throw unplayable(order, undefined);
  }
  return {
    length,
    async read(from, to) {
      const samples = new Int16Array((to - from) * channels);
      await handle.read(samples, 0, samples.byteLength, headBytes + from * momentBytes);
      const stereo = new Float32Array((to - from) * 2);
      return stereo.map((_, i) => (samples[channels === 1 ? i >> 1 : i] ?? 0) / FULL_SCALE);
    },
    close: () => handle.close(),
  };
}

const FULL_SCALE = 32_768;

export function unplayable({ source, place }: Pick<Order, 'source' | 'place'>, cause: unknown): Fault {
  return new Fault('video_failed.sound', { number: place + 1, source }, { cause });
}
