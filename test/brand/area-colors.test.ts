import { PNG } from 'pngjs';
import { expect, test } from 'vitest';
import { areaColors } from '../../src/brand/importing/area-colors.ts';

/** A picture of 200 by 200 pixels, one color for each. */
function picture(colorOf: (x: number, y: number) => readonly [number, number, number]): Uint8Array {
  const png = new PNG({ width: 200, height: 200 });
  for (let y = 0; y < 200; y++)
    for (let x = 0; x < 200; x++) png.data.set([...colorOf(x, y), 255], (y * 200 + x) * 4);
  return PNG.sync.write(png);
}

test('colors come by their area, each as most of its pixels have it', () => {
  const png = picture((x) => (x < 150 ? [255, 253, 248] : [18, 84, 63]));
  expect(areaColors(png)).toEqual([
    { color: '#fffdf8', share: 0.75 },
    { color: '#12543f', share: 0.25 },
  ]);
});

test('shades that look alike are counted as one color, so thousands of them are as much work as one', () => {
  const png = picture((x, y) => [200 + (x % 8), 80 + (y % 8), 56 + ((x >> 3) % 8)]);
  expect(areaColors(png)).toEqual([{ color: expect.stringMatching(/^#c[8-f]5[0-7]3[8-f]$/), share: 1 }]);
});
