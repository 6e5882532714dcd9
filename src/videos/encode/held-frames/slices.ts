import { align, bitsOf, bytesOf, fixed, readBits, se, ue } from './bits.ts';
import { escapeUnit, unescapeUnit } from './nal-units.ts';
import { MORE_ORDER_BITS, type ParameterSets } from './parameter-sets.ts';
import { SKIP_QUANTIZER, skippedMacroblocks } from './skipped-macroblocks.ts';

/** The start of a slice's header (7.3.3). */
export type Slice = {
  /** Starts a sequence of its own: an IDR picture. */
  readonly isStart: boolean;
  /** Later pictures may refer to it. */
  readonly isReference: boolean;
  readonly frameNum: number;
  /** The low bits of its place in the order of display, counted in halves of a frame since the last start. */
  readonly order: number;
  /** Which bits of the unescaped unit these are. */
  readonly orderStart: number;
};

const SLICE = 1;
const START = 5;
/** The fields of `Slice` are within so many bytes. */
const HEADER_BYTES = 16;

/** Undefined for a unit that is no slice. */
export function readSlice(unit: Buffer, sets: ParameterSets): Slice | undefined {
  const type = (unit[0] ?? 0) & 31;
  if (type !== SLICE && type !== START) return undefined;
  const reader = readBits(
    bitsOf(unescapeUnit(unit.subarray(0, 2 * HEADER_BYTES)).subarray(0, HEADER_BYTES)),
    8,
  );
  // The first macroblock, the type and the picture's set.
  reader.ue();
  reader.ue();
  reader.ue();
  const frameNum = reader.bits(sets.frameNumBits);
  const isStart = type === START;
  if (isStart) reader.ue();
  const orderStart = reader.position();
  const order = reader.bits(sets.orderBits);
  return { isStart, isReference: ((unit[0] ?? 0) & 0x60) !== 0, frameNum, order, orderStart };
}

/** The slice with another place in the order of display, in `MORE_ORDER_BITS` more bits. Nothing else changes. */
export function reorderSlice(
  unit: Buffer,
  { orderStart, order }: Pick<Slice, 'orderStart' | 'order'>,
  sets: ParameterSets,
): Buffer {
  const bytes = unescapeUnit(unit);
  const head = bitsOf(bytes.subarray(0, HEADER_BYTES));
  const rest = head.slice(orderStart + sets.orderBits);
  const wide = head.slice(0, orderStart) + orderBits(order, sets) + rest;
  return escapeUnit(Buffer.concat([bytesOf(wide), bytes.subarray(HEADER_BYTES)]));
}

/**
 * Makes pictures that show a reference picture once more: one P slice, whose macroblocks are all skipped, to which no picture
 * refers. So the pictures after it are decoded as if it were not there.
 */
export function createSkipPictures(sets: ParameterSets) {
  const macroblocks = skippedMacroblocks(sets.macroblocks);
  const numbers = 2 ** sets.frameNumBits;

  return ({ order, last, shown }: { order: number; last: Slice; shown: Slice }): Buffer => {
    // A picture has the number of the last reference before it and 1.
    const frameNum = (last.frameNum + (last.isReference ? 1 : 0)) % numbers;
    const distance = (frameNum - shown.frameNum + numbers) % numbers;
    const header = [
      // First macroblock; type P; first set.
      ue(0) + ue(5) + ue(0),
      fixed(frameNum, sets.frameNumBits) + orderBits(order, sets),
      // One reference: the one whose number is so much lower, and no other.
      `1${ue(0)}`,
      `1${ue(0)}${ue(distance - 1)}${ue(3)}`,
      // Denominators 1, and no weights.
      sets.isWeighted ? `${ue(0)}${ue(0)}00` : '',
      // Context table 0; the quantizer; no deblocking.
      ue(0) + se(SKIP_QUANTIZER - sets.quantizer),
      sets.hasDeblocking ? ue(1) : '',
    ].join('');
    const bits = align(fixed(SLICE, 8) + header, '1') + macroblocks;
    return escapeUnit(bytesOf(align(bits, '0')));
  };
}

function orderBits(order: number, sets: ParameterSets): string {
  const count = sets.orderBits + MORE_ORDER_BITS;
  return fixed(order % 2 ** count, count);
}
