import { LRUCache } from 'lru-cache';
import type { Sql } from '../../platform/database/database.ts';
import { createSimilarityIndex, type SimilarityIndex } from '../text/similarity.ts';
import { latestHooks, type RecentHookRow } from './generation-repo.ts';

/** The account's recent hooks. */
export type RecentTexts = {
  /** The latest first. */
  readonly texts: readonly string[];
  readonly index: Pick<SimilarityIndex, 'nearest'>;
};

export type RecentHooks = {
  load(accountId: string): Promise<RecentTexts>;
  /** Drops the cache of one account, or of all; called on every node when hooks were deleted. */
  forget(accountId?: string): void;
};

/** How far back a repeat is noticed. */
const MAX_RECENT_HOOKS = 500;
/** An index grows to this before it is rebuilt from the latest hooks. */
const MAX_INDEXED_HOOKS = 2 * MAX_RECENT_HOOKS;
/** Sequence numbers are assigned before commit: a concurrent insert can appear later with a lower number. */
const SEQ_OVERLAP = 50;
const CACHE = { max: 200, ttl: 10 * 60_000 };

/** Caches a similarity index per account and reads only newer hooks: building the index is the slowest part of a call. */
export function createRecentHooks(sql: Sql): RecentHooks {
  const cache = new LRUCache<string, ReturnType<typeof createTail>>(CACHE);
  // Counts invalidations: a tail that was read during one may hold deleted hooks, so it is not cached.
  let invalidations = 0;

  return {
    async load(accountId) {
      const tail = cache.get(accountId) ?? createTail();
      const before = invalidations;
      tail.append(await latestHooks(sql, accountId, tail.lastSeq() - SEQ_OVERLAP, MAX_RECENT_HOOKS));
      // Of two concurrent calls the later one caches its own tail; both are complete.
      if (before === invalidations) cache.set(accountId, tail);
      return tail.snapshot();
    },

    forget(accountId) {
      invalidations++;
      if (accountId) cache.delete(accountId);
      else cache.clear();
    },
  };
}

/** The last hooks of one account, the oldest first, with their index. */
function createTail() {
  let rows: RecentHookRow[] = [];
  let last = 0;
  let index = createSimilarityIndex();
  const seen = new Set<number>();

  function append(latest: readonly RecentHookRow[]): void {
    const fresh = latest.filter(({ seq }) => !seen.has(seq)).toReversed();
    for (const row of fresh) {
      seen.add(row.seq);
      last = Math.max(last, row.seq);
      rows.push(row);
      index.add(row.text);
    }
    if (rows.length > MAX_INDEXED_HOOKS) rebuild();
  }

  function rebuild(): void {
    rows = rows.slice(-MAX_RECENT_HOOKS);
    index = createSimilarityIndex(rows.map(({ text }) => text));
    seen.clear();
    for (const { seq } of rows) seen.add(seq);
  }

  return {
    append,
    lastSeq: () => last,
    snapshot: (): RecentTexts => ({
      texts: rows
        .slice(-MAX_RECENT_HOOKS)
        .toReversed()
        .map(({ text }) => text),
      index,
    }),
  };
}
