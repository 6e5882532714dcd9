import { setTimeout as delay } from 'node:timers/promises';
import { Fault } from '../../errors.ts';

/** Milliseconds before each new try. */
const PAUSES_MS = [1_000, 4_000];

/**
 * Does work with a browser, again when the browser was at fault and not the page. Each try begins from nothing.
 * @throws what the last try threw; the signal's reason when it aborts
 */
export async function again<Result>(
  work: () => Promise<Result>,
  signal: AbortSignal,
  pausesMs: readonly number[] = PAUSES_MS,
): Promise<Result> {
  for (const pause of pausesMs) {
    try {
      return await work();
    } catch (error) {
      if (signal.aborted || !mayPass(error)) throw error;
      await delay(pause, undefined, { signal });
    }
  }
  return work();
}

/** What is no Fault is a browser or an encoder that ended in the midst of something. */
function mayPass(error: unknown): boolean {
  if (!(error instanceof Fault)) return true;
  return error.key === 'video_failed.crashed' || error.code === 'unavailable';
}
