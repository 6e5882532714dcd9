import { z } from 'zod';
import type { Sql, Tx } from '../platform/database/database.ts';
import { ROLES } from './caller.ts';

const SessionRow = z.object({
  id: z.string(),
  user_id: z.string(),
  email: z.string().nullable(),
  name: z.string(),
  last_used_at: z.date(),
  expires_at: z.date(),
  /** Null where the person is no member of the account asked for. */
  account_id: z.string().nullable(),
  role: z.enum(ROLES).nullable(),
});
export type SessionRow = z.output<typeof SessionRow>;

export type NewSession = {
  readonly id: string;
  readonly token_sha256: string;
  readonly user_id: string;
  readonly account_id: string;
  readonly user_agent: string | null;
  readonly address: string | null;
  readonly created_at: Date;
  readonly expires_at: Date;
};

/** The SQL of sessions. Every change is announced, so that all nodes forget what they know. */

/** A session of any account: the token is the secret. The account is that named, or the one signed in to. */
export async function find(
  sql: Sql | Tx,
  tokenSha256: string,
  accountId: string | null,
): Promise<SessionRow | undefined> {
  const [row] = await sql`
    select s.id, s.user_id, u.email, u.name, s.last_used_at, s.expires_at, m.account_id, m.role
    from sessions s join users u on u.id = s.user_id
    left join memberships m
      on m.user_id = s.user_id and m.account_id = coalesce(${accountId}::text, s.account_id)
    where s.token_sha256 = ${tokenSha256}`;
  return row && SessionRow.parse(row);
}

/**
 * False when the person has another password by now than the one they signed in with. The row of the person is held,
 * so that a session cannot slip in beside the change that ends all of them.
 */
export async function insert(sql: Sql | Tx, row: NewSession, passwordHash: string | null): Promise<boolean> {
  const inserted = await sql`
    insert into sessions
      (id, token_sha256, user_id, account_id, user_agent, address, created_at, last_used_at, expires_at)
    select ${row.id}, ${row.token_sha256}, id, ${row.account_id}, ${row.user_agent}, ${row.address},
      ${row.created_at}::timestamptz, ${row.created_at}::timestamptz, ${row.expires_at}::timestamptz
    from users where id = ${row.user_id} and password_hash is not distinct from ${passwordHash}::text
    for share
    returning id`;
  return inserted.length === 1;
}

export async function markUsed(sql: Sql | Tx, id: string, now: Date, expiresAt: Date): Promise<void> {
  await sql`
    update sessions set last_used_at = ${now}, expires_at = ${expiresAt}
    where id = ${id} and expires_at > ${now}`;
}

/** Gives a live session another token. False when there is none with the old one. */
export async function rotate(
  sql: Sql | Tx,
  oldSha256: string,
  newSha256: string,
  now: Date,
  expiresAt: Date,
): Promise<boolean> {
  const rotated = await sql`
    update sessions set token_sha256 = ${newSha256}, last_used_at = ${now}, expires_at = ${expiresAt}
    where token_sha256 = ${oldSha256} and expires_at > ${now} returning id`;
  await announce(sql);
  return rotated.length === 1;
}

export async function end(sql: Sql | Tx, userId: string, id: string): Promise<void> {
  await sql`delete from sessions where user_id = ${userId} and id = ${id}`;
  await announce(sql);
}

export async function endAll(sql: Sql | Tx, userId: string): Promise<void> {
  await sql`delete from sessions where user_id = ${userId}`;
  await announce(sql);
}

export async function deleteExpired(sql: Sql | Tx, before: Date): Promise<void> {
  await sql`delete from sessions where expires_at <= ${before}`;
}

async function announce(sql: Sql | Tx): Promise<void> {
  await sql`select pg_notify('sessions', '')`;
}
