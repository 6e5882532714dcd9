import { Fault } from '../../errors.ts';

/** Time one answer may spend on comparing; everything that answer needs shares the one limit. */
export type TimeLimit = {
  /** Throws `too_large.merge` once the time is over. */
  readonly check: () => void;
};

/** Starts the clock. The default leaves room in a second for the linear work before and after the comparing. */
export function timeLimit(ms = 700): TimeLimit {
  const end = performance.now() + ms;
  return {
    check: () => {
      if (performance.now() >= end) throw new Fault('too_large.merge');
    },
  };
}
