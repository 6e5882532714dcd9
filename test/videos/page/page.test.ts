import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestPages, styleOf } from './support.ts';

let pages: Awaited<ReturnType<typeof openTestPages>>;
beforeAll(async () => {
  pages = await openTestPages();
});
afterAll(() => pages.close());

const FADE = '@keyframes fade { from { opacity: 0 } to { opacity: 1 } }';
const opacity = styleOf('b', 'opacity');

/** What an expression is at each frame, visited in this order. */
async function shown(content: string, frames: readonly number[], expression = opacity) {
  const { at, close } = await pages.stage(content);
  const all = [];
  for (const frame of frames) all.push(await at(frame, expression));
  await close();
  return all;
}

const animated = (animation: string, more = '') =>
  `<style>${FADE} b { animation: fade ${animation} } ${more}</style><main id="stage"><b>a</b></main>`;

test.each([
  ['that fills both', '2s linear both', ['0', '1', '0.25', '0.5', '1', '0.05', '0.5']],
  ['without a fill, gone after its end', '2s linear', ['0', '1', '0.25', '0.5', '1', '0.05', '0.5']],
  ['with a delay', '2s 1s linear both', ['0', '1', '0', '0', '0.5', '0', '0']],
  ['begun before the video', '2s -1s linear both', ['0.5', '1', '0.75', '1', '1', '0.55', '1']],
  ['without an end', '1s linear infinite', ['0', '0.9', '0.5', '0', '0', '0.1', '0']],
  ['there and back', '1s linear 3 alternate both', ['0', '1', '0.5', '1', '0', '0.1', '1']],
  [
    'backwards, of half a turn',
    '2s linear .5 reverse forwards',
    ['1', '0.5', '0.75', '0.5', '0.5', '0.95', '0.5'],
  ],
  ['held still by its author', '2s linear both paused', ['0', '0', '0', '0', '0', '0', '0']],
])('an animation %s shows its moment, wherever the page was before', async (_, animation, expected) => {
  expect(await shown(animated(animation), [0, 39, 5, 10, 20, 1, 10])).toEqual(expected);
});

test('animations of a pseudo-element and of the root follow the video too', async () => {
  const content = `<style>${FADE} b::before { content: 'x'; animation: fade 2s linear both }
    @property --far { syntax: '<number>'; inherits: true; initial-value: 0 }
    @keyframes far { to { --far: 1 } } html { animation: far 4s linear both } b { opacity: var(--far) }</style><main id="stage"><b>a`;
  const both = `[${styleOf('b', 'opacity', '::before')}, ${opacity}]`;
  expect(await shown(content, [10, 20, 0], both)).toEqual([
    ['0.5', '0.25'],
    ['1', '0.5'],
    ['0', '0'],
  ]);
});

test('a transition from the starting style follows its scene, and every other ends immediately', async () => {
  const content = `<style>b { opacity: 1; transition: opacity 1s linear; @starting-style { opacity: 0 } }
    @keyframes colour { from { color: rgb(0 0 0) } to { color: rgb(200 0 0) } }
    p { animation: colour 4s linear both } i { transition: color 1s linear }</style>
    <main id="stage"><p data-scene><i>a</i></p><p data-scene><b>a</b><i>b</i></p></main>`;
  const both = `[${opacity}, ${styleOf('p:last-child > i', 'color')}]`;
  expect(await shown(content, [25, 39, 22, 30, 25], both)).toEqual([
    ['0.5', 'rgb(25, 0, 0)'],
    ['1', 'rgb(95, 0, 0)'],
    ['0.2', 'rgb(10, 0, 0)'],
    ['1', 'rgb(50, 0, 0)'],
    ['0.5', 'rgb(25, 0, 0)'],
  ]);
});

test('an SVG animation counts from its scene, forward and back', async () => {
  const content = `<main id="stage"><div data-scene>1</div><div data-scene><svg viewBox="0 0 10 10"><rect width="1" height="1">
    <animate attributeName="x" from="0" to="10" dur="2s" fill="freeze"/></rect></svg></div></main>`;
  const x = `document.querySelector('rect').x.animVal.value`;
  expect(await shown(content, [20, 35, 30, 25], x)).toEqual([0, 7.5, 5, 2.5]);
});

test('seek returns false only when nothing can differ', async () => {
  const { seek, close } = await pages.stage(
    `<style>${FADE} b { animation: fade .3s .2s both } i { animation: fade .2s both }</style>
    <main id="stage"><section data-scene><b>a</b></section><section data-scene data-weight="3"><i>b</i></section></main>`,
  );
  expect(await seek([0, 1, 2, 3, 4, 5, 6, 9, 10, 11, 12, 13, 39, 0, 39])).toEqual([
    // At frame 2 it begins where it was held before.
    ...[false, false, false, true, true, true, false, false],
    ...[true, true, true, false, false, true, true],
  ]);
  await close();
});

test('between the steps of an easing nothing changes', async () => {
  const { seek, close } = await pages.stage(
    `<style>@keyframes move { to { translate: 100px } } b { animation: move 2s steps(4, end) both }</style>
    <main id="stage"><b style="display: block">a</b></main>`,
  );
  expect(await seek([0, 1, 4, 5, 6, 9, 10, 11, 15, 20, 21])).toEqual([
    ...[false, false, false, true, false, false, true],
    ...[false, true, true, false],
  ]);
  await close();
});

test('a frame on which a step falls shows what the frames after it repeat', async () => {
  const content = `<style>@keyframes move { to { translate: 1200px } } b { display: block; animation: move var(--scene-duration) steps(12, end) both }</style>
    <main id="stage"><section data-scene data-weight="17"><b>a</b></section><section data-scene data-weight="15">c</section></main>`;
  const { at, close } = await pages.stage(content, { frames: 180, fps: 30 });
  for (const frame of [0, 7, 8, 24, 72, 75, 80, 95])
    expect(await at(frame, styleOf('b', 'translate'))).toBe(
      frame < 8 ? '0px' : `${Math.floor(frame / 8) * 100}px`,
    );
  await close();
});

test('between two keyframes with the same values nothing changes', async () => {
  const { seek, close } = await pages.stage(
    `<style>@keyframes light { 25%, 75% { color: red } } b { animation: light 2s linear both }</style>
    <main id="stage"><b style="display: block">a</b></main>`,
  );
  expect(await seek([0, 1, 4, 5, 6, 10, 14, 15, 16, 20, 21])).toEqual([
    ...[false, true, true, true, false, false, false],
    ...[true, true, true, false],
  ]);
  await close();
});

test('a value moves through keyframes that set others, also where those are the same', async () => {
  const { seek, close } = await pages.stage(
    `<style>@keyframes swing { 0% { scale: 2 } 25%, 75% { color: red } 100% { scale: 1 } }
      b { display: block; color: red; animation: swing 2s linear both }</style>
    <main id="stage"><b>a</b></main>`,
  );
  expect(await seek([0, 1, 5, 6, 7, 14, 15, 16, 20, 21])).toEqual([
    ...[false, true, true, true, true],
    ...[true, true, true, true, false],
  ]);
  await close();
});

test('each property takes the steps from the keyframe that sets it to the next one that does', async () => {
  const { seek, close } = await pages.stage(
    `<style>@keyframes tour { 0% { rotate: 0deg } 50% { opacity: 1 } 100% { rotate: 40deg; opacity: 1 } }
      b { display: block; animation: tour 2s steps(4) both }</style>
    <main id="stage"><b>a</b></main>`,
  );
  expect(await seek([0, 1, 4, 5, 6, 9, 10, 11, 14, 15, 16, 20, 21])).toEqual([
    ...[false, false, false, true, false, false, true],
    ...[false, false, true, false, true, false],
  ]);
  await close();
});

test('the page has its size and duration as CSS variables', async () => {
  const content = `<style>b { width: calc(var(--w) / 4); animation: none calc(var(--duration) * .3) } i { width: 50cqw; height: 10cqh }</style>
    <main id="stage" style="margin: 9px"><b style="display:block">a</b><i style="display:block">b</i></main>`;
  const measures = `(() => { const { x, y, width, height } = document.querySelector('#stage').getBoundingClientRect();
    const i = document.querySelector('i').getBoundingClientRect();
    return { stage: [x, y, width, height], b: ${styleOf('b', 'width')}, time: ${styleOf('b', 'animationDuration')}, i: [i.width, i.height],
      fps: getComputedStyle(document.documentElement).getPropertyValue('--fps') }; })()`;
  expect(await shown(content, [0], measures)).toEqual([
    { stage: [0, 0, 400, 200], b: '100px', time: '1.2s', i: [200, 20], fps: '10' },
  ]);
});

test('a page without a stage is rejected', async () => {
  await expect(pages.stage('<p>nothing</p>')).rejects.toThrow('no element with the id stage');
});

test('a stage moved into another element continues where it was', async () => {
  const { at, close } = await pages.stage(animated('2s linear both'));
  await at(10, `document.body.append(Object.assign(document.createElement('div'), { id: 'other' }))`);
  await at(10, `document.querySelector('#other').append(stage.element)`);
  expect(await at(15, opacity)).toBe('0.75');
  await close();
});
