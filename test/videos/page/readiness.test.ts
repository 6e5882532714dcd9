import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestPages } from './support.ts';

let pages: Awaited<ReturnType<typeof openTestPages>>;
beforeAll(async () => {
  pages = await openTestPages();
  pages.files.set('/red-then-blue.gif', { type: 'image/gif', body: RED_THEN_BLUE });
  pages.files.set('/turning.svg', { type: 'image/svg+xml', body: TURNING });
  pages.files.set('/inter.woff2', { type: 'font/woff2', body: INTER });
});
afterAll(() => pages.close());

// One pixel, 20 ms of red, then blue for ever.
const RED_THEN_BLUE = Buffer.from(
  '474946383961010001008000' +
    '00ff00000000ff' +
    '21f9040002000000' +
    '2c00000000010001000002024401' +
    '0021f90400020000002c0000000001000100000202' +
    '4c01003b',
  'hex',
);
const TURNING = `<svg xmlns="http://www.w3.org/2000/svg" width="10" height="10"><style>@keyframes a { to { fill: #00f } } rect { animation: a .01s both }</style>
  <rect width="10" height="10" fill="#f00"/><circle r="1"><animate attributeName="r" to="20" dur="1ms" fill="freeze"/></circle></svg>`;
const INTER = readFileSync(
  createRequire(import.meta.url).resolve('@fontsource-variable/inter/files/inter-latin-wght-normal.woff2'),
);

test('images are loaded before the first frame, and those that cannot be shown are reported', async () => {
  const { warnings, close } = await pages.stage(
    `<style>#a { background: url("/none.png") } @keyframes b { to { background-image: url('/nor-this.png') } } #c { mask: url(#in-page) }</style>
    <main id="stage"><img src="/missing.png"><img src=""><p style="background:url(/red-then-blue.gif)"></p>
    <section data-scene></section><section data-scene><img loading="lazy" src="/red-then-blue.gif"></section></main>`,
  );
  expect(warnings).toEqual(['/missing.png', '/none.png', '/nor-this.png']);
  await close();
});

test('an animated image is replaced with its first frame, wherever it is', async () => {
  const { at, page, close } = await pages.stage(
    `<style>img, p { width: 20px; height: 20px; margin: 0; display: block } p { background: url(/red-then-blue.gif); }</style>
    <main id="stage"><img src="/red-then-blue.gif"><p></p><img src="/turning.svg"></main>`,
  );
  const kinds = `[...[...document.querySelectorAll('img')].map(({ src }) => src), getComputedStyle(document.querySelector('p')).backgroundImage]
    .map((address) => /data:[^;,]*/.exec(address)?.[0])`;
  expect(await at(30, kinds)).toEqual(['data:image/png', 'data:image/svg+xml', 'data:image/png']);
  const colours = await page.evaluate(`(async () => {
    const context = document.createElement('canvas').getContext('2d');
    return Array.from(document.querySelectorAll('img'), (image) => {
      context.drawImage(image, 0, 0, 20, 20);
      return context.getImageData(15, 15, 1, 1).data.join();
    });
  })()`);
  expect(colours).toEqual(['255,0,0,255', '255,0,0,255']);
  await close();
});

test('fonts are loaded before texts are measured, also those of later scenes and of captions', async () => {
  const { at, close } = await pages.stage(
    `<style>${['One', 'Two', 'Three', 'Unused'].map((name) => `@font-face { font-family: ${name}; src: url(/inter.woff2) }`).join(' ')}
    i { font-family: Two } p { font-family: Three } b { font-family: One }</style>
    <main id="stage"><b>a</b><b data-scene>a</b><i data-scene>b</i><p data-captions="lines"></p></main>`,
    { captions: [{ start: 3, end: 4, text: 'late' }] },
  );
  expect(await at(0, `[...document.fonts].map(({ family, status }) => family + ' ' + status)`)).toEqual([
    ...['One loaded', 'Two loaded', 'Three loaded', 'Unused unloaded'],
  ]);
  await close();
});
