import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { withTimeout } from '../../../platform/with-timeout.ts';
import { mixSounds } from '../../page/sources/mix-sounds.ts';
import { RATE } from '../../page/sources/sound-rate.ts';
import type { Ffmpeg } from '../ffmpeg.ts';
import type { Running } from '../ffmpeg-process.ts';
import { type DecodedSound, decodeSound } from './decode-sound.ts';
import type { SoundMixer, SoundRequest } from './sound-mixer.ts';

/** How long ffmpeg may take to make room for one second of sound, and to end. */
const PIECE_MS = 60_000;

/** Decodes and encodes with ffmpeg, and mixes in between. Memory does not grow with the length. */
export function createFfmpegMixer(ffmpeg: Ffmpeg): SoundMixer {
  return {
    async mix(request) {
      if (request.composition.tracks.length === 0) return false;
      const folder = await mkdtemp(join(tmpdir(), 'stallhand-sound-'));
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

type Decoding = {
  readonly request: SoundRequest;
  readonly folder: string;
  readonly sounds: Map<string, DecodedSound>;
};

// One after the other: each takes a process and moments only.
async function decodeAll(ffmpeg: Ffmpeg, { request, folder, sounds }: Decoding): Promise<void> {
  const { composition, signal } = request;
  const { tracks, assets, frames, fps } = composition;
  for (const [place, { source }] of tracks.entries()) {
    if (sounds.has(source)) continue;
    const file = join(folder, String(sounds.size));
    const bytes = assets.get(source)?.bytes;
    const sound = await decodeSound(ffmpeg, { bytes, source, place, file, seconds: frames / fps, signal });
    sounds.set(source, sound);
  }
}

async function encode(
  ffmpeg: Ffmpeg,
  { composition, format, path, signal }: SoundRequest,
  sounds: ReadonlyMap<string, DecodedSound>,
): Promise<void> {
  const { tracks, frames, fps } = composition;
  const used = tracks.flatMap((use) => {
    const sound = sounds.get(use.source);
    return sound ? [{ sound, use }] : [];
  });
  const running = ffmpeg.start(argumentsFor(format, path), signal);
  running.stdout.resume();
  try {
    for await (const piece of mixSounds(used, frames / fps)) await give(running, piece, signal);
    running.stdin.end();
    await withTimeout(running.ended, { signal, timeoutMs: PIECE_MS, timeoutError: tooLate });
  } finally {
    running.kill();
  }
}

function give(running: Running, piece: Float32Array, signal: AbortSignal): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const bytes = new Uint8Array(piece.buffer, piece.byteOffset, piece.byteLength);
  running.stdin.write(bytes, (error) => {
    if (!error) return resolve();
    running.ended.then(() => reject(error), reject);
  });
  return withTimeout(promise, { signal, timeoutMs: PIECE_MS, timeoutError: tooLate });
}

function tooLate(): Error {
  return new Error('ffmpeg does not take the sound any more');
}

function argumentsFor(format: 'mp4' | 'webm', path: string): string[] {
  return [
    ...['-y', '-f', 'f32le', '-ar', String(RATE), '-ac', '2', '-i', 'pipe:0'],
    ...['-c:a', format === 'mp4' ? 'aac' : 'libopus', '-b:a', '160k', '-threads', '1', '-map_metadata', '-1'],
    ...['-fflags', '+bitexact', '-flags:a', '+bitexact', '-f', 'mp4', `file:${path}`],
  ];
}
