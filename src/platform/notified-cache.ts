import { LRUCache } from 'lru-cache';
import type { Listener } from './database/database.ts';

type Options<Value> = {
  readonly max: number;
  /** Bounds how long a lost notification can leave a stale value. */
  readonly ttlMs?: number;
  /** Channels whose notifications invalidate the cache. */
  readonly channels: readonly string[];
  /** True if the payload of a notification is the key to invalidate; otherwise it invalidates everything. */
  readonly payloadIsKey?: boolean;
  /** Values for which this is false are loaded again. */
  readonly isFresh?: (value: Value) => boolean;
};

export type NotifiedCache<Value> = {
  /** Returns the cached value, or loads it. `undefined` is not cached. */
  get<Loaded extends Value | undefined>(key: string, load: () => Promise<Loaded>): Promise<Loaded | Value>;
  /** Loads a value from the cached one and caches it. */
  update<Loaded extends Value | undefined>(
    key: string,
    load: (cached: Value | undefined) => Promise<Loaded>,
  ): Promise<Loaded>;
  /** Invalidates one key, or everything, on this node. */
  invalidate(key?: string): void;
  readonly listeners: readonly Listener[];
};

/**
 * A cache of database rows that every node invalidates when a notification arrives on one of its channels.
 * In: a loader per call. Out: `listeners`, which the app subscribes.
 * Invariant: a load that started before an invalidation is returned to its caller but never cached.
 */
export function createNotifiedCache<Value extends object>(options: Options<Value>): NotifiedCache<Value> {
  const { max, ttlMs, channels, payloadIsKey = false, isFresh = () => true } = options;
  const values = new LRUCache<string, Value>({ max, ...(ttlMs !== undefined && { ttl: ttlMs }) });
  let invalidations = 0;

  function invalidate(key?: string): void {
    invalidations++;
    if (key) values.delete(key);
    else values.clear();
  }

  async function update<Loaded extends Value | undefined>(
    key: string,
    load: (cached: Value | undefined) => Promise<Loaded>,
  ): Promise<Loaded> {
    const before = invalidations;
    const loaded = await load(values.get(key));
    if (loaded && before === invalidations) values.set(key, loaded);
    return loaded;
  }

  return {
    async get(key, load) {
      const cached = values.get(key);
      return cached && isFresh(cached) ? cached : update(key, load);
    },
    update,
    invalidate,
    listeners: channels.map((channel) => ({
      channel,
      onNotify: (payload) => invalidate(payloadIsKey ? payload : undefined),
      onReconnect: () => invalidate(),
    })),
  };
}
