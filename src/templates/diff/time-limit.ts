import { Fault } from '../../errors.ts';
import { workedMs } from '../thread-time.ts';

/** Time one answer may spend on comparing; everything that answer needs shares the one limit. */
export type TimeLimit = {
  /** Throws `too_large.merge` once the time is over. */
  readonly check: () => void;
};

/**
 * Counts what this thread works, so that a busy machine makes an answer late and not refused. The default leaves room
 * in a second for the linear work before and after the comparing.
 */
export function timeLimit(ms = 700): TimeLimit {
  const end = workedMs() + ms;
  // Nobody works longer than the clock runs, and the clock is quicker to ask.
  const earliest = performance.now() + ms;
  return {
    check: () => {
      if (performance.now() >= earliest && workedMs() >= end) throw new Fault('too_large.merge');
    },
  };
}
