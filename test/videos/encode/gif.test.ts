import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { gif, requireGifLimits } from '../../../src/videos/encode/gif.ts';
import { bytesFrom, realFfmpeg, say, sha256Of } from './support.ts';

let folder: string;
let from: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'stallhand-gif-'));
  from = join(folder, 'film.mp4');
  // Left half of one colour, right half of another.
  const source = 'color=c=0x4f46e5:size=32x48:rate=30:duration=1[a];color=c=0xf59e0b:size=32x48:rate=30[b]';
  const bt709 = 'hstack,scale=out_color_matrix=bt709:out_range=tv,format=yuv420p';
  await say(
    ...(['ffmpeg', '-filter_complex', `${source};[a][b]${bt709}`, '-frames:v', '30'] as const),
    ...['-c:v', 'libx264', '-crf', '10', '-colorspace', 'bt709', '-color_range', 'tv', from],
  );
});
afterAll(() => rm(folder, { recursive: true }));

const { signal } = new AbortController();
const timing = { width: 64, height: 48, fps: 30, frames: 30 };

test('a GIF has up to 15 frames a second, the colours of the video, and plays for ever; twice the same bytes', async () => {
  const ffmpeg = await realFfmpeg();
  const to = join(folder, 'film.gif');
  await gif(ffmpeg, { from, to, folder, timing, signal });
  const entries = 'stream=codec_name,width,height,nb_read_frames:format=duration';
  const told = await say('ffprobe', '-count_frames', '-show_entries', entries, '-of', 'csv=p=0', to);
  expect(told.trim().split('\n')).toEqual(['gif,64,48,15', '1.000000']);
  const pixels = await bytesFrom('-i', to, '-frames:v', '1', '-f', 'rawvideo', '-pix_fmt', 'rgb24', '-');
  const shown = [...pixels.subarray(30, 33), ...pixels.subarray(180, 183)];
  const distances = [79, 70, 229, 245, 158, 11].map((one, i) => Math.abs(one - (shown[i] ?? 0)));
  expect(Math.max(...distances), `${shown}`).toBeLessThan(6);
  const again = join(folder, 'again.gif');
  await gif(ffmpeg, { from, to: again, folder, timing, signal });
  expect(await sha256Of(again)).toBe(await sha256Of(to));
});

test.each([
  ['31 seconds', { frames: 31 * 30 }],
  ['a width of 722', { width: 722 }],
  ['a height of 1080', { height: 1080 }],
])('%s are too much for a GIF', (_, given) => {
  expect(() => requireGifLimits({ ...timing, ...given })).toThrow(
    expect.objectContaining({ key: 'validation_failed.gif', params: { seconds: 30, pixels: 720 } }),
  );
});

test('30 seconds of 720 by 720 are not', () => {
  expect(() => requireGifLimits({ width: 720, height: 720, fps: 60, frames: 1_800 })).not.toThrow();
});

test('without ffmpeg there is no GIF', async () => {
  const making = gif(undefined, { from, to: join(folder, 'none.gif'), folder, timing, signal });
  await expect(making).rejects.toMatchObject({ key: 'not_configured.encoder' });
});
