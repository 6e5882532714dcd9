import type { VideoSample } from 'mediabunny';
import { ROUNDING_SECONDS } from './clip-times.ts';
import { ClipFailed, type OpenClip } from './open-clip.ts';

/** Reads a clip forwards, and decodes each of its frames once. Places are seconds of its file. */
export type ClipCursor = {
  /** Whether a frame is best decoded from here: it is the last one, or near ahead. */
  canReach(place: number): boolean;
  /** The frame at a place, which stays open until the next call. @throws ClipFailed */
  frameAt(place: number): Promise<VideoSample>;
  close(): Promise<void>;
};

/** Frames farther ahead are looked up: a key frame may come before them. */
const NEAR_SECONDS = 2;

/** A damaged frame passes for a stutter; a picture that stands still for longer does not. */
const MAX_HOLE_SECONDS = 0.5;

export function createClipCursor(
  clip: Pick<OpenClip, 'framesFrom' | 'frameTimeAt'>,
  from: number,
): ClipCursor {
  const frames = clip.framesFrom(from);
  let at = from;
  let shown: VideoSample | undefined;
  /** Decoded, and shown from its own time on. */
  let next: VideoSample | undefined;
  let isOver = false;
  return { canReach, frameAt, close };

  function canReach(place: number): boolean {
    return at <= place && place <= at + NEAR_SECONDS;
  }

  async function frameAt(place: number): Promise<VideoSample> {
    at = place;
    for (;;) {
      if (!next && !isOver) await decode();
      if (!next || (shown && next.timestamp > place)) break;
      shown?.close();
      [shown, next] = [next, undefined];
    }
    if (!shown || !(await isThere(shown, place))) throw new ClipFailed('a frame is missing');
    return shown;
  }

  /** A decoder leaves out the frames that it cannot decode. Then the file has one where the one before is shown for too long. */
  async function isThere({ timestamp, duration }: VideoSample, place: number): Promise<boolean> {
    if (timestamp > place + ROUNDING_SECONDS) return false;
    if (place < timestamp + duration + MAX_HOLE_SECONDS) return true;
    return ((await clip.frameTimeAt(place)) ?? timestamp) <= timestamp + ROUNDING_SECONDS;
  }

  async function decode(): Promise<void> {
    const { value } = await frames.next();
    isOver = !value;
    next = value ?? undefined;
  }

  async function close(): Promise<void> {
    shown?.close();
    next?.close();
    await frames.return();
  }
}
