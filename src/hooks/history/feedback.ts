import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { Fault } from '../../errors.ts';
import type { Sql } from '../../platform/database/database.ts';
import { STYLE_IDS, type StyleId } from '../styles.ts';
import type { Feedback } from './generation-repo.ts';

/** Per style that was tried out: how many hooks, and how many of them won. */
type WorkedForYou = Readonly<Partial<Record<StyleId, { readonly won: number; readonly of: number }>>>;

type Rating = { readonly [Field in keyof Omit<Feedback, 'rated_at'>]?: Feedback[Field] | undefined };

type RatedHook = Feedback & {
  readonly generation_id: string;
  readonly index: number;
  readonly worked_for_you: WorkedForYou;
};

/** Records how hooks did, and ranks styles by that for this account alone. */
export function createHookFeedback(sql: Sql) {
  const winnersOf = (accountId: string) => countTried(sql, accountId);
  const styleRanking = createStyleRanking({ winnersOf });

  return {
    winnersOf,
    styleRanking,

    /**
     * Sets the fields given and keeps the others; idempotent.
     * @param hook `index` counts from 0.
     * @throws Fault not_found.hook
     */
    async rate(
      accountId: string,
      hook: { readonly id: string; readonly index: number },
      rating: Rating,
    ): Promise<RatedHook> {
      const feedback = await updateRating(sql, accountId, hook, rating);
      if (!feedback) throw new Fault('not_found.hook', hook);
      const worked_for_you = await winnersOf(accountId);
      styleRanking.learn(accountId, worked_for_you);
      return { generation_id: hook.id, index: hook.index, ...feedback, worked_for_you };
    },
  };
}

export type StyleRanking = ReturnType<typeof createStyleRanking>;

// A rating takes effect immediately on the node that received it, on others after the TTL.
const CACHE = { max: 10_000, ttl: 10 * 60_000 };

function createStyleRanking({ winnersOf }: { winnersOf(accountId: string): Promise<WorkedForYou> }) {
  const cache = new LRUCache<string, WorkedForYou>(CACHE);
  return {
    /** The most successful first. Untried styles come before those that lost; ties keep the order given. */
    async rank(accountId: string, styles: readonly StyleId[]): Promise<readonly StyleId[]> {
      const worked = cache.get(accountId) ?? (await winnersOf(accountId));
      cache.set(accountId, worked, { noUpdateTTL: true });
      return styles.toSorted((one, other) => winRate(worked[other]) - winRate(worked[one]));
    },

    learn: (accountId: string, worked: WorkedForYou): void => void cache.set(accountId, worked),
  };
}

/** Estimated rate of winning: a single result says little, so each style starts with one win and one loss. */
function winRate({ won, of } = { won: 0, of: 0 }): number {
  return (won + 1) / (of + 2);
}

const RatingRow = z.object({
  copied: z.boolean().nullable(),
  used: z.boolean().nullable(),
  winner: z.boolean().nullable(),
  metric: z.number().nullable(),
  rated_at: z.date().transform((moment) => moment.toISOString()),
});

async function updateRating(
  sql: Sql,
  accountId: string,
  { id, index }: { id: string; index: number },
  { copied = null, used = null, winner = null, metric = null }: Rating,
): Promise<Feedback | undefined> {
  const [row] = await sql`
    update hooks set copied = coalesce(${copied}, copied), used = coalesce(${used}, used),
      winner = coalesce(${winner}, winner), metric = coalesce(${metric}::float8, metric), rated_at = now()
    where account_id = ${accountId} and generation_id = ${id} and position = ${index}
    returning copied, used, winner, metric, rated_at`;
  return row && RatingRow.parse(row);
}

const TriedRow = z.object({ style: z.enum(STYLE_IDS), won: z.number(), of: z.number() });

/** A hook counts as tried out once it was used or compared. */
async function countTried(sql: Sql, accountId: string): Promise<WorkedForYou> {
  const rows = await sql`
    select style, count(*) filter (where winner)::int as won, count(*)::int as of
    from hooks where account_id = ${accountId} and (winner is not null or used)
    group by style order by style`;
  const tried = z.array(TriedRow).parse(rows);
  return Object.fromEntries(tried.map(({ style, won, of }) => [style, { won, of }]));
}
