import { z } from 'zod';
import type { Sql, Tx } from '../platform/database.ts';
import { SCOPES } from './caller.ts';

const AccountRow = z.object({ id: z.string(), name: z.string(), furnished: z.boolean() });
export type AccountRow = z.output<typeof AccountRow>;

const KeyRow = z.object({
  id: z.string(),
  account_id: z.string(),
  name: z.string(),
  public_id: z.string(),
  secret_sha256: z.string(),
  mask: z.string(),
  scopes: z.array(z.enum(SCOPES)),
  created_at: z.date(),
  last_used_at: z.date().nullable(),
  expires_at: z.date().nullable(),
});
export type KeyRow = z.output<typeof KeyRow>;
export type NewKey = Omit<KeyRow, 'created_at' | 'last_used_at'>;

/** The SQL of accounts and API keys. */
export function createIdentityStore(sql: Sql | Tx) {
  return {
    async localAccount(): Promise<AccountRow | undefined> {
      const [row] = await sql`select id, name, furnished from accounts where is_local`;
      return row && AccountRow.parse(row);
    },

    async insertAccount(row: { id: string; name: string; is_local: boolean }): Promise<boolean> {
      const inserted = await sql`
        insert into accounts (id, name, is_local) values (${row.id}, ${row.name}, ${row.is_local})
        on conflict do nothing returning id`;
      return inserted.length === 1;
    },

    async markFurnished(id: string): Promise<void> {
      await sql`update accounts set furnished = true where id = ${id}`;
    },

    async insertKey(row: NewKey): Promise<void> {
      await sql`
        insert into api_keys (id, account_id, name, public_id, secret_sha256, mask, scopes, expires_at)
        values (${row.id}, ${row.account_id}, ${row.name}, ${row.public_id}, ${row.secret_sha256}, ${row.mask},
          ${row.scopes}, ${row.expires_at})`;
    },

    /** A key that is not revoked; expiry is judged by the caller, whose answer may be kept for a while. */
    async findKey(publicId: string): Promise<KeyRow | undefined> {
      const [row] = await sql`
        select id, account_id, name, public_id, secret_sha256, mask, scopes, created_at, last_used_at, expires_at
        from api_keys where public_id = ${publicId} and revoked_at is null`;
      return row && KeyRow.parse(row);
    },

    async listKeys(accountId: string): Promise<KeyRow[]> {
      const rows = await sql`
        select id, account_id, name, public_id, secret_sha256, mask, scopes, created_at, last_used_at, expires_at
        from api_keys where account_id = ${accountId} and revoked_at is null order by created_at, id`;
      return z.array(KeyRow).parse(rows);
    },

    /** The keys of every account, for the operator. */
    async listAllKeys(): Promise<KeyRow[]> {
      const rows = await sql`
        select id, account_id, name, public_id, secret_sha256, mask, scopes, created_at, last_used_at, expires_at
        from api_keys where revoked_at is null order by account_id, created_at, id`;
      return z.array(KeyRow).parse(rows);
    },

    async findAccount(id: string): Promise<AccountRow | undefined> {
      const [row] = await sql`select id, name, furnished from accounts where id = ${id}`;
      return row && AccountRow.parse(row);
    },

    async revokeKey(accountId: string, id: string): Promise<boolean> {
      const revoked = await sql`
        update api_keys set revoked_at = now()
        where account_id = ${accountId} and id = ${id} and revoked_at is null returning id`;
      return revoked.length === 1;
    },

    async markUsed(publicId: string): Promise<void> {
      await sql`update api_keys set last_used_at = now() where public_id = ${publicId}`;
    },

    /** Tells every node to forget what it knows of the keys. */
    async announce(): Promise<void> {
      await sql`select pg_notify('api_keys', '')`;
    },
  };
}
