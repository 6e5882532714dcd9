import { LRUCache } from 'lru-cache';
import { withTimeout } from '../../platform/with-timeout.ts';
import type {
  OpenStore,
  ProductPage,
  ProductQuery,
  StoreCredentials,
  StoreProduct,
} from '../ports/store-client.ts';
import { callStore } from './verify-connection.ts';

const KEPT = 500;
/** How old a price may be. */
const FRESH_MS = 60_000;

type StoreKey = { readonly account_id: string; readonly id: string; readonly credentials: string };

/**
 * Reads what a store answers to a question (JSON), and keeps each answer for a minute, by store: two calls at once ask the
 * store once. `read` has a deadline of its own.
 */
export function createStoreAnswers<Answer>(now: () => number = performance.now.bind(performance)) {
  const answers = new LRUCache<string, Promise<Answer>>({
    max: KEPT,
    ttl: FRESH_MS,
    ttlResolution: 0,
    perf: { now },
  });

  return function answerTo(
    store: StoreKey,
    question: unknown,
    signal: AbortSignal,
    read: (signal: AbortSignal) => Promise<Answer>,
  ): Promise<Answer> {
    // With its credentials: a store that was connected again is asked again.
    const name = JSON.stringify([store.account_id, store.id, store.credentials, question]);
    const kept = answers.get(name);
    if (kept) return withTimeout(kept, { signal });
    // A caller who leaves ends it for no other.
    const reading = read(new AbortController().signal);
    answers.set(name, reading);
    reading.catch(() => answers.delete(name));
    return withTimeout(reading, { signal });
  };
}

type StoreProductsDeps<Row extends StoreKey> = {
  readonly openStore: OpenStore;
  /** @throws Fault not_found.store */
  readonly find: (accountId: string, id: string) => Promise<Row>;
  readonly decrypt: (row: Row) => Promise<StoreCredentials>;
};

/** What connected stores sell, at most a minute old. */
export function createStoreProducts<Row extends StoreKey & { readonly domain: string }>({
  openStore,
  find,
  decrypt,
}: StoreProductsDeps<Row>) {
  const pageOf = createStoreAnswers<ProductPage>();
  const productOf = createStoreAnswers<StoreProduct | undefined>();

  async function opened(row: Row) {
    return { domain: row.domain, accountId: row.account_id, credentials: await decrypt(row) };
  }

  return {
    /** A page of its products. @throws Fault not_found.store, and what stores throw */
    async products(accountId: string, id: string, { q, limit, after }: ProductQuery, signal: AbortSignal) {
      const row = await find(accountId, id);
      return pageOf(row, [q, limit, after], signal, async (shared) =>
        callStore(openStore, await opened(row), shared, (client, deadline) =>
          client.products({ q, limit, after }, deadline),
        ),
      );
    },

    /** The store's domain, and the product by its handle or ID; undefined: there is none. @throws Fault as `products` */
    async product(accountId: string, id: string, handleOrId: string, signal: AbortSignal) {
      const row = await find(accountId, id);
      const product = await productOf(row, handleOrId, signal, async (shared) =>
        callStore(openStore, await opened(row), shared, (client, deadline) =>
          client.product(handleOrId, deadline),
        ),
      );
      return { domain: row.domain, product };
    },
  };
}
