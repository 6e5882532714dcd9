import { afterAll, expect, test } from 'vitest';
import { faultOf, openFiller, requestOf, templateOf } from './filler.ts';

const { fill, close } = openFiller();
afterAll(close);

const PLAIN = { start: 0, volume: 1, fadeIn: 0, fadeOut: 0, loop: false, duck: false };
const UNREAD = { clip: { delay: 0, duration: 0, zero: 0 } };

test('a clip stays in the page, and its sound is a track that lasts as long as its scene', async () => {
  const html = `<div id="stage"><section data-scene data-weight="3"><p></p></section><section data-scene>
    <div><video src="asset:a.mp4" controls autoplay data-start="0.1" data-from="1" data-to="2" data-speed="2" data-volume="0.5" loop></video></div>
    <video muted src="asset:b.mp4"></video></section><video><source src="asset:c.mp4"></video><video src=""></video></div>`;
  const { page } = await fill(templateOf(html), requestOf({ duration: 4 }));
  expect(page.tracks).toEqual([
    {
      ...{ ...PLAIN, ...UNREAD, source: 'asset:a.mp4', start: 3.1, from: 1, to: 2, speed: 2 },
      ...{ volume: 0.5, loop: true },
    },
    { ...PLAIN, ...UNREAD, source: 'asset:c.mp4' },
  ]);
  expect(page.html).toContain('<video src="asset:a.mp4"   data-start="0.1"');
});

test('the sound of a clip in an early scene ends with it', async () => {
  const html = '<div id="stage"><p data-scene><video src="asset:a.mp4"></video><p data-scene></div>';
  const { page } = await fill(templateOf(html), requestOf({ duration: 3 }));
  expect(page.tracks).toEqual([{ ...PLAIN, ...UNREAD, source: 'asset:a.mp4', until: 1.5 }]);
});

test('sounds are brought to -14 LUFS unless the request says otherwise', async () => {
  const template = templateOf('<div id="stage"><audio src="https://a.example/a.mp3"></audio></div>');
  const loudness = async (asked?: number | null) =>
    (await fill(template, requestOf(asked === undefined ? {} : { loudness: asked }))).page.loudness;
  expect([await loudness(), await loudness(-20), await loudness(null)]).toEqual([-14, -20, undefined]);
  expect((await fill(templateOf('<p id="stage">'), requestOf())).page).not.toHaveProperty('loudness');
});

test.each([
  ['data-speed="9"', "'9' is not a valid data-speed for the <video> at line 1, column 18."],
  ['data-from="3" data-to="2"', "'2' is not a valid data-to for the <video> at line 1, column 18."],
  ['data-start="soon"', "'soon' is not a valid data-start for the <video> at line 1, column 18."],
])('%s is a 422 that says where', async (attributes, detail) => {
  const html = `<div id="stage">${' '}<video src="asset:a.mp4" ${attributes}></video></div>`;
  const fault = await faultOf(fill(templateOf(html), requestOf()));
  expect(fault).toMatchObject({
    code: 'template_invalid',
    status: 422,
    detail: expect.stringContaining(detail),
  });
});

test('a page shows 16 clips at most, also muted ones', async () => {
  const html = `<div id="stage">${'<video muted src="asset:a.mp4"></video>'.repeat(17)}</div>`;
  expect(await faultOf(fill(templateOf(html), requestOf()))).toMatchObject({
    detail: 'The page shows 17 clips; the limit is 16. Remove some.',
  });
});
