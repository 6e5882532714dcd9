import { z } from 'zod';
import type { Sql } from '../platform/database/database.ts';

/** At most so many tries within each of two spans that end now; `since` is where they begin. */
export type AttemptLimits = {
  readonly short: { readonly limit: number; readonly since: Date };
  readonly long: { readonly limit: number; readonly since: Date };
};

const FullRow = z.object({ short_from: z.date().nullable(), long_from: z.date().nullable() });

/** The SQL of who tried to sign in when. Times are texts with microseconds, which a Date would lose. */
export function createSignInTriesStore(sql: Sql) {
  return {
    /** Counts a try, unless that would be one too many: then false. Tries at the same time are judged one by one. */
    async addAttempt(subject: string, at: string, { short, long }: AttemptLimits): Promise<boolean> {
      const added = await sql`
        insert into sign_in_tries as t (subject, tried_at) values (${subject}, array[${at}::text::timestamptz])
        on conflict (subject) do update
        set tried_at = array(select x from unnest(t.tried_at) x where x > ${long.since}::timestamptz order by x)
          || ${at}::text::timestamptz
        where (select count(*) from unnest(t.tried_at) x where x > ${short.since}::timestamptz) < ${short.limit}::int
          and (select count(*) from unnest(t.tried_at) x where x > ${long.since}::timestamptz) < ${long.limit}::int
        returning subject`;
      return added.length === 1;
    },

    /** The tries that must leave each span before there is room for another; null where there is room. */
    async findBlocking(subject: string, { short, long }: AttemptLimits) {
      const [row] = await sql`
        select
          (array(select x from unnest(tried_at) x where x > ${short.since}::timestamptz order by x desc))[${short.limit}::int]
            as short_from,
          (array(select x from unnest(tried_at) x where x > ${long.since}::timestamptz order by x desc))[${long.limit}::int]
            as long_from
        from sign_in_tries where subject = ${subject}`;
      return row ? FullRow.parse(row) : { short_from: null, long_from: null };
    },

    async removeAttempt(subject: string, at: string): Promise<void> {
      await sql`
        update sign_in_tries set tried_at = array_remove(tried_at, ${at}::text::timestamptz)
        where subject = ${subject}`;
    },

    async deleteOldAttempts(since: Date): Promise<void> {
      await sql`
        delete from sign_in_tries
        where not exists (select from unnest(tried_at) x where x > ${since}::timestamptz)`;
    },
  };
}
