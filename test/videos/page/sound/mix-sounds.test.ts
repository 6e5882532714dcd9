import fc from 'fast-check';
import { expect, test } from 'vitest';
import { mixSounds, type Sound, type UsedSound } from '../../../../src/videos/page/sound/mix-sounds.ts';
import { duckingCurve, RATE } from '../../../../src/videos/page/sound/sound-levels.ts';

const PLAIN = { start: 0, volume: 1, fadeIn: 0, fadeOut: 0, loop: false, duck: false };

/** A sound whose samples a function tells. */
function soundOf(length: number, at: (moment: number, side: number) => number): Sound {
  return {
    length,
    read: (from, to) =>
      Float32Array.from({ length: (to - from) * 2 }, (_, i) => at(from + Math.floor(i / 2), i % 2)),
  };
}

async function mixed(used: readonly UsedSound[], seconds: number): Promise<number[]> {
  const pieces = await Array.fromAsync(mixSounds(used, seconds));
  return pieces.flatMap((piece) => [...piece]);
}

test('the mix has exactly as many samples as the video is long', async () => {
  expect(await mixed([], 1 / 30)).toHaveLength(1_600 * 2);
  const lengths = (await Array.fromAsync(mixSounds([], 2.5))).map((piece) => piece.length / 2);
  expect(lengths).toEqual([RATE, RATE, RATE / 2]);
});

test('a single sound is unchanged, bit by bit', async () => {
  const sound = soundOf(300, (moment, side) => (moment - side * 100) / 512);
  const samples = await mixed([{ sound, use: { ...PLAIN, start: 0.01 } }], 0.02);
  const expected = Array.from({ length: 960 * 2 }, (_, i) => {
    const moment = Math.floor(i / 2) - 480;
    return moment >= 0 && moment < 300 ? (moment - (i % 2) * 100) / 512 : 0;
  });
  expect(samples).toEqual(expected);
});

test('nothing is ever louder than 0.95, however many sounds of whatever volume there are', async () => {
  const sound = fc.record({
    length: fc.integer({ min: 1, max: 30_000 }),
    level: fc.double({ min: 0.1, max: 1, noNaN: true }),
    start: fc.double({ min: 0, max: 1, noNaN: true }),
    volume: fc.double({ min: 0, max: 4, noNaN: true }),
    loop: fc.boolean(),
    duck: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(sound, { minLength: 1, maxLength: 4 }), async (sounds) => {
      const used = sounds.map(({ length, level, ...use }) => ({
        sound: soundOf(length, (moment, side) => level * Math.sin(moment / (7 + side))),
        use: { ...PLAIN, ...use },
      }));
      const samples = await mixed(used, 1.2);
      expect(samples.reduce((most, one) => Math.max(most, Math.abs(one)), 0)).toBeLessThan(0.9501);
    }),
    { numRuns: 20 },
  );
});

test('two sounds that fit together are only added', async () => {
  const half = soundOf(RATE, (moment) => 0.4 * Math.sin(moment / 9));
  const both = await mixed(
    [
      { sound: half, use: PLAIN },
      { sound: half, use: PLAIN },
    ],
    0.5,
  );
  const one = await mixed([{ sound: half, use: { ...PLAIN, volume: 2 } }], 0.5);
  expect(both).toEqual(one);
});

/** A steady voice of such a level in each block of 50 ms. */
async function* voice(levels: readonly number[]): AsyncGenerator<Float32Array> {
  yield Float32Array.from(
    { length: (levels.length * RATE) / 10 },
    (_, i) => levels[Math.floor((i * 10) / RATE)] ?? 0,
  );
}

test('music falls for 150 ms before a voice, stays down 400 ms after it, and rises for 500 ms', async () => {
  const curve = await duckingCurve(
    voice(Array.from({ length: 80 }, (_, i) => (i >= 20 && i < 40 ? 0.2 : 0))),
  );
  const at = (seconds: number) => Number(curve(seconds * RATE).toFixed(3));
  expect([0, 0.85, 0.925, 1, 1.5, 2, 2.4, 2.65, 2.9, 3.5].map(at)).toEqual([
    ...[1, 1, 0.625, 0.25, 0.25],
    ...[0.25, 0.25, 0.625, 1, 1],
  ]);
});

test('a voice as quiet as noise ducks nothing', async () => {
  const curve = await duckingCurve(voice(Array.from({ length: 20 }, () => 0.009)));
  expect([0, 0.3, 0.99].map((seconds) => curve(seconds * RATE))).toEqual([1, 1, 1]);
});
