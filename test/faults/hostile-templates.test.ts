import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Fault } from '../../src/errors.ts';
import { createEngine, type Engine, type Program } from '../../src/templates/engine/engine.ts';
import type { JsonObject } from '../../src/templates/engine/variable.ts';
import { html, prepared } from '../templates/engine/prepared.ts';

let engine: Engine;
beforeAll(async () => {
  engine = createEngine();
  // The threads start with the first source, which takes longer than any other.
  await engine.prepare({ kind: 'template', html: '' });
});
afterAll(() => engine.close());

const numbers = Array.from({ length: 200 }, (_, index) => index);
const million = 1_000_000;

/** Twenty-two partials that each use the next twice: four million uses without one loop. */
function fanOut(levels: number, uses: number): Record<string, string> {
  const partials: Record<string, string> = { [`p${levels}`]: 'x' };
  for (let level = 0; level < levels; level++) partials[`p${level}`] = `{{> p${level + 1}}}`.repeat(uses);
  return partials;
}

function inlineFanOut(levels: number): string {
  const definitions = Object.entries(fanOut(levels, 4)).map(
    ([name, body]) => `{{#*inline "${name}"}}${body}{{/inline}}`,
  );
  return `${definitions.join('')}{{> p0}}`;
}

const deep = nested(5_000);

function nested(levels: number): JsonObject[string] {
  let value: JsonObject[string] = 'x';
  for (let level = 0; level < levels; level++) value = [value];
  return value;
}

const wide = Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`k${index}`, 1]));

type Attack = [
  name: string,
  template: string,
  data: JsonObject,
  key: string,
  partials?: Record<string, string>,
];

const ATTACKS: Attack[] = [
  [
    'three loops of 200 inside one another',
    '{{#each a}}{{#each ../a}}{{#each ../../a}}x{{/each}}{{/each}}{{/each}}',
    { a: numbers },
    'render_limit.steps',
  ],
  [
    'three sections of 200 inside one another',
    '{{#a}}{{#../a}}{{#../../a}}x{{/../../a}}{{/../a}}{{/a}}',
    { a: numbers },
    'render_limit.steps',
  ],
  ['partials that multiply, deeper than they may', '{{> p0}}', {}, 'render_limit.depth', fanOut(22, 2)],
  ['partials that multiply, as deep as they may', '{{> p0}}', {}, 'render_limit.steps', fanOut(14, 3)],
  ['inline partials that multiply', inlineFanOut(12), {}, 'render_limit.steps'],
  [
    'three thousand values of a megabyte to escape',
    '{{b}}'.repeat(3_000),
    { b: '<'.repeat(million) },
    'render_limit.bytes',
  ],
  [
    'a value of a megabyte two hundred times',
    '{{#each a}}{{../b}}{{/each}}',
    { a: numbers, b: 'y'.repeat(million) },
    'render_limit.bytes',
  ],
  ['a partial that uses itself', '{{> r}}', {}, 'render_limit.depth', { r: 'x{{> r}}{{> r}}' }],
  [
    'a block partial that uses itself',
    '{{#> r}}{{/r}}',
    {},
    'render_limit.depth',
    { r: '{{#> r}}{{> @partial-block}}{{/r}}' },
  ],
  [
    'a context of many fields copied for every partial',
    '{{#each a}}{{#with @root.wide}}{{> r x=1}}{{/with}}{{/each}}',
    { a: Array.from({ length: 2_000 }, () => 1), wide },
    'render_limit.time',
    { r: '' },
  ],
  [
    'a long list with a long separator',
    '{{join list long}}',
    { list: Array.from({ length: 100_000 }, () => ''), long: 'y'.repeat(million / 2) },
    'render_limit.bytes',
  ],
  [
    'a translation that repeats a long value',
    '{{t "k" a=long}}',
    { translations: { en: { k: '{a}'.repeat(100_000) } }, long: 'y'.repeat(million / 2) },
    'render_limit.bytes',
  ],
  [
    'long values changed but never printed',
    '{{#each a}}{{#each ../a}}{{#if (eq (upper ../../long) "x")}}{{/if}}{{/each}}{{/each}}',
    { a: numbers, long: 'y'.repeat(million) },
    'render_limit.time',
  ],
  [
    'much code for every step',
    `{{#each a}}{{#each ../a}}{{#each ../../a}}${'{{x}}'.repeat(4_900)}{{/each}}{{/each}}{{/each}}`,
    { a: numbers },
    'render_limit.time',
  ],
  [
    'a new date format for every item',
    '{{#each a}}{{#each ../a}}{{#each ../../a}}{{formatDate "2026-01-01" numberingSystem=this weekday=@index}}{{/each}}{{/each}}{{/each}}',
    { a: numbers.map((index) => `x${index}`) },
    'render_limit.time',
  ],
  [
    'lists nested very deep, printed often',
    '{{#each a}}{{#each ../a}}{{../../deep}}{{/each}}{{/each}}',
    { a: numbers, deep: Array.from({ length: 100 }, () => deep) },
    'render_limit.time',
  ],
];

describe('a render that would not end soon is ended', () => {
  it.each(ATTACKS)('%s', (_name, template, data, key, partials = {}) => {
    const program = prepared(template);
    const parts = Object.entries(partials).map(([name, source]) => [
      name,
      prepared({ kind: 'partial', html: source }),
    ]);
    const given = { partials: Object.fromEntries(parts) };
    const start = process.threadCpuUsage();
    expect(keyOf(() => html(program, data, given))).toBe(key);
    // Only against a render that does not end: `npm run bench:hostile` measures how soon it does.
    const { user, system } = process.threadCpuUsage(start);
    expect((user + system) / 1_000).toBeLessThan(5_000);
  });

  it('and the next render is as free as the first', () => {
    expect(
      keyOf(() =>
        html('{{#each a}}{{#each ../a}}{{#each ../../a}}x{{/each}}{{/each}}{{/each}}', { a: numbers }),
      ),
    ).toBe('render_limit.steps');
    expect(html('{{#each a}}x{{/each}}', { a: numbers })).toBe('x'.repeat(200));
  });
});

describe('the limits of a render are exact', () => {
  it.each([
    ['steps', '{{#each a}}x{{/each}}', { a: [1, 2, 3] }, { steps: 5 }, { steps: 4 }, 'render_limit.steps'],
    ['bytes', '{{#each a}}é{{/each}}', { a: [1, 2, 3] }, { bytes: 6 }, { bytes: 5 }, 'render_limit.bytes'],
    [
      'bytes of an unfinished block',
      '{{a}}{{a}}',
      { a: '&' },
      { bytes: 10 },
      { bytes: 9 },
      'render_limit.bytes',
    ],
  ] as const)('%s', (_name, template, data, enough, less, key) => {
    const given = data as unknown as JsonObject;
    expect(() => html(template, given, { limits: enough })).not.toThrow();
    expect(keyOf(() => html(template, given, { limits: less }))).toBe(key);
  });

  it('partials may stand sixteen deep, in a layout as well as without', () => {
    const chain = (levels: number) => ({ ...fanOut(levels - 1, 1) });
    const layout = { kind: 'layout' as const, html: '[{{> @partial-block}}]' };
    expect(html('{{> p0}}', {}, { partials: chain(16) })).toBe('x');
    expect(keyOf(() => html('{{> p0}}', {}, { partials: chain(17) }))).toBe('render_limit.depth');
    expect(html('{{> p0}}', {}, { partials: chain(16), layout: prepared(layout) })).toBe('[x]');
    expect(keyOf(() => html('{{> p0}}', {}, { partials: chain(17), layout: prepared(layout) }))).toBe(
      'render_limit.depth',
    );
  });
});

describe('a source that would not compile soon is ended, and this thread is never blocked', () => {
  const blocks = Array.from(
    { length: 1_600 },
    (_, index) => `{{#if a}}{{or ${'a '.repeat(60)}b${index}}}{{/if}}`,
  ).join('');

  it.each([
    ['50,000 mustaches', '{{a}}'.repeat(50_000), 'template_too_complex.mustaches'],
    ['720 KB', '{{abcde}}'.repeat(80_000), 'template_too_complex.size'],
    [
      '4,000 blocks inside one another',
      `${'{{#if}}'.repeat(4_000)}${'{{/if}}'.repeat(4_000)}`,
      'template_too_complex.mustaches',
    ],
    [
      '2,400 blocks inside one another',
      `${'{{#if a}}'.repeat(2_400)}${'{{/if}}'.repeat(2_400)}`,
      /^template_too_complex\.(?:blocks|time)$/,
    ],
    ['1,600 blocks that differ only at their end', blocks, /^template_too_complex\.(?:time|memory)$/],
    [
      'an expression with 50,000 brackets',
      `{{or ${'(or '.repeat(50_000)}a${')'.repeat(50_000)}}}`,
      /^template_too_complex\.(?:expression|time)$/,
    ],
    ['a path of 120,000 names', `{{a${'.a'.repeat(120_000)}}}`, 'template_too_complex.expression'],
    [
      'a chain of 2,400 else ifs',
      `{{#if a}}1${'{{else if b}}2'.repeat(2_400)}{{/if}}`,
      'template_too_complex.blocks',
    ],
    [
      'loops inside one another in an address',
      `<a href="${'{{#each a}}x'.repeat(60)}${'{{/each}}'.repeat(60)}">`,
      /^template_too_complex\.(?:branches|time)$/,
    ],
  ])('%s', async (_name, source, key) => {
    let ticks = 0;
    const ticking = setInterval(() => ticks++, 10);
    const cpu = process.threadCpuUsage();
    const start = performance.now();
    const fault = await engine.prepare({ kind: 'template', html: source }).catch((error: unknown) => error);
    const elapsed = performance.now() - start;
    const { user, system } = process.threadCpuUsage(cpu);
    clearInterval(ticking);
    expect(fault).toBeInstanceOf(Fault);
    expect((fault as Fault).key).toMatch(key);
    // Only against a compile that does not end, or that works in this thread; `npm run bench:hostile` measures.
    expect(elapsed).toBeLessThan(20_000);
    expect((user + system) / 1_000).toBeLessThan(1_000);
    if (elapsed > 1_000) expect(ticks).toBeGreaterThan(0);
  });

  it('and what waits behind it is still prepared', async () => {
    const bombs = [blocks, blocks, blocks].map((source) =>
      engine.prepare({ kind: 'template', html: source }).catch((error: Fault) => error.key),
    );
    const others = Array.from({ length: 6 }, (_, index) =>
      engine.prepare({ kind: 'template', html: `{{a${index}}}` }),
    );
    // It depends on the machine which limit they reach first.
    for (const key of await Promise.all(bombs))
      expect(key).toMatch(/^template_too_complex\.(?:time|memory)$/);
    const programs: Program[] = await Promise.all(others);
    expect(programs.map(({ variables }) => variables[0]?.name)).toEqual(['a0', 'a1', 'a2', 'a3', 'a4', 'a5']);
  });
});

function keyOf(run: () => unknown): string {
  try {
    run();
    return 'no fault';
  } catch (error) {
    return error instanceof Fault ? error.key : String(error);
  }
}
