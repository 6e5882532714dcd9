import { align, bitsOf, bytesOf, readBits, ue } from './bits.ts';
import { escapeUnit, unescapeUnit } from './nal-units.ts';

/** What slices are read and written by: of the sequence (7.3.2.1) and of the picture (7.3.2.2). */
export type ParameterSets = {
  readonly frameNumBits: number;
  /** Bits of the picture order count, which orders pictures for display. */
  readonly orderBits: number;
  /** Of 16 × 16 pixels. */
  readonly macroblocks: number;
  /** Of the first slice's quantizer. */
  readonly quantizer: number;
  readonly isWeighted: boolean;
  readonly hasDeblocking: boolean;
};

/** The decoder configuration of an MP4 (avcC, ISO/IEC 14496-15, 5.3.3.1) with one set of each kind. */
export type DecoderSetup = {
  readonly sets: ParameterSets;
  /** Bytes of the length before each NAL unit. */
  readonly lengthBytes: number;
  /** The same configuration with a picture order count of eight bits more. */
  readonly widened: Buffer;
};

/**
 * x264's count is for a few frames out of order, and a hold has more. Eight bits, so that what comes after the count stays at the same
 * place of its byte.
 */
export const MORE_ORDER_BITS = 8;

/** @throws Error for a stream unlike those of x264's profile High */
export function readDecoderSetup(avcC: Buffer): DecoderSetup {
  requireThat(avcC.length > 8, 'a setup of its decoder');
  const spsLength = avcC.readUInt16BE(6);
  const ppsStart = 8 + spsLength;
  const pps = avcC.subarray(ppsStart + 3, ppsStart + 3 + avcC.readUInt16BE(ppsStart + 1));
  requireThat(avcC[5] === 0xe1 && avcC[ppsStart] === 1, 'one set of each kind');
  const { widened, ...sequence } = readSequence(unescapeUnit(avcC.subarray(8, ppsStart)));
  const length = Buffer.alloc(2);
  length.writeUInt16BE(widened.length);
  return {
    sets: { ...sequence, ...readPicture(unescapeUnit(pps)) },
    lengthBytes: ((avcC[4] ?? 0) & 3) + 1,
    widened: Buffer.concat([avcC.subarray(0, 6), length, widened, avcC.subarray(ppsStart)]),
  };
}

function readSequence(bytes: Buffer) {
  const text = bitsOf(bytes);
  const reader = readBits(text, 8);
  requireThat(reader.bits(8) === 100, 'profile High');
  // Constraints and level.
  reader.bits(16);
  reader.ue();
  requireThat(reader.ue() === 1, '4:2:0');
  // Bits of luma and chroma beyond eight; whether there is a lossless mode; whether there are matrices.
  requireThat(reader.ue() + reader.ue() + reader.bits(2) === 0, 'eight bits and no matrices');
  const frameNumBits = reader.ue() + 4;
  requireThat(reader.ue() === 0, 'a picture order count of its own');
  const start = reader.position();
  const orderBits = reader.ue() + 4;
  const end = reader.position();
  // Reference frames, and whether numbers may be left out.
  reader.ue();
  reader.bits(1);
  const macroblocks = (reader.ue() + 1) * (reader.ue() + 1);
  requireThat(reader.bits(1) === 1, 'no fields');
  // The last 1 ends the set.
  const wider = ue(orderBits - 4 + MORE_ORDER_BITS);
  const bits = text.slice(0, start) + wider + text.slice(end, text.lastIndexOf('1') + 1);
  return { frameNumBits, orderBits, macroblocks, widened: escapeUnit(bytesOf(align(bits, '0'))) };
}

function readPicture(bytes: Buffer) {
  const reader = readBits(bitsOf(bytes), 8);
  requireThat(reader.ue() + reader.ue() === 0, 'the first sets');
  requireThat(reader.bits(1) === 1, 'CABAC');
  // Bottom fields, and groups of slices.
  requireThat(reader.bits(1) + reader.ue() === 0, 'one group of slices');
  // References of each list.
  reader.ue();
  reader.ue();
  const isWeighted = reader.bits(1) === 1;
  reader.bits(2);
  const quantizer = 26 + reader.se();
  reader.se();
  reader.se();
  return { isWeighted, quantizer, hasDeblocking: reader.bits(1) === 1 };
}

function requireThat(holds: boolean, what: string): void {
  if (!holds) throw new Error(`the encoder's stream is of an unexpected kind: it lacks ${what}`);
}
