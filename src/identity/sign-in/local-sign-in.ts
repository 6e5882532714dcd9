import type { Sql } from '../../platform/database/database.ts';
import type { Log } from '../../platform/log.ts';
import type { Mail } from '../../platform/mail.ts';
import type { SecretBox } from '../../platform/secret-box.ts';
import type { ServerSecret } from '../../platform/server-secret.ts';
import type { Accounts } from '../accounts/accounts.ts';
import type { Profiles } from '../accounts/profile.ts';
import type { Takeovers } from '../accounts/takeover.ts';
import type { RecordEvent } from '../members/roles.ts';
import { createNoticeMails } from '../notice-mails.ts';
import { createPasskeys, type Passkeys } from '../passkeys/passkeys.ts';
import { createSecondFactor, type SecondFactor } from '../second-factor/second-factor.ts';
import type { SecurityJournal } from '../security-journal.ts';
import { createKnownDevices } from '../sessions/known-devices.ts';
import type { Sessions } from '../sessions/sessions.ts';
import { createEnterExternal, type ExternalUsers } from '../users/external-users.ts';
import { createOwnCredentials, type OwnCredentials } from '../users/own-credentials.ts';
import { createUsers } from '../users/users.ts';
import { type BrowserSignIn, createBrowserSignIn, type SignInProviders } from './browser-sign-in.ts';
import { createChallenges } from './challenges.ts';
import { createCommonPasswords } from './common-passwords.ts';
import { createPasswords, type Passwords } from './passwords.ts';
import { createSignIn, type SignIn } from './sign-in.ts';
import { createSignInAttempts } from './sign-in-attempts.ts';
import { createSignInCodes } from './sign-in-codes.ts';
import type { SignUpPolicy } from './sign-up-policy.ts';

type LocalSignInDeps = {
  readonly sql: Sql;
  readonly secret: ServerSecret;
  readonly log: Pick<Log, 'warn'>;
  readonly sessions: Sessions;
  readonly accounts: Pick<Accounts, 'ensureSeeded'>;
  /** What a person who took an account over is to be asked. */
  readonly takeovers?: Pick<Takeovers, 'askOf'> | undefined;
  readonly profiles: Pick<Profiles, 'get'>;
  readonly policy: SignUpPolicy;
  readonly journal: SecurityJournal;
  /** Undefined without an identity provider. */
  readonly externalUsers?: Pick<ExternalUsers, 'markAuthenticated'> | undefined;
  /** Undefined if email is not configured. */
  readonly mail: Mail | undefined;
  /** Seals the secrets of authenticator apps. */
  readonly box: SecretBox;
  readonly record: RecordEvent;
  readonly providers: SignInProviders;
  readonly passwords?: Passwords;
  readonly now?: () => number;
};

export type LocalSignIn = {
  readonly signIn: SignIn;
  readonly secondFactor: SecondFactor;
  readonly passkeys: Passkeys;
  readonly browserSignIn: BrowserSignIn;
  readonly ownCredentials: OwnCredentials;
  /** Deletes expired rows. */
  sweep(): Promise<void>;
};

/** Sign-in that ends in a session: by password, code, passkey or the page of an identity provider, and the second factor. */
export function createLocalSignIn(deps: LocalSignInDeps): LocalSignIn {
  const { sql, secret, log, sessions, accounts, takeovers, profiles, mail, policy, journal } = deps;
  const { box, record, providers, externalUsers, passwords = createPasswords(), now } = deps;
  const time = now && { now };
  const devices = createKnownDevices({ sql, secret, ...time });
  const codes = createSignInCodes({ sql, secret, mail, log, ...time });
  const tries = createSignInAttempts({ sql, secret, devices, ...time });
  const users = createUsers({ sql, accounts, now });
  const notices = createNoticeMails({ mail, log, ...time });
  const commonPasswords = createCommonPasswords();
  const challenges = createChallenges({ sql, ...time });
  const secondFactor = createSecondFactor({ sql, box, challenges, tries, record, ...time });
  const enterExternal = createEnterExternal({ sql, policy });
  const shared = { users, passwords, commonPasswords, codes, tries, sessions, devices, journal, notices };
  return {
    signIn: createSignIn({ ...shared, profiles, policy, secondFactor, takeovers }),
    ownCredentials: createOwnCredentials({ ...shared, secondFactor, externalUsers, ...time }),
    secondFactor,
    passkeys: createPasskeys({ sql, challenges, record, ...time }),
    browserSignIn: createBrowserSignIn({ sql, providers, challenges, enterExternal, record }),

    async sweep() {
      const kinds = [sessions, codes, tries, devices, challenges];
      await Promise.all(kinds.map((kind) => kind.sweep()));
    },
  };
}
