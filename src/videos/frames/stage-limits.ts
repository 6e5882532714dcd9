/** How long a page may keep the machine waiting. Times are milliseconds. */
export type StageLimits = {
  /** From the start of the page until its first frame can be painted. */
  readonly readyMs: number;
  /** For the painting of one frame. */
  readonly frameMs: number;
  /** For each frame that a page with scripts goes through on its way to another. */
  readonly stepMs: number;
  /** For an answer of the browser in which nothing is painted. */
  readonly answerMs: number;
};

export const STAGE_LIMITS: StageLimits = {
  readyMs: 15_000,
  frameMs: 10_000,
  stepMs: 50,
  answerMs: 10_000,
};
