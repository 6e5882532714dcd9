import { PNG } from 'pngjs';
import type { PixelFrame, Span } from './frames.ts';
import type { OpenPage } from './open-page.ts';
import { takeScreenshot } from './screenshots.ts';

/** Edges that are smoothed in another way make 35 dB; a part of the picture that is not there makes less than 30. */
const MIN_PSNR_DB = 33;

/**
 * Compares frames that were painted in the page, as I420, with what the compositor shows of them.
 * @returns what is wrong, such as `frame 45 differs from the screenshot: 21 dB`; undefined when all are near enough
 */
export async function selfCheck(
  page: OpenPage,
  samples: readonly FrameSample[],
  signal: AbortSignal,
): Promise<string | undefined> {
  for (const { frame, bytes } of samples) {
    await page.reach(frame, signal);
    const picture = await takeScreenshot(page, frame, { format: 'png', optimizeForSpeed: true }, signal);
    const near = psnr(pngToI420(picture), bytes);
    if (near <= MIN_PSNR_DB) return `frame ${frame} differs from the screenshot: ${Math.round(near)} dB`;
  }
  return undefined;
}

/** Copies of single frames. */
export type FrameSample = { readonly frame: number; readonly bytes: Uint8Array };

// Every so many bytes are looked at to tell how much has moved: enough of every line, at no cost.
const STRIDE = 61;

/**
 * Keeps frames of a span that goes by: the last one, or `spread` over it the one in the middle, and the one that differs
 * most from the frame before it.
 */
export function createSampler(span: Span, which: 'last' | 'spread') {
  const wanted = which === 'last' ? span.to - 1 : middleOf(span);
  let sample: FrameSample | undefined;
  let moving: ReturnType<typeof copy> | undefined;
  let last: Uint8Array | undefined;
  let most = 0;
  return { observe, samples };

  /** To be called with each frame, in their order. */
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

  /** Each frame once. */
  function samples(): FrameSample[] {
    return [sample, moving?.frame === sample?.frame ? undefined : moving].filter((one) => one !== undefined);
  }
}

/** The frame in the middle of a span. */
export function middleOf({ from, to }: Span): number {
  return Math.floor((from + to) / 2);
}

/** @param into takes the bytes, where there is one of their size already */
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

/** A PNG picture as I420 planes (BT.709, limited range), both of its sides even. */
export function pngToI420(png: Uint8Array): Uint8Array {
  // Its other way, in pieces, takes three times as long. Eight bits are what they are: nothing is to be rescaled.
  const { width, height, data } = PNG.sync.read(Buffer.from(png), { skipRescale: true });
  const planes = new Uint8Array((width * height * 3) / 2);
  fillLuma(planes, data, width * height);
  const pixels = width * height;
  const row = width * 4;
  // Sums of the four pixels that share one colour.
  const sum = (at: number) =>
    (data[at] ?? 0) + (data[at + 4] ?? 0) + (data[at + row] ?? 0) + (data[at + row + 4] ?? 0);
  for (let y = 0, pair = pixels; y < height; y += 2) {
    for (let x = 0; x < width; x += 2, pair++) {
      const at = y * row + x * 4;
      const red = sum(at) / 4;
      const green = sum(at + 1) / 4;
      const blue = sum(at + 2) / 4;
      planes[pair] = 128 - 0.10064 * red - 0.33857 * green + 0.43922 * blue + ROUNDING;
      planes[pair + pixels / 4] = 128 + 0.43922 * red - 0.39894 * green - 0.04027 * blue + ROUNDING;
    }
  }
  return planes;
}

// Storing in bytes cuts off what is behind the point.
const ROUNDING = 0.5;

function fillLuma(planes: Uint8Array, data: Uint8Array, pixels: number): void {
  for (let pixel = 0, at = 0; pixel < pixels; pixel++, at += 4) {
    const [red, green, blue] = [data[at] ?? 0, data[at + 1] ?? 0, data[at + 2] ?? 0];
    planes[pixel] = 16 + 0.18259 * red + 0.61423 * green + 0.06201 * blue + ROUNDING;
  }
}

/**
 * How near two pictures of equal size are, by their samples of 8 bits.
 * @returns decibels: Infinity when they are equal, above 40 for differences that nobody sees
 */
export function psnr(one: Uint8Array, other: Uint8Array): number {
  if (one.length !== other.length) throw new RangeError(`${one.length} samples beside ${other.length}`);
  let squares = 0;
  for (let at = 0; at < one.length; at++) squares += ((one[at] ?? 0) - (other[at] ?? 0)) ** 2;
  return 10 * Math.log10((255 ** 2 * one.length) / squares);
}
