/** What the API of each store still allows, the same for all nodes. Stores are known by their domain. */
export type Throttles = {
  /**
   * Takes points and answers 0, or takes none and answers how many milliseconds to wait before asking again. A store that
   * nothing was learnt of gives any.
   */
  take(domain: string, points: number): Promise<number>;
  /** What the store itself has just said. */
  learn(domain: string, status: ThrottleStatus): Promise<void>;
};

/** In points; `restoreRate` a second. */
export type ThrottleStatus = {
  readonly available: number;
  readonly capacity: number;
  readonly restoreRate: number;
};
