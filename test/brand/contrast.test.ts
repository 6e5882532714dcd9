import fc from 'fast-check';
import { expect, test } from 'vitest';
import { linkColor, lowContrasts, textOn } from '../../src/brand/contrast.ts';

const color = fc.integer({ min: 0, max: 0xffffff }).map((rgb) => `#${rgb.toString(16).padStart(6, '0')}`);

/** Contrast by the formula of WCAG 2.2, written out here. */
function ratioOf(one: string, other: string): number {
  const luminance = (hex: string) => {
    const [red = 0, green = 0, blue = 0] = [1, 3, 5]
      .map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255)
      .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

test('what is printed on a color can be read on any color', () => {
  fc.assert(fc.property(color, (field) => ratioOf(textOn(field), field) >= 4.5));
});

test('links can be read on white, whatever the colors of the brand', () => {
  const colors = fc.record({ primary: color, accent: color, text: color }, { requiredKeys: [] });
  fc.assert(fc.property(colors, (brand) => ratioOf(linkColor(brand), '#ffffff') >= 4.5));
});

test('a pair is warned of exactly when its contrast is below what WCAG asks for', () => {
  const colors = fc.record({ primary: color, accent: color, background: color, text: color });
  fc.assert(
    fc.property(colors, (brand) => {
      const needed = { text: 4.5, primary: 3, accent: 3 };
      const low = (['text', 'primary', 'accent'] as const).filter(
        (role) => ratioOf(brand[role], brand.background) < needed[role],
      );
      const warned = lowContrasts(brand);
      expect(warned.map(({ pair }) => pair)).toEqual(low.map((role) => `${role}/background`));
      for (const { ratio, needed: asked } of warned) expect(ratio).toBeLessThan(asked);
    }),
  );
});

test('nothing is warned of where nothing is set, and the background alone is held against dark text', () => {
  expect(lowContrasts({})).toEqual([]);
  expect(lowContrasts({ background: '#222222' })).toEqual([
    { pair: 'text/background', ratio: 1.18, needed: 4.5 },
  ]);
});
