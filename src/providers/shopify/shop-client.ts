import { setTimeout as delay } from 'node:timers/promises';
import type { AdminApiClient } from '@shopify/admin-api-client';
import type { z } from 'zod';
import type { Fault } from '../../errors.ts';
import type { Away } from '../../sync/ports/away.ts';
import type { StoreCalls } from '../../sync/ports/store-client.ts';
import type { ThrottleStatus, Throttles } from '../../sync/ports/throttles.ts';
import type { AccessToken } from './access-token.ts';
import type { FileFetch } from './file-fetch.ts';
import {
  type Cost,
  frozen,
  missing,
  readCost,
  readReply,
  refused,
  unauthorized,
  unavailable,
  type Verdict,
} from './read-reply.ts';
import { persist, type ShopFetch, type Try } from './shop-fetch.ts';

/** A query to the Admin API. `variables` are created for as many items as one request may include. */
type ShopQuery<T> = {
  readonly query: string;
  readonly variables: (size: number) => Record<string, unknown>;
  /** How many items to include: halved as often as the store finds the request too costly. */
  readonly size?: number;
  readonly response: z.ZodType<T>;
};

export type Shop = {
  readonly domain: string;
  readonly clock: Clock;
  readonly files: FileFetch;
  /** How what takes long is waited for. */
  readonly away: Away;
  /** Waits out throttling and retries what may be retried. Throws the faults of a StoreClient. */
  request<T>(query: ShopQuery<T>, signal: AbortSignal): Promise<T>;
  /** How many such requests, of one item each, the store lets through within so many seconds. */
  allowedWithin(seconds: number, query: string): number;
  readonly calls: () => StoreCalls;
};

/** The known cost of queries in points, the same for all stores. */
export type Costs = {
  get(query: string): number | undefined;
  set(query: string, points: number): unknown;
};

type Query = Omit<ShopQuery<unknown>, 'response'>;

type Request = {
  readonly query: string;
  readonly variables: Record<string, unknown>;
  readonly size: number;
  readonly points: number;
};

type ShopDeps = Pick<Shop, 'domain' | 'clock' | 'files' | 'away'> & {
  readonly apiVersion: string;
  readonly fetch: ShopFetch;
  readonly token: AccessToken;
  readonly throttles: Throttles;
  readonly costs: Costs;
};

/** Of a standard plan, until the store has answered; most mutations cost 10 points. */
const USUAL = { capacity: 2000, restoreRate: 100, points: 10 };

const THROTTLED_MS = { min: 100, unknown: 1000 };

/** The Admin API of one store, by Shopify's own client, which is loaded at the first use. */
export function createShop(deps: ShopDeps): Shop {
  const { domain, clock, files, away, token, costs } = deps;
  const throttle = createThrottle(deps);
  const clientOf = createClients(deps);
  /** How many items a query may include, where the store has refused more since it was opened. */
  const sizes = new Map<string, number>();
  const counted = { calls: 0, points: 0 };
  let limits: Pick<ThrottleStatus, 'capacity' | 'restoreRate'> = USUAL;

  async function request<T>(query: ShopQuery<T>, signal: AbortSignal): Promise<T> {
    const data = await persist({ domain, clock, signal }, () => attempt(query, signal));
    const parsed = query.response.safeParse(data);
    if (parsed.success) return parsed.data;
    throw unavailable(domain, `an unexpected response: ${parsed.error.issues[0]?.path.join('.')}`);
  }

  async function attempt(
    { query, variables, size: max = 1 }: Query,
    signal: AbortSignal,
  ): Promise<Try<unknown>> {
    const size = Math.min(max, sizes.get(query) ?? max);
    const points = costs.get(`${size} ${query}`) ?? 0;
    const sized = { query, variables: variables(size), size, points };
    const { verdict, throttledMs } = await throttle.run(points, signal, () => send(sized, signal));
    switch (verdict.is) {
      case 'answer':
        return { state: 'done', value: verdict.data };
      case 'throttled':
        return { state: 'held', waitMs: throttledMs };
      case 'down':
        return { state: 'failed', about: verdict.about, waitMs: verdict.waitMs };
      case 'too_costly':
        if (size === 1) throw refused(domain, 'MAX_COST_EXCEEDED');
        sizes.set(query, Math.floor(size / 2));
        return attempt({ query, variables, size: max }, signal);
      default:
        throw faultOf(domain, verdict);
    }
  }

  async function send(request: Request, signal: AbortSignal) {
    const first = await token.current(signal);
    const sent = await sendWith(first, request, signal);
    if (sent.verdict.is !== 'unauthorized') return sent;
    const second = await token.renewed(first, signal);
    return second === undefined ? sent : sendWith(second, request, signal);
  }

  async function sendWith(
    accessToken: string,
    { query, variables, size, points }: Request,
    signal: AbortSignal,
  ) {
    const client = await clientOf(accessToken);
    counted.calls += 1;
    const reply = await client.request(query, { variables, signal });
    // The client makes an ordinary error of it.
    signal.throwIfAborted();
    const cost = readCost(reply);
    if (cost) {
      counted.points += cost.actual;
      limits = cost.throttle;
      costs.set(`${size} ${query}`, cost.requested);
      await throttle.learn(cost.throttle, points);
    }
    return { verdict: await readReply(reply), throttledMs: cost ? missingMs(cost) : THROTTLED_MS.unknown };
  }

  function allowedWithin(seconds: number, query: string): number {
    const points = costs.get(`1 ${query}`) ?? USUAL.points;
    return Math.floor((limits.capacity + limits.restoreRate * seconds) / Math.max(1, points));
  }

  return { domain, clock, files, away, request, allowedWithin, calls: () => ({ ...counted }) };
}

/** How long until the store has the points that a request needed. */
function missingMs({ requested, throttle }: Cost): number {
  const seconds = (requested - throttle.available) / Math.max(1, throttle.restoreRate);
  return Math.max(THROTTLED_MS.min, Math.ceil(seconds * 1000));
}

function faultOf(
  domain: string,
  verdict: Exclude<Verdict, { is: 'answer' | 'throttled' | 'down' | 'too_costly' }>,
): Fault {
  switch (verdict.is) {
    case 'unauthorized':
    case 'forbidden':
      return unauthorized(domain);
    case 'frozen':
      return frozen(domain);
    case 'missing':
      return missing(domain);
    case 'refused':
      return refused(domain, verdict.reason);
  }
}

type ClientsDeps = { readonly domain: string; readonly apiVersion: string; readonly fetch: ShopFetch };

/** Creates Shopify's own client for a store and one of its tokens; the last client is reused. */
function createClients({ domain, apiVersion, fetch }: ClientsDeps) {
  let last: { readonly accessToken: string; readonly client: AdminApiClient } | undefined;

  return async function clientOf(accessToken: string): Promise<AdminApiClient> {
    if (last?.accessToken === accessToken) return last.client;
    const { createAdminApiClient } = await import('@shopify/admin-api-client');
    const client = createAdminApiClient({
      storeDomain: domain,
      apiVersion,
      accessToken,
      customFetchApi: fetch,
      // Its own retries take seconds for milliseconds, and never see that a request was throttled.
      retries: 0,
      // It is handed the headers, and with them the token.
      logger: () => {},
    });
    last = { accessToken, client };
    return client;
  };
}

/** Time as the adapter knows it. `wait` ends at once, with the signal's reason, when the signal does. */
export type Clock = {
  readonly now: () => number;
  wait(ms: number, signal: AbortSignal): Promise<void>;
};

export const systemClock: Clock = {
  now: Date.now,
  async wait(ms, signal) {
    await delay(ms, undefined, { signal }).catch(() => signal.throwIfAborted());
  },
};

type ThrottleDeps = { readonly domain: string; readonly clock: Clock; readonly throttles: Throttles };

/** Keeps requests within the points that a store has left, which all nodes share. */
function createThrottle({ domain, clock, throttles }: ThrottleDeps) {
  /** Points of the requests in progress: the store may have deducted them already. */
  let inProgress = 0;

  return {
    /** Sends a request when there are the points for it. The first request of a kind has no known cost. */
    async run<T>(points: number, signal: AbortSignal, request: () => Promise<T>): Promise<T> {
      for (let waitMs = -1; points > 0 && waitMs !== 0; ) {
        waitMs = await throttles.take(domain, points);
        if (waitMs > 0) await clock.wait(waitMs, signal);
      }
      inProgress += points;
      try {
        return await request();
      } finally {
        inProgress -= points;
      }
    },
    /** Saves the status that came with the response to a request of so many points. */
    learn: (status: ThrottleStatus, points: number) =>
      throttles.learn(domain, { ...status, available: status.available - (inProgress - points) }),
  };
}
