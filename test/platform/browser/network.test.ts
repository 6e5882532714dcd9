import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'puppeteer-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { FLAGS } from '../../../src/platform/browser/launch-browser.ts';
import { A4, latin1, launchControl, openTestBrowser, patient, startListener, until } from './support.ts';

const browser = openTestBrowser({}, 1);
let listener: Awaited<ReturnType<typeof startListener>>;
let folder: string;

beforeAll(async () => {
  listener = await startListener();
  folder = await mkdtemp(join(tmpdir(), 'stallhand-secret-'));
  await writeFile(join(folder, 'secret.html'), '<p style="font-family:monospace">secret</p>');
  await writeFile(
    join(folder, 'secret.svg'),
    '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>',
  );
});
afterAll(async () => {
  await browser.close();
  await listener.close();
  await rm(folder, { recursive: true });
});

/** Each way html has of asking for something; `{at}` is the address of the listener. */
const VECTORS = {
  'css-link': '<link rel="stylesheet" href="http://{at}/css-link">',
  import: '<style>@import url("http://{at}/import")</style>',
  font: '<style>@font-face{font-family:F;src:url("http://{at}/font")}p{font-family:F}</style><p>x</p>',
  background: '<div style="background:url(http://{at}/background);width:9px;height:9px"></div>',
  img: '<img src="http://{at}/img">',
  iframe: '<iframe src="http://{at}/iframe"></iframe>',
  srcdoc: `<iframe srcdoc="<img src='http://{at}/srcdoc'>"></iframe>`,
  embed: '<embed src="http://{at}/embed">',
  object: '<object data="http://{at}/object"></object>',
  prefetch: '<link rel="preload" as="image" href="http://{at}/prefetch">',
  refresh: '<meta http-equiv="refresh" content="0;url=http://{at}/refresh">',
  fetch: '<script>fetch("http://{at}/fetch")</script>',
  'web-socket': '<script>new WebSocket("ws://{at}/web-socket")</script>',
  handler: '<img src="data:," onerror="fetch(`http://{at}/handler`)">',
  svg: '<svg><image href="http://{at}/svg" width="9" height="9"/></svg>',
  video: '<video src="http://{at}/video" autoplay muted></video>',
};
const names = Object.keys(VECTORS);
const written = (vector: string) => vector.replaceAll('{at}', listener.host);
const hits = () => names.filter((name) => listener.asked.some((url) => url.startsWith(`/${name}`)));

test('a page reaches no address in any way, in a print or a screenshot', async () => {
  for (const vector of Object.values(VECTORS)) {
    await browser.print(`<p>text</p>${written(vector)}`, A4, patient);
    await browser.screenshot(written(vector), [{ width: 300, colorScheme: 'light' }], patient);
  }
  expect(listener.asked).toEqual([]);
});

test('a header and a footer reach no address, nor do their scripts', async () => {
  const html = ['img', 'handler', 'fetch', 'iframe'].map((name) =>
    written(VECTORS[name as keyof typeof VECTORS]),
  );
  await browser.print('<p>x', { ...A4, header: html.join(''), footer: html.join('') }, patient);
  expect(listener.asked).toEqual([]);
});

test('the same html reaches the listener in a browser that is let: the vectors are real', async () => {
  await withControl([], async (page) => {
    for (const [name, vector] of Object.entries(VECTORS)) {
      await page.goto('about:blank');
      await page.setContent(written(vector), { waitUntil: 'domcontentloaded' });
      await until(() => hits().includes(name));
    }
    expect(hits()).toEqual(names);
  });
});

test('the flags of the browser alone, with JavaScript on, let nothing out', async () => {
  listener.asked.length = 0;
  await withControl(FLAGS, async (page) => {
    for (const vector of Object.values(VECTORS)) {
      await page.goto('about:blank');
      // Some wait for an answer that never comes.
      await page.setContent(written(vector), { timeout: 500 }).catch(() => {});
    }
  });
  expect(listener.asked).toEqual([]);
});

test('a file of the machine does not appear in a PDF', async () => {
  const fonts = (pdf: Uint8Array) => new Set(latin1(pdf).match(/\/FontName \/\S+/g)).size;
  const text = '<p style="font-family:sans-serif">text</p>';
  const plain = await browser.print(text, A4, patient);
  for (const frame of [
    `<iframe src="file://${folder}/secret.html"></iframe>`,
    `<object data="file://${folder}/secret.html"></object>`,
    `<embed src="file://${folder}/secret.html">`,
    `<base href="file://${folder}/"><iframe src="secret.html"></iframe>`,
    `<meta http-equiv="refresh" content="0;url=file://${folder}/secret.html">`,
    `<link rel="stylesheet" href="file://${folder}/secret.html">`,
  ]) {
    const { pdf } = await browser.print(text + frame, A4, patient);
    expect([frame, fonts(pdf)]).toEqual([frame, fonts(plain.pdf)]);
  }
});

test('a page that refreshes itself to another address is printed as it is', async () => {
  const refreshing = (seconds: number) =>
    `<meta http-equiv="refresh" content="${seconds};url=http://${listener.host}/">${'<p style="break-after:page">x</p>'.repeat(3)}`;
  expect((await browser.print(refreshing(0), A4, patient)).pages).toBe(3);
});

test('nothing of one document is left for the next, not even a refresh that comes later', async () => {
  const shots = [{ width: 300, colorScheme: 'light' }] as const;
  const plain = '<title>two</title><p>second';
  const alone = await browser.screenshot(plain, shots, patient);
  await browser.print(
    `<meta http-equiv="refresh" content="1;url=http://${listener.host}/late"><style>*{color:red}</style><p id="a">first`,
    A4,
    patient,
  );
  // More than a second of work, in which the refresh would come.
  const end = performance.now() + 1500;
  while (performance.now() < end) {
    expect(await browser.screenshot(plain, shots, patient)).toEqual(alone);
  }
});

test.each([
  ['styles and a base', '<base href="https://a.example/"><style>*{color:red;font-size:40px}</style><p>first'],
  ['frames', `<iframe srcdoc="<meta http-equiv='refresh' content='1'><p>inner"></iframe>`],
  ['a long page, scrolled and focused', `<input autofocus style="margin-top:4000px">`],
  ['another writing mode and title', '<!DOCTYPE html><html dir="rtl"><title>one</title><body bgcolor="red">'],
])('%s of one document change nothing in the next', async (_what, html) => {
  const shots = [{ width: 300, colorScheme: 'light' }] as const;
  const plain = '<title>two</title><p>second';
  const alone = await browser.screenshot(plain, shots, patient);
  // On every page there is, whichever takes the next one.
  await Promise.all([html, html, html].map((one) => browser.screenshot(one, shots, patient)));
  expect(await Promise.all([plain, plain].map((one) => browser.screenshot(one, shots, patient)))).toEqual([
    alone,
    alone,
  ]);
});

async function withControl(flags: readonly string[], use: (page: Page) => Promise<void>): Promise<void> {
  const executable = browser.state().executable ?? '';
  const kind = /headless.shell|stallhand-chromium/.test(executable) ? 'shell' : 'full';
  const control = await launchControl({ executable, kind, flags });
  try {
    await use(await control.newPage());
  } finally {
    await control.close();
  }
}
