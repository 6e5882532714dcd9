/*
 * What the pictures of the demo store's products are drawn with: colors, and shapes as SVG. The light comes from the left, so
 * that right sides are shaded.
 */

/** A drawing, 480 by 480: what is on the table or, `flat`, lies on the wall. */
export type Drawing = {
  readonly wall: string;
  readonly light: string;
  readonly table: string;
  readonly flat?: boolean;
  readonly shapes: string;
};

export const SAND = { wall: '#f0dfc8', light: '#f8eddc', table: '#dcc3a0' };
export const SAGE = { wall: '#ccd5bf', light: '#dde4d2', table: '#b0bda0' };
export const BLUSH = { wall: '#f1d3c2', light: '#f8e4d8', table: '#dfb29b' };
export const SKY = { wall: '#cbdcdc', light: '#dfeaea', table: '#aec6c7' };
export const BUTTER = { wall: '#f5dfa9', light: '#fbedc8', table: '#e4c37d' };

export const INK = '#453a36';
export const CREAM = '#fdf6ea';
export const CLAY = '#c8704b';
export const RUST = '#a8512f';
export const SEA = '#5b8f9c';
export const DEEP = '#3f6b77';
export const LEAF = '#6f8a5c';
export const MOSS = '#4d6644';
export const OCHRE = '#dfa23e';
export const HONEY = '#d98b1f';
export const WOOD = '#c08a58';
export const BARK = '#94623a';

export const shadow = (x: number, y: number, rx: number, ry = 14) =>
  `<ellipse cx="${x}" cy="${y}" rx="${rx}" ry="${ry}" fill="#3b2a1f" opacity=".2"/>`;
export const ellipse = (x: number, y: number, rx: number, ry: number, fill: string, more = '') =>
  `<ellipse cx="${x}" cy="${y}" rx="${rx}" ry="${ry}" fill="${fill}" ${more}/>`;
export const circle = (x: number, y: number, r: number, fill: string, more = '') =>
  `<circle cx="${x}" cy="${y}" r="${r}" fill="${fill}" ${more}/>`;
export const box = (x: number, y: number, w: number, h: number, r: number, fill: string, more = '') =>
  `<rect x="${x}" y="${y}" width="${w}" height="${h}" rx="${r}" fill="${fill}" ${more}/>`;
export const path = (d: string, fill: string, more = '') => `<path d="${d}" fill="${fill}" ${more}/>`;
export const line = (d: string, stroke: string, width: number, more = '') =>
  `<path d="${d}" fill="none" stroke="${stroke}" stroke-width="${width}" stroke-linecap="round" stroke-linejoin="round" ${more}/>`;
export const at = (x: number, y: number, shapes: string, more = '') =>
  `<g transform="translate(${x} ${y}) ${more}">${shapes}</g>`;
export const shade = (d: string, opacity = 0.13) => path(d, '#2c1b12', `opacity="${opacity}"`);
export const shine = (d: string, opacity = 0.3) => path(d, '#fff', `opacity="${opacity}"`);
export const many = (
  places: readonly (readonly [number, number])[],
  draw: (x: number, y: number) => string,
) => places.map(([x, y]) => draw(x, y)).join('');

export const flame = (x: number, y: number, size = 1) =>
  at(
    x,
    y,
    circle(0, -26, 40, '#fff3c4', 'opacity=".55"') +
      line('M0 4v-14', INK, 4) +
      path('M0 -52c13 16 16 24 16 31a16 16 0 0 1-32 0c0-7 3-15 16-31z', '#f2a33a') +
      path('M0 -30c7 8 8 11 8 15a8 8 0 0 1-16 0c0-4 1-7 8-15z', '#fdf0b5'),
    `scale(${size})`,
  );

export const leaf = (x: number, y: number, turn: number, fill = LEAF, size = 1) =>
  at(
    x,
    y,
    path('M0 0c14-22 44-26 62 0c-18 26-48 22-62 0z', fill) + line('M4 0h48', '#fff', 2, 'opacity=".35"'),
    `rotate(${turn}) scale(${size})`,
  );

export const olive = (x: number, y: number, fill: string) =>
  ellipse(x, y, 17, 21, fill) + ellipse(x - 6, y - 7, 4, 6, '#fff', 'opacity=".35"');

export const speckles = (places: readonly (readonly [number, number])[], fill = INK) =>
  many(places, (x, y) => circle(x, y, 2.4, fill, 'opacity=".35"'));

export const bean = (x: number, y: number, turn: number, fill = '#6b4128') =>
  at(x, y, ellipse(0, 0, 21, 14, fill) + line('M-17 -2c10-8 22 12 34 3', '#3f2415', 3.5), `rotate(${turn})`);

export const steam = (x: number, y: number) =>
  line(`M${x} ${y}c-14-18 14-30 0-52`, '#fff', 7, 'opacity=".6"') +
  line(`M${x + 34} ${y + 4}c-14-18 14-30 0-52`, '#fff', 7, 'opacity=".6"');

export function flower(x: number, y: number, petal: string, heart: string, size: number): string {
  const petals = [0, 60, 120, 180, 240, 300].map((turn) =>
    ellipse(0, -19, 11, 17, petal, `transform="rotate(${turn})"`),
  );
  return at(x, y, petals.join('') + circle(0, 0, 12, heart), `scale(${size})`);
}
