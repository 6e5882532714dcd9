import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ModeUnusable } from '../../../src/videos/frames/capture-mode.ts';
import { inPageChunk } from '../../../src/videos/frames/in-page-chunk.ts';
import { inPageCodecs } from '../../../src/videos/frames/in-page-codecs.ts';
import type { OpenPage } from '../../../src/videos/frames/open-page.ts';
import { psnr } from '../../../src/videos/frames/self-check.ts';
import { bytesFrom, say } from '../encode/support.ts';
import { framesOf, inPage, openPainted, patient } from './painted-pages.ts';

const SIZE = { width: 250, height: 130 };
const SPAN = { from: 10, to: 25 };
const PAGE = `<style>
  #stage { background: linear-gradient(160deg, #4f46e5, #db2777) }
  .dot { position: absolute; top: 10px; width: 60px; height: 60px; background: lime; animation: go .5s linear both }
  @keyframes go { to { transform: translateX(180px) } }
</style><div id="stage"><div class="dot"></div></div>`;

let page: OpenPage;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'stallhand-in-page-'));
  page = await openPainted(PAGE, SIZE);
});
afterAll(async () => {
  await page.close();
  await rm(folder, { recursive: true });
});

const chunk = (format: 'mp4' | 'webm', done: number[] = []) =>
  inPageChunk(page, {
    span: SPAN,
    format,
    quality: 'high',
    signal: patient,
    onFrame: (one) => done.push(one),
  });

describe.each([
  ['mp4', 'h264', 'High', /avc1\.64001e$/],
  ['webm', 'vp9', 'Profile 0', /vp09\.00\.40\.08$/],
] as const)('the browser encodes %s alone', (format, codec, profile, encoder) => {
  let path: string;
  let made: Awaited<ReturnType<typeof chunk>>;
  const done: number[] = [];
  beforeAll(async () => {
    made = await chunk(format, done);
    path = join(folder, `chunk.${format}`);
    await writeFile(path, made.bytes);
  });

  test('every frame of the span is present and counted, and unchanged ones are not painted', () => {
    expect(done).toEqual(Array.from({ length: 15 }, (_, index) => index + 1));
    expect({ painted: made.painted, encoder: made.encoder }).toEqual({
      painted: 6,
      encoder: expect.stringMatching(encoder),
    });
  });

  test('the file starts at 0 with its only key frame, and states its color space', async () => {
    const entries = 'stream=codec_name,profile,width,height,pix_fmt,color_range,color_space,r_frame_rate';
    expect(JSON.parse(await say('ffprobe', '-show_entries', entries, '-of', 'json', path)).streams).toEqual([
      {
        ...{ codec_name: codec, profile, ...SIZE, pix_fmt: 'yuv420p' },
        ...{ color_range: 'tv', color_space: 'bt709', r_frame_rate: '30/1' },
      },
    ]);
    const packets = await say('ffprobe', '-show_entries', 'packet=pts_time,flags', '-of', 'csv=p=0', path);
    const lines = packets.trim().split('\n');
    expect(lines).toHaveLength(15);
    expect(lines.filter((line) => line.includes('K'))).toEqual([expect.stringMatching(/^0\.0+,K/)]);
  });

  test('it shows what the page shows', async () => {
    const decoded = await bytesFrom('-i', path, '-f', 'rawvideo', '-pix_fmt', 'yuv420p', '-');
    const frames = await framesOf(page, SPAN);
    const size = frames[0]?.bytes.length ?? 0;
    expect(decoded.length).toBe(15 * size);
    for (const [index, { bytes }] of frames.entries()) {
      expect(psnr(decoded.subarray(index * size, (index + 1) * size), bytes)).toBeGreaterThan(28);
    }
  });
});

test('a browser that supports no requested encoder is reported', async () => {
  await inPage(
    page,
    `globalThis.Before = Worker; globalThis.Worker = class extends Before { postMessage(order, moved) {
      const sink = order.sink && { ...order.sink, configs: [{ ...order.sink.configs[0], codec: 'hev1.1.6.L93.B0' }] };
      super.postMessage({ ...order, sink }, moved) } }; undefined`,
  );
  await expect(chunk('mp4')).rejects.toEqual(
    new ModeUnusable('Error: the browser encodes none of hev1.1.6.L93.B0'),
  );
  await inPage(page, 'globalThis.Worker = Before; undefined');
});

test.each([
  [{ width: 64, height: 64, fps: 1 }, 'avc1.64001e', 400_000],
  [{ width: 1080, height: 1920, fps: 30 }, 'avc1.640028', 8_087_040],
  [{ width: 1920, height: 1080, fps: 60 }, 'avc1.64002a', 16_174_080],
  [{ width: 1920, height: 1920, fps: 30 }, 'avc1.640032', 14_376_960],
  [{ width: 1920, height: 1920, fps: 60 }, 'avc1.640033', 28_753_920],
])('%o is asked for as %s', (picture, codec, bitrate) => {
  const [first] = inPageCodecs(picture, 'mp4', 'standard');
  expect({ codec: first?.codec, bitrate: first?.bitrate }).toEqual({ codec, bitrate });
});
