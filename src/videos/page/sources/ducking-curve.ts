import { RATE } from './sound-rate.ts';

/** How loud something is at a moment, as a factor. */
export type Curve = (moment: number) => number;

const DUCKING = {
  /** Moments that are measured together. */
  block: RATE / 20,
  /** Of full scale, -40 dB: quieter than this nobody speaks. */
  heard: 0.01,
  /** How loud what ducks remains, -12 dB. */
  left: 0.25,
  /** In blocks: how long it goes down before a voice, stays down after it, so that pauses do not pump, and rises again. */
  fall: 3,
  stay: 8,
  rise: 10,
} as const;

/** How loud what ducks is under the voices, which are given piece by piece, each a whole number of blocks but the last. */
export async function duckingCurve(voices: AsyncIterable<Float32Array>): Promise<Curve> {
  const { block, heard, left, fall, stay, rise } = DUCKING;
  const isHeard = (await levels(voices)).map((level) => level > heard);
  // The gain at the beginning of each block. It is the block before that a voice may have ended in.
  const gains: number[] = isHeard.map((_, i) =>
    isHeard.slice(Math.max(0, i - 1 - stay), i + 1).includes(true) ? left : 1,
  );
  for (let i = gains.length - 2; i >= 0; i -= 1)
    gains[i] = Math.min(gains[i] ?? 1, (gains[i + 1] ?? 1) + (1 - left) / fall);
  for (let i = 1; i < gains.length; i += 1)
    gains[i] = Math.min(gains[i] ?? 1, (gains[i - 1] ?? 1) + (1 - left) / rise);
  return (moment) => {
    const i = Math.floor(moment / block);
    const gain = gains[i] ?? 1;
    return gain + ((gains[i + 1] ?? gain) - gain) * (moment / block - i);
  };
}

/** The loudness of each block, as the root of the mean square. */
async function levels(voices: AsyncIterable<Float32Array>): Promise<number[]> {
  const found: number[] = [];
  for await (const piece of voices) {
    for (let at = 0; at < piece.length; at += DUCKING.block * 2) {
      const block = piece.subarray(at, at + DUCKING.block * 2);
      found.push(Math.sqrt(block.reduce((sum, sample) => sum + sample * sample, 0) / block.length));
    }
  }
  return found;
}
