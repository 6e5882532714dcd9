import { createAccounts } from '../../src/identity/accounts.ts';
import { createLocalSignIn } from '../../src/identity/local-sign-in.ts';
import { createMembers } from '../../src/identity/members.ts';
import { createPasswords } from '../../src/identity/passwords.ts';
import { createProfiles } from '../../src/identity/profile.ts';
import { createSessions } from '../../src/identity/sessions.ts';
import type { SignInAnswer, Visit } from '../../src/identity/sign-in.ts';
import type { SignInMessage } from '../../src/identity/sign-in-email.ts';
import { createServerSecret } from '../../src/platform/server-secret.ts';
import type { TestDatabase } from '../support/database.ts';

export const HERE: Visit = { address: '192.0.2.7', userAgent: 'browser', locale: 'en' };

/** Signing in over a database, with a clock that the test sets and mails that it reads. */
export function openPeople({ sql }: TestDatabase, passwords = createPasswords()) {
  const clock = { now: Date.parse('2026-11-21T12:00:00Z') };
  const now = () => clock.now;
  const mails: SignInMessage[] = [];
  const mail = {
    async send(message: SignInMessage) {
      mails.push(message);
    },
  };
  const secret = createServerSecret({ sql, encryptionKey: undefined });
  const sessions = createSessions({ sql, now });
  const accounts = createAccounts({ sql, seedAccount: async () => {} });
  const members = createMembers({
    sql,
    requirePlan: async () => {},
    record: async () => {},
    invalidate: sessions.invalidate,
    now,
  });
  const profiles = createProfiles({
    sql,
    planOf: async () => 'free',
    subscriptionOf: async () => undefined,
  });
  const people = createLocalSignIn({
    sql,
    secret,
    sessions,
    accounts,
    members,
    profiles,
    email: mail,
    passwords,
    now,
  });
  const lastCode = (email: string) => mails.findLast((one) => one.email === email)?.code ?? '';
  return { ...people, sessions, accounts, members, clock, mails, lastCode };
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
