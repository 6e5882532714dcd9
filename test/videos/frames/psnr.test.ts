import { PNG } from 'pngjs';
import { expect, test } from 'vitest';
import { pngToI420, psnr } from '../../../src/videos/frames/self-check.ts';

test.each([
  ['equal pictures', [16, 128, 235], [16, 128, 235], Number.POSITIVE_INFINITY],
  ['the faintest difference everywhere', [16, 128, 235], [17, 127, 234], 48.13],
  ['black beside white', [0, 0], [255, 255], 0],
])('%s are told by decibels', (_what, one, other, decibels) => {
  expect(psnr(Uint8Array.from(one), Uint8Array.from(other))).toBeCloseTo(decibels, 2);
});

test('a PNG is converted to planes of BT.709 in limited range', async () => {
  const colours = {
    white: [255, 255, 255],
    black: [0, 0, 0],
    red: [255, 0, 0],
    lime: [0, 255, 0],
    blue: [0, 0, 255],
  };
  const planes: Record<string, number[]> = {};
  for (const [name, rgb] of Object.entries(colours)) {
    const png = new PNG({ width: 2, height: 2 });
    for (let pixel = 0; pixel < 4; pixel++) png.data.set([...rgb, 255], pixel * 4);
    planes[name] = [...(await pngToI420(PNG.sync.write(png)))];
  }
  expect(planes).toEqual({
    white: [235, 235, 235, 235, 128, 128],
    black: [16, 16, 16, 16, 128, 128],
    red: [63, 63, 63, 63, 102, 240],
    lime: [173, 173, 173, 173, 42, 26],
    blue: [32, 32, 32, 32, 240, 118],
  });
});
