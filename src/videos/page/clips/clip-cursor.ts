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

export function createClipCursor(clip: Pick<OpenClip, 'framesFrom'>, from: number): ClipCursor {
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
    // A decoder leaves out the frames that it cannot decode.
    if (!shown || shown.timestamp > place + ROUNDING_SECONDS) throw new ClipFailed('a frame is missing');
    return shown;
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
