import { hash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PNG } from 'pngjs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createFfmpegEncoder } from '../../../src/videos/encode/ffmpeg-encoder.ts';
import type { FrameEncoder } from '../../../src/videos/encode/frame-encoder.ts';
import { isCompatible, readChunk } from '../../../src/videos/encode/read-chunk.ts';
import { bytesFrom, chunkOf, picturesOf, realFfmpeg, SIZE, say, stripes } from './support.ts';

let folder: string;
let encoder: FrameEncoder;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'stallhand-frames-'));
  encoder = createFfmpegEncoder(await realFfmpeg());
});
afterAll(() => rm(folder, { recursive: true }));

const COLOURS = {
  color_range: 'tv',
  color_space: 'bt709',
  color_transfer: 'bt709',
  color_primaries: 'bt709',
};

describe.each(['mp4', 'webm'] as const)('%s', (format) => {
  test.each(['draft', 'standard', 'high'] as const)(
    'in quality %s: each frame once, in BT.709, a key frame first, and the same bytes again',
    async (quality) => {
      const path = join(folder, `${quality}.${format}`);
      const chunk = await chunkOf({ from: 0, to: 70, format, quality });
      await writeFile(path, chunk);
      const entries = 'stream=codec_name,pix_fmt,color_range,color_space,color_transfer,color_primaries';
      const shown = await say('ffprobe', '-show_entries', entries, '-of', 'json', path);
      const codec_name = format === 'mp4' ? 'h264' : 'vp9';
      expect(JSON.parse(shown).streams).toEqual([{ codec_name, pix_fmt: 'yuv420p', ...COLOURS }]);
      expect(await picturesOf(path)).toHaveLength(70);
      const packets = await say('ffprobe', '-show_entries', 'packet=flags', '-of', 'csv=p=0', path);
      const keys = packets
        .trim()
        .split('\n')
        .map((flags) => flags.startsWith('K'));
      // Sixty frames are two seconds.
      expect([keys[0], keys.slice(1, 61).includes(true)]).toEqual([true, true]);
      expect(hash('sha256', await chunkOf({ from: 0, to: 70, format, quality }))).toBe(hash('sha256', chunk));
    },
  );
});

describe.each(['mp4', 'webm'] as const)('%s', (format) => {
  test.each([
    ['at the end', 'abcccccccccccccccccccc'],
    ['from the beginning', 'aaaaaaaaaaaaaaaaab'],
    ['always for as long', 'aaabbbcccdddeeefff'],
    ['over many key frames', `ab${'c'.repeat(150)}d`],
    ['all the time', 'a'.repeat(40)],
    ['never', 'abcdefgh'],
    ['alone', 'a'],
  ])('a frame that is held makes the same bytes as one that is written again: %s', async (_name, shown) => {
    const options = { ...SIZE, fps: 30, frames: shown.length, pixels: 'i420', format } as const;
    const signal = new AbortController().signal;
    const streamOf = () => encoder.open({ ...options, quality: 'standard', signal });
    const [held, written] = [streamOf(), streamOf()];
    for (const [place, letter] of [...shown].entries()) {
      const frame = stripes(letter.charCodeAt(0));
      if (letter === shown[place - 1]) await held.repeat();
      else await held.write(frame);
      await written.write(frame);
    }
    const [bytes, again] = await Promise.all([held.end(), written.end()]);
    expect(hash('sha256', bytes)).toBe(hash('sha256', again));
    const path = join(folder, `held.${format}`);
    await writeFile(path, bytes);
    expect(await picturesOf(path)).toHaveLength(shown.length);
  });
});

test('a picture that stays has a key frame every two seconds, and what is shown after it has no more than before', async () => {
  const options = {
    ...SIZE,
    fps: 30,
    frames: 150,
    pixels: 'i420',
    format: 'mp4',
    quality: 'standard',
  } as const;
  const stream = encoder.open({ ...options, signal: new AbortController().signal });
  for (let frame = 0; frame < 150; frame++)
    if (frame > 3 && frame < 140) await stream.repeat();
    else await stream.write(stripes(frame));
  const { frames } = await readChunk(await stream.end(), 30);
  const keys = frames.filter(({ packet }) => packet.type === 'key').map(({ place }) => place);
  expect(keys).toEqual([0, 60, 120]);
});

test.each([
  [1, '1/1'],
  [7, '7/1'],
  [60, '60/1'],
  [24_000 / 1001, '24000/1001'],
  [30_000 / 1001, '30000/1001'],
  [60_000 / 1001, '60000/1001'],
])('at %d frames a second as well', async (fps, fraction) => {
  const path = join(folder, 'rate.mp4');
  await writeFile(path, await chunkOf({ from: 0, to: 5, fps }));
  const shown = await say('ffprobe', '-show_entries', 'stream=r_frame_rate', '-of', 'csv=p=0', path);
  expect([shown.trim(), await picturesOf(path)]).toEqual([fraction, expect.objectContaining({ length: 5 })]);
});

test.each([
  [0, 0, 0],
  [255, 255, 255],
  [255, 0, 0],
  [0, 255, 0],
  [0, 0, 255],
  [79, 70, 229],
  [219, 39, 119],
  [245, 158, 11],
])('a JPEG of the colour %i %i %i keeps it', async (...colour) => {
  const { width, height } = SIZE;
  const hex = colour.map((one) => one.toString(16).padStart(2, '0')).join('');
  const source = `color=c=0x${hex}:size=${width}x${height}:duration=1:rate=1,format=rgb24`;
  const full =
    'scale=out_color_matrix=bt601:out_range=full:flags=accurate_rnd+full_chroma_int,format=yuvj420p';
  const jpeg = await bytesFrom(
    ...['-f', 'lavfi', '-i', source, '-vf', full, '-frames:v', '1', '-q:v', '1', '-f', 'mjpeg', '-'],
  );
  const signal = new AbortController().signal;
  const options = {
    ...SIZE,
    fps: 30,
    frames: 3,
    pixels: 'jpeg',
    format: 'mp4',
    quality: 'high',
    signal,
  } as const;
  const stream = encoder.open(options);
  for (let i = 0; i < 3; i += 1) await stream.write(jpeg);
  const path = join(folder, `${hex}.mp4`);
  await writeFile(path, await stream.end());
  const rgb = 'scale=in_color_matrix=bt709:in_range=limited:flags=accurate_rnd+full_chroma_int,format=rgb24';
  const pixels = await bytesFrom('-i', path, '-vf', rgb, '-f', 'rawvideo', '-');
  expect(pixels).toHaveLength(3 * width * height * 3);
  const shown = [...pixels.subarray(0, 3)];
  for (const [i, one] of shown.entries())
    expect(Math.abs(one - (colour[i] ?? 0)), `${shown}`).toBeLessThan(3);
});

test('a piece of screenshots and one of painted frames join into one video', async () => {
  const { width, height } = SIZE;
  const { signal } = new AbortController();
  const pieceOf = async (pixels: 'jpeg' | 'i420', frame: Uint8Array) => {
    const options = { ...SIZE, fps: 30, frames: 1, format: 'mp4', quality: 'standard' } as const;
    const stream = encoder.open({ ...options, pixels, signal });
    await stream.write(frame);
    return readChunk(await stream.end(), 30);
  };
  const source = `color=c=red:size=${width}x${height}:duration=1:rate=1,format=yuvj420p`;
  const jpeg = await bytesFrom('-f', 'lavfi', '-i', source, '-frames:v', '1', '-f', 'mjpeg', '-');
  const painted = new Uint8Array((width * height * 3) / 2).fill(128);
  expect(isCompatible(await pieceOf('jpeg', jpeg), await pieceOf('i420', painted))).toBe(true);
});

test('frames that are PNGs keep their alpha in a WebM, also after an opaque one without an alpha channel', async () => {
  const { signal } = new AbortController();
  const halves = new PNG(SIZE);
  for (let at = 0; at < halves.data.length; at += 4)
    if (at % (SIZE.width * 4) < SIZE.width * 2) halves.data.set([0, 255, 0, 100], at);
  const options = { ...SIZE, fps: 30, frames: 5, format: 'webm', quality: 'high', signal } as const;
  const stream = encoder.open({ ...options, pixels: 'png' });
  await stream.write(PNG.sync.write(new PNG(SIZE), { colorType: 2 }));
  await stream.repeat();
  await stream.write(PNG.sync.write(halves));
  await stream.repeat();
  await stream.repeat();
  const path = join(folder, 'halves.webm');
  await writeFile(path, await stream.end());
  const raw = ['-f', 'rawvideo', '-pix_fmt', 'rgba', '-'];
  const pixels = await bytesFrom('-c:v', 'libvpx-vp9', '-i', path, ...raw);
  const frameBytes = SIZE.width * SIZE.height * 4;
  expect(pixels).toHaveLength(5 * frameBytes);
  expect([pixels[3], pixels[2 * frameBytes - 1]]).toEqual([255, 255]);
  for (const frame of [2, 3, 4]) {
    const [red = 0, green = 0, blue = 0, alpha = 0] = pixels.subarray(frame * frameBytes + 40);
    expect([red < 5, green > 250, blue < 5, Math.abs(alpha - 100) < 3]).toEqual([true, true, true, true]);
    expect(pixels[frame * frameBytes + SIZE.width * 4 - 1]).toBeLessThan(3);
  }
});

test('a frame of another size is refused, since it would shift all that follow', async () => {
  const abort = new AbortController();
  const stream = encoder.open({
    ...{ ...SIZE, fps: 30, frames: 3, pixels: 'i420', format: 'mp4', quality: 'draft' },
    signal: abort.signal,
  });
  await expect(stream.write(new Uint8Array(100))).rejects.toThrow(
    'a frame of 100 bytes where 4608 were expected',
  );
  abort.abort();
});

test('what ffmpeg says when it cannot go on is in the error', async () => {
  const signal = new AbortController().signal;
  const options = { ...SIZE, fps: 30, frames: 1, pixels: 'jpeg', format: 'mp4', quality: 'draft' } as const;
  const stream = encoder.open({ ...options, signal });
  await stream.write(Buffer.from('no picture at all'));
  await expect(stream.end()).rejects.toThrow(/^ffmpeg ended with \d+: .*\S/);
});

test('an aborted signal ends the process, and is the reason', async () => {
  const abort = new AbortController();
  const stream = encoder.open({
    ...{ ...SIZE, fps: 30, frames: 3, pixels: 'i420', format: 'mp4', quality: 'draft' },
    signal: abort.signal,
  });
  await stream.write(stripes(0));
  abort.abort(new Error('not wanted any more'));
  await expect(stream.write(stripes(1))).rejects.toThrow('not wanted any more');
  await expect(stream.end()).rejects.toThrow('not wanted any more');
  const options = { ...SIZE, fps: 30, frames: 3, pixels: 'i420', format: 'mp4', quality: 'draft' } as const;
  expect(() => encoder.open({ ...options, signal: abort.signal })).toThrow('not wanted any more');
});
