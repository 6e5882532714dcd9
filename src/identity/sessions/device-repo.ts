import { z } from 'zod';
import type { Sql, Tx } from '../../platform/database/database.ts';

/** The SQL of where people have signed in before. */

const MarkRow = z.object({ mark: z.string() });

/** The marks of a person among these, used since then. */
export async function findKnown(
  sql: Sql,
  userId: string,
  marks: readonly string[],
  since: Date,
): Promise<string[]> {
  const rows = await sql`
    select mark from known_devices
    where user_id = ${userId} and mark = any(${[...marks]}::text[]) and last_used_at > ${since}`;
  return z
    .array(MarkRow)
    .parse(rows)
    .map(({ mark }) => mark);
}

/** Remembers a mark, in the place of the oldest if a person has too many. */
export async function remember(
  sql: Sql,
  userId: string,
  mark: string,
  now: Date,
  limit: number,
): Promise<void> {
  await sql`
    insert into known_devices (user_id, mark, created_at, last_used_at)
    select id, ${mark}, ${now}::timestamptz, ${now}::timestamptz from users where id = ${userId}
    on conflict (user_id, mark) do update set last_used_at = excluded.last_used_at`;
  await sql`
    delete from known_devices where user_id = ${userId} and mark in (
      select mark from known_devices where user_id = ${userId}
      order by last_used_at desc, created_at desc offset ${limit})`;
}

export async function forgetAll(sql: Sql | Tx, userId: string): Promise<void> {
  await sql`delete from known_devices where user_id = ${userId}`;
}

export async function deleteUnused(sql: Sql, before: Date): Promise<void> {
  await sql`delete from known_devices where last_used_at <= ${before}`;
}
