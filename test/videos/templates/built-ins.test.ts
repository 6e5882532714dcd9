import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { shippedFonts } from '../../../src/videos/engine-files.ts';
import type { Aspect } from '../../../src/videos/request.ts';
import { readBuiltIns } from '../../../src/videos/templates/built-ins.ts';
import { createTemplateCheck } from '../../../src/videos/templates/check-template.ts';
import { isObject, type Json, type JsonObject } from '../../../src/videos/templates/data-schema.ts';
import type { VideoTemplate } from '../../../src/videos/templates/video-template.ts';
import { createComposedBuiltIns } from '../../support/composed-built-ins.ts';
import { openFiller } from '../composition/filler.ts';
import { openTestPages } from '../page/support.ts';

const builtIns = await readBuiltIns();
const composed = createComposedBuiltIns(builtIns);
const filler = openFiller();
const check = createTemplateCheck(filler);
let pages: Awaited<ReturnType<typeof openTestPages>>;

beforeAll(async () => {
  pages = await openTestPages();
  for (const [path, { bytes, mediaType }] of shippedFonts().files)
    pages.files.set(`/${path}`, { type: mediaType, body: bytes });
});
afterAll(() => Promise.all([pages?.close(), composed.close(), filler.close()]));

test('they are these', () => {
  expect(builtIns.templates.map(({ name }) => name)).toEqual([
    ...['captions', 'countdown', 'default', 'email-teaser', 'hook', 'listicle'],
    ...['product', 'quote', 'slideshow', 'stats', 'testimonial'],
  ]);
});

test('texts that nothing makes smaller are found to leave the stage', async () => {
  const hook = builtIns.templates.find(({ name }) => name === 'hook');
  if (!hook) throw new Error('hook is not built in');
  const unfitted = { ...hook, html: hook.html.replaceAll('data-fit', 'data-full') };
  const outside = expect.stringMatching(/^frame \d+: outside: \S+$/);
  expect(await misplaced(withData(unfitted, atMost(hook)), '16:9')).toContainEqual(outside);
});

describe.each(builtIns.templates.map((template) => [template.name, template] as const))(
  '%s',
  (_, template) => {
    const { manifest } = template;

    test('says what each field of its data is for', () => {
      expect(fieldsIn(manifest.schema).filter(({ description }) => !description)).toEqual([]);
      expect(fieldsIn(manifest.schema).map(({ path }) => path)).toContain('brand.logo');
    });

    test('fits its own sample in each aspect, and nothing in it could be better', async () => {
      expect(manifest.aspects).toEqual(['9:16', '4:5', '1:1', '16:9']);
      expect(await check(template)).toEqual([]);
    });

    test.each(manifest.aspects)('shows the whole of each text in %s', async (aspect) => {
      expect(await misplaced(template, aspect), 'with its sample').toEqual([]);
      expect(await misplaced(withData(template, atMost(template)), aspect), 'with much text').toEqual([]);
    });
  },
);

function fieldsIn(schema: JsonObject, path = ''): { path: string; description: Json | undefined }[] {
  const own = path === '' ? [] : [{ path, description: schema['description'] }];
  const { properties, items } = schema;
  const inner = isObject(properties) ? Object.entries(properties) : [];
  // The items of a list are told of by the list.
  const parts = isObject(items) ? fieldsIn(items, `${path}[]`).slice(1) : [];
  const fields = inner.flatMap(([name, field]) =>
    isObject(field) ? fieldsIn(field, path === '' ? name : `${path}.${name}`) : [],
  );
  return [...own, ...fields, ...parts];
}

function withData(template: VideoTemplate, sample: JsonObject): VideoTemplate {
  return { ...template, manifest: { ...template.manifest, sample } };
}

/** Data in which each text is half as long as it may be, and each list has as many items as it may. */
function atMost({ manifest }: VideoTemplate): JsonObject {
  const { properties } = manifest.schema;
  return isObject(properties) ? longObject(properties) : {};
}

function longObject(properties: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(properties).flatMap(([name, field]) =>
      isObject(field) ? [[name, long(name, field)]] : [],
    ),
  );
}

const GIVEN: JsonObject = {
  ...{ color: '#0b3d2e', accent: '#c8f560', background: '#f4efe2' },
  ...{ currency: 'CHF', locale: 'de', title: 'Much to say' },
};
const PIXEL = 'data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7';
const ADDRESS_CHARS = 2_000_000;
const WORDS =
  'Nobody on the whole Atlantic coast, where internationalisation is an everyday matter, has ever baked as much bread in a single morning. ';

function long(name: string, field: JsonObject): Json {
  const { type, properties, items, maximum, maxItems, maxLength } = field;
  if (Array.isArray(field['enum'])) return field['enum'][0] ?? null;
  if (isObject(properties)) return longObject(properties);
  if (isObject(items)) return Array.from({ length: Number(maxItems ?? 3) }, () => long(name, items));
  if (type === 'boolean') return true;
  if (type !== 'string') return maximum ?? 1_250_000.5;
  if (maxLength === ADDRESS_CHARS) return PIXEL;
  return (
    GIVEN[name] ??
    WORDS.repeat(8)
      .slice(0, Math.ceil(Number(maxLength) / 2))
      .trim()
  );
}

/** Parts of the whole time, at which most of what enters has done so. */
const MOMENTS = [0.12, 0.3, 0.45, 0.6, 0.8, 1];

/** What a reader would miss: texts that leave the stage or are cut off, each with where it was. */
async function misplaced(template: VideoTemplate, aspect: Aspect): Promise<unknown> {
  const { html, assets, width, height, fps, frames, captions } = await composed.compose(template, aspect);
  for (const [path, { bytes, mediaType }] of assets)
    pages.files.set(`/${path}`, { type: mediaType, body: bytes });
  const page = await pages.open(html.replace('<head>', '<head><base href="/">'), { width, height });
  const options = JSON.stringify({ width, height, fps, frames, captions, seed: 1 });
  const at = JSON.stringify(MOMENTS.map((moment) => Math.ceil(moment * (frames - 1))));
  // As text: the module loader of the tests would rewrite an import inside a function.
  const found = await page.evaluate(`import('/engine/page.ts').then(async ({ prepareStage }) => {
    const stage = await prepareStage(${options});
    return ${at}.flatMap((frame) => (stage.seek(frame), (${MISPLACED})(stage.element))
      .map((problem) => 'frame ' + frame + ': ' + problem));
  })`);
  await page.close();
  return found;
}

// What moves is not yet, or no longer, where it is to be read, and neither is what waits outside or has been sent away
// as a whole. A mail that is scrolled is cut off by its screen, and a text that ends in an ellipsis is by its author.
const MISPLACED = `(stage) => {
  const moves = ({ effect }) => { const { progress } = effect.getComputedTiming(); return progress > 0 && progress < 1; };
  const rests = (element) => {
    for (let one = element; one !== stage; one = one.parentElement) if (one.getAnimations().some(moves)) return false;
    return true;
  };
  const inside = (box, outer, slack) => box.left >= outer.left - slack && box.right <= outer.right + slack
    && box.top >= outer.top - slack && box.bottom <= outer.bottom + slack;
  const apart = (box, outer) => box.left >= outer.right || box.right <= outer.left
    || box.top >= outer.bottom || box.bottom <= outer.top;
  const isRead = (element) => !element.closest('.mail, style, svg') && element.checkVisibility({ opacityProperty: true })
    && rests(element) && !apart((element.closest('[data-fit]') ?? element).getBoundingClientRect(), stage.getBoundingClientRect());
  const hasCome = (piece) => piece.getAnimations().every(({ effect }) => effect.getComputedTiming().progress === 1);
  const problems = [];
  const walker = document.createTreeWalker(stage, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const text = walker.currentNode, element = text.parentElement;
    if (!text.data.trim() || !isRead(element)) continue;
    const range = document.createRange();
    range.selectNodeContents(text);
    const box = range.getBoundingClientRect();
    // A box of letters is higher than the letters.
    const slack = parseFloat(getComputedStyle(element).fontSize) * .22;
    for (let outer = element; ; outer = outer.parentElement) {
      const { overflowX, textOverflow } = getComputedStyle(outer);
      if (textOverflow === 'ellipsis') break;
      if (overflowX !== 'visible' && !inside(box, outer.getBoundingClientRect(), slack)) problems.push('outside: ' + text.data);
      if (outer === stage) break;
    }
  }
  for (const element of stage.querySelectorAll('[data-fit]')) {
    if (!isRead(element) || ![...element.querySelectorAll('[data-piece]')].every(hasCome)) continue;
    const { fontSize, lineHeight } = getComputedStyle(element);
    const overhang = Math.max(0, (parseFloat(fontSize) * 1.4 - (parseFloat(lineHeight) || Infinity)) / 2);
    const { scrollWidth, scrollHeight, clientWidth, clientHeight } = element;
    if (scrollWidth > clientWidth + 1 || scrollHeight > clientHeight + 2 + overhang) problems.push('does not fit: ' + element.textContent);
    if (parseFloat(fontSize) < 14) problems.push('too small: ' + element.textContent);
  }
  return problems;
}`;
