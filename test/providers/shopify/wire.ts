import type { Clock } from '../../../src/providers/shopify/shop-client.ts';
import { createShopifyStores } from '../../../src/providers/shopify/shopify.ts';
import type { StoreClient, StoreCredentials } from '../../../src/sync/ports/store-client.ts';
import type { Throttles } from '../../../src/sync/ports/throttles.ts';

export const SHOP = 'shop.myshopify.com';
export const TOKEN = 'shpat_0123456789abcdef';
export const HERE = 'gid://shopify/Location/1';

export type VirtualClock = Clock & { readonly waited: number[]; advance(ms: number): void };

/** A wait returns at once and advances the time. */
export function virtualClock(): VirtualClock {
  let time = Date.parse('2026-11-21T10:00:00Z');
  const waited: number[] = [];
  return {
    waited,
    now: () => time,
    advance: (ms) => {
      time += ms;
    },
    async wait(ms, signal) {
      signal.throwIfAborted();
      waited.push(Math.round(ms));
      time += ms;
    },
  };
}

/** The points of a store that one process alone uses. */
export function throttlesOf({ now }: Pick<Clock, 'now'>): Throttles {
  const buckets = new Map<string, { available: number; capacity: number; restoreRate: number; at: number }>();
  return {
    async take(domain, points) {
      const bucket = buckets.get(domain);
      if (!bucket) return 0;
      const { capacity, restoreRate } = bucket;
      const free = Math.min(
        capacity,
        bucket.available + (Math.max(0, now() - bucket.at) / 1000) * restoreRate,
      );
      const need = Math.min(points, capacity);
      Object.assign(bucket, { available: free >= need ? free - need : free, at: now() });
      return free >= need ? 0 : Math.ceil(((need - free) / restoreRate) * 1000);
    },
    async learn(domain, status) {
      buckets.set(domain, { ...status, at: now() });
    },
  };
}

/** One request as it arrived. */
export type Sent = {
  readonly url: string;
  readonly headers: Headers;
  readonly body: string;
  readonly redirect: string | undefined;
};

type Wire = {
  readonly store: StoreClient;
  /** Opens the store once more, as the next run does. */
  readonly open: () => StoreClient;
  readonly sent: readonly Sent[];
  readonly clock: VirtualClock;
};

/** A store that answers what it is told to: for what no real one does on request. */
export function openWire(
  answer: (sent: Sent, count: number) => Response | Promise<Response>,
  { credentials = { token: TOKEN }, baseUrl }: { credentials?: StoreCredentials; baseUrl?: string } = {},
): Wire {
  const sent: Sent[] = [];
  const clock = virtualClock();
  const stores = createShopifyStores({
    apiVersion: '2026-10',
    throttles: throttlesOf(clock),
    clock,
    baseUrl,
    async fetch(input, init) {
      const request = {
        url: String(input),
        headers: new Headers(init?.headers),
        body: typeof init?.body === 'string' ? init.body : '',
        redirect: init?.redirect,
      };
      sent.push(request);
      return answer(request, sent.length);
    },
  });
  const open = () => stores.open({ domain: SHOP, credentials });
  return { store: open(), open, sent, clock };
}

export function json(body: unknown, status = 200, headers: Record<string, string> = {}): Response {
  return new Response(JSON.stringify(body), {
    status,
    headers: { 'content-type': 'application/json', ...headers },
  });
}

export const PLACE = { id: HERE, name: 'Main', isActive: true };

/** The answer to DESCRIBE_STORE. */
export const DESCRIBED = {
  data: {
    shop: { name: 'Shop', currencyCode: 'EUR' },
    location: PLACE,
    productVariantsCount: { count: 3 },
  },
};

/** Everything an error says of itself, in a log, too. */
export function wordsOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return `${error.stack} ${JSON.stringify(error, Object.getOwnPropertyNames(error))} ${error.cause ? wordsOf(error.cause) : ''}`;
}
