import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { workerData } from 'node:worker_threads';
import fontverter from 'fontverter';
import subsetFont from 'subset-font';
import { FONT_PACKAGES, type FontPackage } from './fallback-fonts.ts';

// The browser reads WOFF2 from a page, but not from a font folder.
for (const fonts of FONT_PACKAGES) await unpack(fonts, String(workerData));

async function unpack({ name, files, prefix, variable }: FontPackage, folder: string): Promise<void> {
  const source = fileURLToPath(new URL('./files/', import.meta.resolve(`${name}/package.json`)));
  for (const file of (await readdir(source)).filter((each) => files.test(each))) {
    const packed = await readFile(join(source, file));
    const font = variable
      ? await subsetFont(packed, undefined, {
          targetFormat: 'truetype',
          keepAllGlyphs: true,
          variationAxes: { wght: 400 },
        })
      : await fontverter.convert(packed, 'truetype');
    await writeFile(join(folder, `${prefix}-${file.replace(/\.woff2$/, '.ttf')}`), font);
  }
}
