import { z } from 'zod';
import type { Sql } from '../platform/database/database.ts';
import type { Feedback } from './generation.ts';
import { STYLE_IDS, type StyleId } from './styles.ts';

const Rated = z.object({
  copied: z.boolean().nullable(),
  used: z.boolean().nullable(),
  winner: z.boolean().nullable(),
  metric: z.number().nullable(),
  rated_at: z.date().transform((moment) => moment.toISOString()),
});

const Tried = z.object({ style: z.enum(STYLE_IDS), won: z.number(), of: z.number() });

export type Rating = { readonly [Field in keyof Omit<Feedback, 'rated_at'>]?: Feedback[Field] | undefined };

/** The SQL of what owners say of hooks. */
export function createFeedbackStore(sql: Sql) {
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
