import { wcagContrast } from 'culori';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { createLauncher } from '../../../src/platform/browser/launch-browser.ts';
import { resolveBrowser } from '../../../src/platform/browser/resolve-browser.ts';
import { type OpenPage, openPage } from '../../../src/videos/frames/open-page.ts';
import { screenshotAt } from '../../../src/videos/frames/screenshots.ts';
import type { Aspect } from '../../../src/videos/request.ts';
import { readBuiltIns } from '../../../src/videos/templates/built-ins.ts';
import type { VideoTemplate } from '../../../src/videos/templates/video-template.ts';
import { silentLog } from '../../support/app.ts';
import { createComposedBuiltIns } from '../../support/composed-built-ins.ts';
import { readPicture, type SmallPicture } from '../../support/small-pictures.ts';
import { inPage, patient } from '../frames/painted-pages.ts';

// Drafts: everything is measured in parts of the stage, so small pictures tell the same as large ones.
const SIZES: Readonly<Record<Aspect, { width: number; height: number }>> = {
  '9:16': { width: 216, height: 384 },
  '4:5': { width: 216, height: 270 },
  '1:1': { width: 216, height: 216 },
  '16:9': { width: 384, height: 216 },
};
const FPS = 4;
const SHRINK = 2;

/** Share of the pixels that are not the ground, below which a frame looks empty. */
const LEAST_INK = 0.025;
const FIRST_INK = 0.06;
/** A pixel has changed when a channel has by so much; so many of them are seen to have. */
const CHANGED = 10;
const LEAST_CHANGE = 0.002;

const HOSTILE = {
  white: { color: '#ffffff', accent: '#fffdf0', background: '#ffffff' },
  night: { color: '#101010', accent: '#151515', background: '#0b0b0b' },
  same: { color: '#7f7f7f', accent: '#7f7f7f', background: '#7f7f7f' },
};

const builtIns = await readBuiltIns();
const composed = createComposedBuiltIns(builtIns);
const launch = createLauncher(silentLog);
afterAll(() => composed.close());

type Different = Parameters<typeof composed.compose>[2];

async function open(template: VideoTemplate, aspect: Aspect, different: Different): Promise<OpenPage> {
  const given = { size: SIZES[aspect], fps: FPS, captions: [], ...different };
  const composition = await composed.compose(template, aspect, given);
  const found = await resolveBrowser({
    executablePath: process.env['PUPPETEER_EXECUTABLE_PATH'],
    log: silentLog,
  });
  return openPage(composition, { found, launch, signal: patient });
}

async function withPage<T>(
  template: VideoTemplate,
  aspect: Aspect,
  different: Different,
  use: (page: OpenPage) => Promise<T>,
): Promise<T> {
  const page = await open(template, aspect, different);
  try {
    return await use(page);
  } finally {
    await page.close();
  }
}

const cases = builtIns.templates.flatMap((template) =>
  template.manifest.aspects.map((aspect) => ({ name: template.name, aspect, template })),
);

describe.each(cases)('$name in $aspect', ({ template, aspect }) => {
  let page: OpenPage;
  beforeAll(async () => {
    page = await open(template, aspect, {});
  });
  afterAll(() => page?.close());

  test('begins composed, is never empty and never stands still for a second', async () => {
    const pictures: SmallPicture[] = [];
    for (let frame = 0; frame < page.composition.frames; frame += 1)
      pictures.push(await pictureOf(page, frame));
    const ink = pictures.map(inkOf);
    expect(ink[0], 'the first frame').toBeGreaterThan(FIRST_INK);
    expect(belowOf(ink, LEAST_INK), `frames that are empty, of ${pictures.length}`).toEqual({});
    const moved = pictures
      .slice(0, -FPS)
      .map((picture, at) => changeOf(picture, pictures[at + FPS] ?? picture));
    expect(belowOf(moved, LEAST_CHANGE), 'frames that look the same a second later').toEqual({});
    expect(await inPage(page, `stage.seek(0), (${HEADLINE})(stage.element)`)).toEqual('whole');
  });

  test('keeps its words where no app lays anything over them', async () => {
    expect(Texts.parse(await atRest(page, OUTSIDE))).toEqual([]);
  });

  test('draws captions of at most four words, in the safe zone and beside its own words', async () => {
    await withPage(template, aspect, { captions: 'spoken' }, async (spoken) => {
      expect(Texts.parse(await atRest(spoken, CAPTIONS))).toEqual([]);
    });
  });

  const brands = aspect === '9:16' || aspect === '16:9' ? Object.entries(HOSTILE) : [];
  test.each(brands)('can be read and its shapes seen with a brand that is %s', async (_, brand) => {
    const pairs = await withPage(template, aspect, { brand, captions: 'spoken' }, async (branded) =>
      Pairs.parse(await atRest(branded, PAIRS)),
    );
    expect(pairs.length).toBeGreaterThan(0);
    const poor = pairs.filter(({ front, back, least }) => wcagContrast(front, back) < least);
    expect(poor).toEqual([]);
  });
});

const rightToLeft = builtIns.templates.flatMap(
  (template) =>
    [
      { name: template.name, template, language: 'ar', aspect: '9:16', brand: undefined },
      { name: template.name, template, language: 'ar', aspect: '1:1', brand: undefined },
      { name: template.name, template, language: 'he', aspect: '16:9', brand: { name: 'Tide Pottery' } },
    ] as const,
);

test.each(rightToLeft)(
  '$name in $aspect begins at the right what is written in $language, and shows all of it',
  async ({ template, ...different }) => {
    const { language, aspect, brand } = different;
    const given = { language, brand, captions: 'spoken' } as const;
    const problems = await withPage(template, aspect, given, async (page) =>
      Texts.parse(await atRest(page, FROM_THE_RIGHT)),
    );
    expect(problems).toEqual([]);
  },
);

async function pictureOf(page: OpenPage, frame: number): Promise<SmallPicture> {
  return readPicture(
    await screenshotAt(page, frame, { format: 'png', optimizeForSpeed: true }, patient),
    SHRINK,
  );
}

/** Share of the pixels that are not of the most frequent color. */
function inkOf({ rgb }: SmallPicture): number {
  const counts = new Map<number, number>();
  const pixels = rgb.length / 3;
  for (let at = 0; at < rgb.length; at += 3) {
    const [red = 0, green = 0, blue = 0] = rgb.subarray(at, at + 3);
    const key = ((red >> 4) << 8) | ((green >> 4) << 4) | (blue >> 4);
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return 1 - Math.max(...counts.values()) / pixels;
}

function changeOf(one: SmallPicture, other: SmallPicture): number {
  let changed = 0;
  for (let at = 0; at < one.rgb.length; at += 3) {
    const far = [0, 1, 2].some(
      (channel) => Math.abs((one.rgb[at + channel] ?? 0) - (other.rgb[at + channel] ?? 0)) > CHANGED,
    );
    if (far) changed += 1;
  }
  return changed / (one.rgb.length / 3);
}

function belowOf(values: readonly number[], limit: number): Record<string, number> {
  return Object.fromEntries(
    values.flatMap((value, frame) =>
      value < limit ? [[`frame ${frame}`, Math.round(value * 10_000) / 10_000]] : [],
    ),
  );
}

const Texts = z.array(z.string());
const Pairs = z.array(z.object({ text: z.string(), front: z.string(), back: z.string(), least: z.number() }));

/** Parts of the whole time at which things are looked at. */
const MOMENTS = Array.from({ length: 16 }, (_, at) => (at + 0.5) / 16);

/** Runs a function of the stage at moments spread over the video, and gathers the different things it returns. */
function atRest(page: OpenPage, measure: string): Promise<unknown> {
  const frames = MOMENTS.map((moment) => Math.floor(moment * page.composition.frames));
  return inPage(
    page,
    `[...new Set(${JSON.stringify(frames)}.flatMap((frame) => {
      stage.seek(frame);
      return (${measure})(stage.element, ${TOOLS}).map((one) => JSON.stringify(one));
    }))].map((one) => JSON.parse(one))`,
  );
}

// What has an animation under way is not yet, or no longer, where it is to be read. Cameras only drift.
const TOOLS = `{
  rests(element, stage) {
    const moves = ({ effect, animationName }) => {
      const { progress } = effect.getComputedTiming();
      return progress > 0 && progress < 1 && !/^(?:camera|look|lift|sway|lean|pulse|read|hit|caption|grow|swing|drop|beat|nudge|turn|shake)/.test(animationName ?? '');
    };
    for (let one = element; one && one !== stage; one = one.parentElement) if (one.getAnimations().some(moves)) return false;
    return true;
  },
  texts(stage) {
    const found = [];
    const walker = document.createTreeWalker(stage, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const text = walker.currentNode, element = text.parentElement;
      if (!text.data.trim() || element.closest('style, svg')) continue;
      if (!element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) || !this.rests(element, stage)) continue;
      const range = document.createRange();
      range.selectNodeContents(text);
      const box = range.getBoundingClientRect();
      const scene = element.closest('.scene, .panel, .caps, .top, .tag');
      const edge = stage.getBoundingClientRect();
      const away = box.left >= edge.right || box.right <= edge.left || box.top >= edge.bottom || box.bottom <= edge.top;
      if (box.width > 0 && !away && !hidden(scene)) found.push({ text: text.data.trim(), element, box });
    }
    return found;
    function hidden(scene) {
      if (!scene?.matches('.scene')) return false;
      const later = [...stage.querySelectorAll('.scene')].filter((one) => one !== scene && one.checkVisibility());
      return later.some((one) => scene.compareDocumentPosition(one) & Node.DOCUMENT_POSITION_FOLLOWING);
    }
  },
  zone(stage, slack) {
    const { width, height } = stage.getBoundingClientRect();
    const unit = Math.min(width, height) / 100;
    const upright = width / height < 3 / 4;
    const [top, right, bottom, left] = upright ? [20, 12, 37, 7] : [7, 7, 7, 7];
    return { left: (left - slack) * unit, top: (top - slack) * unit, right: width - (right - slack) * unit, bottom: height - (bottom - slack) * unit };
  },
}`;

// A phone and a number that is a picture reach out of the zone, as pictures do.
const OUTSIDE = `(stage, tools) => {
  const zone = tools.zone(stage, 4.5);
  return tools.texts(stage).filter(({ element }) => !element.closest('.phone, [aria-hidden]'))
    .filter(({ box }) => box.left < zone.left || box.top < zone.top || box.right > zone.right || box.bottom > zone.bottom)
    .map(({ text, box }) => text + ' at ' + [box.left, box.top, box.right, box.bottom].map(Math.round));
}`;

// A line begins where its column does. Numbers in a row and a tag have places of their own.
const FROM_THE_RIGHT = `(stage, tools) => {
  const problems = getComputedStyle(stage).direction === 'rtl' ? [] : ['the stage is written from the left'];
  const columns = '.safe, .line, .words, .top .brand, .note div, .from div, .mail, .caps p';
  const slack = Math.min(stage.clientWidth, stage.clientHeight) * .05;
  for (const { text, element, box } of tools.texts(stage)) {
    const { direction } = getComputedStyle(element);
    if (/[\\u0590-\\u06ff]/.test(text) && direction !== 'rtl') problems.push('from the left: ' + text);
    const covering = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
    // A scene that only begins is still under the one before.
    const same = covering?.closest('.scene') === element.closest('.scene');
    const seen = !covering || !same || covering.contains(element) || element.contains(covering) || element.closest('.caps, [aria-hidden]');
    if (!seen) problems.push('under ' + (covering.className || covering.localName) + ': ' + text);
    const line = element.closest('.brand, .button, .head, .support, .label, .source, .shop, .sender, .subject, .mail > *, .caps [data-cue]');
    const column = line?.parentElement.closest(columns);
    if (!column || getComputedStyle(line).textAlign === 'center' || line.closest('.press')) continue;
    const start = (one) => one.getBoundingClientRect().right - parseFloat(getComputedStyle(one).paddingRight);
    const range = document.createRange();
    range.selectNodeContents(line);
    const end = line.matches('.button') ? line.getBoundingClientRect().right : Math.max(...[...range.getClientRects()].map(({ right }) => right));
    if (Math.abs(start(column) - end) > slack) problems.push(Math.round(start(column) - end) + ' pixels from the right: ' + text);
  }
  return problems;
}`;

const HEADLINE = `(stage) => {
  const head = stage.querySelector('.first .head, h1');
  const pieces = [...(head?.querySelectorAll('[data-piece]') ?? [])];
  const words = pieces.length > 0 || !head ? pieces : [head];
  const faint = words.filter((word) => !word.checkVisibility() || Number(getComputedStyle(word).opacity) < 1);
  return words.length === 0 ? 'no headline' : faint.length === 0 ? 'whole' : 'faint: ' + faint.map((word) => word.textContent);
}`;

const CAPTIONS = `(stage, tools) => {
  const cue = stage.querySelector('[data-captions] [data-cue]');
  if (!cue) return [];
  const words = cue.querySelectorAll('[data-word]').length;
  const box = cue.getBoundingClientRect(), zone = tools.zone(stage, 4.5);
  const problems = [];
  if (words > 4) problems.push('too many words: ' + cue.textContent);
  if (!cue.checkVisibility({ opacityProperty: true }) || box.width === 0) problems.push('not drawn: ' + cue.textContent);
  if (box.left < zone.left || box.right > zone.right || box.bottom > zone.bottom) problems.push('outside: ' + cue.textContent);
  const slack = Math.min(stage.clientWidth, stage.clientHeight) * .01;
  for (const { text, element, box: other } of tools.texts(stage)) {
    if (element.closest('.caps, .phone, [aria-hidden]')) continue;
    const apart = other.right <= box.left + slack || other.left >= box.right - slack || other.bottom <= box.top + slack * 2 || other.top >= box.bottom - slack;
    if (!apart) problems.push('over "' + text + '": ' + cue.textContent);
  }
  return problems;
}`;

// Words over a picture stand on its shade, whose own test is the picture's.
const PAIRS = `(stage, tools) => {
  const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  const plain = (color) => {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = color;
    canvas.fillRect(0, 0, 1, 1);
    const [red, green, blue, alpha] = canvas.getImageData(0, 0, 1, 1).data;
    return alpha > 250 ? 'rgb(' + red + ' ' + green + ' ' + blue + ')' : undefined;
  };
  const ground = (element) => {
    for (let one = element; one; one = one.parentElement) {
      const color = plain(getComputedStyle(one).backgroundColor);
      if (color) return color;
    }
  };
  const pairs = [];
  for (const { text, element, box } of tools.texts(stage)) {
    if (element.closest('.phone .clock, .marked')) continue;
    if (getComputedStyle(element).opacity !== '1') continue;
    const back = ground(element), front = plain(getComputedStyle(element).color);
    // A number that is a picture is a shape.
    if (back && front) pairs.push({ text, front, back, least: element.closest('[aria-hidden]') ? 3 : 4.4 });
  }
  for (const shape of stage.querySelectorAll('.button, .bar, .rule, .tick, .bit, .brand i, .tag, .letter')) {
    if (!shape.checkVisibility() || !tools.rests(shape, stage)) continue;
    const front = plain(getComputedStyle(shape).backgroundColor), back = ground(shape.closest('.tag') ? stage.querySelector('.panel') : shape.closest('.track') ? shape.closest('.scene') : shape.parentElement);
    if (front && back) pairs.push({ text: shape.className || shape.localName, front, back, least: 3 });
  }
  return pairs;
}`;
