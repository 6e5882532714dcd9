import type { Listener, Sql } from '../../platform/database/database.ts';
import { createNotifiedCache } from '../../platform/notified-cache.ts';
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
  /** Drops the cache of one account, or of all, on this node. */
  forget(accountId?: string): void;
  readonly listeners: readonly Listener[];
};

/** How far back a repeat is noticed. */
const MAX_RECENT_HOOKS = 500;
/** An index grows to this before it is rebuilt from the latest hooks. */
const MAX_INDEXED_HOOKS = 2 * MAX_RECENT_HOOKS;
/** Sequence numbers are assigned before commit: a concurrent insert can appear later with a lower number. */
const SEQ_OVERLAP = 50;

/** Caches a similarity index per account and reads only newer hooks: building the index is the slowest part of a call. */
export function createRecentHooks(sql: Sql): RecentHooks {
  const cache = createNotifiedCache<ReturnType<typeof createTail>>({
    max: 200,
    ttlMs: 10 * 60_000,
    channels: ['deleted_hooks'],
    payloadIsKey: true,
  });

  return {
    async load(accountId) {
      // Of two concurrent calls the later one caches its own tail; both are complete.
      const tail = await cache.update(accountId, async (cached = createTail()) => {
        cached.append(await latestHooks(sql, accountId, cached.lastSeq() - SEQ_OVERLAP, MAX_RECENT_HOOKS));
        return cached;
      });
      return tail.snapshot();
    },

    forget: cache.invalidate,
    listeners: cache.listeners,
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
