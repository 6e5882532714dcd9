import { converter, differenceEuclidean, wcagContrast } from 'culori';
import type { BrandColors } from '../brand.ts';
import type { CssColor } from './read-css.ts';

/** A color of the page as it looks, with the share of its area, from 0 to 1. */
export type AreaColor = { readonly color: string; readonly share: number };

export type RoleFound = { readonly role: keyof BrandColors; readonly color: string; readonly where: string };

const toOklch = converter('oklch');
const distance = differenceEuclidean('oklab');
/** Less is gray to the eye. */
const COLORFUL = 0.045;
/** Colors nearer than this look alike. */
const ALIKE = 0.12;
/** Less is a picture's detail, or the edge of a letter. */
const LEAST_SHARE = 0.0005;

/**
 * Which color plays which part: the background has the largest area, the text reads best on it, and of the colorful ones those
 * come first that the page names as its own, then those with the larger area.
 */
export function colorRoles(areas: readonly AreaColor[], named: readonly CssColor[]): RoleFound[] {
  const seen = areas.filter(({ share }) => share >= LEAST_SHARE);
  const [background, ...rest] = seen.map(({ color, share }) => ({ color, where: area(share) }));
  const roles: RoleFound[] = background ? [{ role: 'background', ...background }] : [];
  const text = rest
    .filter(({ color }) => background && wcagContrast(color, background.color) >= 4.5)
    .sort((one, other) => contrastTo(background, other.color) - contrastTo(background, one.color))[0];
  if (text) roles.push({ role: 'text', ...text });
  const own = [...byName(named, /brand|primary/i), ...rest, ...(background ? [background] : [])];
  const primary = own.find(({ color }) => isColorful(color));
  if (!primary) return roles;
  roles.push({ role: 'primary', ...primary });
  const accent = [...byName(named, /accent/i), ...named, ...rest].find(
    ({ color }) => isColorful(color) && distance(color, primary.color) > ALIKE,
  );
  return accent ? [...roles, { role: 'accent', ...accent }] : roles;
}

function byName(named: readonly CssColor[], name: RegExp): readonly CssColor[] {
  return named.filter(({ where }) => name.test(where));
}

function contrastTo(background: CssColor | undefined, color: string): number {
  return background ? wcagContrast(color, background.color) : 0;
}

function isColorful(color: string): boolean {
  return (toOklch(color)?.c ?? 0) >= COLORFUL;
}

function area(share: number): string {
  return `${(share * 100).toFixed(1)}% of the page`;
}
