import pixelmatch from 'pixelmatch';
import { PNG } from 'pngjs';
import type { Timed } from '../../platform/thread-pool.ts';

/** Two images as PNG. */
export type ScreenshotPair = { readonly from: Uint8Array; readonly to: Uint8Array };

/** Both images and, to the right of them, what differs in red; `changed` is the share of pixels that do, 0 to 1. */
export type ScreenshotDiff = {
  readonly png: Uint8Array;
  readonly width: number;
  readonly height: number;
  readonly changed: number;
};

/** CSS pixels between the three panels. */
const GAP = 24;
const GREY = 0xe5;

/** Runs in a thread of its own: decoding and comparing images takes longer than a server may stand still. */
export function compareScreenshots({ from, to, begun }: Timed<ScreenshotPair>): ScreenshotDiff {
  begun[0] = Date.now();
  const [before, after] = [read(from), read(to)];
  const width = Math.max(before.width, after.width);
  const height = Math.max(before.height, after.height);
  const [left, right] = [onPaper(before, width, height), onPaper(after, width, height)];
  const red = new PNG({ width, height });
  const differ = pixelmatch(left.data, right.data, red.data, width, height);
  const panels = [left, right, red];
  const sheet = paper(width * panels.length + GAP * (panels.length - 1), height, GREY);
  for (const [index, panel] of panels.entries())
    PNG.bitblt(panel, sheet, 0, 0, width, height, index * (width + GAP), 0);
  return { png: PNG.sync.write(sheet), width: sheet.width, height, changed: differ / (width * height) };
}

function read(png: Uint8Array): PNG {
  return PNG.sync.read(Buffer.from(png));
}

/** The image on white paper of the size of both, so that the shorter email differs where it has ended. */
function onPaper(picture: PNG, width: number, height: number): PNG {
  if (picture.width === width && picture.height === height) return picture;
  const sheet = paper(width, height, 0xff);
  PNG.bitblt(picture, sheet, 0, 0, picture.width, picture.height, 0, 0);
  return sheet;
}

function paper(width: number, height: number, shade: number): PNG {
  const sheet = new PNG({ width, height });
  sheet.data.fill(shade);
  for (let alpha = 3; alpha < sheet.data.length; alpha += 4) sheet.data[alpha] = 0xff;
  return sheet;
}
