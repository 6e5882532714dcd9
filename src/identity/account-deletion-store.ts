import { z } from 'zod';
import type { Tx } from '../platform/database/database.ts';

const AccountRow = z.object({ id: z.string(), name: z.string(), is_local: z.boolean() });

/** The SQL of the end of an account, in its transaction. */
export function createAccountDeletionStore(tx: Tx) {
  return {
    async lockForDeletion(accountId: string) {
      const [row] = await tx`select id, name, is_local from accounts where id = ${accountId} for update`;
      return row && AccountRow.parse(row);
    },

    async isOwner(accountId: string, userId: string): Promise<boolean> {
      const rows = await tx`
        select 1 from memberships where account_id = ${accountId} and user_id = ${userId} and role = 'owner'`;
      return rows.length === 1;
    },

    /** A large account takes longer than a statement may otherwise; only this transaction is given the time. */
    async raiseStatementTimeout(): Promise<void> {
      await tx`select set_config('statement_timeout', '300s', true)`;
    },

    /** People who belong nowhere else. */
    async deleteSoleMembers(accountId: string): Promise<void> {
      await tx`
        delete from users where id in (select user_id from memberships where account_id = ${accountId})
          and not exists (select from memberships m where m.user_id = users.id and m.account_id <> ${accountId})`;
    },

    /** The account, and by the foreign keys everything that names it. */
    async deleteAccount(accountId: string): Promise<void> {
      await tx`delete from accounts where id = ${accountId}`;
    },

    /** Tells every node to forget what it knows of keys, of people who are signed in, and of the account's plan. */
    async notifyDeleted(accountId: string): Promise<void> {
      await tx`
        select pg_notify('api_keys', ''), pg_notify('sessions', ''), pg_notify('entitlements', ${accountId})`;
    },
  };
}
