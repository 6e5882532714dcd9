import { afterAll, afterEach, expect, test } from 'vitest';
import type { Composition } from '../../../src/videos/composition/composition.ts';
import { canvasFrames } from '../../../src/videos/frames/canvas-frames.ts';
import { createProbe, mentionsCanvas } from '../../../src/videos/frames/capture-mode.ts';
import { inPageChunk } from '../../../src/videos/frames/in-page-chunk.ts';
import { createRenderSessions } from '../../../src/videos/frames/render-sessions.ts';
import { silentLog } from '../../support/app.ts';
import { faultOf } from '../composition/filler.ts';
import { closePages, composition, findBrowser, launch, signal } from './session-support.ts';

afterEach(closePages);

const sessions = createRenderSessions({
  ...{ findBrowser, launch, encoder: undefined, log: silentLog },
  modes: { probe: createProbe(), canvasFrames, inPageChunk },
});
const opened: { close(): Promise<void> }[] = [];
afterAll(async () => {
  await Promise.all(opened.map((session) => session.close()));
});

async function still(page: Composition, frame = 5) {
  const session = await sessions.open(page, signal);
  opened.push(session);
  await session.still(frame, 'png', signal);
  return session;
}

test.each([
  ['at its top', 'throw new Error("boom")', 'Error: boom'],
  [
    'in a callback of a frame',
    'video.onFrame(({ frame }) => { if (frame === 5) throw new Error("boom") })',
    'Error: boom',
  ],
  ['in a timer', 'setTimeout(() => missing(), 100)', 'ReferenceError: missing is not defined'],
  [
    'in a promise',
    'video.onFrame(async ({ frame }) => { if (frame === 5) throw new TypeError("late") })',
    'TypeError: late',
  ],
  ['in its syntax', 'let = = 3', "SyntaxError: Unexpected token '='"],
])('a script that fails %s fails the video, with its line', async (_where, code, reason) => {
  const page = composition(`<p>a</p>\n<script>\n  ${code};\n</script>`, { scripts: true });
  expect(await faultOf(still(page))).toEqual({
    code: 'script_failed',
    status: 422,
    detail: `A script in the template failed at line 3 of the page: ${reason}. Fix it and save the template, then create the video again.`,
    errors: [],
  });
});

test('errors that a script handles itself, and what the page observes of its layout, fail nothing', async () => {
  const script = `<script>
    addEventListener('error', (event) => event.preventDefault());
    video.onFrame(() => { throw new Error('handled') });
    Promise.reject(new Error('handled')).catch(() => {});
    new ResizeObserver(([{ target }]) => { target.style.width = target.clientWidth - 1 + 'px' }).observe(document.querySelector('p'));
  </script>`;
  await expect(still(composition(`<p>a</p>${script}`, { scripts: true }))).resolves.toBeDefined();
});

test('texts that do not fit at their smallest size are warnings of the session', async () => {
  const long = 'Donaudampfschifffahrtsgesellschaft '.repeat(20).trim();
  const box = (text: string) =>
    `<p data-fit style="width:60px;height:20px;margin:0;font-size:20px">${text}</p>`;
  const { warnings } = await still(composition(`${box('Short')}${box(long)}`), 0);
  expect(warnings).toEqual([{ key: 'text_too_long', params: { text: `${long.slice(0, 60)}…` } }]);
});

test.each([
  ['<div id="stage"><CANVAS></canvas></div>', true],
  ['<script>draw("<canvas>")</script><canvas>', true],
  ['<script>throw Error("no <canvas> here")</script><style>/* <canvas> */</style><!-- <canvas> -->', false],
  ['<p>a</p><script>"<canvas>"', false],
])('a canvas is looked for in markup: %s', (html, found) => {
  expect(mentionsCanvas(html)).toBe(found);
});

test('a search for a canvas takes time in proportion to the page', () => {
  expect(mentionsCanvas(`${'<script><!--'.repeat(200_000)}<canvas>`)).toBe(false);
});
