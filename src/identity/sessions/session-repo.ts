import { z } from 'zod';
import type { Sql, Tx } from '../../platform/database/database.ts';
import { ROLES } from '../caller.ts';

const SessionRow = z.object({
  id: z.string(),
  user_id: z.string(),
  email: z.string().nullable(),
  name: z.string(),
  created_at: z.date(),
  last_used_at: z.date(),
  /** When the person last authenticated. */
  authenticated_at: z.date(),
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
    select s.id, s.user_id, u.email, u.name, s.created_at, s.last_used_at, s.authenticated_at, s.expires_at, m.account_id, m.role
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
      (id, token_sha256, user_id, account_id, user_agent, address, created_at, authenticated_at,
        last_used_at, expires_at)
    select ${row.id}, ${row.token_sha256}, id, ${row.account_id}, ${row.user_agent}, ${row.address},
      ${row.created_at}::timestamptz, ${row.created_at}::timestamptz, ${row.created_at}::timestamptz,
      ${row.expires_at}::timestamptz
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

/** False when the person has no such session. */
export async function end(sql: Sql | Tx, userId: string, id: string): Promise<boolean> {
  const ended = await sql`delete from sessions where user_id = ${userId} and id = ${id} returning id`;
  await announce(sql);
  return ended.length === 1;
}

export async function endOthers(sql: Sql | Tx, userId: string, kept: string): Promise<void> {
  await sql`delete from sessions where user_id = ${userId} and id <> ${kept}`;
  await announce(sql);
}

/** Notes that the person has authenticated. False when the session, or their password, is another by now. */
export async function markAuthenticated(
  sql: Sql | Tx,
  userId: string,
  id: string,
  passwordHash: string | null,
  now: Date,
): Promise<boolean> {
  const marked = await sql`
    update sessions set authenticated_at = ${now}
    where id = ${id} and user_id = ${userId} and expires_at > ${now} and exists (
      select from users where id = ${userId} and password_hash is not distinct from ${passwordHash}::text)
    returning id`;
  await announce(sql);
  return marked.length === 1;
}

export async function exists(sql: Sql | Tx, userId: string, id: string): Promise<boolean> {
  const rows = await sql`select 1 from sessions where user_id = ${userId} and id = ${id}`;
  return rows.length === 1;
}

const ListedRow = z.object({
  id: z.string(),
  user_agent: z.string().nullable(),
  address: z.string().nullable(),
  created_at: z.date(),
  last_used_at: z.date(),
  expires_at: z.date(),
});
export type ListedRow = z.output<typeof ListedRow>;

/** The live sessions of a person, the last used first. */
export async function list(sql: Sql | Tx, userId: string, now: Date): Promise<ListedRow[]> {
  const rows = await sql`
    select id, user_agent, address, created_at, last_used_at, expires_at from sessions
    where user_id = ${userId} and expires_at > ${now} order by last_used_at desc, id limit 200`;
  return z.array(ListedRow).parse(rows);
}

export async function endAll(sql: Sql | Tx, userId: string): Promise<void> {
  await sql`delete from sessions where user_id = ${userId}`;
  await announce(sql);
}

export async function deleteExpired(sql: Sql | Tx, before: Date): Promise<void> {
  await sql`delete from sessions where expires_at <= ${before}`;
}

/** Tells every node to forget what it knows of sessions and of the people in them. */
export async function announce(sql: Sql | Tx): Promise<void> {
  await sql`select pg_notify('sessions', '')`;
}
