import { createAudit } from '../../../src/audit/audit.ts';
import { createAccounts } from '../../../src/identity/accounts/accounts.ts';
import { createProfiles } from '../../../src/identity/accounts/profile.ts';
import { createSecurityJournal } from '../../../src/identity/security-journal.ts';
import { createSessions } from '../../../src/identity/sessions/sessions.ts';
import { createLocalSignIn } from '../../../src/identity/sign-in/local-sign-in.ts';
import { createPasswords, type Passwords } from '../../../src/identity/sign-in/passwords.ts';
import type { SignInAnswer, Visit } from '../../../src/identity/sign-in/sign-in.ts';
import { createSignUpPolicy, type SignUpMode } from '../../../src/identity/sign-in/sign-up-policy.ts';
import type { Email } from '../../../src/platform/mail.ts';
import { createSecretBox } from '../../../src/platform/secret-box.ts';
import { createServerSecret } from '../../../src/platform/server-secret.ts';
import type { TestDatabase } from '../../support/database.ts';

export const HERE: Visit = { address: '192.0.2.7', userAgent: 'browser', locale: 'en' };

type Options = {
  readonly passwords?: Passwords;
  readonly signUp?: SignUpMode;
  readonly domains?: readonly string[];
};

/** The least that argon2 takes: what is tested here is not how long a hash takes. */
const CHEAP = { memory: 8, passes: 1, parallelism: 1 };

/** Signing in over a database, with a clock that the test sets, mails that it reads, and hashes that cost little. */
export function openPeople({ sql }: TestDatabase, options: Options = {}) {
  const { passwords = createPasswords({ cost: CHEAP }), signUp = 'open', domains = [] } = options;
  const clock = { now: Date.parse('2026-11-21T12:00:00Z') };
  const now = () => clock.now;
  const mails: Email[] = [];
  const mail = {
    async send(message: Email) {
      mails.push(message);
    },
  };
  const secret = createServerSecret({ sql, encryptionKey: undefined });
  const audit = createAudit(sql);
  const lines: object[] = [];
  const log = {
    info: (line: object) => void lines.push(line),
    warn: (line: object) => void lines.push(line),
  };
  const journal = createSecurityJournal({ sql, log, record: audit.record, now });
  const policy = createSignUpPolicy({ sql, mode: signUp, domains, now });
  const sessions = createSessions({ sql, now });
  const accounts = createAccounts({ sql, seedAccount: async () => {} });
  const profiles = createProfiles({
    sql,
    plansOf: async () => ({ hooks: 'free', sync: 'free' }),
    payingCustomer: async () => null,
    subscriptionOf: async () => undefined,
  });
  const people = createLocalSignIn({
    sql,
    secret,
    log,
    policy,
    journal,
    sessions,
    accounts,
    profiles,
    mail,
    box: createSecretBox({ key: async () => Buffer.alloc(32, 7) }),
    record: async () => {},
    providers: new Map(),
    passwords,
    now,
  });
  const lastCode = (email: string) => {
    const codes = mails.flatMap(({ to, subject }) => (to === email ? (/^\d{6}/.exec(subject) ?? []) : []));
    return codes.at(-1) ?? '';
  };
  return { ...people, sessions, accounts, audit, journal, clock, mails, lines, lastCode };
}

/** The session of an answer that is one. */
export function signedIn(answer: SignInAnswer) {
  if (answer.state !== 'signed_in') throw new Error(`not signed in: ${answer.state}`);
  return answer;
}

/** A code of six digits that is not this one. */
export function anotherCode(code: string): string {
  return String((Number(code) + 1) % 1_000_000).padStart(6, '0');
}
