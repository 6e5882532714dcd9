import type { Sql, Tx } from '../../platform/database/database.ts';
import { newId } from '../../platform/ids.ts';
import * as accountRepo from '../accounts/account-repo.ts';
import type { Accounts } from '../accounts/accounts.ts';
import type { MembershipRow } from '../members/membership-repo.ts';
import * as membershipRepo from '../members/membership-repo.ts';
import * as secondFactorRepo from '../second-factor/second-factor-repo.ts';
import * as deviceRepo from '../sessions/device-repo.ts';
import * as sessionRepo from '../sessions/session-repo.ts';
import type { PersonRow, UserRow } from './user-repo.ts';
import * as userRepo from './user-repo.ts';

type UsersDeps = {
  readonly sql: Sql;
  readonly accounts: Pick<Accounts, 'ensureSeeded'>;
  readonly now?: (() => number) | undefined;
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

/** `held_password_hash` is a chosen password that waits for the second factor. */
type ProvedUser = UserRow & { readonly held_password_hash?: string };

export type Users = ReturnType<typeof createUsers>;

/**
 * People who sign in with an email address.
 *
 * In: an email address, verified or not. Out: a person with an account of their own. Invariant: the credentials that
 * someone set up with an unverified address end when its owner verifies it.
 */
export function createUsers({ sql, accounts, now = Date.now }: UsersDeps) {
  return {
    findByEmail: (email: string): Promise<UserRow | undefined> => userRepo.findByEmail(sql, email),

    find: (id: string): Promise<PersonRow | undefined> => userRepo.findById(sql, id),

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
        return true;
      });
      if (!added) return undefined;
      await accounts.ensureSeeded(account);
      return user;
    },

    /**
     * Marks the address as verified. Someone else may have registered it before: if it was unverified, their password,
     * sessions, keys, passkeys and second factor end, and their account waits for `takeover.ts`. `chosenHash` is a newly chosen
     * password, which also ends the sessions, or null. With the sessions, their devices are strangers again. Where the second
     * factor is on, the password is held until it is shown.
     */
    async prove(
      id: string,
      chosenHash: string | null,
      secondFactor: 'not_shown' | 'shown' = 'not_shown',
    ): Promise<ProvedUser | undefined> {
      return sql.begin(async (tx) => {
        const user = await userRepo.lock(tx, id);
        if (!user) return undefined;
        const kept = user.email_verified ? user.password_hash : await disown(tx, user);
        const isHeld =
          chosenHash !== null && secondFactor === 'not_shown' && (await secondFactorRepo.isOn(tx, id));
        if (isHeld) return { ...(await verify(tx, user, kept)), held_password_hash: chosenHash };
        if (chosenHash !== null) await endSessions(tx, id);
        return verify(tx, user, chosenHash ?? kept);
      });
    },

    /**
     * Gives a person another password. Ends their other sessions, and makes their devices strangers again.
     * False if their session has ended.
     */
    async setPassword(id: string, sessionId: string, passwordHash: string): Promise<boolean> {
      return sql.begin(async (tx) => {
        if (!(await userRepo.lock(tx, id)) || !(await sessionRepo.exists(tx, id, sessionId))) return false;
        await userRepo.setPassword(tx, id, passwordHash);
        await sessionRepo.endOthers(tx, id, sessionId);
        await deviceRepo.forgetAll(tx, id);
        return true;
      });
    },

    /**
     * Gives a person another address, which they have just verified. Returns the one before; undefined if the new one
     * has a user.
     */
    async setEmail(id: string, email: string): Promise<{ readonly before: string } | undefined> {
      return sql.begin(async (tx) => {
        const user = await userRepo.lock(tx, id);
        if (!user || !(await userRepo.setEmail(tx, id, email))) return undefined;
        await sessionRepo.announce(tx);
        return { before: user.email };
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

  async function verify(tx: Tx, user: UserRow, password_hash: string | null): Promise<UserRow> {
    await userRepo.markVerified(tx, user.id, password_hash);
    return { ...user, email_verified: true, password_hash };
  }

  /** Ends what a stranger who registered the address could come back with. No password is kept. */
  async function disown(tx: Tx, { id }: UserRow): Promise<null> {
    await secondFactorRepo.removeAll(tx, id);
    await endSessions(tx, id);
    await userRepo.revokeKeys(tx, id);
    await accountRepo.setTakenOver(tx, id, new Date(now()));
    return null;
  }

  /** With the sessions, the devices are strangers again. */
  async function endSessions(tx: Tx, id: string): Promise<void> {
    await sessionRepo.endAll(tx, id);
    await deviceRepo.forgetAll(tx, id);
  }

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
