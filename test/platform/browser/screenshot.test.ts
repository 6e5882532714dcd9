import { PNG } from 'pngjs';
import { afterAll, expect, test } from 'vitest';
import type { Screenshot } from '../../../src/platform/browser/browser.ts';
import { A4, openTestBrowser, patient } from './support.ts';

const browser = openTestBrowser();
afterAll(() => browser.close());

const page = `<meta name="viewport" content="width=device-width"><style>body{margin:0;background:#fff}@media (prefers-color-scheme:dark){body{background:#000}}
  @media print{body{background:#f00}}</style><div style="height:1500px"></div>`;

test('each shot is a picture of its own width, as high as the page', async () => {
  const pictures = await browser.screenshot(
    page,
    [
      { width: 600, colorScheme: 'light' },
      { width: 320, colorScheme: 'dark', pixelRatio: 2, mobile: true },
    ],
    patient,
  );
  expect(pictures.map(({ width, height }) => [width, height])).toEqual([
    [600, 1500],
    [640, 3000],
  ]);
});

test('light and dark are what the page makes of them', async () => {
  const shots = [
    { width: 300, colorScheme: 'light' },
    { width: 300, colorScheme: 'dark' },
  ] as const;
  const pictures = await browser.screenshot(page, shots, patient);
  expect(pictures.map(middle)).toEqual([
    [255, 255, 255],
    [0, 0, 0],
  ]);
});

test('a shot after a print and a print after a shot are as if alone', async () => {
  await browser.print(page, A4, patient);
  const [first] = await browser.screenshot(page, [{ width: 300, colorScheme: 'light' }], patient);
  await browser.print(page, A4, patient);
  const [second] = await browser.screenshot(page, [{ width: 300, colorScheme: 'light' }], patient);
  expect(first?.png).toEqual(second?.png);
  expect(first && middle(first)).toEqual([255, 255, 255]);
});

test('a page of a metre has a picture of at most 16,384 pixels', async () => {
  const long = '<body style="margin:0"><div style="height:40000px">';
  const [picture] = await browser.screenshot(
    long,
    [{ width: 100, colorScheme: 'light', pixelRatio: 2 }],
    patient,
  );
  expect([picture?.width, picture?.height]).toEqual([200, 16_384]);
});

test('a phone shows a page that is too wide for it smaller', async () => {
  const wide =
    '<meta name="viewport" content="width=device-width"><body style="margin:0"><div style="width:800px;height:2000px;background:#00f">';
  const [picture] = await browser.screenshot(
    wide,
    [{ width: 400, colorScheme: 'light', mobile: true }],
    patient,
  );
  expect([picture?.width, picture?.height]).toEqual([400, 1000]);
});

function middle({ png, width, height }: Screenshot): number[] {
  const { data } = PNG.sync.read(Buffer.from(png));
  const at = 4 * (Math.floor(height / 2) * width + Math.floor(width / 2));
  return [...data.subarray(at, at + 3)];
}
