import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const CSS = readFileSync(new URL('../../web/src/styles/tokens.css', import.meta.url), 'utf8');

type Pair = readonly [ink: string, surface: string, least: number];

const TEXT = 4.5;
const SHAPE = 3;
const SURFACES = ['cover', 'page', 'raise', 'float', 'well', 'band', 'hover'];
const on = (inks: readonly string[], surfaces: readonly string[], least: number): Pair[] =>
  inks.flatMap((ink) => surfaces.map((surface) => [ink, surface, least] as const));

// What the interface puts on what. A new color is a new line.
const PAIRS: readonly Pair[] = [
  ...on(['ink', 'ink-2', 'ink-3'], SURFACES, TEXT),
  ...on(['ok', 'warn', 'err', 'info', 'mg-text', 'add'], ['page', 'well'], TEXT),
  ...on(['c-tag', 'c-attr', 'c-str', 'c-var', 'c-num', 'c-com'], ['page', 'well'], TEXT),
  ...['ok', 'warn', 'err', 'info'].flatMap((tone) => on([tone, 'ink', 'ink-2'], [`${tone}-soft`], TEXT)),
  ...on(['on-mg'], ['mg', 'mg-hover'], TEXT),
  ...on(['on-err'], ['err-fill'], TEXT),
  ...on(['mg-text', 'ink', 'ink-2', 'c-var'], ['mg-soft'], TEXT),
  ...on(['ink', 'ink-2'], ['press'], TEXT),
  ...on(['ink'], ['nav-on', 'add-soft', 'del-soft', 'add-mark', 'del-mark'], TEXT),
  ...on(['c-tag'], ['add-mark', 'del-mark', 'add-soft', 'del-soft'], TEXT),
  ...on(['c-str'], ['add-soft'], TEXT),
  ...on(['control', 'focus'], ['page', 'well', 'raise', 'float'], SHAPE),
  ...on(['focus'], ['cover'], SHAPE),
  ...on(['mg-edge'], ['page', 'raise'], SHAPE),
  ...on(['strike'], ['page'], SHAPE),
  ...on(['tab-templates', 'tab-videos', 'tab-hooks', 'tab-sync'], ['cover'], SHAPE),
];

const dark = tokensOf(':root {');
const light = { ...dark, ...tokensOf('[data-mantine-color-scheme="light"]') };

test.each([
  ['dark', dark],
  ['light', light],
])('every pair of colors of the %s theme has the contrast of WCAG 2.2 AA', (_name, theme) => {
  expect(PAIRS.length).toBe(92);
  const low = PAIRS.filter(([ink, surface, least]) => contrast(theme[ink], theme[surface]) < least);
  expect(low).toEqual([]);
});

test('contrast is computed as WCAG defines it', () => {
  expect(
    [contrast('#000000', '#ffffff'), contrast('#777777', '#ffffff')].map((one) => one.toFixed(2)),
  ).toEqual(['21.00', '4.48']);
});

function tokensOf(selector: string): Record<string, string> {
  const block = CSS.slice(CSS.indexOf(selector)).split('\n}')[0] ?? '';
  return Object.fromEntries(
    [...block.matchAll(/--([\w-]+):\s*(#[0-9a-f]{6})\b/g)].map(([, name = '', color = '']) => [name, color]),
  );
}

function contrast(one = '', other = ''): number {
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5]
    .map((at) => Number.parseInt(color.slice(at, at + 2), 16) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
