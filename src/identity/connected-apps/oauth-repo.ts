import { z } from 'zod';
import type { Sql, Tx } from '../../platform/database/database.ts';

const Payload = z.record(z.string(), z.unknown());
const Row = z.object({ id_sha256: z.string(), payload: Payload, consumed_at: z.date().nullable() });
export type OauthRow = z.output<typeof Row>;

export type NewOauthRow = {
  readonly kind: string;
  readonly id_sha256: string;
  readonly grant_id: string | null;
  readonly user_code_mac: string | null;
  readonly uid_sha256: string | null;
  readonly payload: string;
  readonly expires_at: Date;
};

/** The SQL of the authorization server: codes, tokens and grants by the hash of their secret, which names the account. */

export async function put(sql: Sql | Tx, row: NewOauthRow): Promise<void> {
  await sql`
    insert into oauth_rows (kind, id_sha256, grant_id, user_code_mac, uid_sha256, payload, expires_at)
    values (${row.kind}, ${row.id_sha256}, ${row.grant_id}, ${row.user_code_mac}, ${row.uid_sha256},
      ${row.payload}::text::jsonb, ${row.expires_at})
    on conflict (kind, id_sha256) do update set payload = excluded.payload, expires_at = excluded.expires_at,
      grant_id = coalesce(excluded.grant_id, oauth_rows.grant_id),
      user_code_mac = coalesce(excluded.user_code_mac, oauth_rows.user_code_mac),
      uid_sha256 = excluded.uid_sha256`;
}

export async function find(sql: Sql | Tx, kind: string, idSha256: string): Promise<OauthRow | undefined> {
  const [row] = await sql`
    select id_sha256, payload, consumed_at from oauth_rows where kind = ${kind} and id_sha256 = ${idSha256}`;
  return row && Row.parse(row);
}

export async function findByUserCode(sql: Sql | Tx, mac: string): Promise<OauthRow | undefined> {
  const [row] = await sql`
    select id_sha256, payload, consumed_at from oauth_rows where user_code_mac = ${mac}`;
  return row && Row.parse(row);
}

export async function findByUid(sql: Sql | Tx, uidSha256: string): Promise<OauthRow | undefined> {
  const [row] = await sql`
    select id_sha256, payload, consumed_at from oauth_rows where kind = 'Session' and uid_sha256 = ${uidSha256}`;
  return row && Row.parse(row);
}

/** False when it was used before, or is gone. */
export async function consume(sql: Sql | Tx, kind: string, idSha256: string): Promise<boolean> {
  const rows = await sql`
    update oauth_rows set consumed_at = now()
    where kind = ${kind} and id_sha256 = ${idSha256} and consumed_at is null returning kind`;
  return rows.length === 1;
}

export async function remove(sql: Sql | Tx, kind: string, idSha256: string): Promise<void> {
  await sql`delete from oauth_rows where kind = ${kind} and id_sha256 = ${idSha256}`;
}

export async function removeOfGrant(sql: Sql | Tx, kind: string, grantId: string): Promise<void> {
  await sql`delete from oauth_rows where kind = ${kind} and grant_id = ${grantId}`;
}

export async function removeExpired(sql: Sql | Tx, now: Date): Promise<void> {
  await sql`delete from oauth_rows where expires_at <= ${now}`;
}

/** Keeps a client that registered itself, and of those that no one has let in only the newest `bound`. */
export async function putClient(sql: Sql | Tx, id: string, metadata: string, bound: number): Promise<void> {
  await sql`
    insert into oauth_clients (id, metadata) values (${id}, ${metadata}::text::jsonb)
    on conflict (id) do update set metadata = excluded.metadata`;
  await sql`
    delete from oauth_clients where id in (
      select id from oauth_clients where used_at is null order by created_at desc, id offset ${bound})`;
}

export async function findClient(sql: Sql | Tx, id: string): Promise<Record<string, unknown> | undefined> {
  const [row] = await sql`select metadata from oauth_clients where id = ${id}`;
  return row && Payload.parse(row['metadata']);
}

export async function removeClient(sql: Sql | Tx, id: string): Promise<void> {
  await sql`delete from oauth_clients where id = ${id}`;
}

export async function markClientUsed(sql: Sql | Tx, id: string, now: Date): Promise<void> {
  await sql`update oauth_clients set used_at = ${now} where id = ${id}`;
}

/** Removes clients that no one let in since, and whose connected apps have all ended. */
export async function removeIdleClients(
  sql: Sql | Tx,
  { unusedBefore, usedBefore }: { unusedBefore: Date; usedBefore: Date },
): Promise<void> {
  await sql`
    delete from oauth_clients c
    where (used_at is null and created_at <= ${unusedBefore}) or (used_at <= ${usedBefore}
      and not exists (select 1 from connected_apps a where a.client_id = c.id))`;
}
