import { z } from 'zod';
import type { Sql, Tx } from '../platform/database/database.ts';

const UserRow = z.object({
  id: z.string(),
  email: z.string(),
  email_verified: z.boolean(),
  password_hash: z.string().nullable(),
});
export type UserRow = z.output<typeof UserRow>;

export type NewUserRow = UserRow & {
  readonly name: string;
  readonly language: string;
  /** How the person came first. */
  readonly auth_provider: 'password' | 'code';
};

/** The SQL of people who sign in with an email address. Inside a transaction give it `tx`. */
export function createUserStore(sql: Sql | Tx) {
  return {
    async findByEmail(email: string): Promise<UserRow | undefined> {
      const [row] = await sql`
        select id, email, email_verified, password_hash from users where email = ${email}`;
      return row && UserRow.parse(row);
    },

    /** The same, held until the transaction ends. */
    async lock(id: string): Promise<UserRow | undefined> {
      const [row] = await sql`
        select id, email, email_verified, password_hash from users
        where id = ${id} and email is not null for update`;
      return row && UserRow.parse(row);
    },

    /** False when the address has a user already. */
    async insert(row: NewUserRow): Promise<boolean> {
      const inserted = await sql`
        insert into users (id, email, email_verified, password_hash, name, language, auth_provider)
        values (${row.id}, ${row.email}, ${row.email_verified}, ${row.password_hash}, ${row.name}, ${row.language},
          ${row.auth_provider})
        on conflict do nothing returning id`;
      return inserted.length === 1;
    },

    /** Marks the address as proved, with the password there is from now on. */
    async markVerified(id: string, passwordHash: string | null): Promise<void> {
      await sql`update users set email_verified = true, password_hash = ${passwordHash} where id = ${id}`;
    },

    /** Ends the keys to the accounts a person owns. */
    async revokeKeys(id: string): Promise<void> {
      await sql`
        update api_keys set revoked_at = now()
        where revoked_at is null
          and account_id in (select account_id from memberships where user_id = ${id} and role = 'owner')`;
      await sql`select pg_notify('api_keys', '')`;
    },
  };
}
