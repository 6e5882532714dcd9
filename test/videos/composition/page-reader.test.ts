import { afterAll, expect, test } from 'vitest';
import { createPageReader } from '../../../src/videos/composition/page-reader.ts';
import { faultOf } from './filler.ts';

const reader = createPageReader();
const hasty = createPageReader({ ms: 500 });
afterAll(() => Promise.all([reader.close(), hasty.close()]));

test('html made to take for ever is given up, and the next page is read as ever', {
  timeout: 20_000,
}, async () => {
  // The parser opens them again and again.
  const html = '<b><i><u><p>'.repeat(60_000);
  expect(await faultOf(hasty.inspect(html))).toEqual({
    code: 'render_limit',
    status: 422,
    detail: 'Reading the html of the video took longer than 500 ms. Use fewer elements and nest them less.',
    errors: [],
  });
  expect(await hasty.inspect('<p id="stage">')).toEqual({
    ...{ stages: 1, refused: [], sounds: [], canvases: [], cuts: [], head: 0 },
  });
});

test('a page that loads in ten thousand places is refused', async () => {
  const html = '<p style="background:url(a)">'.repeat(10_001);
  const css = 'a { b: url(a) }'.repeat(10_001);
  for (const call of [() => reader.places(html), () => reader.urls(css)])
    expect(await faultOf(call())).toMatchObject({
      detail:
        'The video loads images, fonts or style sheets in more than 10000 places. Use fewer of them, or loop over fewer items.',
    });
});
