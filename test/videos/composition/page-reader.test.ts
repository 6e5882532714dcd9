import { afterAll, expect, test } from 'vitest';
import { createPageReader } from '../../../src/videos/composition/page-reader.ts';
import { faultOf } from './filler.ts';

// Its time limit is not what is tested.
const reader = createPageReader({ ms: 60_000 });
const hasty = createPageReader({ ms: 500 });
afterAll(() => Promise.all([reader.close(), hasty.close()]));

test('HTML made to take forever times out, and the next page is read normally', {
  timeout: 20_000,
}, async () => {
  // The parser opens them again and again.
  const html = '<b><i><u><p>'.repeat(60_000);
  expect(await faultOf(hasty.inspect(html))).toEqual({
    code: 'render_limit',
    status: 422,
    detail: "Reading the video's HTML took longer than 500 ms. Use fewer elements and less nesting.",
    errors: [],
  });
  expect(await hasty.inspect('<p id="stage">')).toEqual({
    ...{ stages: 1, forbidden: [], sounds: [], clips: [], canvases: [], cuts: [], head: 0 },
  });
});

test('a page that loads in ten thousand places is rejected', async () => {
  const html = '<p style="background:url(a)">'.repeat(10_001);
  const css = 'a { b: url(a) }'.repeat(10_001);
  for (const call of [() => reader.places(html), () => reader.urls(css)])
    expect(await faultOf(call())).toMatchObject({
      detail:
        'The video loads images, fonts or style sheets in more than 10000 places. Use fewer of them, or loop over fewer items.',
    });
});
