import { existsSync } from 'node:fs';
import { afterEach, expect, test } from 'vitest';
import type { FaultKey } from '../../../src/errors.ts';
import type { Composition } from '../../../src/videos/composition/composition.ts';
import { fontFaces } from '../../../src/videos/engine-files.ts';
import { PAGE_LIMITS } from '../../../src/videos/frames/frames.ts';
import { type OpenPage, openPage } from '../../../src/videos/frames/open-page.ts';
import { browserProcesses, until } from '../../platform/browser/support.ts';
import { closePages, composition, findBrowser, launch, open, signal } from './session-support.ts';

afterEach(closePages);

const fault = (key: FaultKey, params: object = {}) => expect.objectContaining({ key, params });

test('a page is the same on every machine: its size, its time zone, its language, and a secure address', async () => {
  const page = await open(composition('text'));
  expect(
    await ask(
      page,
      `[innerWidth, innerHeight, devicePixelRatio, screen.width, isSecureContext, navigator.language,
        new Date(0).getTimezoneOffset(), (1234.5).toLocaleString(), matchMedia('(color-gamut: p3)').matches,
        matchMedia('(prefers-color-scheme: light)').matches, document.hasFocus(), location.hostname]`,
    ),
  ).toEqual([160, 90, 1, 160, true, 'en-US', 0, '1,234.5', false, true, true, '127.0.0.1']);
});

test('the shipped fonts load from addresses relative to the page', async () => {
  const text = (family: string) => `<p style="font:700 20px ${family};width:max-content">Wörter 123</p>`;
  const page = await open(
    composition(
      `<style>${fontFaces()}</style>${text("'Inter Variable'")}${text("'Fraunces Variable'")}${text('monospace')}`,
    ),
  );
  const loaded = `[...document.fonts].filter(({ status }) => status === 'loaded').map(({ family, style }) => family + ' ' + style)`;
  const widths = `new Set([...document.querySelectorAll('p')].map((p) => p.offsetWidth)).size`;
  expect(await ask(page, loaded)).toEqual(['Inter Variable normal', 'Fraunces Variable normal']);
  expect(await ask(page, widths)).toBe(3);
});

test('characters of later scenes and captions that no font has are named', async () => {
  const page = await open(
    composition('<p>你好 ꦲ 😀</p><section hidden>ꦏ</section>', {
      captions: [{ start: 0, end: 1, text: 'ꦗ' }],
    }),
  );
  expect(page.warnings).toMatchObject([{ key: 'glyphs_missing', characters: 3, sample: 'ꦏ ꦗ ꦲ' }]);
  expect((await open(composition('你好 Ana 😀'))).warnings).toEqual([]);
});

test('texts from right to left have their own direction, and others stay as they are', async () => {
  const page = await open(
    composition('<p>مرحبا Ana</p><p>Hello</p><p dir="ltr">שלום</p><div data-captions></div>', {
      captions: [{ start: 0, end: 1, text: 'שלום' }],
    }),
  );
  expect(
    await ask(
      page,
      `[...stage.element.querySelectorAll('p, div')].map((one) => [one.getAttribute('dir'), getComputedStyle(one).direction])`,
    ),
  ).toEqual([
    ['auto', 'rtl'],
    [null, 'ltr'],
    ['ltr', 'ltr'],
    ['auto', 'rtl'],
  ]);
});

test('a page sends messages to its host, and functions of its modules can be called', async () => {
  const page = await open(composition('text'));
  const heard: unknown[] = [];
  const end = page.onHostMessage((message) => heard.push(message));
  await ask(page, `notifyHost(JSON.stringify({ frame: 1 })), 0`);
  end();
  await ask(page, `notifyHost(JSON.stringify({ frame: 2 })), 0`);
  expect(heard).toEqual([{ frame: 1 }]);
  await expect(page.call('page.ts', 'nothing', [], { signal, ms: 5_000 })).rejects.toThrow(
    'is not a function',
  );
});

test.each<[string, Composition, ReturnType<typeof fault>]>([
  [
    'an image that is not among its files',
    composition('<img src="assets/none">'),
    fault('video_failed.asset', { address: 'assets/none' }),
  ],
  [
    'an image of another server',
    composition('<img src="https://a.example/b.png">'),
    fault('video_failed.asset', { address: 'https://a.example/b.png' }),
  ],
  [
    'an image that cannot be decoded',
    composition('<img src="assets/broken">', {
      assets: new Map([['assets/broken', { bytes: Buffer.from('no picture'), mediaType: 'image/png' }]]),
    }),
    fault('video_failed.asset', { address: 'assets/broken' }),
  ],
  [
    'more elements than a video may have',
    composition('<i></i>'.repeat(20_000)),
    fault('video_failed.nodes', { count: 20_001, limit: 20_000 }),
  ],
  [
    'a script that goes elsewhere',
    composition('<script>location.href = "about:blank"</script>', { scripts: true }),
    fault('video_failed.navigated'),
  ],
])('a page with %s is refused', async (_what, one, refusal) => {
  await expect(open(one)).rejects.toEqual(refusal);
  await until(async () => (await browserProcesses()).length === 0);
});

test('a page with an endless script times out, and no process is left', async () => {
  const endless = composition('<script>for (;;);</script>', { scripts: true });
  await expect(open(endless, { limits: { readyMs: 1_000 } })).rejects.toEqual(
    fault('video_failed.never_ready', { seconds: 1 }),
  );
  await until(async () => (await browserProcesses()).length === 0);
});

test('a frame that takes too long is a Fault, and closing ends the busy browser and removes its profile', async () => {
  const busy = `<script>video.onFrame(({ frame }) => { if (frame === 3) for (;;); })</script>`;
  const page = await open(composition(busy, { scripts: true }), { limits: { frameMs: 300 } });
  expect(existsSync(page.browser.profile)).toBe(true);
  await page.seek(2, signal);
  await expect(page.seek(3, signal)).rejects.toEqual(
    fault('video_failed.frame_time', { frame: 3, seconds: 0.3 }),
  );
  await page.close();
  await until(async () => (await browserProcesses()).length === 0);
  expect(existsSync(page.browser.profile)).toBe(false);
});

test.each([
  ['whose browser is killed', ({ browser }: OpenPage) => void process.kill(browser.pid, 'SIGKILL')],
  ['whose own process ends', ({ cdp }: OpenPage) => void cdp.send('Page.crash').catch(() => {})],
])('a page %s is gone, and what is asked of it fails at once', async (_what, end) => {
  const page = await open(composition('text'));
  end(page);
  await expect(page.gone).rejects.toEqual(fault('video_failed.crashed'));
  await expect(page.seek(1, signal)).rejects.toEqual(fault('video_failed.crashed'));
});

test('a page that navigates in the middle of its video fails', async () => {
  const leaving = `<script>video.onFrame(({ frame }) => { if (frame === 2) location.href = 'https://a.example/' })</script>`;
  const page = await open(composition(leaving, { scripts: true }));
  await page.seek(2, signal);
  await expect(page.gone).rejects.toEqual(fault('video_failed.navigated'));
});

test('an aborted opening ends and leaves no process', async () => {
  const found = await findBrowser();
  for (const ms of [0, 50, 150, 300]) {
    const leaving = AbortSignal.timeout(ms);
    const opening = openPage(composition('<script>for (;;);</script>', { scripts: true }), {
      ...{ found, launch, signal: leaving, limits: PAGE_LIMITS },
    });
    await expect(opening).rejects.toThrow('aborted due to timeout');
  }
  await until(async () => (await browserProcesses()).length === 0);
});

async function ask({ cdp }: OpenPage, expression: string): Promise<unknown> {
  const { result } = await cdp.send('Runtime.evaluate', { expression, returnByValue: true });
  return result.value;
}

test('a script cannot fill the memory of the machine with files', async () => {
  const hoard = `<script>globalThis.hoarded = (async () => {
    const folder = await navigator.storage.getDirectory();
    const file = await (await folder.getFileHandle('hoard', { create: true })).createWritable();
    for (let i = 0; i < 20; i++) await file.write(new Uint8Array(8 * 1024 * 1024));
  })().catch(({ name }) => name);</script>`;
  const { cdp } = await open(composition(hoard, { scripts: true }));
  const asked = { expression: 'hoarded', awaitPromise: true };
  expect(await cdp.send('Runtime.evaluate', asked)).toMatchObject({
    result: { value: 'QuotaExceededError' },
  });
});
