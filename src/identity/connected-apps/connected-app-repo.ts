import { z } from 'zod';
import type { Sql, Tx } from '../../platform/database/database.ts';
import { ROLES, SCOPES } from '../caller.ts';

const AppRow = z.object({
  seq: z.number(),
  id: z.string(),
  grant_id: z.string(),
  account_id: z.string(),
  user_id: z.string(),
  client_id: z.string(),
  name: z.string(),
  scopes: z.array(z.enum(SCOPES)),
  created_at: z.date(),
  last_used_at: z.date().nullable(),
  expires_at: z.date(),
});
export type AppRow = z.output<typeof AppRow>;
export type NewAppRow = Omit<AppRow, 'seq' | 'created_at' | 'last_used_at'>;

const ListedRow = AppRow.extend({ email: z.string().nullable(), person: z.string() });
export type ListedRow = z.output<typeof ListedRow>;

const TokenRow = AppRow.extend({
  role: z.enum(ROLES),
  audience: z.string(),
  token_scope: z.string(),
  token_expires_at: z.date(),
});
/** A live access token with the app it was issued to. */
export type TokenRow = z.output<typeof TokenRow>;

/** The SQL of connected apps. Every change is announced, so that all nodes forget the tokens they know. */

export async function insert(sql: Sql | Tx, row: NewAppRow): Promise<void> {
  await sql`
    insert into connected_apps (id, grant_id, account_id, user_id, client_id, name, scopes, expires_at)
    values (${row.id}, ${row.grant_id}, ${row.account_id}, ${row.user_id}, ${row.client_id}, ${row.name},
      ${row.scopes}, ${row.expires_at})`;
}

/** Ends the oldest connections of a person with one client, beyond the newest `kept`. */
export async function removeOldest(
  sql: Sql | Tx,
  { account_id, user_id, client_id }: Pick<AppRow, 'account_id' | 'user_id' | 'client_id'>,
  kept: number,
): Promise<void> {
  await sql`
    delete from connected_apps where account_id = ${account_id} and id in (
      select id from connected_apps where account_id = ${account_id} and user_id = ${user_id}
        and client_id = ${client_id} order by seq desc offset ${kept})`;
}

/** By the SHA-256 of the token, which is the secret. */
export async function findToken(sql: Sql | Tx, tokenSha256: string): Promise<TokenRow | undefined> {
  const [row] = await sql`
    select a.*, m.role, r.payload ->> 'aud' as audience, coalesce(r.payload ->> 'scope', '') as token_scope,
      r.expires_at as token_expires_at
    from oauth_rows r
    join connected_apps a on a.grant_id = r.grant_id
    join memberships m on m.account_id = a.account_id and m.user_id = a.user_id
    where r.kind = 'AccessToken' and r.id_sha256 = ${tokenSha256}`;
  return row && TokenRow.parse(row);
}

export async function find(
  sql: Sql | Tx,
  accountId: string,
  id: string,
): Promise<(AppRow & { role: (typeof ROLES)[number] }) | undefined> {
  const [row] = await sql`
    select a.*, m.role from connected_apps a
    join memberships m on m.account_id = a.account_id and m.user_id = a.user_id
    where a.account_id = ${accountId} and a.id = ${id}`;
  return row && AppRow.extend({ role: z.enum(ROLES) }).parse(row);
}

/** Newest first; of one person, or of all. */
export async function list(
  sql: Sql | Tx,
  accountId: string,
  { userId, before, limit }: { userId: string | null; before: number; limit: number },
): Promise<ListedRow[]> {
  const rows = await sql`
    select a.*, u.email, u.name as person from connected_apps a join users u on u.id = a.user_id
    where a.account_id = ${accountId} and a.seq < ${before}
      and (${userId}::text is null or a.user_id = ${userId})
    order by a.seq desc limit ${limit}`;
  return z.array(ListedRow).parse(rows);
}

/** The app with its tokens and its grant; of one person, or of anyone. Undefined when there is none. */
export async function remove(
  sql: Sql | Tx,
  accountId: string,
  { id, userId }: { id: string; userId: string | null },
): Promise<AppRow | undefined> {
  const [row] = await sql`
    delete from connected_apps where account_id = ${accountId} and id = ${id}
      and (${userId}::text is null or user_id = ${userId}) returning *`;
  await announce(sql);
  return row && AppRow.parse(row);
}

/** The app of a grant, which names its account. */
export async function removeOfGrant(sql: Sql | Tx, grantId: string): Promise<AppRow | undefined> {
  const [row] = await sql`delete from connected_apps where grant_id = ${grantId} returning *`;
  await announce(sql);
  return row && AppRow.parse(row);
}

export async function markUsed(sql: Sql | Tx, accountId: string, id: string, now: Date): Promise<void> {
  await sql`update connected_apps set last_used_at = ${now} where account_id = ${accountId} and id = ${id}`;
}

/** Removes apps that are over, and those that no live token or code is left of. */
export async function removeEnded(sql: Sql | Tx, now: Date, idleBefore: Date): Promise<void> {
  await sql`
    delete from connected_apps a where expires_at <= ${now} or (created_at <= ${idleBefore}
      and not exists (select 1 from oauth_rows r where r.grant_id = a.grant_id and r.expires_at > ${now}))`;
}

export async function announce(sql: Sql | Tx): Promise<void> {
  await sql`select pg_notify('connected_apps', '')`;
}
