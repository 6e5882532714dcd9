import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { createLauncher } from '../../src/platform/browser/launch-browser.ts';
import { resolveBrowser } from '../../src/platform/browser/resolve-browser.ts';
import { findFfmpeg } from '../../src/videos/encode/ffmpeg.ts';
import { chooseEncoder } from '../../src/videos/encode/ffmpeg-encoder.ts';
import { canvasFrames } from '../../src/videos/frames/canvas-frames.ts';
import { createProbe, mentionsCanvas } from '../../src/videos/frames/capture-mode.ts';
import { inPageChunk } from '../../src/videos/frames/in-page-chunk.ts';
import { type OpenPage, openPage } from '../../src/videos/frames/open-page.ts';
import { createRenderSessions } from '../../src/videos/frames/render-sessions.ts';
import { screenshotAt } from '../../src/videos/frames/screenshots.ts';
import { pngToI420, psnr } from '../../src/videos/frames/self-check.ts';
import type { Aspect } from '../../src/videos/request.ts';
import { readBuiltIns } from '../../src/videos/templates/built-ins.ts';
import { silentLog } from '../support/app.ts';
import { createComposedBuiltIns } from '../support/composed-built-ins.ts';
import { readPicture, type SmallPicture, writePicture } from '../support/small-pictures.ts';
import { framesOf, inPage, patient } from '../videos/frames/painted-pages.ts';

// GOLDEN=write takes what is shown now as the golden pictures. Look at them before they are kept.
const WRITES = process.env['GOLDEN'] === 'write';
const GOLDENS = fileURLToPath(new URL('../videos/golden/', import.meta.url));
/** Parts of the whole time: while it begins, in the middle and before the end. */
const MOMENTS = [0.08, 0.55, 0.97];
/** So many times smaller than the video are the golden pictures. */
const SMALLER = 6;
const GOLDEN_DB = 30;
const FIDELITY_DB = 33;

const builtIns = await readBuiltIns();
const { compose, close } = createComposedBuiltIns(builtIns);
const findBrowser = () =>
  resolveBrowser({ executablePath: process.env['PUPPETEER_EXECUTABLE_PATH'], log: silentLog });
const launch = createLauncher(silentLog);
const probe = createProbe();
const encoder = chooseEncoder(await findFfmpeg());

const compositions = builtIns.templates.flatMap((template) =>
  template.manifest.aspects.map((aspect) => ({ template, aspect, name: nameOf(template.name, aspect) })),
);
/** The least of each composition, in decibels, and at which frames it was painted. */
const least: Record<string, { browser: string; golden?: number; painted?: number; frames?: string }> = {};
afterAll(async () => {
  console.table(least);
  await close();
});

function nameOf(template: string, aspect: Aspect): string {
  return `${template}-${aspect.replace(':', 'x')}`;
}

test('every built-in template has golden pictures of each aspect, and nothing else has', async () => {
  const wanted = compositions.flatMap(({ name }) => MOMENTS.map((_, at) => `${name}-${at + 1}.png`));
  if (!WRITES) expect((await readdir(GOLDENS)).sort()).toEqual(wanted.sort());
});

describe.each(compositions)('$template.name in $aspect', ({ template, aspect, name }) => {
  let page: OpenPage;
  beforeAll(async () => {
    const composition = await compose(template, aspect);
    page = await openPage(composition, { found: await findBrowser(), launch, signal: patient });
    least[name] = { browser: page.browser.name };
  });
  afterAll(() => page?.close());

  test('looks as its golden pictures', async () => {
    const near: Record<string, number> = {};
    for (const moment of MOMENTS) {
      const frame = Math.floor(moment * page.composition.frames);
      const shown = readPicture(await screenshot(page, frame), SMALLER);
      const file = `${name}-${MOMENTS.indexOf(moment) + 1}.png`;
      if (WRITES) await writeFile(join(GOLDENS, file), writePicture(shown));
      const golden = readPicture(await readFile(join(GOLDENS, file)));
      const db = psnr(golden.rgb, shown.rgb);
      near[db < GOLDEN_DB ? `${file} at frame ${frame}, now ${await keep(file, shown)}` : file] = db;
    }
    Object.assign(least[name] ?? {}, { golden: lowest(near) });
    expect(belowOf(near, GOLDEN_DB), 'decibels of golden pictures').toEqual({});
  });

  test('is painted by its page as the compositor shows it, on moving frames too', async () => {
    expect(mentionsCanvas(page.composition.html)).toBe(false);
    expect(await probe.painting(page, patient)).toMatchObject({ canvas: true });
    const near: Record<string, number> = {};
    const frames = await eventfulFrames(page);
    for (const frame of frames) {
      const [painted] = await framesOf(page, { from: frame, to: frame + 1 });
      const shown = await pngToI420(await screenshot(page, frame));
      near[`frame ${frame}`] = psnr(shown, painted?.bytes ?? shown.subarray(1));
    }
    Object.assign(least[name] ?? {}, { painted: lowest(near), frames: frames.join(' ') });
    expect(belowOf(near, FIDELITY_DB), 'decibels of painted frames').toEqual({});
  });
});

/** What the compositor shows at a frame, as `Stage.still` takes it. */
async function screenshot(page: OpenPage, frame: number): Promise<Uint8Array> {
  return screenshotAt(page, frame, { format: 'png', optimizeForSpeed: true }, patient);
}

/** Writes a picture that is not as it was into a folder of its own, to be looked at. @returns where it is */
async function keep(file: string, picture: SmallPicture): Promise<string> {
  const path = join(await mkdtemp(join(tmpdir(), 'not-golden-')), file);
  await writeFile(path, writePicture(picture));
  return path;
}

const Events = z.array(z.object({ moves: z.boolean(), scenes: z.string() }));

/** Frames spread over those on which something moves, and those in the midst of a change of scenes. */
async function eventfulFrames(page: OpenPage): Promise<number[]> {
  const { fps, frames } = page.composition;
  const told = await inPage(
    page,
    `Array.from({ length: ${frames} }, (_, frame) => ({
      moves: stage.seek(frame),
      scenes: String([...document.querySelectorAll('[data-scene]')].map((one) => getComputedStyle(one).display)),
    }))`,
  );
  const events = Events.parse(told);
  const moving = [...events.keys()].filter((frame) => events[frame]?.moves);
  const changes = [...events.keys()].filter((frame) => events[frame]?.scenes !== events[frame - 1]?.scenes);
  const midst = changes.map((frame) => frame + Math.round(fps / 5)).filter((frame) => frame < frames);
  const chosen = [...spread(moving, MOVING), ...spread(midst, CHANGING)];
  return [...new Set(chosen)].sort((one, other) => one - other);
}

const MOVING = 5;
const CHANGING = 1;

function spread(frames: readonly number[], count: number): number[] {
  const places = Array.from({ length: count }, (_, at) => Math.floor(((at + 0.5) / count) * frames.length));
  return places.flatMap((place) => frames[place] ?? []);
}

function lowest(near: Readonly<Record<string, number>>): number {
  return Math.round(Math.min(...Object.values(near)) * 10) / 10;
}

function belowOf(near: Readonly<Record<string, number>>, limit: number) {
  return Object.fromEntries(Object.entries(near).filter(([, db]) => !(db >= limit)));
}

// Words, and photographs that never stand still.
test.for([
  ['hook', '9:16'],
  ['slideshow', '1:1'],
] as const)(
  'the first 150 frames of %s in %s are the same bytes from two browsers',
  async ([name, aspect], context) => {
    if (!encoder) return context.skip('THERE IS NO ffmpeg: nothing was rendered twice');
    const template = builtIns.templates.find((one) => one.name === name);
    if (!template) throw new Error(`${name} is not built in`);
    const composition = await compose(template, aspect);
    const span = { from: 0, to: 150 };
    const modes = { probe, canvasFrames, inPageChunk };
    const made: { path: string; tag: string }[] = [];
    for (const stages of [1, 2].map(() =>
      createRenderSessions({ findBrowser, launch, encoder, modes, log: silentLog }),
    )) {
      const stage = await stages.open(composition, patient);
      const request = {
        span,
        format: 'mp4',
        quality: 'standard',
        signal: patient,
        onFrame: () => {},
      } as const;
      const { bytes, engine } = await stage.renderChunk(request).finally(stage.close);
      made.push({ path: engine.path, tag: createHash('sha256').update(bytes).digest('hex') });
    }
    expect(made).toEqual([1, 2].map(() => ({ path: 'canvas', tag: made[0]?.tag })));
  },
);
