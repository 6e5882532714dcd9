import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import subsetFont from 'subset-font';

/** The three letters of the product, each in the one weight that pictures have. */
const FACES = {
  Fraunces: { file: 'fraunces', wght: 600 },
  Inter: { file: 'inter', wght: 400 },
  'Geist Mono': { file: 'geist-mono', wght: 400 },
} as const;
export type Family = keyof typeof FACES;

export type Letters = {
  /** Pixels that a word is wide. */
  widthOf(word: string, family: Family, size: number): Promise<number>;
  close(): Promise<void>;
};

const MEASURED_AT = 100;

/**
 * Gives the drawing library the product's own letters: it reads neither WOFF2 nor variable fonts, and would draw with those
 * of the machine. Once measured with, a font is known to every drawing of this process.
 */
export async function openLetters(): Promise<Letters> {
  const folder = await mkdtemp(join(tmpdir(), 'stallhand-letters-'));
  const { resolve } = createRequire(import.meta.url);
  for (const [family, { file, wght }] of Object.entries(FACES)) {
    const whole = await readFile(
      resolve(`@fontsource-variable/${file}/files/${file}-latin-wght-normal.woff2`),
    );
    const options = { targetFormat: 'truetype', variationAxes: { wght }, keepAllGlyphs: true } as const;
    await writeFile(join(folder, `${family}.ttf`), await subsetFont(whole, undefined, options));
    await measure('x', family);
  }
  const known = new Map<string, number>();
  return {
    async widthOf(word, family, size) {
      const key = `${family} ${word}`;
      const width = known.get(key) ?? (await measure(word, family));
      known.set(key, width);
      return (width * size) / MEASURED_AT;
    },
    close: () => rm(folder, { recursive: true, force: true }),
  };

  async function measure(word: string, family: string): Promise<number> {
    const text = word.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
    const fontfile = join(folder, `${family}.ttf`);
    const { info } = await sharp({ text: { text, font: `${family} ${MEASURED_AT}`, fontfile, dpi: 72 } })
      .raw()
      .toBuffer({ resolveWithObject: true });
    return info.width;
  }
}

/** A text in as few lines as fit in `width`, none of them much shorter than the others. */
export async function wrap(
  letters: Letters,
  text: string,
  family: Family,
  size: number,
  width: number,
): Promise<string[]> {
  const words = text.split(/\s+/);
  const widths = await Promise.all(words.map((word) => letters.widthOf(word, family, size)));
  const space = size * 0.3;
  const fill = (limit: number) => {
    const lines: { text: string; width: number }[] = [];
    words.forEach((word, at) => {
      const line = lines.at(-1);
      const own = widths[at] ?? 0;
      if (line && line.width + space + own <= limit) {
        line.text += ` ${word}`;
        line.width += space + own;
      } else lines.push({ text: word, width: own });
    });
    return lines.map((line) => line.text);
  };
  const lines = fill(width);
  let narrowest = width;
  while (narrowest > width / 2 && fill(narrowest - 10).length === lines.length) narrowest -= 10;
  return fill(narrowest);
}
