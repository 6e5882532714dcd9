import { isObject, type JsonObject } from './data-schema.ts';
import { between, inkOn, plainColor, readable } from './readable.ts';

type Colors = { readonly paper: string; readonly color: string; readonly accent: string };

/** The colors of each style. `styles.css` has the rest. */
export const STYLES: Readonly<Record<string, Colors>> = {
  editorial: { paper: '#f3eee5', color: '#17312b', accent: '#c8553d' },
  impact: { paper: '#0e0e12', color: '#4b2bff', accent: '#d6ff3d' },
  cutout: { paper: '#efe3cd', color: '#1d4e4a', accent: '#f0643c' },
  neon: { paper: '#0b0716', color: '#ff3d9a', accent: '#35f0d0' },
  cinema: { paper: '#12100e', color: '#2a211a', accent: '#e9b872' },
};

const STANDARD = STYLES['impact'] ?? { paper: '#000000', color: '#000000', accent: '#ffffff' };
/** What words stand on over a picture. */
const NIGHT = '#0d0d0f';
/** Contrast that WCAG requires of shapes and of text, and a little more for rounding and smooth edges. */
const SHAPE = 3.2;
const TEXT = 4.6;

/**
 * CSS variables of a template's colors: those of the brand, otherwise of the style. Whatever they are, every shape and
 * every word made with them can be seen: `--accent-on-color` is the accent as a shape on a field of the main color,
 * `--accent-text-on-color` as text on it, `--ink-on-color` black or white on it.
 */
export function paletteOf(data: JsonObject): string {
  const { style, brand } = data;
  const own = (typeof style === 'string' && STYLES[style]) || STANDARD;
  const given = isObject(brand) ? brand : {};
  const pick = (name: string, standard: string) => {
    const value = given[name];
    return (typeof value === 'string' ? plainColor(value) : undefined) ?? standard;
  };
  const colors = {
    paper: pick('background', own.paper),
    color: pick('color', own.color),
    accent: pick('accent', own.accent),
  };
  const fields = Object.entries({ ...colors, night: NIGHT });
  const shapes = Object.entries(colors);
  const own3 = fields.map(([name, value]) => `--${name}:${value}`);
  const inks = fields.flatMap(([name, value]) => {
    const ink = inkOn(value);
    return [`--ink-on-${name}:${ink}`, `--faint-on-${name}:${between(value, ink, 0.2)}`];
  });
  const pairs = fields.flatMap(([on, field]) =>
    shapes.filter(([name]) => name !== on).flatMap(([name, wish]) => pair(name, wish, on, field)),
  );
  return `:root{${[...own3, ...inks, ...pairs].join(';')}}`;
}

function pair(name: string, wish: string, on: string, field: string): string[] {
  const shape = readable(wish, field, SHAPE);
  return [
    `--${name}-on-${on}:${shape}`,
    `--${name}-text-on-${on}:${readable(wish, field, TEXT)}`,
    `--ink-on-${name}-on-${on}:${inkOn(shape)}`,
  ];
}

/** Whether a page reads the variables of `paletteOf`. */
export function readsPalette(html: string): boolean {
  return /var\(--[a-z-]+-on-(?:paper|color|accent|night)\b/.test(html);
}

/**
 * Where an app lays nothing over a video, from the edges of the stage. Upright, it is what TikTok, Reels and Shorts leave
 * free together: their names are above, the captions and the sound below, the buttons to the right.
 */
export function safeZone({ width, height }: { readonly width: number; readonly height: number }): string {
  const [top, right, bottom, left] = width / height < 3 / 4 ? [20, 12, 37, 7] : [7, 7, 7, 7];
  return `:root{--safe-top:${top}cqmin;--safe-right:${right}cqmin;--safe-bottom:${bottom}cqmin;--safe-left:${left}cqmin}`;
}
