import { wcagContrast } from 'culori';
import { expect, test } from 'vitest';
import { readable } from '../../../src/videos/templates/readable.ts';
import { paletteOf, readsPalette, STYLES, safeZone } from '../../../src/videos/templates/styles.ts';

const BRANDS = [
  {},
  ...['#ffffff', '#000000', '#7f7f7f', '#0f3d3e', '#ff0000', '#ffff00', '#0b0b0b'].flatMap((color) =>
    ['#ffffff', '#101010', '#00ff00', 'rebeccapurple', 'oklch(0.7 0.2 140)'].map((accent) => ({
      ...{ color, accent },
      background: accent,
    })),
  ),
];

function variablesOf(css: string): Map<string, string> {
  return new Map(
    [...css.matchAll(/--([a-z-]+):([^;}]+)/g)].map(([, name = '', value = '']) => [name, value]),
  );
}

test.each(Object.keys(STYLES))('in %s, every shape has 3:1 and every word 4.5:1 with any brand', (style) => {
  const poor = BRANDS.flatMap((brand) => {
    const colors = variablesOf(paletteOf({ style, brand }));
    return [...colors].flatMap(([name, value]) => {
      const [, front = '', field = ''] = /^(.+)-on-(paper|color|accent|night)$/.exec(name) ?? [];
      if (field === '' || front === 'faint' || front.startsWith('ink-on-')) return [];
      const ratio = wcagContrast(value, colors.get(field) ?? '');
      return ratio >= (front === 'ink' || front.endsWith('-text') ? 4.5 : 3) ? [] : [{ brand, name, ratio }];
    });
  });
  expect(poor).toEqual([]);
});

test('words on a shape can be read whatever color the shape has become', () => {
  const colors = variablesOf(paletteOf({ brand: { color: '#ffffff', accent: '#fffdf0' } }));
  const ink = colors.get('ink-on-accent-on-color') ?? '';
  expect(wcagContrast(ink, colors.get('accent-on-color') ?? '')).toBeGreaterThan(4.5);
});

test('a color that can be seen stays, and one that cannot keeps its hue', () => {
  expect(readable('#ff7a4d', '#0a2463', 3.2)).toBe('#ff7a4d');
  expect(readable('#0f3d3e', '#15120e', 3.2)).toBe('#416d6d');
});

test('the colors of the brand replace those of the style, and what is no color is left out', () => {
  const colors = variablesOf(paletteOf({ style: 'cutout', brand: { color: 'Tomato', accent: 'nonsense' } }));
  expect([colors.get('color'), colors.get('accent')]).toEqual(['#ff6347', STYLES['cutout']?.accent]);
});

test('only pages that read them get the colors', () => {
  expect(readsPalette('<style>b { color: var(--accent-text-on-paper) }</style>')).toBe(true);
  expect(readsPalette('<style>b { color: var(--accent) }</style>')).toBe(false);
});

test('upright, the safe zone leaves out what apps lay over a video', () => {
  expect(safeZone({ width: 1080, height: 1920 })).toContain('--safe-right:12cqmin;--safe-bottom:37cqmin');
  expect(safeZone({ width: 1080, height: 1350 })).toContain('--safe-right:7cqmin;--safe-bottom:7cqmin');
});
