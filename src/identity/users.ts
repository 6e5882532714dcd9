import type { Sql, Tx } from '../platform/database/database.ts';
import { newId } from '../platform/ids.ts';
import * as accountRepo from './account-repo.ts';
import type { Accounts } from './accounts.ts';
import type { MembershipRow } from './membership-repo.ts';
import * as membershipRepo from './membership-repo.ts';
import * as sessionRepo from './session-repo.ts';
import type { UserRow } from './user-repo.ts';
import * as userRepo from './user-repo.ts';

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
    findByEmail: (email: string): Promise<UserRow | undefined> => userRepo.findByEmail(sql, email),

    /** Makes a user with an account of their own. Undefined when the address has a user already. */
    async add({ email, proved, name, passwordHash, language }: NewUser): Promise<UserRow | undefined> {
      const user = { id: newId('usr'), email, email_verified: proved, password_hash: passwordHash };
      const said = name || nameOf(email);
      const auth_provider = passwordHash === null ? ('code' as const) : ('password' as const);
      const account = { id: newId('acc'), name: said, furnished: false };
      const added = await sql.begin(async (tx) => {
        if (!(await userRepo.insert(tx, { ...user, name: said, language, auth_provider }))) return false;
        await accountRepo.insert(tx, { ...account, is_local: false });
        await membershipRepo.insert(tx, account.id, user.id, 'owner');
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
        const user = await userRepo.lock(tx, id);
        if (!user) return undefined;
        const password_hash = passwordHash ?? (user.email_verified ? user.password_hash : null);
        await userRepo.markVerified(tx, id, password_hash);
        if (!user.email_verified || passwordHash !== null) await sessionRepo.endAll(tx, id);
        if (!user.email_verified) await userRepo.revokeKeys(tx, id);
        await acceptInvitations(tx, user);
        return { ...user, email_verified: true, password_hash };
      });
    },

    /** Makes a person whose address is proved a member of what it was invited to since. */
    async join(id: string): Promise<void> {
      await sql.begin(async (tx) => {
        const user = await userRepo.lock(tx, id);
        if (user?.email_verified) await acceptInvitations(tx, user);
      });
    },

    /** Where a person is at home: the account they own, or else are in, with what it begins with. */
    async homeOf(id: string): Promise<string | undefined> {
      const home = (await membershipRepo.find(sql, id, null)) ?? (await giveHome(id));
      if (!home) return undefined;
      const { account_id, account_name: name, furnished } = home;
      await accounts.furnish({ id: account_id, name, furnished });
      return account_id;
    },
  };

  /** An account of their own, for somebody whom the others have removed from the last one they were in. */
  function giveHome(userId: string): Promise<MembershipRow | undefined> {
    return sql.begin(async (tx) => {
      const user = await userRepo.lock(tx, userId);
      if (!user) return undefined;
      // Another sign-in may have been faster.
      const found = await membershipRepo.find(tx, userId, null);
      if (found) return found;
      const account = { id: newId('acc'), name: nameOf(user.email), is_local: false };
      await accountRepo.insert(tx, account);
      await membershipRepo.insert(tx, account.id, userId, 'owner');
      return membershipRepo.find(tx, userId, null);
    });
  }
}

function nameOf(email: string): string {
  return email.slice(0, email.lastIndexOf('@'));
}
