import type { Listener } from '../platform/database/database.ts';
import { createNotifiedCache } from '../platform/notified-cache.ts';
import { createSimilarityIndex, type SimilarityIndex } from './similarity.ts';

/** The hooks an account has had lately. */
export type Remembered = {
  /** The latest first. */
  readonly texts: readonly string[];
  readonly index: Pick<SimilarityIndex, 'nearest'>;
};

export type Memory = {
  of(accountId: string): Promise<Remembered>;
  /** Forgets what one account has had, or all; called on every node when some of it was deleted. */
  forget(accountId?: string): void;
  readonly listeners: readonly Listener[];
};

type Row = { readonly seq: number; readonly text: string };

type Parts = {
  readonly history: {
    /** The latest hooks after a number, the latest first. */
    latestHooks(accountId: string, after: number, count: number): Promise<readonly Row[]>;
  };
};

/** How far back a repeat is noticed. */
const REMEMBERED = 500;
/** An index grows to this before it is made anew of the latest. */
const MOST = 2 * REMEMBERED;
/** Numbers are given before they are seen: what was stored at the same moment may come with a lower one. */
const OVERLAP = 50;

/**
 * Remembers what accounts have had, so that a call asks only for what is new since the one before: making the index
 * takes longer than everything else a call does.
 */
export function createMemory({ history }: Parts): Memory {
  const cache = createNotifiedCache<ReturnType<typeof createTrail>>({
    max: 200,
    ttlMs: 10 * 60_000,
    channels: ['deleted_hooks'],
    payloadIsKey: true,
  });

  return {
    async of(accountId) {
      // Of two concurrent calls the later one's trail stays: both are complete.
      const trail = await cache.update(accountId, async (cached = createTrail()) => {
        cached.follow(await history.latestHooks(accountId, cached.last() - OVERLAP, REMEMBERED));
        return cached;
      });
      return trail.now();
    },

    forget: cache.invalidate,
    listeners: cache.listeners,
  };
}

function createTrail() {
  let rows: Row[] = [];
  let last = 0;
  let index = createSimilarityIndex();
  const seen = new Set<number>();

  function follow(news: readonly Row[]): void {
    const fresh = news.filter(({ seq }) => !seen.has(seq)).toReversed();
    for (const row of fresh) {
      seen.add(row.seq);
      last = Math.max(last, row.seq);
      rows.push(row);
      index.add(row.text);
    }
    if (rows.length > MOST) restart();
  }

  function restart(): void {
    rows = rows.slice(-REMEMBERED);
    index = createSimilarityIndex(rows.map(({ text }) => text));
    seen.clear();
    for (const { seq } of rows) seen.add(seq);
  }

  return {
    follow,
    last: () => last,
    now: (): Remembered => ({
      texts: rows
        .slice(-REMEMBERED)
        .toReversed()
        .map(({ text }) => text),
      index,
    }),
  };
}
