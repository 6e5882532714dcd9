import type { Page } from 'puppeteer-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Composition } from '../../src/videos/composition/composition.ts';
import { previewDocument } from '../../src/videos/preview.ts';
import { openTestPages } from './page/support.ts';

let pages: Awaited<ReturnType<typeof openTestPages>>;
beforeAll(async () => {
  pages = await openTestPages();
});
afterAll(() => pages.close());

const KEY = `assets/${'a'.repeat(64)}`;
const SQUARE =
  '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9" height="9"/></svg>';

const composition = (html: string, more: Partial<Composition> = {}): Composition => ({
  ...{ html, width: 400, height: 200, fps: 10, frames: 40, scripts: false, tracks: [], captions: [] },
  assets: new Map([[KEY, { bytes: Buffer.from(SQUARE), mediaType: 'image/svg+xml' }]]),
  ...more,
});
const HTML = `<!doctype html><html lang="en"><head><style>@keyframes go { to { opacity: 0 } } b { animation: go 4s linear both }
  @font-face { font-family: F; src: url(fonts/inter/a.woff2) }</style></head><body><main id="stage"><b>a</b><img src="${KEY}"></main></body></html>`;
const PLACES = { engineUrl: 'https://here.test/engine', fontsUrl: 'https://here.test/fonts' };

test('the document is the page with its assets in it, and the player', () => {
  const track = { source: KEY, start: 1, volume: 0.5, fadeIn: 0, fadeOut: 0, loop: true, duck: false };
  const quoted = [{ start: 0, end: 1, text: '"<a' }];
  const page = composition(HTML, { scripts: true, tracks: [track], captions: quoted });
  const uri = `data:image/svg+xml;base64,${Buffer.from(SQUARE).toString('base64')}`;
  const tracks = [{ start: 1, volume: 0.5, loop: true, from: 0, speed: 1, source: uri }];
  const told = {
    width: 400,
    height: 200,
    fps: 10,
    frames: 40,
    captions: quoted,
    tracks,
    seed: 1,
    warnings: [],
    scriptLines: [],
  };
  const meta = `<meta name="video-preview" content="${JSON.stringify(told).replaceAll('"', '&quot;').replace('<', '&lt;')}">`;
  const wanted = HTML.replace('<!doctype', '<!DOCTYPE')
    .replace(
      '<head>',
      `<head><script src="https://here.test/engine/clock.ts"></script>${meta}<script type="module" src="https://here.test/engine/player.ts"></script>`,
    )
    .replace('fonts/inter', 'https://here.test/fonts/inter')
    .replace(KEY, uri);
  expect(previewDocument(page, PLACES)).toBe(wanted);
});

test('a page that repeats large files is too large for a document', () => {
  const picture = { bytes: new Uint8Array(1024 * 1024), mediaType: 'image/png' };
  const html = `<div id="stage">${`<img src="${KEY}">`.repeat(60)}</div>`;
  expect(() => previewDocument(composition(html, { assets: new Map([[KEY, picture]]) }), PLACES)).toThrow(
    expect.objectContaining({ key: 'video_failed.assets_bytes', params: { limit: 64 } }),
  );
});

/** The page has an opaque origin, and only the engine's modules run. */
const sandbox = () =>
  `sandbox allow-scripts; default-src 'none'; script-src ${pages.origin}/engine/ 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:; connect-src data:`;

async function player(page = composition(HTML)) {
  const html = previewDocument(page, {
    engineUrl: `${pages.origin}/engine`,
    fontsUrl: `${pages.origin}/fonts`,
  });
  const opened = await pages.open(html, { width: 600, height: 256 }, sandbox());
  await expect.poll(() => bar(opened, 'button:enabled', 'one !== null')).toBe(true);
  return opened;
}

/** What an expression says of one element of the bar. */
const bar = (page: Page, selector: string, expression: string) =>
  page.evaluate(
    `((one) => ${expression})(document.querySelector('video-preview-controls')?.shadowRoot.querySelector('${selector}') ?? null)`,
  );

/** What the bar and the picture show. */
const seen = (page: Page) =>
  page.evaluate(`(() => { const root = document.querySelector('video-preview-controls').shadowRoot;
    return [root.querySelector('button').ariaLabel, root.querySelector('output').textContent, root.querySelector('input').value,
      getComputedStyle(document.querySelector('b'))?.opacity] })()`);

test('keys, the line and the button move the picture', async () => {
  const page = await player();
  expect(await seen(page)).toEqual(['Play', '0:00.0 / 0:04.0', '0', '1']);
  await page.keyboard.press('ArrowRight');
  expect(await seen(page)).toEqual(['Play', '0:00.1 / 0:04.0', '1', '0.975']);
  await page.keyboard.down('Shift');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.up('Shift');
  expect(await seen(page)).toEqual(['Play', '0:01.1 / 0:04.0', '11', '0.725']);
  await page.keyboard.press('End');
  expect(await seen(page)).toEqual(['Play', '0:03.9 / 0:04.0', '39', '0.025']);
  await page.keyboard.press('Home');
  const line = await page.evaluateHandle(
    `document.querySelector('video-preview-controls').shadowRoot.querySelector('input').getBoundingClientRect().toJSON()`,
  );
  const { x, y, width, height } = (await line.jsonValue()) as DOMRectLike;
  await page.mouse.click(x + width / 2, y + height / 2);
  expect(await seen(page)).toEqual([
    'Play',
    expect.stringMatching(/^0:0(1.9|2.0) /),
    expect.stringMatching(/^19|20$/),
    expect.any(String),
  ]);
  await page.close();
});

type DOMRectLike = { x: number; y: number; width: number; height: number };

test('it plays in real time, and stops on request and at the end', async () => {
  const page = await player();
  await page.keyboard.press('Space');
  expect(await seen(page)).toEqual(['Pause', expect.any(String), expect.any(String), expect.any(String)]);
  await expect.poll(() => bar(page, 'input', 'one.value > 2')).toBe(true);
  await page.mouse.click(300, 100);
  const stopped = await seen(page);
  expect(stopped).toEqual(['Play', expect.any(String), expect.any(String), expect.any(String)]);
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
  expect(await seen(page)).toEqual(stopped);
  await page.keyboard.press('End');
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('Space');
  await expect.poll(() => bar(page, 'button', 'one.ariaLabel')).toBe('Play');
  expect(await seen(page)).toEqual(['Play', '0:03.9 / 0:04.0', '39', '0.025']);
  await page.close();
});

test('the picture is as large as the window allows, above the bar', async () => {
  const page = await player();
  const box = () =>
    page.evaluate(
      `(() => { const { x, y, width, height } = document.querySelector('#stage').getBoundingClientRect(); return [x, y, width, height] })()`,
    );
  expect(await box()).toEqual([100, 0, 400, 200]);
  await page.setViewport({ width: 200, height: 456 });
  await expect.poll(box).toEqual([0, 150, 200, 100]);
  await page.close();
});

test('a page with scripts plays by the clock of the video, and the player by its own', async () => {
  const html = `<html><body><main id="stage"><b></b></main><script>video.onFrame(({ frame }) => { document.querySelector('b').textContent = frame + ' ' + Date.now() % 10000 })</script>`;
  const page = await player(composition(html, { scripts: true }));
  const text = () => page.evaluate(`document.querySelector('b').textContent`);
  await page.keyboard.press('ArrowRight');
  await expect.poll(text).toBe('1 100');
  await page.keyboard.press('End');
  await expect.poll(text).toBe('39 3900');
  await page.close();
});
