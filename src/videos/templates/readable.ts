import { clampChroma, converter, formatHex, interpolate, type Oklch, parse, wcagContrast } from 'culori';

const toOklch = converter('oklch');
const WHITE = '#ffffff';
const BLACK = '#000000';
const SOFT_BLACK = '#0d0d0f';
/** Contrast that WCAG requires of text, and a little more. */
const ENOUGH = 4.6;
const STEPS = 16;

/** Black or white, whichever can be read better on a color. */
export function inkOn(field: string): string {
  if (wcagContrast(WHITE, field) >= wcagContrast(BLACK, field)) return WHITE;
  return wcagContrast(SOFT_BLACK, field) >= ENOUGH ? SOFT_BLACK : BLACK;
}

/**
 * Shifts the lightness of a shape's color until it has a contrast ratio to what it stands on. It keeps its hue, and stays
 * lighter or darker than its field where that is possible.
 */
export function readable(shape: string, field: string, ratio: number): string {
  if (wcagContrast(shape, field) >= ratio) return opaque(shape);
  const color: Oklch = { l: 0, c: 0, ...toOklch(shape), mode: 'oklch' };
  const fieldLightness = toOklch(field)?.l ?? 0;
  const own = color.l >= fieldLightness ? 1 : 0;
  const end = wcagContrast(own === 1 ? '#ffffff' : '#000000', field) >= ratio ? own : 1 - own;
  let [low, high] = [color.l, end];
  for (let step = 0; step < STEPS; step += 1) {
    const middle = (low + high) / 2;
    if (wcagContrast(withLightness(color, middle), field) >= ratio) high = middle;
    else low = middle;
  }
  return withLightness(color, high);
}

/** A color between two, such as the track under a bar. */
export function between(one: string, other: string, share: number): string {
  return formatHex(interpolate([one, other], 'oklab')(share));
}

/** As hexadecimal digits without transparency, or undefined when it is no color that can be computed here. */
export function plainColor(text: string): string | undefined {
  const color = parse(text.trim().toLowerCase());
  return color && formatHex(color);
}

function opaque(color: string): string {
  return formatHex(color) ?? color;
}

function withLightness(color: Oklch, l: number): string {
  return formatHex(clampChroma({ ...color, l, alpha: 1 }, 'oklch'));
}
