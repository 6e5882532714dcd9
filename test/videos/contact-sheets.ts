import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { launch } from 'puppeteer-core';
import { createLauncher } from '../../src/platform/browser/launch-browser.ts';
import { resolveBrowser } from '../../src/platform/browser/resolve-browser.ts';
import { openPage } from '../../src/videos/frames/open-page.ts';
import { screenshotAt } from '../../src/videos/frames/screenshots.ts';
import { Aspect } from '../../src/videos/request.ts';
import { readBuiltIns } from '../../src/videos/templates/built-ins.ts';
import type { JsonObject } from '../../src/videos/templates/data-schema.ts';
import type { VideoTemplate } from '../../src/videos/templates/video-template.ts';
import { silentLog } from '../support/app.ts';
import { createComposedBuiltIns } from '../support/composed-built-ins.ts';
import { patient } from './frames/painted-pages.ts';

/** Draws the built-in templates as contact sheets: `node test/videos/contact-sheets.ts --help`. */
const USAGE = `Draws one sheet for each built-in template, aspect and brand: frames from the first to the last.

  node test/videos/contact-sheets.ts [--templates hook,stats] [--aspects 9:16,1:1] [--brands style,shop]
    [--style neon] [--language ar] [--captions] [--at 0,0.1,0.5] [--png] [--out docs/video-templates]`;

const BRANDS: Readonly<Record<string, JsonObject>> = {
  style: {},
  shop: { color: '#0a2463', accent: '#ff7a4d', background: '#eef2ff' },
  hostile: { color: '#ffffff', accent: '#fffdf0', background: '#ffffff' },
  night: { color: '#101010', accent: '#151515', background: '#0b0b0b' },
};
const SHEETS = ['style', 'shop'];
const MOMENTS = '0,0.16,0.34,0.52,0.7,0.86,0.99';
const SIZES: Readonly<Record<Aspect, { width: number; height: number }>> = {
  '9:16': { width: 324, height: 576 },
  '4:5': { width: 324, height: 404 },
  '1:1': { width: 324, height: 324 },
  '16:9': { width: 576, height: 324 },
};
/** The first with which a sheet is small enough is taken. */
const QUALITIES = [70, 60, 50, 42, 34, 26];
const MOST_BYTES = 60_000;
const GAP = 6;

const { values } = parseArgs({
  options: {
    templates: { type: 'string' },
    aspects: { type: 'string', default: '9:16,1:1,16:9' },
    brands: { type: 'string', default: SHEETS.join() },
    style: { type: 'string' },
    language: { type: 'string' },
    captions: { type: 'boolean', default: false },
    at: { type: 'string', default: MOMENTS },
    png: { type: 'boolean', default: false },
    out: { type: 'string', default: 'docs/video-templates' },
    help: { type: 'boolean', default: false },
  },
});

if (values.help) console.log(USAGE);
else await drawAll();

async function drawAll(): Promise<void> {
  const builtIns = await readBuiltIns();
  const composed = createComposedBuiltIns(builtIns);
  const found = await resolveBrowser({
    executablePath: process.env['PUPPETEER_EXECUTABLE_PATH'],
    log: silentLog,
  });
  const joiner = await launch({
    executablePath: found.executable,
    headless: found.kind === 'shell' ? 'shell' : true,
    pipe: true,
    env: { ...process.env, ...found.environment },
    args: ['--no-sandbox'],
  });
  const sheet = await joiner.newPage();
  await mkdir(values.out, { recursive: true });
  const wanted = values.templates?.split(',') ?? builtIns.templates.map(({ name }) => name);
  for (const template of builtIns.templates.filter(({ name }) => wanted.includes(name))) {
    for (const aspect of values.aspects.split(',').map((one) => Aspect.parse(one))) {
      for (const brand of values.brands.split(',')) {
        const file = join(
          values.out,
          `${template.name}-${aspect.replace(':', 'x')}-${brand}.${values.png ? 'png' : 'jpg'}`,
        );
        await writeFile(file, await draw(template, aspect, BRANDS[brand] ?? {}));
        console.log(file);
      }
    }
  }
  await Promise.all([composed.close(), joiner.close()]);

  async function smallJpeg(): Promise<Uint8Array> {
    let bytes: Uint8Array = new Uint8Array();
    for (const quality of QUALITIES) {
      bytes = await sheet.screenshot({ type: 'jpeg', quality });
      if (bytes.length <= MOST_BYTES) break;
    }
    return bytes;
  }

  async function draw(template: VideoTemplate, aspect: Aspect, brand: JsonObject): Promise<Uint8Array> {
    const size = SIZES[aspect];
    const composition = await composed.compose(template, aspect, {
      size,
      brand,
      style: values.style,
      language: values.language === 'ar' || values.language === 'he' ? values.language : undefined,
      ...(values.captions && { captions: 'spoken' }),
    });
    const page = await openPage(composition, { found, launch: createLauncher(silentLog), signal: patient });
    const tiles: string[] = [];
    for (const moment of values.at.split(',').map(Number)) {
      const frame = Math.min(composition.frames - 1, Math.round(moment * composition.frames));
      const shot = await screenshotAt(page, frame, { format: 'png', optimizeForSpeed: true }, patient);
      tiles.push(`<img src="data:image/png;base64,${Buffer.from(shot).toString('base64')}">`);
    }
    await page.close();
    const columns = aspect === '16:9' ? Math.ceil(tiles.length / 2) : tiles.length;
    const rows = Math.ceil(tiles.length / columns);
    const scale = aspect === '16:9' ? 0.6 : 0.62;
    const [width, height] = [Math.round(size.width * scale), Math.round(size.height * scale)];
    await sheet.setViewport({ width: columns * (width + GAP), height: rows * (height + GAP) });
    await sheet.setContent(
      `<style>body{margin:0;display:flex;flex-wrap:wrap;gap:${GAP}px;background:#fff}img{width:${width}px;height:${height}px}</style>${tiles.join('')}`,
    );
    return values.png ? sheet.screenshot({ type: 'png' }) : smallJpeg();
  }
}
