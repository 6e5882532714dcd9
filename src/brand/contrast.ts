import { wcagContrast } from 'culori';
import type { BrandColors } from './brand.ts';

/** Two colors that are seen together, with their contrast and the one that WCAG 2.2 AA asks for. */
export type LowContrast = { readonly pair: string; readonly ratio: number; readonly needed: number };

const WHITE = '#ffffff';
const INK = '#111111';
const BLACK = '#000000';
/** Of text. */
const TEXT = 4.5;
/** Of buttons, lines and large letters. */
const SHAPE = 3;

const PAIRS = [
  { role: 'text', needed: TEXT },
  { role: 'primary', needed: SHAPE },
  { role: 'accent', needed: SHAPE },
] as const;

/** Colors that can hardly be seen on the background. Unset, the background is white and the text dark. */
export function lowContrasts(colors: BrandColors): LowContrast[] {
  const { background = WHITE } = colors;
  return PAIRS.flatMap(({ role, needed }) => {
    const color = colors[role] ?? (role === 'text' && colors.background ? INK : undefined);
    if (color === undefined) return [];
    const ratio = wcagContrast(color, background);
    return ratio < needed ? [{ pair: `${role}/background`, ratio: roundDown(ratio), needed }] : [];
  });
}

/** What can be read on a color: nearly black or white; black where nothing else can. */
export function textOn(color: string): string {
  if (wcagContrast(WHITE, color) >= TEXT) return WHITE;
  return wcagContrast(INK, color) >= TEXT ? INK : BLACK;
}

/** The color of links: the first of the brand's that can be read as text on white, where most emails have their text. */
export function linkColor({ primary, accent, text }: BrandColors): string {
  const isReadable = (color: string) => wcagContrast(color, WHITE) >= TEXT;
  return [primary, accent, text].find((color) => color !== undefined && isReadable(color)) ?? INK;
}

/** So that a ratio that is too low never reads as enough. */
function roundDown(ratio: number): number {
  return Math.floor(ratio * 100) / 100;
}
