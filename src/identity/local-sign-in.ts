import type { Sql } from '../platform/database/database.ts';
import type { ServerSecret } from '../platform/server-secret.ts';
import type { Accounts } from './accounts.ts';
import type { Members } from './members.ts';
import { createPasswords, type Passwords } from './passwords.ts';
import type { Profiles } from './profile.ts';
import type { Sessions } from './sessions.ts';
import { createSignIn, type SignIn } from './sign-in.ts';
import { createSignInAttempts } from './sign-in-attempts.ts';
import { createSignInCodes } from './sign-in-codes.ts';
import type { SignInEmail } from './sign-in-email.ts';
import { createUsers } from './users.ts';

type LocalSignInDeps = {
  readonly sql: Sql;
  readonly secret: ServerSecret;
  readonly sessions: Sessions;
  readonly accounts: Pick<Accounts, 'ensureSeeded'>;
  readonly members: Pick<Members, 'acceptInvitations'>;
  readonly profiles: Pick<Profiles, 'get'>;
  /** Undefined if email is not configured. */
  readonly email: SignInEmail | undefined;
  readonly passwords?: Passwords;
  readonly now?: () => number;
};

export type LocalSignIn = {
  readonly signIn: SignIn;
  /** Deletes expired rows. */
  sweep(): Promise<void>;
};

/** Sign-in without an identity provider: passwords, codes and sessions. */
export function createLocalSignIn({
  sql,
  secret,
  sessions,
  accounts,
  members,
  profiles,
  email,
  passwords = createPasswords(),
  now,
}: LocalSignInDeps): LocalSignIn {
  const time = now && { now };
  const codes = createSignInCodes({ sql, secret, mail: email, ...time });
  const tries = createSignInAttempts({ sql, secret, ...time });
  const users = createUsers({ sql, accounts, acceptInvitations: members.acceptInvitations });
  return {
    signIn: createSignIn({ users, passwords, codes, tries, sessions, profiles }),

    async sweep() {
      await Promise.all([sessions.sweep(), codes.sweep(), tries.sweep()]);
    },
  };
}
