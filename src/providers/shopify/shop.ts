import type { z } from 'zod';
import type { Fault } from '../../errors.ts';
import type { StoreCalls } from '../../sync/ports/store.ts';
import type { Throttles } from '../../sync/ports/throttles.ts';
import type { AccessToken } from './access-token.ts';
import { createClients } from './clients.ts';
import type { Clock } from './clock.ts';
import type { FileFetch } from './file-fetch.ts';
import { createPace } from './pace.ts';
import { persist, type Try } from './persist.ts';
import { type Cost, readCost, readReply, type Verdict } from './read-reply.ts';
import { frozen, missing, refused, unauthorized, unavailable } from './shop-fault.ts';
import type { ShopFetch } from './shop-fetch.ts';

/** One request to the Admin API. `variables` are made for as many items as it may be about. */
type Question<T> = {
  readonly query: string;
  readonly variables: (size: number) => Record<string, unknown>;
  /** How many items it is about: as many, or half as often as the store finds it too costly. */
  readonly size?: number;
  readonly answer: z.ZodType<T>;
};

export type Shop = {
  readonly domain: string;
  readonly clock: Clock;
  readonly files: FileFetch;
  /** Waits out throttling, and tries again what may be tried again. Throws the faults of a StoreClient. */
  ask<T>(question: Question<T>, signal: AbortSignal): Promise<T>;
  readonly calls: () => StoreCalls;
};

/** What queries turned out to cost, and how many items they may be about. The same for all stores. */
export type Costs = { readonly points: Map<string, number>; readonly sizes: Map<string, number> };

type Asked = Omit<Question<unknown>, 'answer'>;

type Request = {
  readonly query: string;
  readonly variables: Record<string, unknown>;
  readonly size: number;
  readonly points: number;
};

type Parts = Pick<Shop, 'domain' | 'clock' | 'files'> & {
  readonly apiVersion: string;
  readonly fetch: ShopFetch;
  readonly token: AccessToken;
  readonly throttles: Throttles;
  readonly costs: Costs;
};

const HELD_MS = { least: 100, unknown: 1000 };

/** The Admin API of one store, by Shopify's own client, which is loaded at the first use. */
export function createShop(parts: Parts): Shop {
  const { domain, clock, files, token, costs } = parts;
  const pace = createPace(parts);
  const clientOf = createClients(parts);
  const counted = { calls: 0, points: 0 };

  async function ask<T>(question: Question<T>, signal: AbortSignal): Promise<T> {
    const data = await persist({ domain, clock, signal }, () => attempt(question, signal));
    const parsed = question.answer.safeParse(data);
    if (parsed.success) return parsed.data;
    throw unavailable(domain, `an answer of another shape: ${parsed.error.issues[0]?.path.join('.')}`);
  }

  async function attempt(
    { query, variables, size: most = 1 }: Asked,
    signal: AbortSignal,
  ): Promise<Try<unknown>> {
    const size = Math.min(most, costs.sizes.get(query) ?? most);
    const points = costs.points.get(`${size} ${query}`) ?? 0;
    const request = { query, variables: variables(size), size, points };
    const { verdict, heldMs } = await pace.run(points, signal, () => send(request, signal));
    switch (verdict.is) {
      case 'answer':
        return { state: 'done', value: verdict.data };
      case 'throttled':
        return { state: 'held', waitMs: heldMs };
      case 'down':
        return { state: 'failed', about: verdict.about, waitMs: verdict.waitMs };
      case 'too_costly':
        if (size === 1) throw refused(domain, 'MAX_COST_EXCEEDED');
        costs.sizes.set(query, Math.floor(size / 2));
        return attempt({ query, variables, size: most }, signal);
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
      costs.points.set(`${size} ${query}`, cost.requested);
      await pace.learn(cost.throttle, points);
    }
    return { verdict: await readReply(reply), heldMs: cost ? missingMs(cost) : HELD_MS.unknown };
  }

  return { domain, clock, files, ask, calls: () => ({ ...counted }) };
}

/** How long until the store has the points that a request needed. */
function missingMs({ requested, throttle }: Cost): number {
  const seconds = (requested - throttle.available) / Math.max(1, throttle.restoreRate);
  return Math.max(HELD_MS.least, Math.ceil(seconds * 1000));
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
