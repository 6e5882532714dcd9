import { createHash } from 'node:crypto';
import { PNG } from 'pngjs';
import sharp from 'sharp';
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

test.each([
  [
    'a gradient',
    '<body style="margin:0;background:linear-gradient(160deg,#4f46e5,#db2777);height:900px">Hello',
  ],
  ['text', `<body style="margin:0">${'<p>Your order has shipped.</p>'.repeat(30)}`],
  ['a photo', `<body style="margin:0"><img src="data:image/jpeg;base64,${await photo()}">`],
])('a compact picture of %s has the same pixels in fewer bytes, each in its place', async (_what, html) => {
  const shots = [
    { width: 300, colorScheme: 'light' },
    { width: 400, colorScheme: 'dark' },
  ] as const;
  const plain = await browser.screenshot(html, shots, patient);
  const compact = await browser.screenshot(
    html,
    shots.map((shot) => ({ ...shot, compact: true })),
    patient,
  );
  for (const [at, { png, ...rest }] of compact.entries()) {
    const { png: larger = png, ...same } = plain[at] ?? {};
    expect(rest).toEqual(same);
    expect(PNG.sync.read(Buffer.from(png)).data.equals(PNG.sync.read(Buffer.from(larger)).data)).toBe(true);
    expect(png.length).toBeLessThan(larger.length * 0.95);
  }
});

/** Soft shapes with the grain of a camera, from the same numbers every time. */
async function photo(): Promise<string> {
  const [width, height] = [400, 300];
  const pixels = Buffer.alloc(width * height * 3);
  for (let at = 0; at < pixels.length; at++) {
    const grain = ((at * 2_654_435_761) >>> 24) % 24;
    pixels[at] = 100 + 80 * Math.sin(at / 9_000) + 40 * Math.cos(((at / 3) % width) / 40) + grain;
  }
  return (
    await sharp(pixels, { raw: { width, height, channels: 3 } })
      .jpeg()
      .toBuffer()
  ).toString('base64');
}

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
  expect(picture?.cut).toEqual({ height: 80_000, limit: 16_384 });
});

test('a picture of the beginning of a page is as high as was asked for', async () => {
  const [picture] = await browser.screenshot(
    page,
    [{ width: 100, colorScheme: 'light', maxHeight: 900 }],
    patient,
  );
  expect([picture?.width, picture?.height]).toEqual([100, 900]);
  expect(picture?.cut).toEqual({ height: 1500, limit: 900 });
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

// Like Cerberus: every button and row fades into its dark color, and the phone has its own layout.
const moving = `<!doctype html><meta name="viewport" content="width=device-width"><style>
  body{margin:0;background:#fff;transition:all 300ms} .card{width:600px;background:#eee;color:#111;transition:all 400ms ease-in}
  .button{display:inline-block;padding:12px;background:#222;color:#fff;transition:all 100ms ease-in} #keep{transition:all 2s!important}
  @keyframes enter{from{opacity:0;margin-left:80px}} .enter{animation:enter 700ms 200ms both}
  @keyframes turn{to{transform:translateX(200px)}} .turn{animation:turn 3s infinite alternate;width:20px}
  @media (prefers-color-scheme:dark){body{background:#111}.card{background:#000;color:#fff}.button{background:#f80;color:#000}}
  @media (max-width:500px){.card{width:100%}.button{padding:24px}}
  </style><div class="card" id="keep"><h1 class="enter">Spring sale</h1><p class="button">Shop now</p><p class="turn">*</p></div>
  <svg width="200" height="20"><rect width="20" height="20"><animate attributeName="x" to="100" dur="1s" fill="freeze"/></rect></svg>
  <marquee>Ends tonight</marquee><form><input name="getAnimations"></form>`;

const views = [800, 375].flatMap((width) =>
  (['light', 'dark'] as const).map((colorScheme) => ({ width, colorScheme, mobile: width < 500 })),
);

test('what moves is at rest: ten calls give the same bytes, and each view is the one taken alone', async () => {
  const seen = views.map(() => new Set<string>());
  for (let call = 0; call < 10; call++)
    for (const [view, { png }] of (await browser.screenshot(moving, views, patient)).entries())
      seen[view]?.add(sha256(png));
  for (const [view, shot] of views.entries())
    for (const { png } of await browser.screenshot(moving, [shot], patient)) seen[view]?.add(sha256(png));
  expect(seen.map(({ size }) => size)).toEqual([1, 1, 1, 1]);
});

test('an animation is shown as it ends, one without an end as it begins', async () => {
  const block = (animation: string) =>
    `<style>@keyframes a{from{background:#f00}to{background:#00f}}body{margin:0;height:800px;animation:a 600ms both ${animation}}</style>`;
  const shots = [{ width: 100, colorScheme: 'light' }] as const;
  const pages = ['', 'infinite', '2 alternate'].map(block);
  const pictures = [];
  for (const html of pages) pictures.push(...(await browser.screenshot(html, shots, patient)));
  expect(pictures.map(middle)).toEqual([
    [0, 0, 255],
    [255, 0, 0],
    [255, 0, 0],
  ]);
});

test('an animated image shows its first frame', async () => {
  const html = `<body style="margin:0"><img width="100" height="800" src="data:image/gif;base64,${RED_THEN_BLUE}">`;
  const shots = [{ width: 100, colorScheme: 'light' }] as const;
  const [first] = await browser.screenshot(html, shots, patient);
  const more = await browser.screenshot(html, Array(3).fill(shots[0]), patient);
  expect(first && middle(first)).toEqual([255, 0, 0]);
  expect(new Set([...more, ...(first ? [first] : [])].map(({ png }) => sha256(png))).size).toBe(1);
});

test('in the dark, a page that is not made for it stays on white, and one that is has a dark canvas', async () => {
  const shots = [{ width: 100, colorScheme: 'dark' }] as const;
  const pages = ['<p>Hello', '<meta name="color-scheme" content="light dark"><p>Hello', page];
  const pictures = [];
  for (const html of pages) pictures.push(...(await browser.screenshot(html, shots, patient)));
  expect(pictures.map(middle)).toEqual([
    [255, 255, 255],
    [18, 18, 18],
    [0, 0, 0],
  ]);
});

// 1 × 1, two frames of 70 ms.
const RED_THEN_BLUE =
  'R0lGODlhAQABAIAAAP8AAAAA/yH/C05FVFNDQVBFMi4wAwEAAAAh+QQABwAAACwAAAAAAQABAAACAkQBACH5BAAHAAAALAAAAAABAAEAAAICTAEAOw==';

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

function middle({ png, width, height }: Screenshot): number[] {
  const { data } = PNG.sync.read(Buffer.from(png));
  const at = 4 * (Math.floor(height / 2) * width + Math.floor(width / 2));
  return [...data.subarray(at, at + 3)];
}
