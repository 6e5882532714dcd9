import { writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createFfmpegEncoder } from '../../../src/videos/encode/ffmpeg-encoder.ts';
import { screenshotAt } from '../../../src/videos/frames/screenshots.ts';
import { pngToI420, psnr } from '../../../src/videos/frames/self-check.ts';
import { faultOf } from '../composition/filler.ts';
import { bytesFrom, realFfmpeg, say } from '../encode/support.ts';
import { CLIPS, type ClipName, decodedBy, openClipFiles, packetsOf, readClip } from './clip-files.ts';
import { framesOf, openPainted, patient } from './painted-pages.ts';

const SIZE = { width: 128, height: 96 };
const PAGE = `<style>video { position: absolute; width: 128px; height: 96px; object-fit: fill }</style>`;
const FRAMES = 60;

let files: Awaited<ReturnType<typeof openClipFiles>>;
beforeAll(async () => {
  files = await openClipFiles();
});
afterAll(() => files.close());

/** What a page with a clip shows, frame by frame. */
async function framesWith(path: string, video: string, frames = FRAMES) {
  const assets = new Map([['assets/clip', { bytes: await readClip(path), mediaType: 'video/mp4' }]]);
  const page = await openPainted(`${PAGE}<div id="stage">${video}</div>`, { ...SIZE, frames, assets });
  try {
    return await framesOf(page, { from: 0, to: frames });
  } finally {
    await page.close();
  }
}

/** The number of the frame that looks most like a picture. */
function numberOf(picture: Uint8Array, frames: readonly Uint8Array[]): number {
  const near = frames.map((frame) => psnr(frame, picture));
  return near.indexOf(Math.max(...near));
}

test.each(Object.keys(CLIPS) as ClipName[])(
  '%s is shown frame by frame as ffmpeg decodes it',
  async (name) => {
    const path = await files.make(CLIPS[name]);
    const expected = await decodedBy(path, SIZE, `fps=30,scale=${SIZE.width}:${SIZE.height}:flags=bilinear`);
    const shown = await framesWith(path, '<video src="assets/clip"></video>');
    const numbers = shown.slice(0, expected.length).map(({ bytes }) => numberOf(bytes, expected));
    const wanted = expected.slice(0, shown.length).map((frame) => numberOf(frame, expected));
    expect(numbers).toEqual(wanted);
    const nearness = shown.slice(0, expected.length).map(({ bytes }, i) => psnr(bytes, expected[i] ?? bytes));
    expect(Math.min(...nearness)).toBeGreaterThan(name === 'an odd width' ? 25 : 36);
  },
);

test('VP8 with packets that show nothing is shown frame by frame as ffmpeg decodes it, also from a moment on', async () => {
  const options = ['-c:v', 'libvpx', '-auto-alt-ref', '1', '-lag-in-frames', '25', '-b:v', '300k'];
  await files.make([...options, ...files.pass(1), 'two-passes.webm']);
  const path = await files.make([...options, ...files.pass(2), 'two-passes.webm']);
  expect(await packetsOf(path)).toBeGreaterThan(FRAMES);
  const expected = await decodedBy(path, SIZE);
  const numbers = async (video: string, frames: number) =>
    (await framesWith(path, video, frames)).map(({ bytes }) => numberOf(bytes, expected));
  const all = expected.map((_, number) => number);
  expect(await numbers('<video src="assets/clip"></video>', FRAMES)).toEqual(all);
  expect(await numbers('<video src="assets/clip" data-from="1.5"></video>', 15)).toEqual(all.slice(45));
});

test('a video made here, with pictures that were added because they are held, is shown as ffmpeg decodes it', async () => {
  const raw = await bytesFrom(
    ...[
      '-f',
      'lavfi',
      '-i',
      'testsrc2=size=128x96:rate=30:duration=1',
      '-pix_fmt',
      'yuv420p',
      '-f',
      'rawvideo',
      '-',
    ],
  );
  const encoder = createFfmpegEncoder(await realFfmpeg());
  const { signal } = new AbortController();
  const options = {
    ...SIZE,
    fps: 30,
    frames: FRAMES,
    pixels: 'i420',
    format: 'mp4',
    quality: 'high',
  } as const;
  const stream = encoder.open({ ...options, signal });
  const size = (SIZE.width * SIZE.height * 3) / 2;
  // The tenth picture is held for 36 frames.
  const pictureAt = (frame: number) => (frame < 10 ? frame : Math.max(10, frame - 35));
  for (let frame = 0; frame < FRAMES; frame++) {
    const picture = pictureAt(frame);
    if (frame > 0 && picture === pictureAt(frame - 1)) await stream.repeat();
    else await stream.write(raw.subarray(picture * size, (picture + 1) * size));
  }
  const path = files.at('held.mp4');
  await writeFile(path, await stream.end());
  const expected = await decodedBy(path, SIZE);
  expect(expected).toHaveLength(FRAMES);
  const shown = await framesWith(path, '<video src="assets/clip"></video>');
  const nearest = shown.map(({ bytes }) => pictureAt(numberOf(bytes, expected)));
  expect(nearest).toEqual(expected.map((_, frame) => pictureAt(frame)));
  expect(Math.min(...shown.map(({ bytes }, i) => psnr(bytes, expected[i] ?? bytes)))).toBeGreaterThan(36);
});

describe('a clip', () => {
  let path: string;
  let whole: readonly Uint8Array[];
  beforeAll(async () => {
    path = await files.make(['-c:v', 'libx264', '-g', '20', 'whole.mp4']);
    whole = await decodedBy(path, SIZE);
  });

  /** The frames of the clip that a video shows. */
  const numbers = async (video: string, frames: number) =>
    (await framesWith(path, video, frames)).map(({ bytes }) => numberOf(bytes, whole));

  test('is shown from and to a moment, and stays at its last frame', async () => {
    const video = '<video src="assets/clip" data-from="1" data-to="1.2"></video>';
    expect(await numbers(video, 9)).toEqual([30, 31, 32, 33, 34, 35, 35, 35, 35]);
  });

  test('is repeated', async () => {
    const video = '<video src="assets/clip" data-from="0.5" data-to="0.6" loop></video>';
    expect(await numbers(video, 8)).toEqual([15, 16, 17, 15, 16, 17, 15, 16]);
  });

  test('is shown at another speed', async () => {
    expect(await numbers('<video src="assets/clip" data-speed="2"></video>', 5)).toEqual([0, 2, 4, 6, 8]);
    expect(await numbers('<video src="assets/clip" data-speed="0.5"></video>', 6)).toEqual([
      0, 0, 1, 1, 2, 2,
    ]);
  });

  test('starts with its scene, or later', async () => {
    const scenes =
      '<div data-scene></div><div data-scene><video src="assets/clip" data-start="0.1"></video></div>';
    expect((await numbers(scenes, 14)).slice(7)).toEqual([0, 0, 0, 0, 1, 2, 3]);
  });

  test('may be where an image belongs, with the styles of images', async () => {
    const image = '<style>img { position: absolute; width: 128px }</style><img data-clip="assets/clip">';
    expect(await numbers(image, 4)).toEqual([0, 1, 2, 3]);
  });

  test('has the same bytes in every render, in whatever parts it is painted', async () => {
    const first = await framesWith(path, '<video src="assets/clip"></video>', 30);
    const again = await framesWith(path, '<video src="assets/clip"></video>', 30);
    expect(again).toEqual(first);
    const assets = new Map([['assets/clip', { bytes: await readClip(path), mediaType: 'video/mp4' }]]);
    const video = `${PAGE}<div id="stage"><video src="assets/clip"></video></div>`;
    const page = await openPainted(video, { ...SIZE, frames: 30, assets });
    const late = await framesOf(page, { from: 17, to: 30 });
    const early = await framesOf(page, { from: 0, to: 17 });
    await page.close();
    expect([...early, ...late].map(({ bytes }) => bytes)).toEqual(first.map(({ bytes }) => bytes));
  });

  test.each([
    'inset: 0; width: 100%; height: 100%; object-fit: cover; object-position: 0 100%',
    'left: 9px; top: 7px; width: 60px; height: 80px; object-fit: cover; border-radius: 20px',
    'left: 9px; width: 60px; rotate: 12deg; scale: 1.3; opacity: .8; filter: sepia(1)',
  ])('is painted as the browser shows it: %s', async (style) => {
    const assets = new Map([['assets/clip', { bytes: await readClip(path), mediaType: 'video/mp4' }]]);
    const css = `<style>#stage { background: linear-gradient(orange, green) } video { position: absolute; ${style} }</style>`;
    const page = await openPainted(`${css}<div id="stage"><video src="assets/clip"></video></div>`, {
      ...{ width: 100, height: 150, frames: 30, assets },
    });
    const [frame] = await framesOf(page, { from: 7, to: 8 });
    const shown = await pngToI420(await screenshotAt(page, 7, { format: 'png' }, patient));
    await page.close();
    expect(psnr(shown, frame?.bytes ?? new Uint8Array())).toBeGreaterThan(44);
  });

  test('that is damaged fails the video, and the fault names it', async () => {
    const bytes = Buffer.from(await readClip(path));
    const data = bytes.indexOf('mdat') + 4;
    bytes.fill(0xff, data, data + 2_000);
    const assets = new Map([['assets/clip', { bytes, mediaType: 'video/mp4' }]]);
    const video = `${PAGE}<div id="stage"><video src="assets/clip"></video></div>`;
    const opened = openPainted(video, { ...SIZE, frames: 30, assets });
    expect(await faultOf(opened)).toMatchObject({
      code: 'video_failed',
      detail: expect.stringMatching(
        /^Clip 1 of the page can't be shown at frame 0: .* Convert it to an MP4 with H.264.$/,
      ),
    });
  });

  test('whose end cannot be decoded fails the video', async () => {
    const bytes = Buffer.from(await readClip(path));
    const data = bytes.indexOf('mdat') + 4;
    const length = bytes.readUInt32BE(data - 8) - 8;
    bytes.fill(0, data + Math.ceil(length / 3), data + length);
    const assets = new Map([['assets/clip', { bytes, mediaType: 'video/mp4' }]]);
    const video = `${PAGE}<div id="stage"><video src="assets/clip"></video></div>`;
    const page = await openPainted(video, { ...SIZE, frames: FRAMES, assets });
    const frames = framesOf(page, { from: 0, to: FRAMES }).finally(() => page.close());
    expect(await faultOf(frames)).toMatchObject({
      code: 'video_failed',
      detail: expect.stringMatching(/^Clip 1 of the page can't be shown at frame \d+: /),
    });
  });
});

test('a clip of a phone that was held upright is upright', async () => {
  const path = await files.make(['-c:v', 'libx264', 'lying.mp4']);
  const turned = path.replace('lying', 'turned');
  await say('ffmpeg', '-y', '-i', path, '-metadata:s:v', 'rotate=90', '-c', 'copy', turned);
  const size = { width: 96, height: 128 };
  const expected = await decodedBy(turned, size);
  const assets = new Map([['assets/clip', { bytes: await readClip(turned), mediaType: 'video/mp4' }]]);
  const page = await openPainted('<div id="stage"><video src="assets/clip"></video></div>', {
    ...{ ...size, frames: 10, assets },
  });
  const shown = await framesOf(page, { from: 0, to: 10 });
  await page.close();
  expect(shown.map(({ bytes }) => numberOf(bytes, expected))).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  expect(Math.min(...shown.map(({ bytes }, i) => psnr(bytes, expected[i] ?? bytes)))).toBeGreaterThan(36);
});

test('a clip of 4K is shown frame by frame as ffmpeg decodes it', { timeout: 180_000 }, async () => {
  const path = await files.make([
    '-vf',
    'scale=3840:2160:flags=neighbor,setsar=1',
    '-frames:v',
    '12',
    'large.mp4',
  ]);
  const expected = await decodedBy(path, SIZE, `fps=30,scale=${SIZE.width}:${SIZE.height}:flags=area`);
  const shown = await framesWith(path, '<video src="assets/clip"></video>', 12);
  const numbers = shown.map(({ bytes }) => numberOf(bytes, expected));
  expect(numbers).toEqual(Array.from({ length: 12 }, (_, frame) => frame));
  expect(Math.min(...shown.map(({ bytes }, i) => psnr(bytes, expected[i] ?? bytes)))).toBeGreaterThan(28);
});

test('where a clip is transparent, the page is seen through it, in every frame', async () => {
  const path = await files.make([
    ...['-vf', "format=yuva420p,geq=lum='p(X,Y)':cb='p(X,Y)':cr='p(X,Y)':a='255*gt(X,40+N)'"],
    ...['-frames:v', '20', '-c:v', 'libvpx-vp9', '-b:v', '2M', '-cpu-used', '8', '-auto-alt-ref', '0'],
    ...['-pix_fmt', 'yuva420p', 'clear.webm'],
  ]);
  const opaque = await decodedBy(path, SIZE);
  const background = '<style>#stage { background: #2060c0 }</style>';
  const shown = await framesWith(path, `${background}<video src="assets/clip"></video>`, 20);
  const rows = shown.map(({ bytes }) => bytes.subarray(48 * SIZE.width, 49 * SIZE.width));
  // Left of the edge it is the page, one column more in each frame; right of it, the clip.
  const edges = rows.map((row) => row.findIndex((luma) => Math.abs(luma - (row[0] ?? 0)) > 15));
  expect(edges).toEqual(shown.map((_, frame) => 41 + frame));
  for (const [frame, row] of rows.entries()) {
    expect(new Set(row.subarray(0, 40 + frame)).size).toBe(1);
    const clip = opaque[frame]?.subarray(48 * SIZE.width, 49 * SIZE.width) ?? row;
    expect(psnr(row.subarray(64), clip.subarray(64))).toBeGreaterThan(36);
  }
});
