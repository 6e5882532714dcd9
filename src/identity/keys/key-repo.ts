import { z } from 'zod';
import type { Sql, Tx } from '../../platform/database/database.ts';
import { ROLES, SCOPES } from '../caller.ts';

const KeyRow = z.object({
  seq: z.number(),
  id: z.string(),
  account_id: z.string(),
  name: z.string(),
  origin: z.enum(['operator', 'account']),
  public_id: z.string(),
  secret_sha256: z.string(),
  mask: z.string(),
  scopes: z.array(z.enum(SCOPES)),
  ip_whitelist: z.array(z.string()),
  created_at: z.date(),
  last_used_at: z.date().nullable(),
  last_used_ip: z.string().nullable(),
  expires_at: z.date().nullable(),
  /** The person who holds it; null where no person made it. */
  made_by: z.string().nullable(),
  /** The key that created it, which ends with it. */
  made_with: z.string().nullable(),
});

const HeldKeyRow = KeyRow.extend({ role: z.enum(ROLES).nullable() });
/** A key as it can be used: with the role of who holds it, null where no person does. */
export type HeldKeyRow = z.output<typeof HeldKeyRow>;

export type KeyRow = z.output<typeof KeyRow>;
export type NewKeyRow = Omit<KeyRow, 'seq' | 'created_at' | 'last_used_at' | 'last_used_ip'>;
export type KeySettings = Pick<KeyRow, 'name' | 'scopes' | 'expires_at' | 'ip_whitelist'>;
export type KeySecretRow = Pick<KeyRow, 'public_id' | 'secret_sha256' | 'mask'>;

/** The SQL of API keys; a revoked one is as if it were not there. Inside a transaction give it `tx`. */

export async function insert(sql: Sql | Tx, row: NewKeyRow): Promise<KeyRow> {
  const [inserted] = await sql`
    insert into api_keys (id, account_id, name, origin, public_id, secret_sha256, mask, scopes, ip_whitelist,
      expires_at, made_by, made_with)
    values (${row.id}, ${row.account_id}, ${row.name}, ${row.origin}, ${row.public_id}, ${row.secret_sha256},
      ${row.mask}, ${row.scopes}, ${row.ip_whitelist}, ${row.expires_at}, ${row.made_by},
      ${row.made_with})
    returning *`;
  return KeyRow.parse(inserted);
}

/** Whether `claimFirst` may succeed. */
export async function lacksFirst(sql: Sql): Promise<boolean> {
  const rows = await sql`
    select where not exists (select from api_keys) and not exists (select from users)
      and not exists (select from server_secrets where name = 'first_key')`;
  return rows.length === 1;
}

/** True once for all nodes, and only while the server has no key and no user. */
export async function claimFirst(tx: Tx): Promise<boolean> {
  const rows = await tx`
    insert into server_secrets (name, value)
    select 'first_key', 'made' where not exists (select from api_keys) and not exists (select from users)
    on conflict do nothing returning name`;
  return rows.length === 1;
}

/** Until the transaction ends, no other transaction can add keys to the account. */
export async function lockAccount(sql: Sql | Tx, accountId: string): Promise<void> {
  await sql`select id from accounts where id = ${accountId} for update`;
}

export async function count(sql: Sql | Tx, accountId: string): Promise<number> {
  const rows = await sql`
    select 1 from api_keys where account_id = ${accountId} and origin = 'account' and revoked_at is null`;
  return rows.length;
}

/** By its public part, unless who holds it is no member; expiry is judged by the caller, whose answer may be kept for a while. */
export async function findPublic(sql: Sql | Tx, publicId: string): Promise<HeldKeyRow | undefined> {
  const [row] = await sql`
    select k.*, m.role from api_keys k
    left join memberships m on m.account_id = k.account_id and m.user_id = k.made_by
    where k.public_id = ${publicId} and k.revoked_at is null and (k.made_by is null or m.role is not null)`;
  return row && HeldKeyRow.parse(row);
}

export async function find(sql: Sql | Tx, accountId: string, id: string): Promise<HeldKeyRow | undefined> {
  const [row] = await sql`
    select k.*, m.role from api_keys k
    left join memberships m on m.account_id = k.account_id and m.user_id = k.made_by
    where k.account_id = ${accountId} and k.id = ${id} and k.revoked_at is null
      and (k.made_by is null or m.role is not null)`;
  return row && HeldKeyRow.parse(row);
}

/** Held until the transaction ends. */
export async function lock(sql: Sql | Tx, accountId: string, id: string): Promise<KeyRow | undefined> {
  const [row] = await sql`
    select * from api_keys where account_id = ${accountId} and id = ${id} and revoked_at is null for update`;
  return row && KeyRow.parse(row);
}

/** Newest first. */
export async function list(
  sql: Sql | Tx,
  accountId: string,
  { before, limit }: { before: number; limit: number },
): Promise<KeyRow[]> {
  const rows = await sql`
    select * from api_keys where account_id = ${accountId} and seq < ${before} and revoked_at is null
    order by seq desc limit ${limit}`;
  return z.array(KeyRow).parse(rows);
}

/** The keys of every account, for the operator. */
export async function listAll(sql: Sql | Tx): Promise<KeyRow[]> {
  const rows = await sql`
    select * from api_keys where revoked_at is null order by account_id, seq`;
  return z.array(KeyRow).parse(rows);
}

export async function update(sql: Sql | Tx, accountId: string, id: string, row: KeySettings): Promise<void> {
  await sql`
    update api_keys set name = ${row.name}, scopes = ${row.scopes}, expires_at = ${row.expires_at},
      ip_whitelist = ${row.ip_whitelist}
    where account_id = ${accountId} and id = ${id}`;
}

export async function replaceSecret(
  sql: Sql | Tx,
  accountId: string,
  id: string,
  row: KeySecretRow & Pick<KeyRow, 'made_by'>,
) {
  await sql`
    update api_keys set public_id = ${row.public_id}, secret_sha256 = ${row.secret_sha256}, mask = ${row.mask},
      made_by = ${row.made_by}
    where account_id = ${accountId} and id = ${id}`;
}

/** Revokes a key and every key that was created with it. */
export async function revoke(sql: Sql | Tx, accountId: string, id: string): Promise<KeyRow | undefined> {
  const rows = await sql`
    with recursive ended as (
      select id from api_keys where account_id = ${accountId} and id = ${id} and revoked_at is null
      union
      select k.id from api_keys k join ended e on k.made_with = e.id where k.account_id = ${accountId}
    )
    update api_keys k set revoked_at = coalesce(k.revoked_at, now()) from ended where k.id = ended.id
    returning k.*`;
  return z
    .array(KeyRow)
    .parse(rows)
    .find((row) => row.id === id);
}

export async function markUsed(sql: Sql | Tx, publicId: string, address: string | null): Promise<void> {
  await sql`
    update api_keys set last_used_at = now(), last_used_ip = ${address} where public_id = ${publicId}`;
}

/** Tells every node to forget what it knows of the keys. */
export async function notifyChanged(sql: Sql | Tx): Promise<void> {
  await sql`select pg_notify('api_keys', '')`;
}
