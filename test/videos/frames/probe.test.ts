import { afterEach, expect, test } from 'vitest';
import { createProbe } from '../../../src/videos/frames/capture-mode.ts';
import type { OpenPage } from '../../../src/videos/frames/open-page.ts';
import { inPage, openPainted, patient } from './painted-pages.ts';

let page: OpenPage;
afterEach(() => page.close());

const ENCODERS = { mp4: 'avc1.640028', webm: 'vp09.00.40.08' };

test('a browser that paints elements is recognized by what it paints, and is probed once', async () => {
  page = await openPainted('<body><div id="stage"></div>');
  const probe = createProbe();
  const before = await inPage(page, 'document.documentElement.outerHTML');
  expect(await probe(page, patient)).toEqual({ canvas: true, encoders: ENCODERS });
  expect(await inPage(page, 'document.documentElement.outerHTML')).toBe(before);
  await inPage(page, 'delete CanvasRenderingContext2D.prototype.drawElementImage; undefined');
  expect(await probe(page, patient)).toEqual({ canvas: true, encoders: ENCODERS });
});

test('a browser that does not paint elements, or paints them wrong, is reported with the reason', async () => {
  page = await openPainted('<body><div id="stage"></div>', { scripts: true });
  const prototype = 'CanvasRenderingContext2D.prototype';
  await inPage(page, `${prototype}.drawElementImage = () => {}; undefined`);
  expect(await createProbe()(page, patient)).toEqual({
    ...{ canvas: false, encoders: ENCODERS, reason: 'the browser painted 0,0,0 for red' },
  });
  await inPage(page, `delete ${prototype}.drawElementImage; delete globalThis.VideoEncoder; undefined`);
  expect(await createProbe()(page, patient)).toEqual({
    ...{ canvas: false, encoders: { mp4: undefined, webm: undefined } },
    reason: 'the browser has no drawElementImage',
  });
});
