import { RATE } from './sound-levels.ts';

/** ITU-R BS.1770-5: blocks of 400 ms that overlap by 300 ms. */
const STEP = RATE / 10;
const STEPS_IN_BLOCK = 4;
const SILENCE_LUFS = -70;
const BELOW_MEAN_LU = -10;

/** Coefficients of a filter of second order; those of the standard are for 48 kHz. */
type Biquad = { readonly b: readonly [number, number, number]; readonly a: readonly [number, number] };

const SHELF: Biquad = {
  b: [1.53512485958697, -2.69169618940638, 1.19839281085285],
  a: [-1.69065929318241, 0.73248077421585],
};
const HIGH_PASS: Biquad = { b: [1, -2, 1], a: [-1.99004745483398, 0.99007225036621] };

/**
 * The integrated loudness of a stereo sound, in LUFS.
 * @returns undefined for silence
 */
export async function integratedLoudness(pieces: AsyncIterable<Float32Array>): Promise<number | undefined> {
  const blocks = blockEnergies(await stepEnergies(pieces));
  const heard = blocks.filter((energy) => lufs(energy) > SILENCE_LUFS);
  if (heard.length === 0) return undefined;
  const least = lufs(mean(heard)) + BELOW_MEAN_LU;
  return lufs(mean(heard.filter((energy) => lufs(energy) > least)));
}

/** The mean squares of both channels together, for each 100 ms. */
async function stepEnergies(pieces: AsyncIterable<Float32Array>): Promise<number[]> {
  const weighted = [createWeighting(), createWeighting()] as const;
  const energies: number[] = [];
  let sum = 0;
  let count = 0;
  for await (const piece of pieces) {
    for (let i = 0; i < piece.length; i += 2) {
      sum += weighted[0](piece[i] ?? 0) ** 2 + weighted[1](piece[i + 1] ?? 0) ** 2;
      count += 1;
      if (count < STEP) continue;
      energies.push(sum / STEP);
      sum = 0;
      count = 0;
    }
  }
  // A sound shorter than a block is measured as far as it goes.
  if (energies.length < STEPS_IN_BLOCK && count > 0) energies.push(sum / count);
  return energies;
}

function blockEnergies(steps: readonly number[]): number[] {
  if (steps.length < STEPS_IN_BLOCK) return steps.length > 0 ? [mean(steps)] : [];
  return Array.from({ length: steps.length - STEPS_IN_BLOCK + 1 }, (_, i) =>
    mean(steps.slice(i, i + STEPS_IN_BLOCK)),
  );
}

function mean(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
}

function lufs(energy: number): number {
  return -0.691 + 10 * Math.log10(energy);
}

/** How loud ears find the frequencies of a channel. */
function createWeighting(): (sample: number) => number {
  const shelf = createFilter(SHELF);
  const highPass = createFilter(HIGH_PASS);
  return (sample) => highPass(shelf(sample));
}

function createFilter({ b: [b0, b1, b2], a: [a1, a2] }: Biquad): (sample: number) => number {
  let [first, second] = [0, 0];
  return (sample) => {
    const out = b0 * sample + first;
    first = b1 * sample - a1 * out + second;
    second = b2 * sample - a2 * out;
    return out;
  };
}
