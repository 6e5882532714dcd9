import type { PixelFrame } from './pixel-frame.ts';
import type { Span } from './stage.ts';

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
  return { see, samples };

  /** To be called with each frame, in their order. */
  function see({ frame, bytes, repeat }: PixelFrame): void {
    if (frame === wanted) sample = copy(frame, bytes);
    if (repeat || which === 'last') return;
    const some = thin(bytes);
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

function thin(bytes: Uint8Array): Uint8Array {
  const some = new Uint8Array(Math.ceil(bytes.length / STRIDE));
  for (let at = 0; at < some.length; at++) some[at] = bytes[at * STRIDE] ?? 0;
  return some;
}

function difference(one: Uint8Array, other: Uint8Array): number {
  let sum = 0;
  for (let at = 0; at < one.length; at++) sum += Math.abs((one[at] ?? 0) - (other[at] ?? 0));
  return sum;
}
