import type { Sound } from './mix-sounds.ts';

/** Moments `from` to `to` of a sound, with silence where it has none. */
export function windowOf(sound: Sound, from: number, to: number): Sound {
  return {
    length: Math.max(0, to - from),
    async read(start, end) {
      const samples = new Float32Array((end - start) * 2);
      const first = Math.max(0, start + from);
      const last = Math.min(sound.length, end + from);
      if (first < last) samples.set(await sound.read(first, last), (first - start - from) * 2);
      return samples;
    },
  };
}
