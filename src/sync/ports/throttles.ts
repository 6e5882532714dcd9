/** What the API of each store still allows, the same for all nodes. Stores are known by their domain. */
export type Throttles = {
  /**
   * Takes points and answers 0, or takes none and answers how many milliseconds to wait before asking again. A
   * store without a known limit gives any number.
   */
  take(domain: string, points: number): Promise<number>;
  /** Saves the state that the store has just reported. */
  learn(domain: string, status: ThrottleStatus): Promise<void>;
};

/** In points; `restoreRate` a second. */
export type ThrottleStatus = {
  readonly available: number;
  readonly capacity: number;
  readonly restoreRate: number;
};
