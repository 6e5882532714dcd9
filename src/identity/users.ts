import type { Sql, Tx } from '../platform/database/database.ts';
import { newId } from '../platform/ids.ts';
import type { Accounts } from './accounts.ts';
import { createMembershipStore, type MembershipRow } from './membership-repo.ts';
import { createSessionStore } from './session-repo.ts';
import { createIdentityStore } from './account-repo.ts';
import { createUserStore, type UserRow } from './user-repo.ts';

type UsersDeps = {
  readonly sql: Sql;
  readonly accounts: Pick<Accounts, 'furnish'>;
  /** Makes a person a member of what their proved address was invited to. */
  readonly acceptInvitations: (tx: Tx, user: { id: string; email: string }) => Promise<void>;
};

type NewUser = {
  readonly email: string;
  /** True when the person has just shown that the address is theirs. */
  readonly proved: boolean;
  /** Empty where the person has told none. */
  readonly name: string;
  readonly passwordHash: string | null;
  readonly language: string;
};

export type Users = ReturnType<typeof createUsers>;

/** People who sign in with an email address. */
export function createUsers({ sql, accounts, acceptInvitations }: UsersDeps) {
  return {
    findByEmail: (email: string): Promise<UserRow | undefined> => createUserStore(sql).findByEmail(email),

    /** Makes a user with an account of their own. Undefined when the address has a user already. */
    async add({ email, proved, name, passwordHash, language }: NewUser): Promise<UserRow | undefined> {
      const user = { id: newId('usr'), email, email_verified: proved, password_hash: passwordHash };
      const said = name || nameOf(email);
      const auth_provider = passwordHash === null ? ('code' as const) : ('password' as const);
      const account = { id: newId('acc'), name: said, furnished: false };
      const added = await sql.begin(async (tx) => {
        if (!(await createUserStore(tx).insert({ ...user, name: said, language, auth_provider })))
          return false;
        await createIdentityStore(tx).insert({ ...account, is_local: false });
        await createMembershipStore(tx).insert(account.id, user.id, 'owner');
        if (proved) await acceptInvitations(tx, { id: user.id, email });
        return true;
      });
      if (!added) return undefined;
      await accounts.furnish(account);
      return user;
    },

    /**
     * The person has shown that the address is theirs. Somebody else may have registered it before: unless it was proved
     * then, what they could still come in with ends, which is password, sessions and keys. `passwordHash` is of a
     * password chosen now, null where there is none; it ends the sessions too.
     */
    async prove(id: string, passwordHash: string | null): Promise<UserRow | undefined> {
      return sql.begin(async (tx) => {
        const store = createUserStore(tx);
        const user = await store.lock(id);
        if (!user) return undefined;
        const password_hash = passwordHash ?? (user.email_verified ? user.password_hash : null);
        await store.markVerified(id, password_hash);
        if (!user.email_verified || passwordHash !== null) await createSessionStore(tx).endAll(id);
        if (!user.email_verified) await store.revokeKeys(id);
        await acceptInvitations(tx, user);
        return { ...user, email_verified: true, password_hash };
      });
    },

    /** Makes a person whose address is proved a member of what it was invited to since. */
    async join(id: string): Promise<void> {
      await sql.begin(async (tx) => {
        const user = await createUserStore(tx).lock(id);
        if (user?.email_verified) await acceptInvitations(tx, user);
      });
    },

    /** Where a person is at home: the account they own, or else are in, with what it begins with. */
    async homeOf(id: string): Promise<string | undefined> {
      const home = (await createMembershipStore(sql).find(id, null)) ?? (await giveHome(id));
      if (!home) return undefined;
      const { account_id, account_name: name, furnished } = home;
      await accounts.furnish({ id: account_id, name, furnished });
      return account_id;
    },
  };

  /** An account of their own, for somebody whom the others have removed from the last one they were in. */
  function giveHome(userId: string): Promise<MembershipRow | undefined> {
    return sql.begin(async (tx) => {
      const user = await createUserStore(tx).lock(userId);
      if (!user) return undefined;
      const memberships = createMembershipStore(tx);
      // Another sign-in may have been faster.
      const found = await memberships.find(userId, null);
      if (found) return found;
      const account = { id: newId('acc'), name: nameOf(user.email), is_local: false };
      await createIdentityStore(tx).insert(account);
      await memberships.insert(account.id, userId, 'owner');
      return memberships.find(userId, null);
    });
  }
}

function nameOf(email: string): string {
  return email.slice(0, email.lastIndexOf('@'));
}
