import { type FileHandle, open, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Fault } from '../../../errors.ts';
import { makeProcessFolder } from '../../../platform/process-folder.ts';
import { withTimeout } from '../../../platform/with-timeout.ts';
import type { Track } from '../../composition/composition.ts';
import { mixSounds, type Sound } from '../../page/sound/mix-sounds.ts';
import { RATE } from '../../page/sound/sound-levels.ts';
import type { Ffmpeg, FfmpegProcess } from '../ffmpeg.ts';
import type { SoundMixer, SoundRequest } from './sound.ts';

/** Time limit for ffmpeg to accept one second of sound, and to end. */
const WRITE_TIMEOUT_MS = 60_000;

/** Decodes and encodes with ffmpeg and mixes in between. Memory use does not grow with the length. */
export function createFfmpegMixer(ffmpeg: Ffmpeg): SoundMixer {
  return {
    async mix(request) {
      if (request.composition.tracks.length === 0) return false;
      const folder = await makeProcessFolder('sound');
      const sounds = new Map<string, DecodedSound>();
      try {
        await decodeAll(ffmpeg, { request, folder, sounds });
        await encode(ffmpeg, request, sounds);
        return true;
      } finally {
        await Promise.all([...sounds.values()].map((sound) => sound.close()));
        await rm(folder, { recursive: true, force: true });
      }
    },
  };
}

type DecodeDeps = {
  readonly request: SoundRequest;
  readonly folder: string;
  readonly sounds: Map<string, DecodedSound>;
};

// Sequential, since each decoding is one short process.
async function decodeAll(ffmpeg: Ffmpeg, { request, folder, sounds }: DecodeDeps): Promise<void> {
  const { composition, signal } = request;
  const { tracks, assets, frames, fps } = composition;
  for (const [place, track] of tracks.entries()) {
    const { source } = track;
    if (sounds.has(keyOf(track))) continue;
    const file = join(folder, String(sounds.size));
    const bytes = assets.get(source)?.bytes;
    const seconds = secondsHeard(tracks, source, frames / fps);
    const isClip = track.clip !== undefined;
    const sound = await decodeSound(ffmpeg, { bytes, source, place, file, seconds, isClip, signal });
    sounds.set(keyOf(track), sound);
  }
}

function keyOf({ source, clip }: Track): string {
  return clip ? `${source} as a clip` : source;
}

/** How much of a source its tracks need, from its beginning. */
function secondsHeard(tracks: readonly Track[], source: string, duration: number): number {
  const ends = tracks
    .filter((track) => track.source === source)
    .map(({ from = 0, to = Number.POSITIVE_INFINITY, speed = 1 }) => Math.min(to, from + duration * speed));
  return Math.max(...ends) + MARGIN_SECONDS;
}

/** For the search of stretched sounds, and for rounding. */
const MARGIN_SECONDS = 0.1;

async function encode(
  ffmpeg: Ffmpeg,
  { composition, format, path, signal }: SoundRequest,
  sounds: ReadonlyMap<string, DecodedSound>,
): Promise<void> {
  const { tracks, frames, fps, loudness } = composition;
  const used = tracks.flatMap((use) => {
    const sound = sounds.get(keyOf(use));
    // Its samples begin with the clock of the file.
    const clip = use.clip && { ...use.clip, delay: -use.clip.zero };
    return sound ? [{ sound, use: { ...use, clip } }] : [];
  });
  const running = ffmpeg.start(argumentsFor(format, path), signal);
  running.stdout.resume();
  try {
    for await (const piece of mixSounds(used, frames / fps, loudness))
      await writeSamples(running, piece, signal);
    running.stdin.end();
    await withTimeout(running.ended, { signal, timeoutMs: WRITE_TIMEOUT_MS, timeoutError: stalled });
  } finally {
    running.kill();
  }
}

function writeSamples(running: FfmpegProcess, piece: Float32Array, signal: AbortSignal): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const bytes = new Uint8Array(piece.buffer, piece.byteOffset, piece.byteLength);
  running.stdin.write(bytes, (error) => {
    if (!error) return resolve();
    running.ended.then(() => reject(error), reject);
  });
  return withTimeout(promise, { signal, timeoutMs: WRITE_TIMEOUT_MS, timeoutError: stalled });
}

function stalled(): Error {
  return new Error('ffmpeg does not take the sound any more');
}

function argumentsFor(format: 'mp4' | 'webm', path: string): string[] {
  return [
    ...['-y', '-f', 'f32le', '-ar', String(RATE), '-ac', '2', '-i', 'pipe:0'],
    ...['-c:a', format === 'mp4' ? 'aac' : 'libopus', '-b:a', '160k', '-threads', '1', '-map_metadata', '-1'],
    ...['-fflags', '+bitexact', '-flags:a', '+bitexact', '-f', 'mp4', `file:${path}`],
  ];
}

type DecodedSound = Sound & { close(): Promise<void> };

type DecodeRequest = {
  readonly bytes: Uint8Array | undefined;
  readonly source: string;
  /** Index of the track, from 0. */
  readonly place: number;
  /** Path of the source; the samples are written beside it with the ending .wav. */
  readonly file: string;
  /** Maximum length that can be heard. */
  readonly seconds: number;
  /** Silence before the sound counts, since a picture may begin earlier. */
  readonly isClip: boolean;
  readonly signal: AbortSignal;
};

const DECODE_TIMEOUT_MS = 2 * 60_000;

/** Layout of a WAV file that has only samples. */
const WAV = { channelsAt: 22, headBytes: 44, sampleBytes: 2 } as const;

// Playlist formats would read other files of this machine, so only self-contained formats are allowed.
const FORMATS = 'mp3,wav,ogg,flac,aac,mov,matroska,aiff,w64,caf';

/** Decodes a sound into a file of samples. @throws Fault video_failed.sound; the signal's reason */
async function decodeSound(ffmpeg: Ffmpeg, order: DecodeRequest): Promise<DecodedSound> {
  const { bytes, file, seconds, isClip, signal } = order;
  if (!bytes) throw unplayableSound(order, undefined);
  await writeFile(file, bytes, { mode: 0o600 });
  const samples = `${file}.wav`;
  try {
    await ffmpeg.run(
      [
        ...['-protocol_whitelist', 'file', '-format_whitelist', FORMATS, '-t', String(seconds)],
        ...(isClip ? ['-copyts'] : []),
        ...[
          '-i',
          `file:${file}`,
          '-map',
          '0:a:0',
          '-map_metadata',
          '-1',
          '-af',
          isClip ? `${FROM_ZERO},${TWO_CHANNELS}` : TWO_CHANNELS,
        ],
        ...['-ar', String(RATE), '-c:a', 'pcm_s16le', '-fflags', '+bitexact', '-flags:a', '+bitexact'],
        ...['-f', 'wav', `file:${samples}`],
      ],
      { signal, ms: DECODE_TIMEOUT_MS },
    );
  } catch (error) {
    signal.throwIfAborted();
    throw unplayableSound(order, error);
  }
  return openSamples(await open(samples), order);
}

// Fills what is missing at the beginning and in between.
const FROM_ZERO = 'aresample=async=1:first_pts=0';

// ffmpeg would lower the volume when it converts mono to stereo.
const TWO_CHANNELS = 'aformat=channel_layouts=stereo|mono';

async function openSamples(handle: FileHandle, order: DecodeRequest): Promise<DecodedSound> {
  const { channelsAt, headBytes, sampleBytes } = WAV;
  const head = new Uint8Array(headBytes);
  await handle.read(head, 0, headBytes, 0);
  const channels = head[channelsAt] ?? 0;
  const momentBytes = channels * sampleBytes;
  const length = Math.floor(((await handle.stat()).size - headBytes) / momentBytes);
  if (!(length > 0)) {
    await handle.close();
    throw unplayableSound(order, undefined);
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

export function unplayableSound(
  { source, place }: Pick<DecodeRequest, 'source' | 'place'>,
  cause: unknown,
): Fault {
  return new Fault('video_failed.sound', { number: place + 1, source }, { cause });
}
