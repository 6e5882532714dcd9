import { z } from 'zod';
import type { Sql } from '../platform/database/database.ts';

const CodeRow = z.object({ code_mac: z.string(), name: z.string().nullable() });
export type CodeRow = z.output<typeof CodeRow>;

export type NewCodeRow = CodeRow & {
  readonly email: string;
  readonly tries_left: number;
  readonly created_at: Date;
  readonly expires_at: Date;
};

/** The SQL of sign-in codes. */

/** In the place of the one the address has. */
export async function putCode(sql: Sql, row: NewCodeRow): Promise<void> {
  await sql`
    insert into sign_in_codes (email, code_mac, name, tries_left, created_at, expires_at)
    values (${row.email}, ${row.code_mac}, ${row.name}, ${row.tries_left}, ${row.created_at}, ${row.expires_at})
    on conflict (email) do update
    set code_mac = excluded.code_mac, name = excluded.name, tries_left = excluded.tries_left,
      created_at = excluded.created_at, expires_at = excluded.expires_at`;
}

/** Takes one try of the live code of an address, and answers the code. */
export async function takeAttempt(sql: Sql, email: string, now: Date): Promise<CodeRow | undefined> {
  const [row] = await sql`
    update sign_in_codes set tries_left = tries_left - 1
    where email = ${email} and tries_left > 0 and expires_at > ${now} returning code_mac, name`;
  return row && CodeRow.parse(row);
}

/** True for one caller only. */
export async function useCode(sql: Sql, email: string, codeMac: string): Promise<boolean> {
  const used = await sql`
    delete from sign_in_codes where email = ${email} and code_mac = ${codeMac} returning email`;
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
