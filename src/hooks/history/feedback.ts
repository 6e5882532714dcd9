import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { Fault } from '../../errors.ts';
import type { Sql } from '../../platform/database.ts';
import { STYLE_IDS, type StyleId } from '../styles.ts';
import type { Feedback } from './generation-repo.ts';

/** Of each style that was tried out: how many hooks, and how many of them won. */
type WorkedForYou = Readonly<Partial<Record<StyleId, { readonly won: number; readonly of: number }>>>;

type RatedHook = Feedback & {
  readonly generation_id: string;
  readonly index: number;
  readonly worked_for_you: WorkedForYou;
};

/** What the owner of hooks says of them, and what follows from it for this account alone. */
export function createHookFeedback(sql: Sql) {
  const store = createFeedbackStore(sql);

  /** A hook counts as tried out once it was used or compared. */
  async function winnersOf(accountId: string): Promise<WorkedForYou> {
    const tried = await store.tried(accountId);
    return Object.fromEntries(tried.map(({ style, won, of }) => [style, { won, of }]));
  }

  const favourites = createFavourites({ winnersOf });

  return {
    winnersOf,
    favourites,

    /**
     * Sets what is given and leaves the rest as it is; the same call again changes nothing.
     * @param hook `index` counts from 0.
     * @throws Fault not_found.hook
     */
    async rate(
      accountId: string,
      hook: { readonly id: string; readonly index: number },
      rating: Rating,
    ): Promise<RatedHook> {
      const feedback = await store.rate(accountId, hook, rating);
      if (!feedback) throw new Fault('not_found.hook', hook);
      const worked_for_you = await winnersOf(accountId);
      favourites.learn(accountId, worked_for_you);
      return { generation_id: hook.id, index: hook.index, ...feedback, worked_for_you };
    },
  };
}

const Rated = z.object({
  copied: z.boolean().nullable(),
  used: z.boolean().nullable(),
  winner: z.boolean().nullable(),
  metric: z.number().nullable(),
  rated_at: z.date().transform((moment) => moment.toISOString()),
});

const Tried = z.object({ style: z.enum(STYLE_IDS), won: z.number(), of: z.number() });

type Rating = { readonly [Field in keyof Omit<Feedback, 'rated_at'>]?: Feedback[Field] | undefined };

/** The SQL of what owners say of hooks. */
function createFeedbackStore(sql: Sql) {
  return {
    /** Sets what is given and leaves the rest; undefined when there is no such hook. */
    async rate(
      accountId: string,
      { id, index }: { id: string; index: number },
      { copied = null, used = null, winner = null, metric = null }: Rating,
    ): Promise<Feedback | undefined> {
      const [row] = await sql`
        update hooks set copied = coalesce(${copied}, copied), used = coalesce(${used}, used),
          winner = coalesce(${winner}, winner), metric = coalesce(${metric}::float8, metric), rated_at = now()
        where account_id = ${accountId} and generation_id = ${id} and position = ${index}
        returning copied, used, winner, metric, rated_at`;
      return row && Rated.parse(row);
    },

    /** How many hooks of each style were tried out, and how many of those won. */
    async tried(accountId: string): Promise<{ style: StyleId; won: number; of: number }[]> {
      const rows = await sql`
        select style, count(*) filter (where winner)::int as won, count(*)::int as of
        from hooks where account_id = ${accountId} and (winner is not null or used)
        group by style order by style`;
      return z.array(Tried).parse(rows);
    },
  };
}

export type Favourites = ReturnType<typeof createFavourites>;

type Parts = { winnersOf(accountId: string): Promise<WorkedForYou> };

// A rating counts at once on the node it came to, on others after this.
const KEPT = { max: 10_000, ttl: 10 * 60_000 };

/** Which styles worked for an account, asked of the database once in ten minutes. */
function createFavourites({ winnersOf }: Parts) {
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
