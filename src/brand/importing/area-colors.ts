import { PNG } from 'pngjs';
import type { AreaColor } from './color-roles.ts';

const MAX_COLORS = 12;
/** Every so many pixels, to each side: enough for shares. */
const STEP = 2;
/** Shades that have these bits of red, green and blue in common are counted together. */
const BITS = 5;
const MASK = (1 << BITS) - 1;

/** The colors of a picture by their area, the largest first, each as the shade that most of its pixels have. */
export function areaColors(png: Uint8Array): AreaColor[] {
  const { width, height, data } = PNG.sync.read(Buffer.from(png));
  const counts = new Uint32Array(1 << (3 * BITS));
  // The shade that may have the majority of a color, and by how many pixels it leads.
  const shades = new Uint32Array(counts.length);
  const leads = new Uint32Array(counts.length);
  let total = 0;
  for (let y = 0; y < height; y += STEP) {
    for (let x = 0; x < width; x += STEP) {
      const rgb = data.readUIntBE((y * width + x) * 4, 3);
      const at = colorOf(rgb);
      const lead = leads[at] ?? 0;
      if (lead === 0) shades[at] = rgb;
      leads[at] = lead === 0 || shades[at] === rgb ? lead + 1 : lead - 1;
      counts[at] = (counts[at] ?? 0) + 1;
      total++;
    }
  }
  return [...counts.entries()]
    .filter(([, count]) => count > 0)
    .sort(([, one], [, other]) => other - one)
    .slice(0, MAX_COLORS)
    .map(([at, count]) => ({ color: hexOf(shades[at] ?? 0), share: count / total }));
}

function colorOf(rgb: number): number {
  const low = 8 - BITS;
  return ((rgb >> (16 + low)) << (2 * BITS)) | (((rgb >> (8 + low)) & MASK) << BITS) | ((rgb >> low) & MASK);
}

function hexOf(rgb: number): string {
  return `#${rgb.toString(16).padStart(6, '0')}`;
}
