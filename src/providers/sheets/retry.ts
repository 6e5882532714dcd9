import { SheetsApiFault } from './faults.ts';

export type Clock = {
  readonly now: () => number;
  /** Rejects with the signal's reason. */
  readonly sleep: (milliseconds: number, signal: AbortSignal) => Promise<void>;
};

export type Patiently = <T>(attempt: () => Promise<T>, signal: AbortSignal) => Promise<T>;

const MOST_TRIES = 6;
/** Minutes that a used-up quota is waited for. */
const MOST_MINUTES = 15;
const MINUTE = 60_000;
const FIRST_WAIT = 1_000;
const LONGEST_WAIT = 64_000;
/** Those who wait for the same minute do not all begin with it. */
const SPREAD = 2_000;

/**
 * Tries again what may pass, for as long as the signal lives: after a lost answer up to 6 times, waiting a random time that
 * doubles from 1 to 64 s; after a used-up quota in the next minute. So an attempt must be one that may happen twice.
 */
export function createPatience(clock: Clock, random: () => number): Patiently {
  return async (attempt, signal) => {
    const failed = { lost: 0, busy: 0 };
    for (;;) {
      try {
        signal.throwIfAborted();
        return await attempt();
      } catch (error) {
        signal.throwIfAborted();
        await clock.sleep(waitAfter(error, failed), signal);
      }
    }
  };

  /** How long until it may pass. @throws the error itself where it will not, or has not for too long */
  function waitAfter(error: unknown, failed: { lost: number; busy: number }): number {
    const kind = error instanceof SheetsApiFault ? error.kind : undefined;
    if (kind === 'lost' && ++failed.lost < MOST_TRIES) return backoff(failed.lost);
    if (kind === 'busy' && ++failed.busy <= MOST_MINUTES) return nextMinute();
    throw error;
  }

  function backoff(tries: number): number {
    return random() * Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** (tries - 1));
  }

  function nextMinute(): number {
    return MINUTE - (clock.now() % MINUTE) + random() * SPREAD;
  }
}
