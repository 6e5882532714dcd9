import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PNG } from 'pngjs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { Caller } from '../../src/identity/caller.ts';
import { createLauncher } from '../../src/platform/browser/launch-browser.ts';
import { resolveBrowser } from '../../src/platform/browser/resolve-browser.ts';
import { VideoRequest } from '../../src/videos/request.ts';
import type { Video } from '../../src/videos/video.ts';
import { newBareCaller, openTestApp, silentLog, type TestApp, useTools } from '../support/app.ts';
import { bytesFrom } from './encode/support.ts';

/** No test here measures time, and the browser and encoder share the machine with other tests. */
const PATIENCE_MS = 120_000;
const SIZE = { width: 160, height: 90 } as const;
/** Two pieces: of 150 frames and of 12. */
const FRAMES = 162;
const SECONDS = FRAMES / 30;

/** On nothing: a half-transparent red box that moves by 100 pixels, and an opaque blue one. The page itself is white. */
const OVERLAY = `<style>
  html { background: #fff }
  b { position: absolute; left: 10px; top: 10px; width: 40px; height: 40px; background: rgb(255 0 0 / .5);
    animation: go ${SECONDS}s linear both }
  i { position: absolute; right: 0; bottom: 0; width: 40px; height: 20px; background: #00f }
  @keyframes go { to { translate: 100px } }
</style><main id="stage"><b></b><i></i></main>`;

/** Covers everything until the second piece, and where a template is told to leave out its background, leaves it out. */
const CURTAIN = `<style>
  #stage:not([data-transparent]) { background: #fffdf6 }
  b { position: absolute; inset: 0; background: #000; animation: rise 1ms 5.1s both }
  @keyframes rise { to { opacity: 0 } }
</style><main id="stage"><b></b></main>`;

let app: TestApp;
let caller: Caller;
let folder: string;
beforeAll(async () => {
  app = await openTestApp({ VIDEO_WORKERS: '1' });
  caller = await newBareCaller(app);
  folder = await mkdtemp(join(tmpdir(), 'stallhand-transparent-'));
  const call = useTools(app, caller);
  const paper = `<main id="stage" style="background: #fffdf6">{{title}}</main>`;
  await call('save_video_template', { template: 'overlay', html: OVERLAY, manifest: { title: 'Overlay' } });
  await call('save_video_template', { template: 'paper', html: paper, manifest: { title: 'Paper' } });
  await call('save_video_template', { template: 'curtain', html: CURTAIN, manifest: { title: 'Curtain' } });
  await app.videos.start();
});
afterAll(async () => {
  await app.close();
  await rm(folder, { recursive: true });
});

function ask(more: Record<string, unknown>): Promise<Video> {
  const given = { title: 'Sale', duration: SECONDS, template: 'overlay', ...SIZE };
  const request = VideoRequest.parse({ ...given, format: 'webm', transparent: true, ...more });
  return app.videos.create(caller, request);
}

async function make(more: Record<string, unknown> = {}): Promise<Video> {
  const { id } = await ask(more);
  for await (const video of app.videos.follow(caller.accountId, id, 0, AbortSignal.timeout(PATIENCE_MS)))
    if (video.endedAt) return video;
  throw new Error(`${id} did not end`);
}

async function read({ id }: Video, part: 'file' | 'poster') {
  const opened = await app.videos.openFile(caller.accountId, id, part);
  const bytes = Buffer.concat((await (await opened?.read())?.stream.toArray()) ?? []);
  return { bytes, mediaType: opened?.mediaType, filename: opened?.filename };
}

describe('a transparent video', () => {
  let video: Video;
  let path: string;
  beforeAll(async () => {
    video = await make();
    path = join(folder, 'overlay.webm');
    await writeFile(path, (await read(video, 'file')).bytes);
  }, 2 * PATIENCE_MS);

  test('is made of screenshots, and says why', () => {
    expect(video).toMatchObject({
      ...{ status: 'completed', error: null, warnings: [] },
      engine: { path: 'screenshot', reason: 'it is transparent' },
    });
  });

  test('has the alpha and the colors of its page, in both pieces, as ffmpeg decodes it', async () => {
    const raw = ['-c:v', 'libvpx-vp9', '-i', path, '-f', 'rawvideo', '-pix_fmt', 'rgba', 'pipe:1'];
    const decoded = await bytesFrom(...raw);
    const frameBytes = SIZE.width * SIZE.height * 4;
    expect(decoded.length).toBe(FRAMES * frameBytes);
    for (const frame of [0, 1, 60, 149, 150, 161]) {
      const pixel = pixelsOf(decoded.subarray(frame * frameBytes, (frame + 1) * frameBytes));
      const left = 10 + (100 * frame) / FRAMES;
      near(pixel(left + 20, 30), [255, 0, 0, 128]);
      near(pixel(140, 80), [0, 0, 255, 255]);
      for (const beside of [left - 8, left + 48]) expect(pixel(beside, 30)[3]).toBeLessThanOrEqual(3);
      expect(pixel(2, 85)[3]).toBeLessThanOrEqual(3);
    }
  });

  test('plays in Chromium with what is behind it', async () => {
    const bytes = (await read(video, 'file')).bytes.toString('base64');
    const [first, last] = await playedPixels(`data:video/webm;base64,${bytes}`, [0, 161 / 30]);
    near(first?.(30, 30) ?? [], [255, 0, 0, 128], PLAYED);
    near(last?.(129, 30) ?? [], [255, 0, 0, 128], PLAYED);
    for (const pixel of [first, last]) {
      near(pixel?.(140, 80) ?? [], [0, 0, 255, 255], PLAYED);
      expect(pixel?.(2, 85)[3]).toBeLessThanOrEqual(3);
    }
  });

  test('has a poster and frames that are transparent PNGs; a JPEG has them on white', async () => {
    const poster = await read(video, 'poster');
    expect(poster).toMatchObject({ mediaType: 'image/png', filename: 'sale.png' });
    const frame = (type: 'png' | 'jpeg') =>
      app.videos.frame(caller.accountId, video.id, { seconds: 0, type, signal: AbortSignal.timeout(60_000) });
    for (const png of [poster.bytes, await frame('png')]) {
      const pixel = pixelsOf(PNG.sync.read(Buffer.from(png)).data);
      expect([pixel(2, 85), pixel(140, 80)]).toEqual([
        [0, 0, 0, 0],
        [0, 0, 255, 255],
      ]);
    }
    const jpeg = join(folder, 'frame.jpg');
    await writeFile(jpeg, await frame('jpeg'));
    const onWhite = pixelsOf(await bytesFrom('-i', jpeg, '-f', 'rawvideo', '-pix_fmt', 'rgba', 'pipe:1'));
    near(onWhite(2, 85), [255, 255, 255, 255]);
    near(onWhite(30, 30), [255, 127, 127, 255]);
    const after = pixelsOf(PNG.sync.read(Buffer.from(await frame('png'))).data);
    expect(after(2, 85)).toEqual([0, 0, 0, 0]);
  });
});

test('a template that paints its whole frame makes an opaque video, with a warning', {
  timeout: 2 * PATIENCE_MS,
}, async () => {
  expect(await make({ template: 'paper', duration: 1 })).toMatchObject({
    ...{ status: 'completed', warnings: [{ key: 'video_opaque' }] },
  });
});

test('a video with anything transparent in it has no warning', { timeout: 2 * PATIENCE_MS }, async () => {
  expect(await make({ template: 'curtain' })).toMatchObject({ status: 'completed', warnings: [] });
});

test('the template for captions makes words to lie over another video', {
  timeout: 2 * PATIENCE_MS,
}, async () => {
  const captions = [{ start: 0, end: 1, text: 'Every morning' }];
  const size = { width: 160, height: 160 };
  const video = await make({ template: 'captions', duration: 1, captions, ...size, poster_at: 0.9 });
  expect(video).toMatchObject({ status: 'completed', warnings: [] });
  const { data } = PNG.sync.read((await read(video, 'poster')).bytes);
  const alphas = data.filter((_value, at) => at % 4 === 3);
  const share = (of: (alpha: number) => boolean) => alphas.filter(of).length / alphas.length;
  expect(share((alpha) => alpha === 0)).toBeGreaterThan(0.5);
  expect(share((alpha) => alpha === 255)).toBeGreaterThan(0.02);
});

test.each(['mp4', 'gif', 'png'])('a transparent %s is refused', async (format) => {
  await expect(ask({ format })).rejects.toMatchObject({
    key: 'validation_failed.video_transparent',
    errors: [{ loc: ['body', 'transparent'] }],
  });
});

/** Chromium shows the blue of any VP9 as 243, also without alpha. */
const PLAYED = 13;

type Pixels = (x: number, y: number) => number[];

/** The pixels of a frame in RGBA. */
function pixelsOf(frame: Uint8Array): Pixels {
  return (x, y) => {
    const at = (y * SIZE.width + Math.round(x)) * 4;
    return [...frame.subarray(at, at + 4)];
  };
}

/** Alpha within 3, colors by default within 6. */
function near(pixel: readonly number[], wanted: readonly number[], color = 6): void {
  const off = wanted.map((value, channel) => Math.abs((pixel[channel] ?? Number.NaN) - value));
  const isNear = off.every((by, channel) => by <= (channel === 3 ? 3 : color));
  expect(isNear, `${pixel} where ${wanted} were expected`).toBe(true);
}

/** What a browser shows of a video at a few moments, drawn onto a transparent canvas. */
async function playedPixels(source: string, moments: readonly number[]): Promise<Pixels[]> {
  const found = await resolveBrowser({
    executablePath: process.env['PUPPETEER_EXECUTABLE_PATH'],
    log: silentLog,
  });
  const launched = await createLauncher(silentLog)(found);
  try {
    const page = await launched.chromium.newPage();
    const drawn = await page.evaluate(`(async () => {
      const { width, height, source, moments } = ${JSON.stringify({ ...SIZE, source, moments })};
      const video = Object.assign(document.createElement('video'), { muted: true });
      // A frame may be there only after the seek is said to be over.
      const shown = () => new Promise((resolve) => video.requestVideoFrameCallback(resolve));
      const first = shown();
      video.src = source;
      await first;
      const context = Object.assign(document.createElement('canvas'), { width, height }).getContext('2d');
      const frames = [];
      for (const moment of moments) {
        if (moment > 0) {
          const next = shown();
          video.currentTime = moment;
          await next;
        }
        context.clearRect(0, 0, width, height);
        context.drawImage(video, 0, 0);
        frames.push([...context.getImageData(0, 0, width, height).data]);
      }
      return frames;
    })()`);
    return z
      .array(z.array(z.number()))
      .parse(drawn)
      .map((frame) => pixelsOf(Uint8Array.from(frame)));
  } finally {
    await launched.close();
  }
}
