/** Waits for a store or a sheet without keeping another run from working in the meantime. */
export type Away = <T>(wait: () => Promise<T>) => Promise<T>;

/** Waits for less than this are no reason to let another run begin. */
const SHORT_MS = 1_000;

/** Pauses of a second or more are spent away. */
export function pauseAway(away: Away | undefined, ms: number, pause: () => Promise<void>): Promise<void> {
  return away && ms >= SHORT_MS ? away(pause) : pause();
}
