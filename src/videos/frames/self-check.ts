import { loadSharp } from '../../platform/load-sharp.ts';
import type { PixelFrame, Span } from './frames.ts';
import type { OpenPage } from './open-page.ts';
import { screenshotAt } from './screenshots.ts';

/** Differently smoothed edges give 35 dB; a missing part of the frame gives less than 30. */
const MIN_PSNR_DB = 33;

/**
 * Compares frames painted in the page, as I420, with screenshots of the compositor.
 * @returns the difference, such as `frame 45 differs from the screenshot: 21 dB`; undefined when all are close enough
 */
export async function selfCheck(
  page: OpenPage,
  samples: readonly FrameSample[],
  signal: AbortSignal,
): Promise<string | undefined> {
  let comparing: Promise<string | undefined> | undefined;
  for (const sample of samples) {
    // A screenshot is decoded while the browser takes the next.
    const [picture, difference] = await Promise.all([
      screenshotAt(page, sample.frame, { format: 'png', optimizeForSpeed: true }, signal),
      comparing,
    ]);
    if (difference !== undefined) return difference;
    comparing = compare(picture, sample);
  }
  return comparing;
}

async function compare(picture: Uint8Array, { frame, bytes }: FrameSample): Promise<string | undefined> {
  const near = psnr(await pngToI420(picture), bytes);
  return near <= MIN_PSNR_DB
    ? `frame ${frame} differs from the screenshot: ${Math.round(near)} dB`
    : undefined;
}

/** A copy of one frame. */
export type FrameSample = { readonly frame: number; readonly bytes: Uint8Array };

// Only every 61st byte is compared to measure motion: enough of every line at no cost.
const STRIDE = 61;

/**
 * Collects frames of a passing span: the last one, or with `spread` the middle one and the one that differs most from
 * its predecessor.
 */
export function createSampler(span: Span, which: 'last' | 'spread') {
  const wanted = which === 'last' ? span.to - 1 : middleOf(span);
  let sample: FrameSample | undefined;
  let moving: ReturnType<typeof copy> | undefined;
  let last: Uint8Array | undefined;
  let most = 0;
  return { observe, samples };

  /** Call with each frame, in order. */
  function observe({ frame, bytes, repeat }: PixelFrame): void {
    if (frame === wanted) sample = copy(frame, bytes);
    if (repeat || which === 'last') return;
    const some = subsample(bytes);
    const moved = last ? difference(some, last) : 0;
    last = some;
    if (moved <= most) return;
    most = moved;
    moving = copy(frame, bytes, moving?.bytes);
  }

  /** The collected frames in order, without duplicates. */
  function samples(): FrameSample[] {
    return [sample, moving?.frame === sample?.frame ? undefined : moving]
      .filter((one) => one !== undefined)
      .sort((one, other) => one.frame - other.frame);
  }
}

/** The middle frame of a span. */
export function middleOf({ from, to }: Span): number {
  return Math.floor((from + to) / 2);
}

/** @param into buffer to reuse, if there is one of the same size */
function copy(frame: number, bytes: Uint8Array, into = new Uint8Array(bytes.length)) {
  into.set(bytes);
  return { frame, bytes: into };
}

function subsample(bytes: Uint8Array): Uint8Array {
  const some = new Uint8Array(Math.ceil(bytes.length / STRIDE));
  for (let at = 0; at < some.length; at++) some[at] = bytes[at * STRIDE] ?? 0;
  return some;
}

function difference(one: Uint8Array, other: Uint8Array): number {
  let sum = 0;
  for (let at = 0; at < one.length; at++) sum += Math.abs((one[at] ?? 0) - (other[at] ?? 0));
  return sum;
}

/** Converts a PNG to I420 planes (BT.709, limited range). Both sides are even. */
export async function pngToI420(png: Uint8Array): Promise<Uint8Array> {
  const sharp = await loadSharp();
  const decoded = sharp(png, { ignoreIcc: true }).removeAlpha().raw();
  const { data, info } = await decoded.toBuffer({ resolveWithObject: true });
  return rgbToI420(data, info);
}

type Size = { readonly width: number; readonly height: number };

/** Three bytes a pixel. */
const RGB = 3;
// Storing in a byte array truncates, so 0.5 is added to round.
const ROUNDING = 0.5;

function rgbToI420(data: Uint8Array, { width, height }: Size): Uint8Array {
  const pixels = width * height;
  const planes = new Uint8Array((pixels * 3) / 2);
  for (let pixel = 0, at = 0; pixel < pixels; pixel++, at += RGB) {
    const [red, green, blue] = [data[at] ?? 0, data[at + 1] ?? 0, data[at + 2] ?? 0];
    planes[pixel] = 16 + 0.18259 * red + 0.61423 * green + 0.06201 * blue + ROUNDING;
  }
  const row = width * RGB;
  // Sum of the four pixels that share one chroma sample.
  const sum = (at: number) =>
    (data[at] ?? 0) + (data[at + RGB] ?? 0) + (data[at + row] ?? 0) + (data[at + row + RGB] ?? 0);
  for (let y = 0, pair = pixels; y < height; y += 2) {
    for (let x = 0; x < width; x += 2, pair++) {
      const at = y * row + x * RGB;
      const red = sum(at) / 4;
      const green = sum(at + 1) / 4;
      const blue = sum(at + 2) / 4;
      planes[pair] = 128 - 0.10064 * red - 0.33857 * green + 0.43922 * blue + ROUNDING;
      planes[pair + pixels / 4] = 128 + 0.43922 * red - 0.39894 * green - 0.04027 * blue + ROUNDING;
    }
  }
  return planes;
}

/**
 * Peak signal-to-noise ratio of two images with 8-bit samples and equal size.
 * @returns decibels: Infinity when equal, above 40 for invisible differences
 */
export function psnr(one: Uint8Array, other: Uint8Array): number {
  if (one.length !== other.length) throw new RangeError(`${one.length} samples beside ${other.length}`);
  let squares = 0;
  for (let at = 0; at < one.length; at++) squares += ((one[at] ?? 0) - (other[at] ?? 0)) ** 2;
  return 10 * Math.log10((255 ** 2 * one.length) / squares);
}
