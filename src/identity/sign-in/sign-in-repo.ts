import { z } from 'zod';
import type { Sql } from '../../platform/database/database.ts';

const LiveCodeRow = z.object({ nonce: z.string(), name: z.string().nullable() });
export type LiveCodeRow = z.output<typeof LiveCodeRow>;

/** What a code is for, and the address it is sent to. */
export type CodeSubject = { readonly purpose: string; readonly email: string };

export type NewCodeRow = CodeSubject &
  LiveCodeRow & {
    /** Attempts of known devices, and of all others. */
    readonly tries: number;
    readonly sends: number;
    readonly now: Date;
    readonly expires_at: Date;
  };

const SentCodeRow = z.object({ nonce: z.string(), expires_at: z.date(), sends: z.boolean() });

/** The SQL of sign-in codes. */

/**
 * The live code of an address, made if there is none. A live one gets no new attempts; sent again it lasts longer, up to
 * half an hour. `sends` is false when unknown networks have caused enough emails with it.
 */
export async function openCode(sql: Sql, row: NewCodeRow, isKnown: boolean) {
  const { purpose, email, tries, now } = row;
  await sql`
    delete from sign_in_codes where purpose = ${purpose} and email = ${email} and expires_at <= ${now}`;
  const [opened] = await sql`
    insert into sign_in_codes as c
      (purpose, email, nonce, name, known_tries_left, tries_left, sends_left, created_at, expires_at)
    values (${purpose}, ${email}, ${row.nonce}, ${row.name}, ${tries}, ${tries}, ${row.sends}, ${now},
      ${row.expires_at})
    on conflict (purpose, email) do update set
      name = coalesce(excluded.name, c.name),
      sends_left = greatest(-1, c.sends_left - ${isKnown ? 0 : 1}::int),
      expires_at = case when ${isKnown}::boolean or c.sends_left > 0
        then greatest(c.expires_at, least(excluded.expires_at, c.created_at + interval '30 minutes'))
        else c.expires_at end
    returning nonce, expires_at, (${isKnown}::boolean or sends_left >= 0) as sends`;
  return SentCodeRow.parse(opened);
}

/** Takes one attempt at the live code of an address, and returns the code. */
export async function takeAttempt(
  sql: Sql,
  { purpose, email }: CodeSubject,
  isKnown: boolean,
  now: Date,
): Promise<LiveCodeRow | undefined> {
  const [row] = await sql`
    update sign_in_codes set
      known_tries_left = known_tries_left - ${isKnown ? 1 : 0}::int,
      tries_left = tries_left - ${isKnown ? 0 : 1}::int
    where purpose = ${purpose} and email = ${email} and expires_at > ${now}
      and case when ${isKnown}::boolean then known_tries_left else tries_left end > 0
    returning nonce, name`;
  return row && LiveCodeRow.parse(row);
}

/** True for one caller only. */
export async function useCode(sql: Sql, { purpose, email }: CodeSubject, nonce: string): Promise<boolean> {
  const used = await sql`
    delete from sign_in_codes where purpose = ${purpose} and email = ${email} and nonce = ${nonce}
    returning email`;
  return used.length === 1;
}

export async function deleteExpiredCodes(sql: Sql, now: Date): Promise<void> {
  await sql`delete from sign_in_codes where expires_at <= ${now}`;
}

/** At most so many tries within each of two spans that end now; `since` is where they begin. */
export type AttemptLimits = {
  readonly short: { readonly limit: number; readonly since: Date };
  readonly long: { readonly limit: number; readonly since: Date };
};

const FullRow = z.object({ short_from: z.date().nullable(), long_from: z.date().nullable() });

/** The SQL of who tried to sign in when. Times are texts with microseconds, which a Date would lose. */

/** Counts a try, unless that would be one too many: then false. Tries at the same time are judged one by one. */
export async function addAttempt(
  sql: Sql,
  subject: string,
  at: string,
  { short, long }: AttemptLimits,
): Promise<boolean> {
  const added = await sql`
    insert into sign_in_tries as t (subject, tried_at) values (${subject}, array[${at}::text::timestamptz])
    on conflict (subject) do update
    set tried_at = array(select x from unnest(t.tried_at) x where x > ${long.since}::timestamptz order by x)
      || ${at}::text::timestamptz
    where (select count(*) from unnest(t.tried_at) x where x > ${short.since}::timestamptz) < ${short.limit}::int
      and (select count(*) from unnest(t.tried_at) x where x > ${long.since}::timestamptz) < ${long.limit}::int
    returning subject`;
  return added.length === 1;
}

/** The tries that must leave each span before there is room for another; null where there is room. */
export async function findBlocking(sql: Sql, subject: string, { short, long }: AttemptLimits) {
  const [row] = await sql`
    select
      (array(select x from unnest(tried_at) x where x > ${short.since}::timestamptz order by x desc))[${short.limit}::int]
        as short_from,
      (array(select x from unnest(tried_at) x where x > ${long.since}::timestamptz order by x desc))[${long.limit}::int]
        as long_from
    from sign_in_tries where subject = ${subject}`;
  return row ? FullRow.parse(row) : { short_from: null, long_from: null };
}

export async function removeAttempt(sql: Sql, subject: string, at: string): Promise<void> {
  await sql`
    update sign_in_tries set tried_at = array_remove(tried_at, ${at}::text::timestamptz)
    where subject = ${subject}`;
}

export async function deleteOldAttempts(sql: Sql, since: Date): Promise<void> {
  await sql`
    delete from sign_in_tries
    where not exists (select from unnest(tried_at) x where x > ${since}::timestamptz)`;
}
