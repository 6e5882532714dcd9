import { expect, test } from 'vitest';
import { integratedLoudness } from '../../../../src/videos/page/sound/loudness.ts';
import { mixSounds, type Sound, type SoundUse } from '../../../../src/videos/page/sound/mix-sounds.ts';
import { RATE } from '../../../../src/videos/page/sound/sound-levels.ts';

const PLAIN = { start: 0, volume: 1, fadeIn: 0, fadeOut: 0, loop: false, duck: false };

/** A sound whose sample tells its second, in hundredths. */
const seconds = (length: number): Sound => soundOf(length, (moment) => moment / RATE / 100);

function tone(length: number, { hertz, peak }: { hertz: number; peak: number }): Sound {
  return soundOf(length, (moment) => peak * Math.sin((2 * Math.PI * hertz * moment) / RATE));
}

function soundOf(length: number, at: (moment: number) => number): Sound {
  return {
    length: length * RATE,
    read: (from, to) => Float32Array.from({ length: (to - from) * 2 }, (_, i) => at(from + (i >> 1))),
  };
}

async function mixed(sound: Sound, use: Partial<SoundUse>, length: number, loudness?: number) {
  const pieces = await Array.fromAsync(mixSounds([{ sound, use: { ...PLAIN, ...use } }], length, loudness));
  return Float32Array.from(pieces.flatMap((piece) => [...piece]));
}

/** Which second of the sound is heard in each quarter of a second of the mix; `-` for silence. */
async function heard(use: Partial<SoundUse>, sound = seconds(4)): Promise<string> {
  const samples = await mixed(sound, use, 2);
  return Array.from({ length: 8 }, (_, i) => {
    const sample = samples[Math.round((i + 0.5) * 0.25 * RATE) * 2] ?? 0;
    return sample === 0 ? '-' : (sample * 100).toFixed(3);
  }).join(' ');
}

test.each<[string, Partial<SoundUse>, string]>([
  ['from a moment', { from: 1 }, '1.125 1.375 1.625 1.875 2.125 2.375 2.625 2.875'],
  ['to a moment', { from: 1, to: 1.5 }, '1.125 1.375 - - - - - -'],
  [
    'a part again and again',
    { from: 1, to: 1.5, loop: true },
    '1.125 1.375 1.125 1.375 1.125 1.375 1.125 1.375',
  ],
  ['until its scene ends', { start: 0.5, until: 1 }, '- - 0.125 0.375 - - - -'],
  [
    'later than the picture of its clip',
    { clip: { delay: 0.5, duration: 4 } },
    '- - 0.125 0.375 0.625 0.875 1.125 1.375',
  ],
  [
    'from a moment of its clip, which is counted from its picture',
    { from: 1, clip: { delay: 0.5, duration: 4 } },
    '0.625 0.875 1.125 1.375 1.625 1.875 2.125 2.375',
  ],
  [
    'again when the picture of its clip is, although the picture is longer',
    { from: 3.5, loop: true, clip: { delay: 0, duration: 4.5 } },
    '3.625 3.875 - - 3.625 3.875 - -',
  ],
])('a sound is heard %s', async (_, use, expected) => {
  expect(await heard(use)).toBe(expected);
});

test.each([0.5, 2, 4])(
  'a sound at speed %s keeps its pitch and its loudness, and has its share of the time',
  async (speed) => {
    const samples = await mixed(tone(2, { hertz: 440, peak: 0.3 }), { speed }, 2 / speed + 0.5);
    const end = samples.findLastIndex((sample) => sample !== 0) / 2 / RATE;
    expect(end).toBeCloseTo(2 / speed, 1);
    const left = samples.filter((_, i) => i % 2 === 0).subarray(0, Math.round((2 / speed) * RATE));
    const rising = left.filter((sample, i) => (left[i - 1] ?? 0) < 0 && sample >= 0).length;
    expect(rising / (2 / speed)).toBeCloseTo(440, -1);
    const rms = Math.sqrt(left.reduce((sum, sample) => sum + sample ** 2, 0) / left.length);
    expect(rms).toBeCloseTo(0.3 * Math.SQRT1_2, 2);
  },
);

test('a stretched sound is the same however it is read', async () => {
  const [short, long] = [await mixed(tone(3, { hertz: 99, peak: 0.3 }), { speed: 1.5 }, 1.2)].concat(
    await mixed(tone(3, { hertz: 99, peak: 0.3 }), { speed: 1.5 }, 2),
  );
  expect(short?.subarray(0, RATE)).toEqual(long?.subarray(0, RATE));
});

test('a tone of 997 Hz has the loudness of the standard, and silence has none', async () => {
  // ITU-R BS.1770: 0 dB of full scale in one channel are -3.01 LUFS, and in both 0.
  expect(
    await integratedLoudness(mixSounds([{ sound: tone(3, { hertz: 997, peak: 0.1 }), use: PLAIN }], 3)),
  ).toBeCloseTo(-20, 1);
  expect(await integratedLoudness(mixSounds([], 3))).toBeUndefined();
});

test.each([0.02, 0.1, 0.9])('a mix with peaks of %s is brought to -14 LUFS', async (peak) => {
  const samples = await mixed(tone(3, { hertz: 997, peak }), {}, 3, -14);
  async function* once() {
    yield samples;
  }
  expect(await integratedLoudness(once())).toBeCloseTo(-14, 1);
});

test('what is nearly silent is amplified by 20 dB at most', async () => {
  const samples = await mixed(tone(1, { hertz: 997, peak: 0.001 }), {}, 1, -14);
  expect(Math.max(...samples)).toBeCloseTo(0.01, 4);
});
