import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestPages } from './support.ts';

let pages: Awaited<ReturnType<typeof openTestPages>>;
beforeAll(async () => {
  pages = await openTestPages();
});
afterAll(() => pages.close());

/** What a script has logged when a frame is reached; the clock of the page is that of the video. */
async function logged(script: string, frames: readonly number[], how: 'seek' | 'reach' = 'reach') {
  const content = `<main id="stage">a</main><script>window.log = [];${script}</script>`;
  const { page, close } = await pages.stage(content, { scripts: true });
  const log = await page.evaluate(
    `(async () => { for (const frame of ${JSON.stringify(frames)}) await stage.${how}(frame); return log; })()`,
  );
  await close();
  return log;
}

test('a script is called before each frame, also those on the way', async () => {
  const script = 'video.onFrame(({ t, frame, progress }) => log.push([t, frame, +progress.toFixed(3)]))';
  expect(await logged(script, [2, 39, 3].slice(0, 1))).toEqual([
    [0, 0, 0],
    [0.1, 1, 0.026],
    [0.2, 2, 0.051],
  ]);
  expect(await logged(script, [1, 0], 'seek')).toEqual([
    [0, 0, 0],
    [0.1, 1, 0.026],
    [0, 0, 0],
  ]);
});

test('timers, animation frames and their promises run on time', async () => {
  const script = `
    setTimeout(() => log.push(['timer', performance.now()]), 150);
    const every = setInterval(() => { log.push(['interval', performance.now()]); if (performance.now() > 200) clearInterval(every) }, 120);
    requestAnimationFrame(function next(now) { log.push(['frame', now]); if (now < 200) requestAnimationFrame(next) });
    (async () => { for (const round of [1, 2]) { await new Promise((done) => setTimeout(done, 100)); log.push(['waited', performance.now()]) } })();
    setTimeout(() => log.push('never'), 50, clearTimeout(setTimeout(() => log.push('cleared'), 10)));`;
  expect(await logged(script, [3])).toEqual([
    ['frame', 0],
    'never',
    ['frame', 100],
    ['waited', 100],
    ['interval', 120],
    ['timer', 150],
    ['frame', 200],
    ['waited', 200],
    ['interval', 240],
  ]);
});

test('the date, random numbers and keys are the same in every run', async () => {
  const script = `log.push(new Date().toISOString(), new Date(0).toISOString(), new Date() instanceof Date, typeof Date());
    setTimeout(() => log.push(Date.now() - Date.UTC(2026, 0, 1), Math.random(), crypto.randomUUID(), crypto.getRandomValues(new Uint8Array(2)).join()), 100)`;
  const first = await logged(script, [1]);
  expect(first).toEqual([
    ...['2026-01-01T00:00:00.000Z', '1970-01-01T00:00:00.000Z', true, 'string', 100],
    ...[expect.any(Number), expect.stringMatching(/^[\da-f-]{36}$/), expect.stringMatching(/^\d+,\d+$/)],
  ]);
  expect(await logged(script, [1])).toEqual(first);
});

test('endless timers are an error, and an error in a script stops neither other scripts nor the frame', async () => {
  await expect(logged('(function again() { setTimeout(again, -1, Promise) })()', [1])).resolves.toEqual([]);
  const endless = 'for (let one = 0; one <= 10000; one += 1) setTimeout(() => {}, 0)';
  await expect(logged(endless, [1])).rejects.toThrow('timers of the page never end');
  expect(
    await logged(`video.onFrame(() => { throw new Error('no') }); video.onFrame(() => log.push('yes'))`, [1]),
  ).toEqual([...['yes', 'yes']]);
});

test('a transition or animation started by a script follows the video from then on', async () => {
  const { at, close } = await pages.stage(
    `<style>b { opacity: 1; transition: opacity 1s linear }</style><main id="stage"><b>a</b><i>b</i></main><script>
    setTimeout(() => { document.querySelector('b').style.opacity = 0 }, 500);
    setTimeout(() => document.querySelector('i').animate({ opacity: [0, 1] }, 1000), 1000);
    // A scene begins at the same moment.
    </script><p data-scene></p><p data-scene data-weight="3"></p>`,
    { scripts: true },
  );
  const both = `[...document.querySelectorAll('b, i')].map((one) => Number(getComputedStyle(one).opacity).toFixed(2))`;
  expect([await at(5, both), await at(10, both), await at(15, both), await at(20, both)]).toEqual([
    ['1.00', '1.00'],
    ['0.50', '0.00'],
    ['0.00', '0.50'],
    ['0.00', '1.00'],
  ]);
  await close();
});
