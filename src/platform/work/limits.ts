export type WorkLimits = typeof LIMITS;

export const LIMITS = {
  /** How often an attempt makes sure that the piece is still its own. */
  beatMs: 3_000,
  /** How long one attempt may take. */
  runMs: 2 * 60 * 60_000,
  /** How long a stop waits for what runs, before and after it is told to end. */
  graceMs: 4_000,
  /** Least time between two writes of a piece's progress. */
  progressMs: 250,
  /** How long a start waits that the database did not answer, before it tries again. */
  retryStartMs: 5_000,
};
