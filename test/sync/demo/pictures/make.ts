import { createHash } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { pino } from 'pino';
import sharp from 'sharp';
import { createBrowser } from '../../../../src/platform/browser/browser.ts';
import { DRAWINGS } from './drawings.ts';
import type { Drawing } from './shapes.ts';

// `npm run pictures:demo` draws the pictures of the demo store's products again, by the product's own browser, and writes
// their hashes, by which they are served. `-- SHEET.png` also draws all beside each other.

const FOLDER = new URL('../../../../src/sync/demo/pictures/', import.meta.url);
const SIDE = 480;
const RATIO = 2;
const QUALITY = 82;
/** Pictures in a row of the sheet, and their side there. */
const SHEET = { columns: 6, side: 240 };

function htmlOf({ wall, light, table, flat = false, shapes }: Drawing): string {
  const tabletop = flat ? '' : `<rect y="352" width="480" height="128" fill="${table}"/>`;
  return `<!doctype html><style>*{margin:0}svg{display:block}</style>
<svg xmlns="http://www.w3.org/2000/svg" width="${SIDE}" height="${SIDE}" viewBox="0 0 480 480">
<rect width="480" height="480" fill="${wall}"/><circle cx="240" cy="236" r="196" fill="${light}"/>${tabletop}${shapes}</svg>`;
}

const browser = createBrowser({
  executablePath: process.env['PUPPETEER_EXECUTABLE_PATH'],
  pages: 1,
  log: pino({ level: 'silent' }),
});
const hashes: Record<string, string> = {};
const small: Buffer[] = [];
try {
  await mkdir(FOLDER, { recursive: true });
  for (const [name, drawing] of Object.entries(DRAWINGS)) {
    const shot = { width: SIDE, colorScheme: 'light', pixelRatio: RATIO, maxHeight: SIDE * RATIO } as const;
    const asker = { signal: AbortSignal.timeout(60_000) };
    const [made] = await browser.screenshot(htmlOf(drawing), [shot], asker);
    if (!made) throw new Error(`no picture of ${name}`);
    const picture = sharp(made.png).resize(SIDE, SIDE);
    const bytes = await picture.webp({ quality: QUALITY, effort: 6, smartSubsample: true }).toBuffer();
    await writeFile(new URL(`${name}.webp`, FOLDER), bytes);
    hashes[name] = createHash('sha256').update(bytes).digest('hex');
    small.push(await sharp(bytes).resize(SHEET.side).png().toBuffer());
    process.stdout.write(`${name} ${bytes.length} bytes\n`);
  }
} finally {
  await browser.close();
}
await writeFile(new URL('pictures.json', FOLDER), `${JSON.stringify(hashes, null, 2)}\n`);

const [sheet] = process.argv.slice(2);
if (sheet) {
  const { columns, side } = SHEET;
  const tiles = small.map((input, nth) => ({
    input,
    left: (nth % columns) * side,
    top: Math.floor(nth / columns) * side,
  }));
  const size = { width: columns * side, height: Math.ceil(small.length / columns) * side };
  await sharp({ create: { ...size, channels: 3, background: '#fff' } })
    .composite(tiles)
    .png()
    .toFile(sheet);
  process.stdout.write(`${fileURLToPath(new URL(sheet, `file://${process.cwd()}/`))}\n`);
}
