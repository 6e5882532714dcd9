/** Waits for a store or a sheet while another run may work. */
export type Away = <T>(wait: () => Promise<T>) => Promise<T>;

/** Shorter waits do not let another run begin. */
const SHORT_MS = 1_000;

/** Pauses of a second or more are spent away. */
export function pauseAway(away: Away | undefined, ms: number, pause: () => Promise<void>): Promise<void> {
  return away && ms >= SHORT_MS ? away(pause) : pause();
}
