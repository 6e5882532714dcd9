/** Sample rate of every mix. Two samples, left and right, are called a moment. */
export const RATE = 48_000;
/** Of the encoded sound. */
export const BITS_A_SECOND = 160_000;

/** Gain at a moment. */
export type Curve = (moment: number) => number;

const DUCKING = {
  /** Moments measured together. */
  block: RATE / 20,
  /** Threshold of speech: -40 dB of full scale. */
  heard: 0.01,
  /** Gain of ducked tracks: -12 dB. */
  left: 0.25,
  /**
   * In blocks: the time of the fall before a voice, of the hold after it so that pauses do not pump, and of the rise.
   */
  fall: 3,
  stay: 8,
  rise: 10,
} as const;

/** Computes the gain of ducked tracks under voices, which are given in pieces of whole blocks, except for the last. */
export async function duckingCurve(voices: AsyncIterable<Float32Array>): Promise<Curve> {
  const { block, heard, left, fall, stay, rise } = DUCKING;
  const isHeard = (await levels(voices)).map((level) => level > heard);
  // The gain at the start of each block. A voice may have ended in the block before.
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

/** The root mean square of each block. */
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

/** Lossy encoders overshoot a little, so this is what the loudest sample may be. */
const CEILING = 0.95;
const LIMIT_BLOCK = RATE / 100;
/** How much louder each block may be than the one before when the limiter lets go: 0.17 dB in 10 ms. */
const RELEASE_FACTOR = 1.02;

/** Turns a sound, given piece by piece, down where it would be too loud, for some tenths of a second. */
export async function* limitLoudness(mixed: AsyncIterable<Float32Array>): AsyncGenerator<Float32Array> {
  let held:
    | { readonly piece: Float32Array; readonly gains: readonly number[]; readonly before: number }
    | undefined;
  let last = 1;
  for await (const piece of mixed) {
    const gains = gainsOf(piece, last);
    if (held) yield applyGains(held.piece, [held.before, ...held.gains, gains[0] ?? 1]);
    held = { piece, gains, before: last };
    last = gains.at(-1) ?? last;
  }
  if (held) yield applyGains(held.piece, [held.before, ...held.gains, 1]);
}

/** The maximum gain of each block. */
function gainsOf(piece: Float32Array, before: number): number[] {
  const gains: number[] = [];
  let gain = before;
  for (let at = 0; at < piece.length; at += LIMIT_BLOCK * 2) {
    const peak = piece
      .subarray(at, at + LIMIT_BLOCK * 2)
      .reduce((most, one) => Math.max(most, Math.abs(one)), 0);
    gain = Math.min(1, gain * RELEASE_FACTOR, peak > CEILING ? CEILING / peak : 1);
    gains.push(gain);
  }
  return gains;
}

// Between blocks the gain changes linearly between values that both neighbors allow.
function applyGains(piece: Float32Array, gains: readonly number[]): Float32Array {
  if (gains.every((gain) => gain === 1)) return piece;
  return piece.map((sample, i) => {
    const place = Math.floor(i / 2) / LIMIT_BLOCK;
    const block = Math.floor(place);
    const own = gains[block + 1] ?? 1;
    const from = Math.min(gains[block] ?? 1, own);
    const to = Math.min(gains[block + 2] ?? 1, own);
    return sample * (from + (to - from) * (place - block));
  });
}
