import { LRUCache } from 'lru-cache';
import { withTimeout } from '../../platform/with-timeout.ts';
import type { ProductPage, ProductQuery } from '../ports/store-client.ts';

const PAGES = 500;
/** A price that has changed is seen after that. */
const FRESH_MS = 60_000;

/** Reads pages of products, and keeps each for a minute, by store: two calls at once ask the store once. `read` has a deadline of its own. */
export function createProductPages(now: () => number = performance.now.bind(performance)) {
  const pages = new LRUCache<string, Promise<ProductPage>>({
    max: PAGES,
    ttl: FRESH_MS,
    ttlResolution: 0,
    perf: { now },
  });

  return function pageOf(
    store: { readonly account_id: string; readonly id: string; readonly credentials: string },
    query: ProductQuery,
    signal: AbortSignal,
    read: (signal: AbortSignal) => Promise<ProductPage>,
  ): Promise<ProductPage> {
    // With its credentials: a store that was connected again is asked again.
    const name = JSON.stringify([
      store.account_id,
      store.id,
      store.credentials,
      query.q,
      query.limit,
      query.after,
    ]);
    const kept = pages.get(name);
    if (kept) return withTimeout(kept, { signal });
    // A caller who leaves ends it for no other.
    const reading = read(new AbortController().signal);
    pages.set(name, reading);
    reading.catch(() => pages.delete(name));
    return withTimeout(reading, { signal });
  };
}
