/** The clock of a page with scripts: it stands still until it is told to go on. */
export type PageClock = {
  /** Begins the series of random numbers anew. */
  seed(seed: number): void;
  /**
   * Goes on to a frame: timers that are due, then the callbacks of animation frames, then those of `video.onFrame`.
   * Going back runs only the last, since what has happened cannot be undone.
   */
  advance(moment: { readonly frame: number; readonly ms: number; readonly progress: number }): void;
  /** What the page had before, for the engine itself. */
  readonly real: {
    readonly now: () => number;
    readonly requestAnimationFrame: (callback: FrameRequestCallback) => number;
  };
};

declare global {
  var videoEngineClock: PageClock | undefined;
}

/** The clock that clock.ts has installed; undefined in a page without scripts. */
export function pageClock(): PageClock | undefined {
  return globalThis.videoEngineClock;
}
