import { LRUCache } from 'lru-cache';
import { createSimilarityIndex, type SimilarityIndex } from '../text/similarity.ts';

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
const KEPT = { max: 200, ttl: 10 * 60_000 };

/**
 * Remembers what accounts have had, so that a call asks only for what is new since the one before: making the index
 * takes longer than everything else a call does.
 */
export function createMemory({ history }: Parts): Memory {
  const kept = new LRUCache<string, ReturnType<typeof createTrail>>(KEPT);
  // How often something was forgotten: a trail that was followed meanwhile may hold what was deleted.
  let forgotten = 0;

  return {
    async of(accountId) {
      const trail = kept.get(accountId) ?? createTrail();
      const asked = forgotten;
      const news = await history.latestHooks(accountId, trail.last() - OVERLAP, REMEMBERED);
      trail.follow(news);
      // Of two calls at once the later keeps its own: both are whole.
      if (asked === forgotten) kept.set(accountId, trail);
      return trail.now();
    },

    forget(accountId) {
      forgotten++;
      if (accountId) kept.delete(accountId);
      else kept.clear();
    },
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
