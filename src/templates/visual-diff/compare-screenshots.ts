import pixelmatch from 'pixelmatch';
import { PNG } from 'pngjs';
import type { Block, Box } from '../../platform/browser/page-blocks.ts';
import type { Timed } from '../../platform/thread-pool.ts';
import { begin } from '../../platform/thread-time.ts';
import { timeLimit } from '../diff/shortest-edit.ts';
import { alignPictures, clipped, type Pixels } from './align-pictures.ts';
import { type BlockPair, matchBlocks } from './match-blocks.ts';

/** A screenshot as PNG, with the blocks of its page if they are known. */
type Shot = { readonly png: Uint8Array; readonly blocks?: Block | undefined };

export type ScreenshotPair = { readonly from: Shot; readonly to: Shot };

/**
 * Both images and, to the right of them, what differs in red. Removed blocks have a red outline in the first image, added
 * ones a green outline in the others. `changed` is the share of pixels that differ, 0 to 1.
 */
export type ScreenshotDiff = {
  readonly png: Uint8Array;
  readonly width: number;
  readonly height: number;
  /** Width of each of the three; the last ends at the right edge. */
  readonly panelWidth: number;
  readonly changed: number;
};

/** CSS pixels between the three panels. */
const GAP = 24;
const GREY = 0xe5;
const OUTLINE = 2;
/** Of pixelmatch: a paler background is a change too. */
const THRESHOLD = 0.02;
const RED = [0xd1, 0x24, 0x2f] as const;
const GREEN = [0x1a, 0x7f, 0x37] as const;

/**
 * Compares two pages block by block: each block with itself, wherever it now stands. Runs in a thread of its own: decoding
 * and comparing images takes longer than a server may stand still.
 */
export function compareScreenshots({ from, to, begun }: Timed<ScreenshotPair>): ScreenshotDiff {
  begin(begun);
  const [before, after] = [read(from.png), read(to.png)];
  const aligned = alignPictures(pixelsOf(before), pixelsOf(after), matchPages(from, before, to, after));
  const red = new PNG({ width: after.width, height: after.height });
  const differ = pixelmatch(bytesOf(aligned.picture), after.data, red.data, after.width, after.height, {
    threshold: THRESHOLD,
    includeAA: true,
  });
  for (const seam of aligned.seams) outline(red, seam, RED);
  for (const { box } of aligned.removed) outline(before, box, RED);
  for (const { box } of aligned.added) for (const panel of [after, red]) outline(panel, box, GREEN);
  const changed = differ + aligned.moved + areaOf(aligned.removed, before) + areaOf(aligned.added, after);
  const whole = Math.max(before.width * before.height, after.width * after.height);
  return { ...sheetOf([before, after, red]), changed: Math.min(1, changed / whole) };
}

/** The blocks of both pages in a block that is the whole picture. Pages that are too different for that are one block each. */
function matchPages(from: Shot, before: PNG, to: Shot, after: PNG): BlockPair {
  const page = ({ blocks }: Shot, { width, height }: PNG): Block => ({
    ...{ name: '', shape: '', content: '', id: '', inset: 0 },
    box: { x: 0, y: 0, width, height },
    children: blocks ? [blocks] : [],
  });
  const bare = { from: page({ png: from.png }, before), to: page({ png: to.png }, after) };
  const none: BlockPair = { ...bare, children: [], removed: [], added: [] };
  if (!from.blocks || !to.blocks) return none;
  try {
    return matchBlocks(page(from, before), page(to, after), timeLimit());
  } catch {
    return none;
  }
}

function sheetOf(panels: readonly PNG[]) {
  const width = Math.max(...panels.map((panel) => panel.width));
  const height = Math.max(...panels.map((panel) => panel.height));
  const sheet = new PNG({ width: width * panels.length + GAP * (panels.length - 1), height });
  sheet.data.fill(GREY);
  for (let alpha = 3; alpha < sheet.data.length; alpha += 4) sheet.data[alpha] = 0xff;
  for (const [index, panel] of panels.entries())
    PNG.bitblt(panel, sheet, 0, 0, panel.width, panel.height, index * (width + GAP), 0);
  // Without a filter, encoding takes a fifth of the time and hardly more bytes.
  return { png: PNG.sync.write(sheet, { filterType: 0 }), width: sheet.width, height, panelWidth: width };
}

function read(png: Uint8Array): PNG {
  return PNG.sync.read(Buffer.from(png));
}

/** The same memory as whole pixels; a decoded PNG may start anywhere in its buffer. */
function pixelsOf({ data, width, height }: PNG): Pixels {
  return { data: new Uint32Array(Uint8Array.from(data).buffer), width, height };
}

function bytesOf({ data }: Pixels): Uint8Array {
  return new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
}

function areaOf(blocks: readonly Block[], picture: PNG): number {
  return blocks.reduce((sum, { box }) => {
    const { width, height } = clipped(box, picture);
    return sum + width * height;
  }, 0);
}

/** Draws the edges of a box, or a line where it has no height. */
function outline(picture: PNG, box: Box, [red, green, blue]: readonly [number, number, number]): void {
  const { x, y, width, height } = clipped({ ...box, height: Math.max(box.height, OUTLINE) }, picture);
  for (let row = y; row < y + height; row++) {
    const isEdge = row < y + OUTLINE || row >= y + height - OUTLINE;
    for (let column = x; column < x + width; column++) {
      if (!isEdge && column >= x + OUTLINE && column < x + width - OUTLINE) continue;
      picture.data.set([red, green, blue, 0xff], 4 * (row * picture.width + column));
    }
  }
}
