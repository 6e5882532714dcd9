import { execFile } from 'node:child_process';
import { hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { promisify } from 'node:util';
import { findFfmpeg } from '../../../src/videos/encode/ffmpeg.ts';
import { createFfmpegEncoder } from '../../../src/videos/encode/ffmpeg-encoder.ts';
import type { Quality } from '../../../src/videos/frames/frames.ts';

const execute = promisify(execFile);

/** The ffmpeg of this machine, which these tests need. */
export async function realFfmpeg() {
  const ffmpeg = await findFfmpeg();
  if (!ffmpeg) throw new Error('these tests need ffmpeg');
  return ffmpeg;
}

/** Runs a program to its end and gives what it said. */
export async function say(program: 'ffmpeg' | 'ffprobe', ...args: string[]): Promise<string> {
  const { stdout, stderr } = await execute(program, ['-v', 'error', ...args], { maxBuffer: 2 ** 28 });
  return stdout + stderr;
}

/** The bytes a program gives out. */
export async function bytesFrom(...args: string[]): Promise<Buffer> {
  const options = { maxBuffer: 2 ** 28, encoding: 'buffer' } as const;
  const { stdout } = await execute('ffmpeg', ['-v', 'error', ...args], options);
  return stdout;
}

export const SIZE = { width: 64, height: 48 } as const;

/** Planes of Y, U and V with stripes that move on with every frame. */
export function stripes(frame: number): Uint8Array {
  const { width, height } = SIZE;
  const bytes = new Uint8Array((width * height * 3) / 2);
  for (let i = 0; i < width * height; i += 1)
    bytes[i] = 16 + (((i % width) * 3 + frame * 5 + Math.floor(i / width)) % 200);
  bytes.fill(90 + (frame % 60), width * height, (width * height * 5) / 4);
  bytes.fill(160 - (frame % 60), (width * height * 5) / 4);
  return bytes;
}

type ChunkOptions = {
  readonly from: number;
  readonly to: number;
  readonly format?: 'mp4' | 'webm';
  readonly quality?: Quality;
  readonly fps?: number;
};

/** A chunk as ffmpeg makes it. */
export async function chunkOf({ from, to, format = 'mp4', quality = 'standard', fps = 30 }: ChunkOptions) {
  const encoder = createFfmpegEncoder(await realFfmpeg());
  const signal = new AbortController().signal;
  const stream = encoder.open({ ...SIZE, fps, frames: to - from, pixels: 'i420', format, quality, signal });
  for (let frame = from; frame < to; frame += 1) await stream.write(stripes(frame));
  return stream.end();
}

/** The sum of each decoded picture, one after the other. */
export async function picturesOf(path: string): Promise<string[]> {
  const sums = await say(
    'ffmpeg',
    '-i',
    path,
    '-map',
    '0:v',
    '-fps_mode',
    'passthrough',
    '-f',
    'framemd5',
    '-',
  );
  return sums
    .split('\n')
    .filter((line) => line && !line.startsWith('#'))
    .map((line) => line.split(',').at(-1)?.trim() ?? '');
}

export async function sha256Of(path: string): Promise<string> {
  return hash('sha256', Buffer.concat(await Array.fromAsync(createReadStream(path))));
}
