import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { canvasFrames } from '../../../src/videos/frames/canvas-frames.ts';
import { ModeUnusable } from '../../../src/videos/frames/capture-mode.ts';
import { PAGE_LIMITS } from '../../../src/videos/frames/frames.ts';
import type { OpenPage } from '../../../src/videos/frames/open-page.ts';
import { takeScreenshot } from '../../../src/videos/frames/screenshots.ts';
import { pngToI420, psnr } from '../../../src/videos/frames/self-check.ts';
import { framesOf, inPage, openPainted, patient, pixelOf } from './painted-pages.ts';

// No step of the converter divides the width.
const SIZE = { width: 250, height: 130 };
const PAGE = `<style>
  #stage { background: linear-gradient(160deg, #4f46e5, #db2777); color: white; font: 40px 'Inter Variable' }
  .dot { position: absolute; top: 10px; width: 30px; height: 30px; background: lime; border-radius: 9px;
    animation: go .5s linear both }
  @keyframes go { to { transform: translateX(200px) rotate(40deg) } }
  section { position: absolute; inset: 60px 20px 10px }
</style>
<div id="stage"><div class="dot"></div><section data-scene>Three</section></div>`;

let page: OpenPage;
beforeAll(async () => {
  page = await openPainted(PAGE, SIZE);
});
afterAll(() => page.close());

const whole = { from: 0, to: 30 };
const tagOf = (frames: readonly { bytes: Uint8Array }[]) => {
  const hash = createHash('sha256');
  for (const { bytes } of frames) hash.update(bytes);
  return hash.digest('hex');
};

test('frames are planes of Y, U and V in BT.709, for any width', async () => {
  const flags = await openPainted(
    `<style>#stage { background: conic-gradient(red 25%, lime 0 50%, blue 0 75%, white 0) }</style><div id="stage"></div>`,
    SIZE,
  );
  const [frame] = await framesOf(flags, { from: 4, to: 5 });
  await flags.close();
  expect({ ...frame, bytes: frame?.bytes.length }).toEqual({
    frame: 4,
    repeat: false,
    bytes: 250 * 130 * 1.5,
  });
  const pixel = pixelOf(frame?.bytes ?? new Uint8Array(), SIZE);
  expect({ red: pixel(249, 0), lime: pixel(249, 129), blue: pixel(0, 129), white: pixel(0, 0) }).toEqual({
    red: [63, 102, 240],
    lime: [173, 42, 26],
    blue: [32, 240, 118],
    white: [235, 128, 128],
  });
});

test('a frame looks as the compositor shows it', async () => {
  const [frame] = await framesOf(page, { from: 7, to: 8 });
  const shown = await pngToI420(await takeScreenshot(page, 7, { format: 'png' }, patient));
  expect(psnr(shown, frame?.bytes ?? shown)).toBeGreaterThan(45);
});

test('a picture larger than a layer of the browser is painted in strips, without seams', async () => {
  const size = { width: 1080, height: 640 };
  const css = `.dot { position: absolute; left: 40px; top: 100px; width: 700px; height: 400px; border-radius: 60px;
    box-shadow: 0 20px 60px #000a; filter: saturate(2); opacity: .9; rotate: 20deg; background: teal }`;
  const large = await openPainted(`${PAGE}<style>${css}</style>`, size);
  const [frame] = await framesOf(large, { from: 7, to: 8 });
  const shown = await pngToI420(await takeScreenshot(large, 7, { format: 'png' }, patient));
  await large.close();
  const brightness = (bytes: Uint8Array, row: number) => bytes.subarray(row * 1080, (row + 1) * 1080);
  const farthest = Array.from({ length: size.height }, (_, row) => {
    const painted = brightness(frame?.bytes ?? new Uint8Array(), row);
    return Math.max(...brightness(shown, row).map((value, at) => Math.abs(value - (painted[at] ?? 0))));
  });
  // Strips of 1,080 × 208 pixels: seams would be at these rows.
  const seams = [207, 208, 415, 416, 623, 624];
  const others = farthest.filter((_, row) => !seams.includes(row));
  expect(Math.max(...seams.map((row) => farthest[row] ?? 255))).toBeLessThanOrEqual(Math.max(...others));
  expect(psnr(shown, frame?.bytes ?? shown)).toBeGreaterThan(45);
});

test.each([
  'backdrop-filter: blur(30px)',
  'backdrop-filter: hue-rotate(90deg) blur(30px)',
  'filter: blur(30px)',
])(
  'a picture with a filter is painted whole, since it needs what is beyond the edge of a strip: %s',
  async (filter) => {
    const css = `#stage { background: linear-gradient(black 215px, white 0 365px, black 0) }
      #stage div { position: absolute; left: 100px; top: 60px; width: 800px; height: 520px; ${filter} }
      #stage p { position: absolute; inset: 155px 0; margin: 0; background: white }`;
    const large = await openPainted(`<style>${css}</style><div id="stage"><div><p></p></div></div>`, {
      ...{ width: 1080, height: 640 },
    });
    const [frame] = await framesOf(large, { from: 3, to: 4 });
    const shown = await pngToI420(await takeScreenshot(large, 3, { format: 'png' }, patient));
    await large.close();
    const column = (bytes: Uint8Array) =>
      Array.from({ length: 60 }, (_, row) => bytes[(row + 180) * 1080 + 500]);
    expect(column(frame?.bytes ?? new Uint8Array())).toEqual(column(shown));
  },
);

test('the background visible through the stage is painted too', async () => {
  const ways = [
    '',
    'html { background: teal }',
    'body { background: linear-gradient(teal, gold) no-repeat }',
  ];
  for (const way of ways) {
    await inPage(
      page,
      `globalThis.rule = document.createElement('style'); rule.textContent =
      '${way} #stage { background: #0002 !important }'; document.head.append(rule)`,
    );
    const [frame] = await framesOf(page, { from: 8, to: 9 });
    const shown = await pngToI420(await takeScreenshot(page, 8, { format: 'png' }, patient));
    await inPage(page, 'rule.remove()');
    expect(psnr(shown, frame?.bytes ?? shown)).toBeGreaterThan(45);
  }
});

test('unchanged frames repeat the one before, and painting them gives the same bytes', async () => {
  const frames = await framesOf(page, whole);
  expect(frames.map(({ frame }) => frame)).toEqual(Array.from({ length: 30 }, (_, frame) => frame));
  expect(frames.filter(({ repeat }) => repeat).map(({ frame }) => frame)).toEqual(
    Array.from({ length: 14 }, (_, after) => 16 + after),
  );
  await inPage(
    page,
    'globalThis.seek = stage.seek; stage.seek = (frame) => { seek(frame); return true }; undefined',
  );
  const painted = await framesOf(page, whole);
  await inPage(page, 'stage.seek = seek; undefined');
  expect(painted.filter(({ repeat }) => repeat)).toEqual([]);
  expect(tagOf(painted)).toBe(tagOf(frames));
});

test('parts of a span, in any order, have the bytes of the whole', async () => {
  const late = await framesOf(page, { from: 13, to: 30 });
  const early = await framesOf(page, { from: 0, to: 13 });
  expect(tagOf([...early, ...late])).toBe(tagOf(await framesOf(page, whole)));
});

test('the page is never further ahead than there are slots, however slow the consumer', async () => {
  await inPage(page, 'globalThis.far = 0; undefined');
  await inPage(
    page,
    'globalThis.seek = stage.seek; stage.seek = (frame) => { far = frame; return seek(frame) }; undefined',
  );
  const ahead: number[] = [];
  for await (const { frame } of canvasFrames(page, { from: 0, to: 15 }, patient)) {
    await inPage(page, 'new Promise((resolve) => setTimeout(resolve, 20))');
    ahead.push(Number(await inPage(page, 'far')) - frame);
  }
  await inPage(page, 'stage.seek = seek; undefined');
  // One is read ahead, four lie in slots, and one waits for a slot.
  expect(Math.max(...ahead)).toBeLessThanOrEqual(6);
  expect(Math.max(...ahead)).toBeGreaterThan(1);
});

test('the page is restored: nothing moved, and all animations are the same', async () => {
  const look = 'JSON.stringify([document.documentElement.outerHTML, document.getAnimations().length])';
  await inPage(page, 'globalThis.before = document.getAnimations(); stage.seek(3)');
  const before = await inPage(page, look);
  await framesOf(page, { from: 3, to: 4 });
  expect(await inPage(page, look)).toBe(before);
  expect(await inPage(page, 'document.getAnimations().every((one, at) => one === before[at])')).toBe(true);
});

test('a consumer that stops, or an abort, ends the painting immediately, and the page can be used again', async () => {
  for await (const { frame } of canvasFrames(page, whole, patient)) if (frame === 2) break;
  expect(await inPage(page, `document.querySelector('canvas')`)).toBe(null);
  const stop = new AbortController();
  const reason = new Error('no longer wanted');
  const taking = async () => {
    for await (const { frame } of canvasFrames(page, whole, stop.signal)) if (frame === 2) stop.abort(reason);
  };
  await expect(taking()).rejects.toBe(reason);
  expect((await framesOf(page, { from: 20, to: 23 })).map(({ frame }) => frame)).toEqual([20, 21, 22]);
});

test('an aborted span ends without waiting for a page that does not respond', async () => {
  const endless = { ...PAGE_LIMITS, answerMs: 10 * 60_000 };
  const stuck = { ...(await openPainted(PAGE, SIZE)), limits: endless };
  const stop = new AbortController();
  const frames = canvasFrames(stuck, whole, stop.signal);
  await frames.next();
  void stuck.cdp.send('Runtime.evaluate', { expression: 'for (;;);' }).catch(() => {});
  stop.abort();
  // Hangs for ten minutes, and so fails, if it waits for the page.
  await frames.return();
  await stuck.close();
});

test('errors in the page or its worker are reported', async () => {
  await inPage(page, `globalThis.seek = stage.seek; stage.seek = () => { throw new Error('no') }; undefined`);
  const { key, params } = await framesOf(page, whole).catch((error) => error);
  await inPage(page, 'stage.seek = seek; undefined');
  expect({ key, params }).toEqual({ key: 'script_failed.frame', params: { frame: 1, reason: 'Error: no' } });

  await inPage(
    page,
    `globalThis.Before = Worker; globalThis.Worker = class extends Before { postMessage(order, moved) {
      super.postMessage({ ...order, width: 64 }, moved) } }; undefined`,
  );
  await expect(framesOf(page, whole)).rejects.toEqual(new ModeUnusable('Error: a frame of 250×130'));
  await inPage(page, 'globalThis.Worker = Before; undefined');
  expect(await framesOf(page, { from: 0, to: 1 })).toHaveLength(1);
});

test.for([
  ['a block', 'margin: 20px; padding: 10px; background: teal'],
  ['a row', 'display: flex; width: 999px; align-items: center; padding: 30px'],
  ['a grid', 'display: grid; place-items: end; grid: 99px 99px / 99px'],
  ['a place of its own', 'position: absolute; left: 40px; top: 20px; width: 50%; height: 70px'],
] as const)('inside %s the stage is painted as the picture, with everything in place', async ([, style]) => {
  await inPage(page, 'stage.seek(0)');
  const [plain] = await framesOf(page, { from: 9, to: 10 });
  await inPage(
    page,
    `globalThis.around = document.createElement('main'); around.style.cssText = '${style}';
    document.body.prepend(around); around.moveBefore(stage.element, null); undefined`,
  );
  const [inside] = await framesOf(page, { from: 9, to: 10 });
  await inPage(page, 'document.body.moveBefore(stage.element, around); around.remove(); undefined');
  expect(tagOf([inside ?? { bytes: new Uint8Array() }])).toBe(tagOf([plain ?? { bytes: new Uint8Array() }]));
});
