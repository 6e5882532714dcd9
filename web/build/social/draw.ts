import sharp from 'sharp';
import { type Family, type Letters, wrap } from './letters.ts';

/** What a picture shows: a sheet of the account book under the awning. */
export type Sheet = {
  readonly title: string;
  readonly lead: string;
  /** What stands in the margin beside the title, at most ten letters a line. */
  readonly margin: readonly string[];
  /** The last lines of the sheet, each with its own margin. */
  readonly rows?: readonly { readonly margin: string; readonly text: string; readonly end?: string }[];
  /** Price tickets; the first of them is marigold. */
  readonly tickets?: readonly string[];
};

export const WIDTH = 1200;
export const HEIGHT = 630;

// Those of tokens.css in the dark, which pages have unless one chooses otherwise.
const INK = '#eef4ef';
const INK_2 = '#b9c7bf';
const INK_3 = '#92a399';
const PAGE = '#111815';
const BAND = '#0d1411';
const RULE = '#34443c';
const MARGIN = '#8c4a44';
const MARIGOLD = '#ffc233';
const ON_MARIGOLD = '#1c1603';
const CLOTH = '#f4f7f2';
const PRESS = '#24312b';

/** An odd number of stripes: both ends of the awning are marigold. */
const STRIPES = 19;
const STRIPE = WIDTH / STRIPES;
const EDGE = 210;
const LEFT = EDGE + 44;
const RIGHT = WIDTH - 72;
const FOOT = 548;

/** 1200×630, the size that every network shows whole. */
export async function drawSheet(letters: Letters, sheet: Sheet): Promise<Buffer> {
  const parts = [
    sheetOfPaper(),
    await heading(letters, sheet),
    await rows(letters, sheet),
    await tickets(letters, sheet),
    foot(),
  ];
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}">${parts.join('')}</svg>`;
  return sharp(Buffer.from(svg)).png({ palette: true, colours: 64, dither: 0, effort: 10 }).toBuffer();
}

function sheetOfPaper(): string {
  const stripes = Array.from({ length: STRIPES }, (_, at) => {
    const [x, half] = [at * STRIPE, STRIPE / 2];
    const shape = `M${x} 0h${STRIPE}v${half}a${half} ${half} 0 0 1-${STRIPE} 0z`;
    return `<path d="${shape}" fill="${at % 2 === 0 ? MARIGOLD : CLOTH}"/>`;
  });
  const rule = (x: number) => `<rect x="${x}" width="3" height="${HEIGHT}" fill="${MARGIN}"/>`;
  return `<rect width="${WIDTH}" height="${HEIGHT}" fill="${PAGE}"/><rect y="${FOOT}" width="${WIDTH}" height="${HEIGHT - FOOT}" fill="${BAND}"/><rect y="${FOOT}" width="${WIDTH}" height="2" fill="${RULE}"/>${rule(EDGE - 9)}${rule(EDGE - 2)}${stripes.join('')}`;
}

const SIZES = [120, 104, 88, 80, 72, 64, 56, 48];
const LEAD = { size: 30, line: 42, above: 28 };

/** Title, lead and margin; a long title is smaller, so that everything stays above the foot. */
async function heading(letters: Letters, sheet: Sheet): Promise<string> {
  const { title, margin } = sheet;
  const below = heightBelow(sheet);
  const room = FOOT - 92 - below;
  const lead = sheet.lead ? await wrap(letters, sheet.lead, 'Inter', LEAD.size, RIGHT - LEFT) : [];
  const leadHeight = lead.length ? LEAD.above + lead.length * LEAD.line : 0;
  for (const size of SIZES) {
    const lines = await wrap(letters, title, 'Fraunces', size, RIGHT - LEFT);
    const height = lines.length * size * 1.1;
    if (lines.length > (size > 88 ? 1 : 3) || height + leadHeight > room - 24) continue;
    // Without lines below, the heading stands a little above the middle.
    const top = below ? 100 : 92 + (room - height - leadHeight) * 0.42;
    const baseline = top + size * 0.82;
    const leadAt = top + height + LEAD.above + LEAD.size;
    return [
      ...lines.map((line, at) =>
        write(line, { x: LEFT, y: baseline + at * size * 1.1, size, fill: INK, family: 'Fraunces' }),
      ),
      ...lead.map((line, at) =>
        write(line, { x: LEFT, y: leadAt + at * LEAD.line, size: LEAD.size, fill: INK_2 }),
      ),
      ...margin.map((line, at) =>
        write(line, { x: EDGE - 30, y: baseline + at * 34, size: 24, fill: INK_3, ...MONO }),
      ),
    ].join('');
  }
  throw new Error(`The title and excerpt of "${title}" are too long for a picture`);
}

function heightBelow({ rows: lines, tickets: names }: Sheet): number {
  if (lines) return lines.length * ROW + 24;
  return names ? TICKET + 44 : 0;
}

const ROW = 62;

async function rows(letters: Letters, { rows: lines = [] }: Sheet): Promise<string> {
  const sizes = lines.map(async ({ text, end }) => {
    const room = RIGHT - LEFT - (end ? (await letters.widthOf(end, 'Inter', 26)) + 40 : 0);
    return (30 * room) / (await letters.widthOf(text, 'Inter', 30));
  });
  const size = Math.min(30, ...(await Promise.all(sizes)));
  return lines
    .map(({ margin, text, end = '' }, at) => {
      const y = FOOT - (lines.length - at) * ROW;
      return [
        `<rect y="${y}" width="${WIDTH}" height="2" fill="${RULE}"/>`,
        write(margin, { x: EDGE - 30, y: y + 41, size: 24, fill: INK_3, ...MONO }),
        write(text, { x: LEFT, y: y + 42, size, fill: INK }),
        write(end, { x: RIGHT, y: y + 42, size: 26, fill: INK_3, anchor: 'end' }),
      ].join('');
    })
    .join('');
}

const TICKET = 84;

async function tickets(letters: Letters, { tickets: names = [] }: Sheet): Promise<string> {
  let x = LEFT;
  const drawn: string[] = [];
  for (const [at, name] of names.entries()) {
    const width = (await letters.widthOf(name, 'Fraunces', 40)) + 108;
    const [y, half] = [FOOT - TICKET - 56, TICKET / 2];
    const shape = `M${x + 30} ${y}h${width - 36}a6 6 0 0 1 6 6v${TICKET - 12}a6 6 0 0 1-6 6h-${width - 36}l-30-${half}z`;
    const [paper, ink] = at === 0 ? [MARIGOLD, ON_MARIGOLD] : [PRESS, INK];
    drawn.push(
      `<path d="${shape}" fill="${paper}"/><circle cx="${x + 38}" cy="${y + half}" r="8" fill="${PAGE}"/>`,
      write(name, { x: x + 66, y: y + half + 14, size: 40, fill: ink, family: 'Fraunces' }),
    );
    x += width + 24;
  }
  return drawn.join('');
}

/** The mark and the name, on the line that closes the sheet. */
function foot(): string {
  const mark = ['M0 0h16v19a8 8 0 0 1-16 0z', 'M16 0h16v19a8 8 0 0 1-16 0z', 'M32 0h16v19a8 8 0 0 1-16 0z']
    .map((shape, at) => `<path d="${shape}" fill="${at === 1 ? CLOTH : MARIGOLD}"/>`)
    .join('');
  return `<g transform="translate(${LEFT} ${FOOT + 21})">${mark}<path d="M3.6 34h41v6h-41z" fill="${CLOTH}"/></g>${write('Stallhand', { x: LEFT + 66, y: FOOT + 54, size: 36, fill: INK, family: 'Fraunces' })}`;
}

const MONO = { family: 'Geist Mono', anchor: 'end' } as const;

type Written = {
  readonly x: number;
  readonly y: number;
  readonly size: number;
  readonly fill: string;
  readonly family?: Family;
  readonly anchor?: 'end';
};

function write(text: string, { x, y, size, fill, family = 'Inter', anchor }: Written): string {
  const spacing = family === 'Fraunces' ? ` letter-spacing="${-size * 0.025}"` : '';
  const weight = family === 'Fraunces' ? ' font-weight="600"' : '';
  const safe = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  return `<text x="${x}" y="${y}" font-family="${family}"${weight} font-size="${size}"${spacing}${anchor ? ' text-anchor="end"' : ''} fill="${fill}">${safe}</text>`;
}
