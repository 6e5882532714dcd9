/** Chance from a seed: the same for the same one. */
export type Chance = {
  /** True so often, from 0 to 1. */
  happens(rate: number): boolean;
  /** A whole number from `least` up to `most`. */
  between(least: number, most: number): number;
  pick<T>(list: readonly T[]): T;
};

/** Mulberry32. */
export function createChance(seed: number): Chance {
  let state = (seed * 0x9e3779b1) >>> 0;

  function next(): number {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  return {
    happens: (rate) => next() < rate,
    between: (least, most) => least + Math.floor(next() * (most - least + 1)),
    pick(list) {
      const found = list[Math.floor(next() * list.length)];
      if (found === undefined) throw new Error('nothing to pick from');
      return found;
    },
  };
}
