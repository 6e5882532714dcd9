import { z } from 'zod';
import type { Sql } from '../../platform/database/database.ts';

const Row = z.object({ authenticated_at: z.date() });

/** The SQL of people with a token of an identity provider who authenticated again. */

export async function find(sql: Sql, userId: string, tokenSha256: string): Promise<Date | undefined> {
  const [row] = await sql`
    select authenticated_at from reauthentications where user_id = ${userId} and token_sha256 = ${tokenSha256}`;
  return row && Row.parse(row).authenticated_at;
}

/** Announced, so that every node forgets what it knows of the token. */
export async function put(sql: Sql, userId: string, tokenSha256: string, now: Date): Promise<void> {
  await sql`
    insert into reauthentications (user_id, token_sha256, authenticated_at)
    values (${userId}, ${tokenSha256}, ${now})
    on conflict (user_id, token_sha256) do update set authenticated_at = excluded.authenticated_at`;
  await sql`select pg_notify('sessions', '')`;
}

export async function deleteOld(sql: Sql, before: Date): Promise<void> {
  await sql`delete from reauthentications where authenticated_at < ${before}`;
}
