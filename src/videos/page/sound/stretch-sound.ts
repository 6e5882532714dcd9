import type { Sound } from './mix-sounds.ts';
import { RATE } from './sound-levels.ts';
import { windowOf } from './window-sound.ts';

/** Moments from one grain to the next, which overlap by half. */
const HOP = RATE / 50;
/** How far a grain may be from its place to fit the one before: 10 ms. */
const SEARCH = RATE / 100;
/** Of the search; every moment near the best one is tried after that. */
const STEP = 8;

/** A raised cosine: the window and itself, half a grain later, add up to 1. */
const WINDOW = Float32Array.from(
  { length: HOP * 2 },
  (_, i) => 0.5 - 0.5 * Math.cos((Math.PI * (i + 0.5)) / HOP),
);

/**
 * Plays a sound faster or slower at the same pitch: short grains of it overlap, each moved to where it continues the one
 * before (waveform similarity overlap-add).
 */
export function stretchSound(sound: Sound, speed: number): Sound {
  if (speed === 1) return sound;
  const endless = windowOf(sound, 0, Number.MAX_SAFE_INTEGER);
  /** Where each grain begins in the sound; the first one begins before it, so that the beginning is as recorded. */
  const places: number[] = [-HOP, 0];
  return { length: Math.round(sound.length / speed), read };

  async function read(from: number, to: number): Promise<Float32Array> {
    const samples = new Float32Array((to - from) * 2);
    const last = Math.floor((to - 1) / HOP) + 1;
    for (let grain = Math.floor(from / HOP); grain <= last; grain += 1)
      await addGrain(samples, { from, grain, place: await placeOf(grain) });
    return samples;
  }

  /** Of grain 0, which ends one hop after the beginning, and those after it. */
  async function placeOf(grain: number): Promise<number> {
    for (let next = places.length; next <= grain; next += 1) {
      const wanted = Math.round((next - 1) * HOP * speed);
      const continued = await readAt((places[next - 1] ?? 0) + HOP, HOP);
      const around = await readAt(wanted - SEARCH, HOP + SEARCH * 2);
      places.push(wanted - SEARCH + bestShift(continued, around));
    }
    return places[grain] ?? 0;
  }

  async function addGrain(
    samples: Float32Array,
    { from, grain, place }: { readonly from: number; readonly grain: number; readonly place: number },
  ): Promise<void> {
    const start = (grain - 1) * HOP - from;
    const heard = await readAt(place, HOP * 2);
    for (let i = Math.max(0, -start); i < HOP * 2 && start + i < samples.length / 2; i += 1) {
      const at = (start + i) * 2;
      const gain = WINDOW[i] ?? 0;
      samples[at] = (samples[at] ?? 0) + (heard[i * 2] ?? 0) * gain;
      samples[at + 1] = (samples[at + 1] ?? 0) + (heard[i * 2 + 1] ?? 0) * gain;
    }
  }

  async function readAt(place: number, length: number): Promise<Float32Array> {
    const silence = Math.min(length, Math.max(0, -place));
    const samples = new Float32Array(length * 2);
    if (silence < length) samples.set(await endless.read(place + silence, place + length), silence * 2);
    return samples;
  }
}

/** The shift at which a sound is most alike to another. */
function bestShift(wanted: Float32Array, around: Float32Array): number {
  let best = SEARCH;
  let most = likeness(wanted, around, SEARCH);
  const attempt = (shift: number) => {
    const like = likeness(wanted, around, shift);
    if (like <= most) return;
    most = like;
    best = shift;
  };
  for (let shift = 0; shift <= SEARCH * 2; shift += STEP) attempt(shift);
  const near = best;
  for (let shift = Math.max(0, near - STEP); shift <= Math.min(SEARCH * 2, near + STEP); shift += 1)
    attempt(shift);
  return best;
}

// Every eighth moment tells enough of a waveform.
function likeness(wanted: Float32Array, around: Float32Array, shift: number): number {
  let product = 0;
  let energy = 1e-9;
  for (let i = 0; i < wanted.length; i += 16) {
    const sample = (around[i + shift * 2] ?? 0) + (around[i + shift * 2 + 1] ?? 0);
    product += sample * ((wanted[i] ?? 0) + (wanted[i + 1] ?? 0));
    energy += sample * sample;
  }
  return product / Math.sqrt(energy);
}
