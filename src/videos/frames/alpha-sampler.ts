import { PNG } from 'pngjs';
import type { PixelFrame, Span } from './frames.ts';
import { middleOf } from './self-check.ts';

const OPAQUE = 255;

/** Finds out whether the PNG frames of a passing span are all opaque: of the first, middle and last one, since reading takes long. */
export function createAlphaSampler(span: Span) {
  const wanted = new Set([span.from, middleOf(span), span.to - 1]);
  let isTransparent = false;
  return {
    /** Call with each frame, in order. */
    observe({ frame, bytes }: PixelFrame): void {
      if (!isTransparent && wanted.has(frame)) isTransparent = hasTransparency(bytes);
    },
    isOpaque: () => !isTransparent,
  };
}

/** The byte of a PNG that says what its pixels have, and its value for red, green and blue alone. */
const COLOR_TYPE = { at: 25, rgb: 2 };

/** Whether anything in a PNG is not opaque. */
function hasTransparency(png: Uint8Array): boolean {
  if (png[COLOR_TYPE.at] === COLOR_TYPE.rgb) return false;
  const { data } = PNG.sync.read(Buffer.from(png), { skipRescale: true });
  for (let at = 3; at < data.length; at += 4) if (data[at] !== OPAQUE) return true;
  return false;
}
