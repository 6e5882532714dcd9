import type { Clock } from './clock.ts';
import { unavailable } from './shop-fault.ts';

/** What came of one try. `held`: the store lets us wait by its own rules, which is no failure. */
export type Try<T> =
  | { readonly state: 'done'; readonly value: T }
  | { readonly state: 'held'; readonly waitMs: number }
  | { readonly state: 'failed'; readonly about: string; readonly waitMs?: number | undefined };

type Persistence = { readonly domain: string; readonly clock: Clock; readonly signal: AbortSignal };

const MOST_FAILED = 6;
const MOST_HELD = 100;
const SHORTEST_MS = 500;
const LONGEST_MS = 30_000;
/** A server that asks for more has lost its clock. */
const LONGEST_ASKED_MS = 5 * 60_000;

/** Tries until it is done, or has failed six times: then Fault store_unavailable. Only for what may be done twice. */
export async function persist<T>(
  { domain, clock, signal }: Persistence,
  attempt: () => Promise<Try<T>>,
): Promise<T> {
  for (let failed = 0, held = 0; ; ) {
    signal.throwIfAborted();
    const tried = await attempt();
    if (tried.state === 'done') return tried.value;
    if (tried.state === 'held') held += 1;
    else failed += 1;
    const about = tried.state === 'held' ? 'throttled' : tried.about;
    if (failed === MOST_FAILED || held === MOST_HELD) throw unavailable(domain, about);
    await clock.wait(Math.min(tried.waitMs ?? jitter(failed), LONGEST_ASKED_MS), signal);
  }
}

/** Anything up to a time that doubles: those who were refused together do not come back together. */
function jitter(failed: number): number {
  return Math.random() * Math.min(LONGEST_MS, SHORTEST_MS * 2 ** failed);
}
