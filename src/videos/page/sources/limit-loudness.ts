import { RATE } from './sound-rate.ts';

/** Lossy encoders overshoot a little, so this is what the loudest sample may be. */
const CEILING = 0.95;
const LIMIT_BLOCK = RATE / 100;
/** How much louder each block may be than the one before when the limiter lets go: 0.17 dB in 10 ms. */
const LETTING_GO = 1.02;

/** Turns a sound, given piece by piece, down where it would be too loud, for some tenths of a second. */
export async function* limitLoudness(mixed: AsyncIterable<Float32Array>): AsyncGenerator<Float32Array> {
  let held:
    | { readonly piece: Float32Array; readonly gains: readonly number[]; readonly before: number }
    | undefined;
  let last = 1;
  for await (const piece of mixed) {
    const gains = gainsOf(piece, last);
    if (held) yield turnedDown(held.piece, [held.before, ...held.gains, gains[0] ?? 1]);
    held = { piece, gains, before: last };
    last = gains.at(-1) ?? last;
  }
  if (held) yield turnedDown(held.piece, [held.before, ...held.gains, 1]);
}

/** For each block the most it may be multiplied by. */
function gainsOf(piece: Float32Array, before: number): number[] {
  const gains: number[] = [];
  let gain = before;
  for (let at = 0; at < piece.length; at += LIMIT_BLOCK * 2) {
    const peak = piece
      .subarray(at, at + LIMIT_BLOCK * 2)
      .reduce((most, one) => Math.max(most, Math.abs(one)), 0);
    gain = Math.min(1, gain * LETTING_GO, peak > CEILING ? CEILING / peak : 1);
    gains.push(gain);
  }
  return gains;
}

// From block to block the gain moves in a straight line between values that both neighbours allow.
function turnedDown(piece: Float32Array, gains: readonly number[]): Float32Array {
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
