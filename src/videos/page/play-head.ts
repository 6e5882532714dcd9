export type PlayHead = {
  /** Plays, from the start if at the end, or stops. */
  toggle(): void;
  /** Stops at a frame. */
  moveTo(frame: number): void;
  /** Moves by a number of frames, back if negative, and stops. */
  moveBy(frames: number): void;
};

export type PlayState = { readonly frame: number; readonly isPlaying: boolean };

type PlayHeadDeps = {
  readonly fps: number;
  readonly frames: number;
  /** Milliseconds of a monotonic clock. */
  readonly now: () => number;
  readonly nextFrame: (callback: () => void) => void;
  readonly reach: (frame: number) => Promise<unknown>;
  readonly changed: (state: PlayState) => void;
};

/** Plays a stage in real time and skips frames for which there is no time. */
export function createPlayHead({ fps, frames, now, nextFrame, reach, changed }: PlayHeadDeps): PlayHead {
  let frame = 0;
  let startedAt: number | undefined;
  let isReaching = false;
  changed({ frame, isPlaying: false });
  return { toggle, moveTo, moveBy: (by) => moveTo(frame + by) };

  function toggle(): void {
    if (startedAt === undefined) start();
    else moveTo(frame);
  }

  function start(): void {
    if (frame === frames - 1) frame = 0;
    startedAt = now() - (frame * 1000) / fps;
    show();
    nextFrame(tick);
  }

  function moveTo(wanted: number): void {
    startedAt = undefined;
    frame = Math.min(Math.max(0, Math.round(wanted)), frames - 1);
    show();
  }

  function tick(): void {
    if (startedAt === undefined) return;
    const reached = Math.floor(((now() - startedAt) * fps) / 1000);
    if (reached < frames - 1) nextFrame(tick);
    else startedAt = undefined;
    if (reached === frame) return;
    frame = Math.min(reached, frames - 1);
    show();
  }

  function show(): void {
    changed({ frame, isPlaying: startedAt !== undefined });
    void catchUp();
  }

  /** A page with scripts may take long to reach a frame; another may be requested by then. */
  async function catchUp(): Promise<void> {
    if (isReaching) return;
    isReaching = true;
    let reached = -1;
    while (reached !== frame) {
      reached = frame;
      await reach(reached);
    }
    isReaching = false;
  }
}
