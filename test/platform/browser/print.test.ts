import { afterAll, expect, test } from 'vitest';
import { Fault } from '../../../src/errors.ts';
import { A4, latin1, openTestBrowser, patient } from './support.ts';

const browser = openTestBrowser();
afterAll(() => browser.close());

const threePages = [1, 2, 3].map((n) => `<h1 style="break-after:page">Page ${n}</h1>`).join('');

test('html is printed as a PDF of the page size asked for', async () => {
  const { pdf, pages } = await browser.print('<title>Bill</title><h1>Total 12</h1>', A4, patient);
  expect(latin1(pdf).slice(0, 5)).toBe('%PDF-');
  expect(pages).toBe(1);
  expect(mediaBox(pdf)).toEqual([596, 842]);
  expect(latin1(pdf)).toMatch(/\/FontName/);
});

test('every page is counted', async () => {
  expect((await browser.print(threePages, A4, patient)).pages).toBe(3);
  expect((await browser.print(threePages, { ...A4, tagged: true }, patient)).pages).toBe(3);
});

test('a landscape page lies on its side', async () => {
  const { pdf } = await browser.print('<p>wide', { ...A4, pageSize: 'Letter', landscape: true }, patient);
  expect(mediaBox(pdf)).toEqual([792, 612]);
});

test('the page size of the request counts, not the one of the css', async () => {
  const { pdf } = await browser.print('<style>@page{size:A5}</style><p>x', A4, patient);
  expect(mediaBox(pdf)).toEqual([596, 842]);
});

test('only the page ranges asked for are printed', async () => {
  expect((await browser.print(threePages, { ...A4, pageRanges: '2-3' }, patient)).pages).toBe(2);
});

test.each(['7', '3-1', 'two'])(
  'the page ranges %s of a document of three pages are refused',
  async (ranges) => {
    const printed = browser.print(threePages, { ...A4, pageRanges: ranges }, patient);
    await expect(printed).rejects.toMatchObject({ key: 'validation_failed.page_ranges', params: { ranges } });
  },
);

test.each(['400mm', 'wide'])('a margin of %s is refused', async (top) => {
  const printed = browser.print('<p>x', { ...A4, margin: { ...A4.margin, top } }, patient);
  await expect(printed).rejects.toMatchObject({ key: 'validation_failed.margins' });
});

test('a tagged PDF has a structure, an untagged one has none', async () => {
  const plain = await browser.print('<h1>Bill</h1>', A4, patient);
  const tagged = await browser.print('<h1>Bill</h1>', { ...A4, tagged: true }, patient);
  expect([plain, tagged].map(({ pdf }) => /\/StructTreeRoot/.test(latin1(pdf)))).toEqual([false, true]);
  expect([plain, tagged].map(({ pdf }) => /\/MarkInfo/.test(latin1(pdf)))).toEqual([false, true]);
});

test('a header and a footer add their text and nothing of Chromium', async () => {
  const footer =
    '<span style="font-size:9px"><span class="pageNumber"></span>/<span class="totalPages"></span></span>';
  const without = await browser.print('<p style="font-family:monospace">x', A4, patient);
  const withFooter = await browser.print('<p style="font-family:monospace">x', { ...A4, footer }, patient);
  const empty = await browser.print(
    '<p style="font-family:monospace">x',
    { ...A4, header: '<i></i>' },
    patient,
  );
  expect(withFooter.pages).toBe(1);
  expect(fonts(withFooter.pdf)).toBe(fonts(without.pdf) + 1);
  expect(fonts(empty.pdf)).toBe(fonts(without.pdf));
});

test('a font, a picture, a style and a frame inside the html are in the PDF', async () => {
  const pixel =
    'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
  const html = (frame: string) =>
    `<link rel="stylesheet" href="data:text/css,p{font-family:monospace}"><p>text<img src="${pixel}">${frame}`;
  const plain = await browser.print(html(''), A4, patient);
  const framed = await browser.print(
    html(`<iframe srcdoc="<b style='font-family:sans-serif'>inside</b>"></iframe>`),
    A4,
    patient,
  );
  expect(latin1(plain.pdf)).toMatch(/\/Subtype \/Image/);
  expect(fonts(framed.pdf)).toBe(fonts(plain.pdf) + 1);
});

test('more than 200 pages are refused', async () => {
  const printed = browser.print('<p style="break-after:page">x</p>'.repeat(201), A4, patient);
  await expect(printed).rejects.toMatchObject({ key: 'too_large.pdf', params: { page_limit: 200 } });
});

test('a request that is refused leaves the browser as it was', async () => {
  const refused = await browser.print('<p>x', { ...A4, pageRanges: '9' }, patient).catch((error) => error);
  expect(refused).toBeInstanceOf(Fault);
  expect((await browser.print('<p>x', A4, patient)).pages).toBe(1);
});

function mediaBox(pdf: Uint8Array): number[] {
  const [, width, height] = /\/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]/.exec(latin1(pdf)) ?? [];
  return [Number(width), Number(height)].map(Math.round);
}

function fonts(pdf: Uint8Array): number {
  return new Set(latin1(pdf).match(/\/FontName \/\S+/g)).size;
}

test('an account that fills the line keeps no other account out, and is not served before them', async () => {
  const narrow = openTestBrowser({ waiting: 3 }, 1);
  const order: string[] = [];
  const print = (accountId: string) =>
    narrow.print('<p>x', A4, { ...patient, accountId }).then(
      () => order.push(accountId),
      (fault: Fault) => order.push(`${accountId} ${fault.key}`),
    );
  const greedy = Array.from({ length: 4 }, () => print('greedy'));
  expect(narrow.state()).toMatchObject({ busy: 1, waiting: 3 });
  await Promise.all([print('modest'), ...greedy]);
  await narrow.close();
  expect(order).toEqual(['greedy unavailable.browser_busy', 'greedy', 'greedy', 'modest', 'greedy']);
});
