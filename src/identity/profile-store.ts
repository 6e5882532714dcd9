import { z } from 'zod';
import type { Sql, Tx } from '../platform/database/database.ts';
import { ROLES } from './caller.ts';

const ProfileRow = z.object({
  account_id: z.string(),
  account_name: z.string(),
  account_created_at: z.date(),
  user_id: z.string().nullable(),
  name: z.string().nullable(),
  email: z.string().nullable(),
  avatar: z.string().nullable(),
  language: z.string().nullable(),
  auth_provider: z.string().nullable(),
  created_at: z.date().nullable(),
  role: z.enum(ROLES).nullable(),
});
export type ProfileRow = z.output<typeof ProfileRow>;

type UserChanges = { name: string | null; language: string | null; avatar: string | null };

/** The SQL of how a person, or an account without one, shows. Inside a transaction give it `tx`. */
export function createProfileStore(sql: Sql | Tx) {
  return {
    /** The account and the person who acts in it. */
    async findProfile(accountId: string, userId: string | null): Promise<ProfileRow | undefined> {
      const [row] = await sql`
        select a.id as account_id, a.name as account_name, a.created_at as account_created_at,
          u.id as user_id, u.name, u.email, u.avatar, u.language, u.auth_provider, u.created_at, m.role
        from accounts a
        left join memberships m on m.account_id = a.id and m.user_id = ${userId}::text
        left join users u on u.id = m.user_id
        where a.id = ${accountId}`;
      return row && ProfileRow.parse(row);
    },

    /** Until the transaction ends nobody else changes the person. */
    async lockMember(accountId: string, userId: string): Promise<void> {
      await sql`
        select u.id from users u join memberships m on m.user_id = u.id
        where m.account_id = ${accountId} and u.id = ${userId} for update of u`;
    },

    /** Until the transaction ends nobody else changes the account. */
    async lockAccount(accountId: string): Promise<void> {
      await sql`select id from accounts where id = ${accountId} for update`;
    },

    /** Null leaves a field as it is. The account is asked for, so that nobody is changed from elsewhere. */
    async updateMember(
      accountId: string,
      userId: string,
      { name, language, avatar }: UserChanges,
    ): Promise<void> {
      await sql`
        update users set name = coalesce(${name}, name), language = coalesce(${language}, language),
          avatar = coalesce(${avatar}, avatar)
        where id = ${userId}
          and exists (select from memberships where account_id = ${accountId} and user_id = users.id)`;
    },

    async renameAccount(accountId: string, name: string): Promise<void> {
      await sql`update accounts set name = ${name} where id = ${accountId}`;
    },
  };
}
