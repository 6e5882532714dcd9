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
  readonly accounts: Pick<Accounts, 'ensureSeeded'>;
  /** Accepts the invitations to a person's verified address. */
  readonly acceptInvitations: (tx: Tx, user: { id: string; email: string }) => Promise<void>;
};

type NewUser = {
  readonly email: string;
  /** True if the person has just verified the address. */
  readonly proved: boolean;
  /** Empty if unknown. */
  readonly name: string;
  readonly passwordHash: string | null;
  readonly language: string;
};

export type Users = ReturnType<typeof createUsers>;

/** People who sign in with an email address. */
export function createUsers({ sql, accounts, acceptInvitations }: UsersDeps) {
  return {
    findByEmail: (email: string): Promise<UserRow | undefined> => userRepo.findByEmail(sql, email),

    /** Creates a user with their own account. Undefined if the address already has a user. */
    async add({ email, proved, name, passwordHash, language }: NewUser): Promise<UserRow | undefined> {
      const user = { id: newId('usr'), email, email_verified: proved, password_hash: passwordHash };
      const said = name || nameOf(email);
      const auth_provider = passwordHash === null ? ('code' as const) : ('password' as const);
      const account = { id: newId('acc'), name: said, seeded: false };
      const added = await sql.begin(async (tx) => {
        if (!(await userRepo.insert(tx, { ...user, name: said, language, auth_provider }))) return false;
        await accountRepo.insert(tx, { ...account, is_local: false });
        await membershipRepo.insert(tx, account.id, user.id, 'owner');
        if (proved) await acceptInvitations(tx, { id: user.id, email });
        return true;
      });
      if (!added) return undefined;
      await accounts.ensureSeeded(account);
      return user;
    },

    /**
     * Marks the address as verified. Someone else may have registered it before: if it was unverified, their password,
     * sessions and keys end. `passwordHash` is a newly chosen password, which also ends the sessions, or null.
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

    /** Accepts new invitations of a person with a verified address. */
    async join(id: string): Promise<void> {
      await sql.begin(async (tx) => {
        const user = await userRepo.lock(tx, id);
        if (user?.email_verified) await acceptInvitations(tx, user);
      });
    },

    /** The account a person owns, or else belongs to; creates and seeds one if necessary. */
    async homeOf(id: string): Promise<string | undefined> {
      const home = (await membershipRepo.find(sql, id, null)) ?? (await giveHome(id));
      if (!home) return undefined;
      const { account_id, account_name: name, seeded } = home;
      await accounts.ensureSeeded({ id: account_id, name, seeded });
      return account_id;
    },
  };

  /** Creates an account for a person who was removed from their last one. */
  function giveHome(userId: string): Promise<MembershipRow | undefined> {
    return sql.begin(async (tx) => {
      const user = await userRepo.lock(tx, userId);
      if (!user) return undefined;
      // A concurrent sign-in may have created it.
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
