import { setTimeout as delay } from 'node:timers/promises';
import { Fault } from '../../errors.ts';

/** Milliseconds before each retry. */
const RETRY_DELAYS_MS = [1_000, 4_000];

/**
 * Does work with a browser, again when the browser failed and not the page. Each try starts from nothing.
 * @throws what the last try threw; the signal's reason when it aborts
 */
export async function retry<Result>(
  work: () => Promise<Result>,
  signal: AbortSignal,
  delaysMs: readonly number[] = RETRY_DELAYS_MS,
): Promise<Result> {
  for (const delayMs of delaysMs) {
    try {
      return await work();
    } catch (error) {
      if (signal.aborted || !isTransient(error)) throw error;
      await delay(delayMs, undefined, { signal });
    }
  }
  return work();
}

/** Anything but a Fault is a browser or an encoder that died during the work. */
function isTransient(error: unknown): boolean {
  if (!(error instanceof Fault)) return true;
  return error.key === 'video_failed.crashed' || error.code === 'unavailable';
}
