/** The clock of a page with scripts; it moves only when `advance` is called. */
export type PageClock = {
  /** Restarts the sequence of random numbers. */
  seed(seed: number): void;
  /**
   * Moves to a frame: runs due timers, then animation frame callbacks, then those of `video.onFrame`. Going back runs
   * only the last, since effects cannot be undone.
   */
  advance(moment: { readonly frame: number; readonly ms: number; readonly progress: number }): void;
  /** Tells of each script that fails, also of those that already have. */
  onFailure(hear: (message: string) => void): void;
  /** The page's original functions, for the engine. */
  readonly real: {
    readonly now: () => number;
    readonly requestAnimationFrame: (callback: FrameRequestCallback) => number;
  };
};

declare global {
  var videoEngineClock: PageClock | undefined;
}

/** The clock installed by clock.ts; undefined in a page without scripts. */
export function pageClock(): PageClock | undefined {
  return globalThis.videoEngineClock;
}
