import { PNG } from 'pngjs';
import { afterEach, expect, test } from 'vitest';
import type { OpenPage } from '../../../src/videos/frames/open-page.ts';
import { screenshotFrames, takeScreenshot } from '../../../src/videos/frames/screenshots.ts';
import { COLOURS, closePages, composition, open, signal } from './session-support.ts';

afterEach(closePages);

test.each([
  ['made on demand', true],
  ['of the running compositor', false],
])('screenshots %s show each frame of a span once, and mark repeats', async (_how, frameControl) => {
  const page = await open(composition(COLOURS), { frameControl });
  const frames: string[] = [];
  let before: Uint8Array | undefined;
  for await (const { frame, bytes, repeat } of screenshotFrames(page, { from: 8, to: 22 }, signal)) {
    expect([repeat, isJpeg(bytes)]).toEqual([bytes === before, true]);
    before = bytes;
    frames.push(repeat ? `${frame} again` : `${frame} ${await colour(page, frame)}`);
  }
  expect(frames).toEqual([
    ...['8 red', '9 again', '10 lime', '11 again', '12 again', '13 again', '14 again', '15 again'],
    ...['16 again', '17 again', '18 again', '19 again', '20 blue', '21 again'],
  ]);
});

test('the same span gives the same bytes, and a frame the same in any span', async () => {
  const moving = `<style>p { font: 20px monospace; animation: go 3s linear both } @keyframes go { to { translate: 90px 30px } }</style><p>text`;
  const hashes: string[][] = [];
  for (const from of [4, 4, 6]) {
    const page = await open(composition(moving), { frameControl: true });
    const some: string[] = [];
    for await (const { bytes } of screenshotFrames(page, { from, to: 9 }, signal)) {
      some.push(Buffer.from(bytes).toString('base64'));
    }
    hashes.push(some);
  }
  const [first, again, later] = hashes;
  expect(new Set(first).size).toBe(5);
  expect(again).toEqual(first);
  expect(later).toEqual(first?.slice(2));
});

async function colour(page: OpenPage, frame: number): Promise<string> {
  const png = PNG.sync.read(Buffer.from(await takeScreenshot(page, frame, { format: 'png' }, signal)));
  expect([png.width, png.height]).toEqual([160, 90]);
  const names: Record<string, string> = { '255,0,0': 'red', '0,255,0': 'lime', '0,0,255': 'blue' };
  const pixel = png.data.subarray(0, 3).join(',');
  return names[pixel] ?? pixel;
}

const isJpeg = (bytes: Uint8Array) => bytes[0] === 0xff && bytes[1] === 0xd8;
