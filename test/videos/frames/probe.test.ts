import { afterEach, expect, test } from 'vitest';
import { createProbe } from '../../../src/videos/frames/capture-mode.ts';
import type { OpenPage } from '../../../src/videos/frames/open-page.ts';
import { inPage, openPainted, patient } from './painted-pages.ts';

let page: OpenPage;
afterEach(() => page.close());

test('a browser that paints elements is recognized by what it paints, and is probed once', async () => {
  page = await openPainted('<body><div id="stage"></div>');
  const probe = createProbe();
  const before = await inPage(page, 'document.documentElement.outerHTML');
  expect(await probe.painting(page, patient)).toEqual({ canvas: true });
  expect(await inPage(page, 'document.documentElement.outerHTML')).toBe(before);
  await inPage(page, 'delete CanvasRenderingContext2D.prototype.drawElementImage; undefined');
  expect(await probe.painting(page, patient)).toEqual({ canvas: true });
});

test('a browser that does not paint elements, or paints them wrong, is reported with the reason', async () => {
  page = await openPainted('<body><div id="stage"></div>', { scripts: true });
  const prototype = 'CanvasRenderingContext2D.prototype';
  await inPage(page, `${prototype}.drawElementImage = () => {}; undefined`);
  expect(await createProbe().painting(page, patient)).toEqual({
    ...{ canvas: false, reason: 'the browser painted 0,0,0 for red' },
  });
  await inPage(page, `delete ${prototype}.drawElementImage; undefined`);
  expect(await createProbe().painting(page, patient)).toEqual({
    ...{ canvas: false, reason: 'the browser has no drawElementImage' },
  });
});

test('the codecs of a browser are asked for once, each format by itself', async () => {
  page = await openPainted('<body><div id="stage"></div>');
  const probe = createProbe();
  expect(await probe.codec(page, 'mp4', patient)).toBe('avc1.640028');
  await inPage(page, 'delete globalThis.VideoEncoder; undefined');
  expect(await probe.codec(page, 'mp4', patient)).toBe('avc1.640028');
  expect(await probe.codec(page, 'webm', patient)).toBe(undefined);
  expect(await createProbe().codec(page, 'mp4', patient)).toBe(undefined);
});
