import { readFileSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { PNG } from 'pngjs';
import type { Browser as Chromium } from 'puppeteer-core';
import { launch } from 'puppeteer-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openBlankPage } from '../../../src/platform/browser/blank-page.ts';
import { withFallbackFonts } from '../../../src/platform/browser/fallback-fonts.ts';
import { createLauncher, FLAGS } from '../../../src/platform/browser/launch-browser.ts';
import { printPage } from '../../../src/platform/browser/print-page.ts';
import type { FoundBrowser } from '../../../src/platform/browser/probe-browser.ts';
import { resolveBrowser } from '../../../src/platform/browser/resolve-browser.ts';
import { screenshotPage } from '../../../src/platform/browser/screenshot-page.ts';
import { unpackBrowser } from '../../../src/platform/browser/unpack-browser.ts';
import { PAGE_LIMITS } from '../../../src/videos/frames/frames.ts';
import { openPage } from '../../../src/videos/frames/open-page.ts';
import { silentLog } from '../../support/app.ts';
import { A4, latin1 } from './support.ts';

const SAMPLES = {
  Latin: 'Straße ñ',
  Greek: 'Γειά',
  Cyrillic: 'Привет',
  Japanese: '日本語ひらカナ',
  Korean: '한국어안녕',
  'simplified Chinese': '你好们这说',
  'traditional Chinese': '臺灣體點',
  Arabic: 'مرحبا',
  Hebrew: 'שלום',
  Thai: 'สวัสดี',
  Devanagari: 'नमस्ते',
  Bengali: 'নমস্কার',
  Tamil: 'வணக்கம்',
  emoji: '😀🚀🎁☀️❤️',
  symbols: '→✓★☎✗①≤∑●▶',
};
const CHARACTERS = [...new Set(Object.values(SAMPLES).join(''))].filter((one) => !/[\s\p{M}]/u.test(one));

let folder: string;
let bare: { readonly HOME: string; readonly FONTCONFIG_FILE: string };
let packaged: FoundBrowser;
const open: { close(): Promise<unknown> }[] = [];

// As on a machine without fonts: the folder has only what is in the package of the browser, a font of Latin letters.
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'stallhand-bare-'));
  packaged = await unpackBrowser();
  const fonts = join(dirname(packaged.executable), 'fonts', 'fonts');
  bare = { HOME: join(folder, 'home'), FONTCONFIG_FILE: join(folder, 'fonts.conf') };
  await mkdir(bare.HOME);
  await writeFile(
    bare.FONTCONFIG_FILE,
    `<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig><dir>${fonts}</dir><cachedir>${folder}/cache</cachedir></fontconfig>`,
  );
});

afterAll(async () => {
  await Promise.all(open.map((one) => one.close()));
  await rm(folder, { recursive: true, maxRetries: 10, retryDelay: 50 });
});

const installed = () =>
  resolveBrowser({ executablePath: process.env['PUPPETEER_EXECUTABLE_PATH'], log: silentLog });

async function pageOf(found: FoundBrowser) {
  const launched = await createLauncher(silentLog)({
    ...found,
    environment: { ...found.environment, ...bare },
  });
  open.push(launched);
  return openBlankPage(launched.chromium);
}

/** A page of the packaged browser without the fonts of the packages. */
async function poorPage() {
  const chromium: Chromium = await launch({
    ...{ executablePath: packaged.executable, headless: 'shell', pipe: true, defaultViewport: null },
    env: { ...process.env, LANG: 'en_US.UTF-8', ...packaged.environment, ...bare },
    args: [...FLAGS, '--no-sandbox'],
  });
  open.push(chromium);
  return openBlankPage(chromium);
}

type Page = Awaited<ReturnType<typeof openBlankPage>>;

async function shoot(page: Page, html: string) {
  const [shot] = await screenshotPage(page, html, [{ width: 800, colorScheme: 'light' }]);
  if (!shot) throw new Error('no picture');
  return shot;
}

const print = (page: Page, html: string) => printPage(page, html, A4);

const CELL = 60;
const COLUMNS = 12;

/** Each text in a cell of its own. */
function cellsWith(texts: readonly string[]): string {
  const cells = texts.map((text, at) => {
    const place = `left:${(at % COLUMNS) * CELL}px;top:${Math.floor(at / COLUMNS) * CELL}px`;
    return `<div style="position:absolute;${place};width:${CELL}px;height:${CELL}px;overflow:hidden">${text}</div>`;
  });
  return cells.join('');
}

function grid(texts: readonly string[]): string {
  return `<meta charset="utf-8"><body style="margin:0;font:32px Arial">${cellsWith(texts)}`;
}

function cellsOf(png: Uint8Array, count: number): string[] {
  const picture = PNG.sync.read(Buffer.from(png));
  return Array.from({ length: count }, (_, at) => {
    const cell = new PNG({ width: CELL, height: CELL });
    PNG.bitblt(picture, cell, (at % COLUMNS) * CELL, Math.floor(at / COLUMNS) * CELL, CELL, CELL, 0, 0);
    return cell.data.toString('base64');
  });
}

/** A picture has a pixel that is not grey. */
function isColored(cell = ''): boolean {
  const pixels = Buffer.from(cell, 'base64');
  return Array.from({ length: pixels.length / 4 }, (_, at) => pixels.subarray(at * 4, at * 4 + 3)).some(
    ([red = 0, green = 0, blue = 0]) => Math.max(red, green, blue) - Math.min(red, green, blue) > 40,
  );
}

/** The first and last column of the first line of a cell that have ink, in pixels. */
function inkedColumns(cell: string): [number, number] {
  const pixels = Buffer.from(cell, 'base64');
  const columns = Array.from({ length: CELL }, (_, at) => at).filter((x) =>
    Array.from({ length: 44 }, (_, y) => pixels[(y * CELL + x) * 4] ?? 255).some((red) => red < 128),
  );
  return [Math.min(...columns), Math.max(...columns)];
}

/** The Noto fonts in a PDF. */
function fontsOf(pdf: Uint8Array): string[] {
  const names = latin1(pdf).matchAll(/\/FontName \/[A-Z]+\+(NotoSans[A-Z]\w+?)(?:Thin)?-/g);
  return [...new Set([...names].map(([, name = '']) => name))].sort();
}

const COMPARED = [' ', '\u0378', ...CHARACTERS];

/** Characters that look like nothing, or like a character that does not exist. */
function unseenIn(png: Uint8Array): string[] {
  const [blank, box, ...drawn] = cellsOf(png, COMPARED.length);
  return CHARACTERS.filter((_, at) => drawn[at] === blank || drawn[at] === box);
}

const unseen = async (page: Page) => unseenIn((await shoot(page, grid(COMPARED))).png);

/** The first frame of a video with all characters, and what is doubtful about it. */
async function frameOf(found: FoundBrowser) {
  const style = 'position:absolute;inset:0;background:#fff;color:#000;font:32px Arial';
  const page = await openPage(
    {
      html: `<!doctype html><meta charset="utf-8"><body><div id="stage"><div style="${style}">${cellsWith(COMPARED)}</div></div></body>`,
      ...{ scripts: false, width: COLUMNS * CELL, height: Math.ceil(COMPARED.length / COLUMNS) * CELL },
      ...{ fps: 10, frames: 10, tracks: [], captions: [], assets: new Map() },
    },
    {
      found: { ...found, environment: { ...found.environment, ...bare } },
      ...{ launch: createLauncher(silentLog), signal: new AbortController().signal, frameControl: false },
      limits: PAGE_LIMITS,
    },
  );
  open.push(page);
  await page.reach(0, new AbortController().signal);
  const { data } = await page.cdp.send('Page.captureScreenshot', { format: 'png' });
  return { png: Buffer.from(data, 'base64'), warnings: page.warnings };
}

describe.each([
  ['the packaged browser', async () => packaged],
  ['an installed browser', installed],
] as const)('on a machine without fonts, %s', (_, find) => {
  test('draws twelve scripts, emoji and symbols: no blank, no box', async () => {
    const page = await pageOf(await find());
    expect(await unseen(page)).toEqual([]);
    const html = `<meta charset="utf-8">${Object.values(SAMPLES).join('<p>')}`;
    expect((await shoot(page, html)).missingGlyphs).toEqual([]);
    const { pdf, missingGlyphs } = await print(page, html);
    expect(missingGlyphs).toEqual([]);
    expect(fontsOf(pdf)).toEqual(
      ['Arabic', 'Bengali', 'Devanagari', 'JP', 'KR', 'SC', 'Symbols2', 'Tamil', 'Thai'].map(
        (script) => `NotoSans${script}`,
      ),
    );
  });

  test('draws them in the frames of a video, too', async () => {
    const { png, warnings } = await frameOf(await find());
    expect(unseenIn(png)).toEqual([]);
    // The one that does not exist.
    expect(warnings).toMatchObject([{ key: 'glyphs_missing', characters: 1 }]);
  });

  test.each([
    ['ja', 'JP'],
    ['ko', 'KR'],
    ['zh-Hans', 'SC'],
    ['zh', 'SC'],
    ['zh-CN', 'SC'],
    ['zh-TW', 'TC'],
    ['zh-Hant', 'TC'],
  ])('draws Chinese characters of a text in %s with the font for it', async (language, script) => {
    const page = await pageOf(await find());
    const { pdf } = await print(page, `<html lang="${language}"><meta charset="utf-8"><p>直骨今令`);
    expect(fontsOf(pdf)).toEqual([`NotoSans${script}`]);
  });

  test('draws emoji of several characters in color, and the digits beside them as ever', async () => {
    const page = await pageOf(await find());
    const emoji = ['1️⃣', '#️⃣', '*️⃣', '👍🏽', '🇪🇸', '❤️', '😀'];
    const { png } = await shoot(page, grid([...emoji, '1', '1<br>1️⃣', '1<br>😀']));
    const cells = cellsOf(png, emoji.length + 3);
    expect(emoji.filter((_, at) => !isColored(cells[at]))).toEqual([]);
    // A digit of the font of emoji stands in the middle of a box of 40 pixels.
    const [alone, ...beside] = cells.slice(emoji.length).map(inkedColumns);
    expect(beside).toEqual([alone, alone]);
  });

  test('names the characters that still have no glyph', async () => {
    const page = await pageOf(await find());
    const html = `<meta charset="utf-8"><p>ꦲꦗ ꦲ &#x0EA5; 你好 \u{10fffd}<p hidden>ꦏ`;
    expect((await shoot(page, html)).missingGlyphs).toEqual(['ລ', 'ꦗ', 'ꦲ', '\u{10fffd}']);
    expect((await print(page, html)).missingGlyphs).toEqual(['ລ', 'ꦗ', 'ꦲ', '\u{10fffd}']);
  });
});

test('without these fonts the same characters are blank, and named', async () => {
  const page = await poorPage();
  const blank = await unseen(page);
  const { missingGlyphs } = await shoot(page, grid(CHARACTERS));
  expect(blank).toEqual(expect.arrayContaining(['日', '한', '你', 'م', 'ส', 'न', '😀', '✓']));
  expect(missingGlyphs).toEqual(blank.sort((a, b) => (a.codePointAt(0) ?? 0) - (b.codePointAt(0) ?? 0)));
});

test('a font of the document itself counts', async () => {
  const page = await poorPage();
  const manifest = createRequire(import.meta.url).resolve('@fontsource-variable/noto-sans-thai/package.json');
  const font = readFileSync(
    join(dirname(manifest), 'files', 'noto-sans-thai-thai-wght-normal.woff2'),
    'base64',
  );
  const face = `<style>@font-face { font-family: Own; src: url(data:font/woff2;base64,${font}) }</style>`;
  const html = (family: string) => `<meta charset="utf-8">${face}<p style="font-family:${family}">สวัสดี`;
  expect((await shoot(page, html('Own'))).missingGlyphs).toEqual([]);
  expect((await shoot(page, html('Arial'))).missingGlyphs).toEqual(['ด', 'ว', 'ส', 'ั', 'ี']);
});

test('a character made by CSS counts, and an element named like a method does not stop the check', async () => {
  const page = await poorPage();
  const html = `<meta charset="utf-8"><style>li::before { content: "✓" }</style><img name="createElement"><form name="createTreeWalker"></form><ul><li>one`;
  expect((await shoot(page, html)).missingGlyphs).toEqual(['✓']);
});

test('a document of Latin letters is the same with and without these fonts, byte for byte', async () => {
  const html = `<meta charset="utf-8"><p style="font:20px Arial">Order 12 — “thanks” €5 &nbsp;<b>bold</b> <i>italic</i>
    <p style="font:20px Georgia, serif">Grüße <p style="font:16px monospace">code <p style="font-family:sans-serif" lang="ja">Latin in Japanese`;
  const [with_, without] = [await pageOf(packaged), await poorPage()];
  expect(Buffer.from((await shoot(with_, html)).png).equals((await shoot(without, html)).png)).toBe(true);
  // The two are printed at different seconds.
  const printed = async (page: typeof with_) =>
    latin1((await print(page, html)).pdf).replaceAll(/\/(?:Creation|Mod)Date \(.*?\)/g, '');
  expect(await printed(with_)).toBe(await printed(without));
});

test('fonts in a folder that others can write to are not loaded', async () => {
  const { FONTCONFIG_FILE = '' } = await withFallbackFonts({}, folder);
  await chmod(dirname(FONTCONFIG_FILE), 0o777);
  await expect(withFallbackFonts({}, folder)).rejects.toThrow('can be written by others');
});
