import { z } from 'zod';
import type { Caller } from '../identity/caller.ts';
import type { Sql, Tx } from '../platform/database/database.ts';

const count = z.coerce.number();
const UploadRow = z.object({
  id: z.string(),
  account_id: z.string(),
  path: z.string(),
  alt: z.string().nullable(),
  tags: z.array(z.string()).nullable(),
  bytes: count,
  exact: z.boolean(),
  sha256: z.string().nullable(),
  received: count,
  parts: z.array(z.string()),
  created_by: z.string(),
  // Written by ourselves from a Caller, so its parts need no second look.
  caller: z.custom<Omit<Caller, 'accountId'>>((value) => typeof value === 'object'),
  expires_at: z.date(),
});
export type UploadRow = z.output<typeof UploadRow>;

export type NewUpload = Omit<UploadRow, 'received' | 'parts' | 'account_id' | 'created_by' | 'caller'> & {
  readonly tokenSha256: string;
};

/** False when the account has `most` open links already. */
export async function insertUpload(
  sql: Sql,
  { accountId, ...caller }: Caller,
  upload: NewUpload,
  most: number,
): Promise<boolean> {
  const rows = await sql`
    insert into asset_uploads (id, account_id, token_sha256, path, alt, tags, bytes, exact, sha256, created_by,
      caller, expires_at)
    select ${upload.id}, ${accountId}, ${upload.tokenSha256}, ${upload.path}, ${upload.alt}, ${upload.tags},
      ${upload.bytes}, ${upload.exact}, ${upload.sha256}, ${caller.actor}, ${sql.json(caller)}, ${upload.expires_at}
    where (select count(*) from asset_uploads u
      where u.account_id = ${accountId} and u.expires_at > now()) < ${most}
    returning id`;
  return rows.length > 0;
}

/** Of any account: the token says which. */
export async function findUpload(sql: Sql, tokenSha256: string, now: Date): Promise<UploadRow | undefined> {
  const [row] = await sql`
    select u.* from asset_uploads u join accounts a on a.id = u.account_id and a.deleted_at is null
    where u.token_sha256 = ${tokenSha256} and u.expires_at > ${now}`;
  return row && UploadRow.parse(row);
}

/** Adds a part after `offset`; false when another one is there already. Without parts before it, it is the only one. */
export async function appendPart(
  tx: Tx,
  { account_id, id }: Pick<UploadRow, 'account_id' | 'id'>,
  { key, offset, bytes }: { key: string; offset: number; bytes: number },
): Promise<boolean> {
  const rows = await tx`
    update asset_uploads set received = received + ${bytes}, parts = parts || ${key}::text
    where account_id = ${account_id} and id = ${id} and received = ${offset}
    returning id`;
  return rows.length > 0;
}

/** Forgets what was received; returns the keys of it. */
export async function clearParts(
  sql: Sql,
  { account_id, id }: Pick<UploadRow, 'account_id' | 'id'>,
): Promise<string[]> {
  const rows = await sql`
    with received as (
      select parts from asset_uploads where account_id = ${account_id} and id = ${id} for update)
    update asset_uploads set received = 0, parts = '{}' from received
    where account_id = ${account_id} and id = ${id} returning received.parts`;
  return rows.flatMap((row) => z.object({ parts: z.array(z.string()) }).parse(row).parts);
}

/** False when it was deleted before: the link works once. */
export async function deleteUpload(
  sql: Sql,
  { account_id, id }: Pick<UploadRow, 'account_id' | 'id'>,
): Promise<boolean> {
  const rows = await sql`
    delete from asset_uploads where account_id = ${account_id} and id = ${id} returning id`;
  return rows.length > 0;
}

/** Deletes links of all accounts that expired; returns the keys of what they had received. */
export async function deleteExpired(sql: Sql, now: Date): Promise<string[]> {
  const rows = await sql`delete from asset_uploads where expires_at <= ${now} returning parts`;
  return rows.flatMap((row) => z.object({ parts: z.array(z.string()) }).parse(row).parts);
}

export async function partsOf(sql: Sql, accountId: string): Promise<string[]> {
  const rows = await sql`select parts from asset_uploads where account_id = ${accountId}`;
  return rows.flatMap((row) => z.object({ parts: z.array(z.string()) }).parse(row).parts);
}

export async function hasUpload(sql: Sql, accountId: string, id: string): Promise<boolean> {
  const rows = await sql`select 1 from asset_uploads where account_id = ${accountId} and id = ${id}`;
  return rows.length > 0;
}
