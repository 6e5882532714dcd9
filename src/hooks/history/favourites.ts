import { LRUCache } from 'lru-cache';
import type { StyleId } from '../styles.ts';
import type { WorkedForYou } from './feedback.ts';

export type Favourites = ReturnType<typeof createFavourites>;

type Parts = { winnersOf(accountId: string): Promise<WorkedForYou> };

// A rating counts at once on the node it came to, on others after this.
const KEPT = { max: 10_000, ttl: 10 * 60_000 };

/** Which styles worked for an account, asked of the database once in ten minutes. */
export function createFavourites({ winnersOf }: Parts) {
  const kept = new LRUCache<string, WorkedForYou>(KEPT);
  return {
    /** Those that worked best first; what was not tried stands before what was and lost, otherwise in the order given. */
    async order(accountId: string, styles: readonly StyleId[]): Promise<readonly StyleId[]> {
      const worked = kept.get(accountId) ?? (await winnersOf(accountId));
      kept.set(accountId, worked, { noUpdateTTL: true });
      return styles.toSorted((one, other) => chanceOf(worked[other]) - chanceOf(worked[one]));
    },

    learn: (accountId: string, worked: WorkedForYou): void => void kept.set(accountId, worked),
  };
}

/** Of one more win; one try says little, as if each style had won once and lost once before. */
function chanceOf({ won, of } = { won: 0, of: 0 }): number {
  return (won + 1) / (of + 2);
}
