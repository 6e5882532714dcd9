import type { Call } from './define.ts';

/** Least time between two notices of progress, in milliseconds; the last one is never held back. */
const PAUSE_MS = 250;

type Notice = { progress: number; total: number; message: string };

/**
 * A `progress` for a call that tells a client through `send`, seldom enough not to drown it, and never backwards, as the
 * protocol asks. `settled` resolves when all notices are on their way, so that an answer cannot overtake them.
 */
export function createProgress(
  send: (notice: Notice) => Promise<void>,
  now: () => number = () => performance.now(),
): { progress: Call['progress']; settled(): Promise<void> } {
  let highest = Number.NEGATIVE_INFINITY;
  let sentAt = Number.NEGATIVE_INFINITY;
  let sending = Promise.resolve();
  return {
    progress(done, total, message) {
      if (done <= highest) return;
      if (done < total && now() - sentAt < PAUSE_MS) return;
      highest = done;
      sentAt = now();
      // A client that has gone away is told nothing; its call ends by the signal.
      sending = sending.then(() => send({ progress: done, total, message })).catch(() => undefined);
    },
    settled: () => sending,
  };
}
