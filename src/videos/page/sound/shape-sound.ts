import type { Sound, SoundUse } from './mix-sounds.ts';
import { RATE } from './sound-levels.ts';
import { stretchSound } from './stretch-sound.ts';
import { windowOf } from './window-sound.ts';

/** The part of a sound that is played, at its speed. The sound of a clip is as long as the part of its picture. */
export function shapeSound(sound: Sound, { from = 0, to, speed = 1, clip }: SoundUse): Sound {
  const { delay, duration } = clip ?? { delay: 0, duration: sound.length / RATE };
  const end = Math.min(to ?? duration, duration);
  if (from === 0 && delay === 0 && !clip && to === undefined) return stretchSound(sound, speed);
  const part = windowOf(sound, Math.round((from - delay) * RATE), Math.round((end - delay) * RATE));
  return stretchSound(part, speed);
}
