import type { ThrottleStatus, Throttles } from '../../sync/ports/throttles.ts';
import type { Clock } from './clock.ts';

type Parts = { readonly domain: string; readonly clock: Clock; readonly throttles: Throttles };

/** Keeps requests within the points that a store has left, which all nodes take from. */
export function createPace({ domain, clock, throttles }: Parts) {
  /** Points of the requests that are under way: what the store says it has left may be without them. */
  let underWay = 0;

  return {
    /** Runs a request when there are the points for it. Nobody knows what one costs that was never asked. */
    async run<T>(points: number, signal: AbortSignal, request: () => Promise<T>): Promise<T> {
      for (let waitMs = -1; points > 0 && waitMs !== 0; ) {
        waitMs = await throttles.take(domain, points);
        if (waitMs > 0) await clock.wait(waitMs, signal);
      }
      underWay += points;
      try {
        return await request();
      } finally {
        underWay -= points;
      }
    },
    /** What the store said when it answered a request of so many points. */
    learn: (status: ThrottleStatus, points: number) =>
      throttles.learn(domain, { ...status, available: status.available - (underWay - points) }),
  };
}
