import { PNG } from 'pngjs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { previewDocument } from '../../src/videos/preview.ts';
import { closePages, composition, open, signal } from './frames/session-support.ts';
import { openTestPages } from './page/support.ts';

let pages: Awaited<ReturnType<typeof openTestPages>>;
beforeAll(async () => {
  pages = await openTestPages();
});
afterAll(async () => {
  await closePages();
  await pages.close();
});

/** Layers below and above, blending and a text: what depends on the stacking of the stage. */
const LAYERS = `<style>
  body { background: #00f }
  #stage { background: #111 }
  .below { position: absolute; inset: 0; z-index: -1; background: #f00 }
  .above { position: absolute; inset: 20px 40px; z-index: 2; background: #0a0; mix-blend-mode: difference }
</style><i class="below"></i><i class="above"></i>`;

const BAR = 56;

test('the preview shows the pixels of the render, also of layers below the stage', async () => {
  const page = composition(LAYERS);
  const { width, height } = page;
  const html = previewDocument(page, {
    engineUrl: `${pages.origin}/engine`,
    fontsUrl: `${pages.origin}/fonts`,
  });
  const preview = await pages.open(html, { width, height: height + BAR });
  await expect.poll(() => preview.evaluate("document.querySelector('#stage').style.scale")).toBe('1');
  const shot = await preview.screenshot({ clip: { x: 0, y: 0, width, height } });
  const rendered = await open(page);
  await rendered.reach(0, signal);
  const { data } = await rendered.cdp.send('Page.captureScreenshot', { format: 'png' });
  const [one, other] = [Buffer.from(shot), Buffer.from(data, 'base64')].map((png) => PNG.sync.read(png));
  expect([...(one?.data.subarray(0, 3) ?? [])]).toEqual([255, 0, 0]);
  expect(one?.data.equals(other?.data ?? Buffer.alloc(0))).toBe(true);
});
