import { expect, test } from 'vitest';
import { readSrcset, writeSrcset } from '../../../src/platform/html/srcset.ts';

test.each([
  ['a.png', [['a.png', '']]],
  [
    'a.png 1x, b.png 2x',
    [
      ['a.png', '1x'],
      ['b.png', '2x'],
    ],
  ],
  [
    ' a.png   100w ,\n b.png 200w,',
    [
      ['a.png', '100w'],
      ['b.png', '200w'],
    ],
  ],
  [
    'a.png, b.png 2x',
    [
      ['a.png', ''],
      ['b.png', '2x'],
    ],
  ],
  ['a,b.png 1x', [['a,b.png', '1x']]],
  [
    'data:image/png;base64,AA== 1x, b.png 2x',
    [
      ['data:image/png;base64,AA==', '1x'],
      ['b.png', '2x'],
    ],
  ],
  [
    'a.png calc(1x, 2x), b.png',
    [
      ['a.png', 'calc(1x, 2x)'],
      ['b.png', ''],
    ],
  ],
  [', ,a.png', [['a.png', '']]],
  ['', []],
  [' , ', []],
])('%j', (srcset, images) => {
  expect(readSrcset(srcset)).toEqual(images.map(([url, descriptor]) => ({ url, descriptor })));
  expect(readSrcset(writeSrcset(readSrcset(srcset)))).toEqual(readSrcset(srcset));
});

test('a long one without end is read', () => {
  for (const text of ['a('.repeat(50_000), ','.repeat(100_000), 'a, '.repeat(50_000), 'a ('.repeat(50_000)])
    expect(readSrcset(text).length).toBeLessThan(50_001);
});
