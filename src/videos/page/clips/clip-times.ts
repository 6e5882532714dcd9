/** When which part of a clip is shown. Times are seconds; without `to`, the clip plays to its end. */
export type ClipUse = {
  /** After the beginning of its scene. */
  readonly start: number;
  /** Of the clip. */
  readonly from: number;
  readonly to: number | undefined;
  /** 2 plays it twice as fast. */
  readonly speed: number;
  readonly loop: boolean;
};

// Less than any two frames are apart: a moment that belongs to the next frame by rounding alone stays with its own.
export const ROUNDING_SECONDS = 1e-6;

/**
 * The moment of a clip that a frame shows. A frame shows what the clip does in the middle of the frame's time, which is
 * also the rule of ffmpeg's filter `fps`. Before its start a clip shows its first moment, after its end the last one.
 * @param moment seconds since the beginning of the scene, in the middle of a frame
 * @param duration seconds of the whole clip
 */
export function clipSeconds(
  { start, from, to, speed, loop }: ClipUse,
  moment: number,
  duration: number,
): number {
  const first = Math.min(from, duration);
  const length = Math.max(0, Math.min(to ?? duration, duration) - first);
  const played = Math.max(0, (moment - start) * speed);
  const local = loop && length > 0 ? played % length : Math.min(played, length);
  return Math.max(first, first + local - ROUNDING_SECONDS);
}
