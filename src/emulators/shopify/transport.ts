import { setTimeout as pause } from 'node:timers/promises';
import { type createFaults, faultAnswer } from './faults.ts';
import { type Asked, readAsked } from './read-asked.ts';
import type { createRoutes, Served } from './routes.ts';

/** What the emulator takes for time: tokens expire, a bucket fills and bulk operations go on by it. */
export type EmulatorClock = {
  /** Milliseconds. */
  now(): number;
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
};

export const systemClock: EmulatorClock = {
  now: Date.now,
  sleep: (ms, signal) => pause(ms, undefined, signal && { signal }),
};

/** One request that was answered, or whose answer was lost. */
type EmulatorCall = {
  readonly path: string;
  /** Name of the GraphQL operation. */
  readonly operation: string | undefined;
  readonly status: number;
  /** Points that were spent. */
  readonly cost: number;
  readonly throttled: boolean;
  readonly bytesIn: number;
  readonly bytesOut: number;
};

type Deps = {
  readonly routes: ReturnType<typeof createRoutes>;
  readonly faults: ReturnType<typeof createFaults>;
  readonly clock: EmulatorClock;
  /** Does what is due by now. */
  readonly advance: () => void;
};

const CALLS_KEPT = 10_000;

/** `fetch` into the shop, with the faults that were ordered, and a note of each call. */
export function createTransport({ routes, faults, clock, advance }: Deps) {
  const calls: EmulatorCall[] = [];

  function note({ path, operation, bytes: bytesIn }: Asked, served: Served): void {
    const { response, bytes: bytesOut, cost = 0, throttled = false } = served;
    calls.push({ path, operation, status: response.status, cost, throttled, bytesIn, bytesOut });
    if (calls.length > CALLS_KEPT) calls.shift();
  }

  return {
    calls: calls as readonly EmulatorCall[],
    /** @throws TypeError where a fault ends the connection, as `fetch` does; the signal's reason */
    async fetch(input: string | URL | Request, init?: RequestInit): Promise<Response> {
      const request = new Request(input, init);
      request.signal.throwIfAborted();
      const asked = await readAsked(request);
      const fault = faults.next(asked);
      if (typeof fault === 'object' && 'slow' in fault) await clock.sleep(fault.slow, request.signal);
      if (fault === 'drop_before') throw new TypeError('fetch failed');
      advance();
      const instead = faultAnswer(fault, asked.version !== undefined);
      const served = instead ? { response: instead, bytes: 0 } : await routes.serve(asked, fault);
      note(asked, served);
      if (fault === 'drop_after') throw new TypeError('fetch failed');
      request.signal.throwIfAborted();
      return served.response;
    },
  };
}
