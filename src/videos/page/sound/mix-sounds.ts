import { integratedLoudness } from './loudness.ts';
import { shapeSound } from './shape-sound.ts';
import { type Curve, duckingCurve, limitLoudness, RATE } from './sound-levels.ts';

/** A stereo sound of `length` moments, interleaved left and right. */
export type Sound = {
  readonly length: number;
  /** Moments `from` to `to`, `to` excluded. */
  read(from: number, to: number): Float32Array | Promise<Float32Array>;
};

/** Use of a sound; the fields are those of `Track` in composition/composition.ts. */
export type SoundUse = {
  readonly start: number;
  readonly volume: number;
  readonly fadeIn: number;
  readonly fadeOut: number;
  readonly loop: boolean;
  readonly duck: boolean;
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  readonly speed?: number | undefined;
  readonly until?: number | undefined;
  readonly clip?: { readonly delay: number; readonly duration: number } | undefined;
};

export type UsedSound = { readonly sound: Sound; readonly use: SoundUse };

/** The same in moments; it is heard from `from` to `to`. */
type Part = {
  readonly sound: Sound;
  readonly from: number;
  readonly to: number;
  readonly volume: number;
  readonly fadeIn: number;
  readonly fadeOut: number;
  readonly duck: boolean;
};

/**
 * Mixes sounds into one of exactly the given length, yielded second by second and limited to full scale. Uses neither
 * browser nor Node APIs, so that both mix the same.
 * @param loudness of the mix, in LUFS; by default as it is
 */
export async function* mixSounds(
  used: readonly UsedSound[],
  seconds: number,
  loudness?: number,
): AsyncGenerator<Float32Array> {
  const length = Math.round(seconds * RATE);
  const parts = used
    .map((one) => partOf(one, length))
    .filter(({ sound, from, to }) => from < to && sound.length > 0);
  const voices = parts.filter(({ duck }) => !duck);
  const ducked = voices.length > 0 && voices.length < parts.length;
  const ducking = ducked ? await duckingCurve(pieces(voices, length)) : undefined;
  const mix = () => pieces(parts, length, ducking);
  const gain = loudness === undefined ? 1 : gainTo(loudness, await integratedLoudness(mix()));
  yield* limitLoudness(amplified(mix(), gain));
}

/** What is very quiet stays quiet: more gain than this would mostly amplify noise. */
const MAX_GAIN = 10;

/** The factor that makes a sound as loud as wanted, both in LUFS. */
function gainTo(wanted: number, loudness: number | undefined): number {
  return loudness === undefined ? 1 : Math.min(MAX_GAIN, 10 ** ((wanted - loudness) / 20));
}

async function* amplified(mixed: AsyncIterable<Float32Array>, gain: number): AsyncGenerator<Float32Array> {
  for await (const piece of mixed) yield gain === 1 ? piece : piece.map((sample) => sample * gain);
}

function partOf({ sound: whole, use }: UsedSound, videoEnd: number): Part {
  const sound = shapeSound(whole, use);
  const end = Math.min(videoEnd, Math.round((use.until ?? Number.POSITIVE_INFINITY) * RATE));
  const from = Math.round(use.start * RATE);
  const to = use.loop && sound.length > 0 ? end : Math.min(end, from + sound.length);
  const fadeIn = Math.round(use.fadeIn * RATE);
  const fadeOut = Math.round(use.fadeOut * RATE);
  return { sound, from, to, volume: use.volume, fadeIn, fadeOut, duck: use.duck };
}

async function* pieces(
  parts: readonly Part[],
  length: number,
  ducking?: Curve,
): AsyncGenerator<Float32Array> {
  for (let at = 0; at < length; at += RATE) {
    const end = Math.min(at + RATE, length);
    const mix = new Float32Array((end - at) * 2);
    for (const part of parts) {
      const from = Math.max(at, part.from);
      const to = Math.min(end, part.to);
      if (from < to) await addPart(mix, { part, at, from, to, ducking: part.duck ? ducking : undefined });
    }
    yield mix;
  }
}

type Adding = {
  readonly part: Part;
  /** The moment at which the mix starts, and the range in which the part is added. */
  readonly at: number;
  readonly from: number;
  readonly to: number;
  readonly ducking: Curve | undefined;
};

async function addPart(mix: Float32Array, { part, at, from, to, ducking }: Adding): Promise<void> {
  const { sound } = part;
  for (let moment = from; moment < to; ) {
    const start = (moment - part.from) % sound.length;
    const count = Math.min(to - moment, sound.length - start);
    const samples = await sound.read(start, start + count);
    for (let i = 0; i < count; i += 1) {
      const gain = loudness(part, moment + i) * (ducking?.(moment + i) ?? 1);
      const place = (moment + i - at) * 2;
      mix[place] = (mix[place] ?? 0) + (samples[i * 2] ?? 0) * gain;
      mix[place + 1] = (mix[place + 1] ?? 0) + (samples[i * 2 + 1] ?? 0) * gain;
    }
    moment += count;
  }
}

function loudness({ from, to, volume, fadeIn, fadeOut }: Part, moment: number): number {
  const risen = fadeIn > 0 ? Math.min(1, (moment - from) / fadeIn) : 1;
  const left = fadeOut > 0 ? Math.min(1, (to - moment) / fadeOut) : 1;
  return volume * risen * left;
}
