import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestPages } from './support.ts';

let pages: Awaited<ReturnType<typeof openTestPages>>;
beforeAll(async () => {
  pages = await openTestPages();
});
afterAll(() => pages.close());

// Everything that moves, in scenes and out of them, with every fill, direction and delay.
const PAGE = `<style>
  @keyframes turn { from { rotate: 0deg; opacity: 0 } 40% { opacity: .9 } to { rotate: 90deg } }
  @keyframes tint { to { color: rgb(200 100 0) } }
  .a { animation: turn 1.3s .4s infinite alternate } .b { animation: turn .7s -.3s 3 reverse backwards }
  .c { animation: turn 1s .2s steps(3) forwards, tint 2s linear } .d::after { content: 'x'; animation: turn .9s both }
  .e { transition: opacity .6s; @starting-style { opacity: 0 } } section { animation: tint 3s linear both } em { transition: color .4s }
  [data-now] { animation: turn .2s both } [data-said] { letter-spacing: 2px }
</style><main id="stage">
  <p class="a">always <i class="b">moving</i></p><p data-captions="karaoke"></p>
  <section data-scene data-in="fade .4" data-linger=".5"><p class="c" data-split="letters">first</p><b data-count-to="99"></b></section>
  <section data-scene data-weight="2" data-in="slide-up .6" data-out="zoom .5"><p class="d">second</p><p class="e">here</p><em>tint</em>
    <div data-scene><p class="b" data-enter="blur">inner one</p></div><div data-scene data-in="wipe"><p class="c">inner two</p>
      <svg viewBox="0 0 9 9"><rect width="9" height="9"><animate attributeName="x" values="0;9;3" dur="1.1s" repeatCount="indefinite"/></rect></svg></div>
  </section>
</main>`;
const captions = [
  { start: 0.2, end: 1.9, text: 'seek in any order' },
  { start: 2.5, end: 3.8, text: 'and see the same' },
];

/** All that can be seen of the page, as a text. */
const LOOK = `[...document.querySelectorAll('#stage, #stage *')].flatMap((one) => ['', '::after'].map((pseudo) => {
  if (!one.checkVisibility()) return 'hidden';
  const style = getComputedStyle(one, pseudo);
  return ['opacity', 'rotate', 'translate', 'scale', 'color', 'clipPath', 'filter', 'letterSpacing'].map((name) => style[name]).join(' ');
})).concat(document.querySelector('#stage').innerText, document.querySelector('rect').checkVisibility() ? document.querySelector('rect').x.animVal.value.toFixed(3) : '').join('\\n')`;

test('frames look the same in any order', async () => {
  const linear = await pages.stage(PAGE, { captions });
  const looks: unknown[] = [];
  for (let frame = 0; frame < 40; frame += 1) looks.push(await linear.at(frame, LOOK));
  expect(new Set(looks).size).toBeGreaterThan(38);
  const any = await pages.stage(PAGE, { captions });
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat({ max: 39 }), { minLength: 1, maxLength: 8 }), async (frames) => {
      for (const frame of frames) expect(await any.at(frame, LOOK)).toBe(looks[frame]);
    }),
    { numRuns: 30 },
  );
});

test('when seek reports no difference, there is none', async () => {
  const { page } = await pages.stage(
    PAGE.replace(/\.a \{[^}]*\}/, '').replace('repeatCount="indefinite"', ''),
    {
      captions,
    },
  );
  const wrong = await page.evaluate(`(() => {
    const look = () => ${LOOK};
    let before = look();
    let still = 0;
    for (let frame = 0; frame < 40; frame += 1) {
      const changed = stage.seek(frame);
      const now = look();
      if (!changed && now !== before) return 'frame ' + frame + ' differs';
      if (!changed) still += 1;
      before = now;
    }
    return still > 0 ? 'none' : 'no frame stood still';
  })()`);
  expect(wrong).toBe('none');
});
