import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestPages, styleOf } from './support.ts';

let pages: Awaited<ReturnType<typeof openTestPages>>;
beforeAll(async () => {
  pages = await openTestPages();
});
afterAll(() => pages.close());

const read = (expression: string, content: string, frame = 0, options = {}) =>
  pages.stage(`<main id="stage">${content}</main>`, options).then(async ({ at, close }) => {
    const value = await at(frame, expression);
    await close();
    return value;
  });

/** The pieces with their indexes, and how many the element says there are. */
const PIECES = `[...document.querySelectorAll('[data-piece]')].map((one) => one.style.getPropertyValue('--i') + one.textContent)
  .concat('n=' + document.querySelector('[data-split]').style.getPropertyValue('--n'))`;
const text = `document.querySelector('[data-split]').textContent`;

test.each([
  ['words', 'Five hooks', ['0Five', '1hooks', 'n=2']],
  ['words', 'no <em>big  deal</em>,\n ok', ['0no', '1big', '2deal', '3,', '4ok', 'n=5']],
  ['words', '今日は「東京」。', ['0今日', '1は', '2「東京」。', 'n=3']],
  ['words', 'a&nbsp;b', ['0a\u00a0b', 'n=1']],
  ['letters', 'Añ 👩‍👧!', ['0A', '1ñ', '2👩‍👧', '3!', 'n=4']],
  ['letters', 'नमस्ते जग', ['0नमस्ते', '1जग', 'n=2']],
  ['words', 'שלום world', ['0שלום world', 'n=1']],
  ['words', '', ['n=0']],
])('split into %s, %j has its pieces', async (unit, content, expected) => {
  expect(await read(PIECES, `<p data-split="${unit}">${content}</p>`)).toEqual(expected);
});

test('a split text keeps its content', async () => {
  expect(await read(text, '<p data-split="words"> Five <b>big</b>\n hooks</p>')).toBe(' Five big\n hooks');
  expect(await read(`document.querySelector('p').ariaLabel`, '<p data-split="letters">Hi  you</p>')).toBe(
    'Hi you',
  );
});

test('split into lines, the pieces are the lines as they were broken', async () => {
  const narrow = 'style="width: 5em; font: 20px/1 monospace"';
  expect(await read(PIECES, `<p ${narrow} data-split="lines">one two three four</p>`)).toEqual([
    ...['0one two', '1three', '2four', 'n=3'],
  ]);
  expect(await read(PIECES, `<p ${narrow} data-split="lines">one <b>two</b> three</p>`)).toEqual([
    ...['0one', '0two', '1three', 'n=2'],
  ]);
});

test('pieces enter one after the other, within six tenths of the scene', async () => {
  const opacities = `[...document.querySelectorAll('[data-piece]')].map((one) => Number(getComputedStyle(one).opacity).toFixed(1))`;
  const content = (stagger: number) =>
    `<p data-split="words" data-enter="fade" data-stagger="${stagger}" data-delay=".5" data-enter-duration="1">a b c`;
  expect(await read(opacities, content(0.4), 5)).toEqual(['0.0', '0.0', '0.0']);
  expect(await read(opacities, content(0.4), 15)).toEqual(['1.0', '0.8', '0.3']);
  expect(await read(opacities, content(9), 24)).toEqual(['1.0', '1.0', '1.0']);
  expect(await read(opacities, content(9), 15)).toEqual(['1.0', '1.0', '0.0']);
});

test('an element that is not split enters as one', async () => {
  const content = '<p data-enter="pop" data-enter-duration="1">a b</p>';
  const both = `[${styleOf('p', 'opacity')}, ${styleOf('p', 'scale')}]`;
  expect([await read(both, content, 0), await read(both, content, 10)]).toEqual([
    ['0', '0.6'],
    ['1', 'none'],
  ]);
});

test('a text is shrunk until it fits its box, also in a later scene, and one that fits is unchanged', async () => {
  const box = 'style="width: 200px; height: 40px; font: 40px/1 monospace; margin: 0"';
  const content = `<i data-scene>0</i><div data-scene><p id="long" ${box} data-fit>seventeen letters and more</p>
    <p id="short" ${box} data-fit>short</p><p id="least" ${box} data-fit=".9">seventeen letters and more</p></div>`;
  const sizes = `['long', 'short', 'least'].map((id) => { const one = document.getElementById(id);
    return [parseFloat(getComputedStyle(one).fontSize), one.scrollWidth <= one.clientWidth + 1] })`;
  expect(await read(sizes, content, 30)).toEqual([
    [expect.closeTo(20, -1), true],
    [40, true],
    [expect.closeTo(36, 0), expect.any(Boolean)],
  ]);
});

test('a text without its own height does not leave the stage', async () => {
  const content = `<p data-fit style="margin:0; font: 60px/1.2 sans-serif; width: 400px">${'many words '.repeat(12)}`;
  const bottom = `document.querySelector('p').getBoundingClientRect().bottom <= 201`;
  expect(await read(bottom, content)).toBe(true);
});

test('a number can start from a share of itself', async () => {
  const { at, close } = await pages.stage(
    '<main id="stage"><b data-count-from="60%" data-count-to="500" data-count-duration="1">0</b></main>',
  );
  const shown = `document.querySelector('b').textContent`;
  expect([await at(0, shown), await at(10, shown)]).toEqual(['300', '500']);
  await close();
});

test("a number counts up in its language's format and ends exactly", async () => {
  const content = `<p><b data-count-to="1250" data-count-prefix="≈ " data-count-suffix=" €" data-count-duration="2" data-delay="1" lang="es-ES"></b></p>
    <i data-count-to="-0.5" data-count-from="2" data-count-decimals="2"></i><u data-count-to="7" data-locale="no-such-language!"></u>`;
  const texts = `[...document.querySelectorAll('b, i, u')].map((one) => one.textContent)`;
  const { at, close } = await pages.stage(`<main id="stage">${content}</main>`);
  const shown = [];
  for (const frame of [30, 10, 15, 39]) shown.push(await at(frame, texts));
  expect(shown).toEqual([
    ['≈ 1250 €', '-0.50', '7'],
    ['≈ 0 €', '-0.50', '7'],
    ['≈ 854 €', '-0.50', '7'],
    ['≈ 1250 €', '-0.50', '7'],
  ]);
  await close();
});

const CUES = [
  { start: 0.5, end: 1.5, text: 'Hey you there' },
  { start: 1.5, end: 2, text: 'Two\nlines' },
];

test('karaoke shows the current cue, and each word for its share of the letters', async () => {
  const { at, close } = await pages.stage('<main id="stage"><p data-captions="karaoke">…</p></main>', {
    captions: CUES,
  });
  const words = `[...document.querySelectorAll('[data-word]')].map((one) =>
    (one.hasAttribute('data-now') ? '*' : one.hasAttribute('data-said') ? '+' : '-') + one.textContent).join(' ')`;
  const shown: Record<number, unknown> = {};
  for (const frame of [0, 12, 5, 7, 8, 14, 15, 19, 20]) shown[frame] = await at(frame, words);
  expect(shown).toEqual({
    0: '',
    5: '*Hey -you -there',
    7: '*Hey -you -there',
    8: '+Hey *you -there',
    12: '+Hey +you *there',
    14: '+Hey +you *there',
    15: '*Two -lines',
    19: '+Two *lines',
    20: '',
  });
  await close();
});

test('lines show the cue as written, and nothing between cues', async () => {
  const { at, seek, close } = await pages.stage('<main id="stage"><p data-captions="lines">…</p></main>', {
    captions: CUES,
  });
  const both = `[document.querySelector('p').textContent, ${styleOf('p', 'visibility')}]`;
  expect([await at(16, both), await at(4, both)]).toEqual([
    ['Two\nlines', 'visible'],
    ['', 'hidden'],
  ]);
  expect(await seek([4, 5, 6, 14, 15, 20, 21])).toEqual([false, true, false, false, true, true, false]);
  await close();
});

test('an animation of a word counts from when it is spoken', async () => {
  const { at, close } = await pages.stage(
    `<style>@keyframes in { from { opacity: 0 } } [data-now] { animation: in .4s linear backwards }</style>
    <main id="stage"><p data-captions="karaoke"></p></main>`,
    { captions: [{ start: 1, end: 3, text: 'ab cd' }] },
  );
  const opacities = `[...document.querySelectorAll('[data-word]')].map((one) => getComputedStyle(one).opacity)`;
  expect([
    await at(22, opacities),
    await at(12, opacities),
    await at(25, opacities),
    await at(22, opacities),
  ]).toEqual([
    ['1', '0.5'],
    ['0.5', '0.45'],
    ['1', '1'],
    ['1', '0.5'],
  ]);
  await close();
});

test('an entrance overrides a CSS animation from the first frame of a later scene', async () => {
  const content = `<style>@keyframes dim { from, to { opacity: .5 } } p { animation: dim 9s both }</style>
    <i data-scene>0</i><div data-scene><p data-enter="fade" data-enter-duration="1">a</p></div>`;
  expect([
    await read(styleOf('p', 'opacity'), content, 20),
    await read(styleOf('p', 'opacity'), content, 39),
  ]).toEqual(['0', '0.5']);
});

test('captions show a few words at a time, each until the next are spoken', async () => {
  const captions = [{ start: 0, end: 3, text: 'one two six ten four five' }];
  const { at, close } = await pages.stage(
    '<main id="stage"><p data-captions="karaoke" data-words="4"></p></main>',
    { captions },
  );
  const shown = `document.querySelector('p').textContent + '|' + (document.querySelector('[data-now]')?.textContent ?? '')`;
  expect([await at(0, shown), await at(13, shown), await at(16, shown), await at(29, shown)]).toEqual([
    ...['one two six|one', 'one two six|six', 'ten four five|ten', 'ten four five|five'],
  ]);
  expect(await at(5, `stage.element.hasAttribute('data-captioned')`)).toBe(true);
  await close();
});

test('words of a caption light up at their own times', async () => {
  const words = [
    { start: 1, end: 1.2, text: 'Wait' },
    { start: 2, end: 2.5, text: 'for it' },
  ];
  const { at, close } = await pages.stage('<main id="stage"><p data-captions="karaoke"></p></main>', {
    captions: [{ start: 0.5, end: 3, text: 'Wait … for it', words }],
  });
  const shown = `document.querySelector('p').textContent + '|' + (document.querySelector('[data-now]')?.textContent ?? '')`;
  expect([await at(5, shown), await at(11, shown), await at(15, shown), await at(22, shown)]).toEqual([
    ...['Wait … for it|', 'Wait … for it|Wait', 'Wait … for it|', 'Wait … for it|for it'],
  ]);
  await close();
});
