import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestPages, styleOf } from './support.ts';

let pages: Awaited<ReturnType<typeof openTestPages>>;
beforeAll(async () => {
  pages = await openTestPages();
});
afterAll(() => pages.close());

/** The texts of the innermost scenes that are displayed at each frame. */
async function displayed(content: string, frames: readonly number[], options = {}) {
  const { at, close } = await pages.stage(`<main id="stage">${content}</main>`, options);
  const all = [];
  for (const frame of frames)
    all.push(
      await at(
        frame,
        `[...document.querySelectorAll('[data-scene]')].filter((one) => !one.querySelector('[data-scene]') && one.checkVisibility()).map((one) => one.textContent).join()`,
      ),
    );
  await close();
  return all;
}

test('scenes share the time of the video by their weights, one after the other', async () => {
  const content =
    '<i data-scene>a</i><i data-scene data-weight="2">b</i><i data-scene data-weight="nonsense">c</i>';
  expect(await displayed(content, [0, 9, 10, 29, 30, 39, 9])).toEqual(['a', 'a', 'b', 'b', 'c', 'c', 'a']);
});

test('nested scenes share the time of their parent, and those of two parents run side by side', async () => {
  const content = `<div data-scene>0</div><div data-scene><p><i data-scene>a</i><i data-scene>b</i></p>
    <p><i data-scene data-weight="3">c</i><i data-scene>d</i></p></div>`;
  expect(await displayed(content, [0, 20, 29, 30, 34, 35])).toEqual(['0', 'a,c', 'a,c', 'b,c', 'b,c', 'b,d']);
});

test('every frame has a scene, even with more scenes than frames or uneven shares', async () => {
  const seven = [...'abcdefg'].map((name) => `<i data-scene>${name}</i>`).join('');
  expect(await displayed(seven, [0, 1, 2, 3, 4], { frames: 5 })).toEqual(['a', 'c', 'd', 'e', 'g']);
  expect((await displayed(seven, [...Array(10).keys()], { frames: 10 })).join('')).toBe('abbcddeffg');
});

test('a scene that lingers is displayed under the next one', async () => {
  const content = '<i data-scene data-linger=".5">a</i><i data-scene data-linger="9">b</i>';
  expect(await displayed(content, [19, 20, 24, 25, 39])).toEqual(['a', 'a,b', 'a,b', 'b', 'b']);
  // Of 3.1 frames, it is displayed in four.
  expect(await displayed(content.replace('.5', '.31'), [20, 23, 24])).toEqual(['a,b', 'a,b', 'b']);
});

test("an animation in a scene counts from the scene's start, and the scene exposes its length", async () => {
  const content = `<style>@keyframes fade { from { opacity: 0 } } b { animation: fade calc(var(--scene-duration) / 2) linear backwards }</style>
    <main id="stage"><i data-scene>a</i><section data-scene><b>b</b></section></main>`;
  const { at, close } = await pages.stage(content);
  const length = `['--scene-duration', '--scene-seconds'].map((name) => getComputedStyle(document.querySelector('b')).getPropertyValue(name))`;
  const both = `[${styleOf('b', 'opacity')}, ...${length}]`;
  expect([await at(25, both), await at(20, both), await at(30, both)]).toEqual(
    ['0.5', '0', '1'].map((opacity) => [opacity, '2s', '2']),
  );
  await close();
});

// A scene of 40 frames; entrances take frames 0 to 10, exits 30 to 40. At 5 the entrance is nearly over, at 35 the exit has
// only just begun.
test.each([
  ['fade', { opacity: '0' }, { opacity: '1' }],
  ['slide-left', { translate: '100%' }, { translate: 'none' }],
  ['slide-down', { translate: '0px -100%' }, { translate: 'none' }],
  ['zoom', { opacity: '0', scale: '0.85' }, { opacity: '1', scale: 'none' }],
  ['wipe', { clipPath: 'inset(0px 100% 0px 0px)' }, { clipPath: 'none' }],
  ['none', { opacity: '1' }, { opacity: '1' }],
  ['nonsense', { opacity: '1' }, { opacity: '1' }],
])('the entrance %s begins away and ends where the style says', async (name, first, rest) => {
  const { page, at, close } = await pages.stage(
    `<main id="stage"><b data-scene data-in="${name} 1">a</b></main>`,
  );
  const read = `Object.fromEntries(${JSON.stringify(Object.keys(first))}.map((name) => [name, getComputedStyle(document.querySelector('b'))[name]]))`;
  expect([await at(0, read), await at(10, read), await at(39, read)]).toEqual([first, rest, rest]);
  expect(page.isClosed()).toBe(false);
  await close();
});

test('an exit ends with its scene, and an entrance and an exit that are too long share it', async () => {
  const { at, close } = await pages.stage(
    `<main id="stage"><b data-scene style="opacity:.8" data-in="fade 6" data-out="slide-left 2">a</b></main>`,
  );
  const read = `[${styleOf('b', 'opacity')}, ${styleOf('b', 'translate')}]`;
  const [first, third, last] = [await at(0, read), await at(30, read), await at(39, read)];
  expect([first, third]).toEqual([
    ['0', 'none'],
    ['0.8', '0%'],
  ]);
  expect(last).toEqual(['0.8', expect.stringMatching(/^-[4-9]\d\.?\d*%$/)]);
  await close();
});
