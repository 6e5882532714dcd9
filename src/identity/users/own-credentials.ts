import { Fault } from '../../errors.ts';
import type { Caller } from '../caller.ts';
import type { NoticeMails } from '../notice-mails.ts';
import type { SecondFactor, SecondFactorProof } from '../second-factor/second-factor.ts';
import type { SecurityJournal } from '../security-journal.ts';
import type { KnownDevices } from '../sessions/known-devices.ts';
import { FRESH_MS, type ListedSession, type Sessions } from '../sessions/sessions.ts';
import type { CommonPasswords } from '../sign-in/common-passwords.ts';
import type { Passwords } from '../sign-in/passwords.ts';
import type { Visit } from '../sign-in/sign-in.ts';
import type { SignInAttempts } from '../sign-in/sign-in-attempts.ts';
import type { SignInCodes } from '../sign-in/sign-in-codes.ts';
import type { ExternalUsers } from './external-users.ts';
import type { PersonRow, UserRow } from './user-repo.ts';
import type { Users } from './users.ts';

type OwnCredentialsDeps = {
  readonly users: Users;
  readonly passwords: Passwords;
  readonly commonPasswords: CommonPasswords;
  readonly codes: SignInCodes;
  readonly tries: SignInAttempts;
  readonly secondFactor: Pick<SecondFactor, 'require'>;
  readonly sessions: Sessions;
  readonly devices: KnownDevices;
  readonly journal: SecurityJournal;
  readonly notices: NoticeMails;
  /** Undefined without an identity provider. */
  readonly externalUsers: Pick<ExternalUsers, 'markAuthenticated'> | undefined;
  readonly now?: () => number;
};

/** A signed-in person, with the token they sent. */
export type SignedIn = { readonly caller: Caller; readonly token: string };

type Proof = SecondFactorProof & {
  readonly password?: string | undefined;
  readonly code?: string | undefined;
};

export type OwnCredentials = ReturnType<typeof createOwnCredentials>;

/**
 * What signed-in people do with their own access: prove again who they are, change password and address, see and end
 * sessions. Changes need a fresh sign-in.
 */
export function createOwnCredentials(deps: OwnCredentialsDeps) {
  const { users, passwords, codes, tries, sessions, devices, journal, notices, now = Date.now } = deps;

  return {
    /**
     * Proves again who the person is, with the second factor where it is on; without password and code, emails them a code.
     * @throws Fault unauthenticated, second_factor_required.again, rate_limited.sign_in, reauthentication_required.no_email
     */
    async reauthenticate(person: SignedIn, proof: Proof, visit: Visit) {
      const userId = personOf(person.caller);
      const user = withEmail(await users.find(userId));
      // Without a verified address there is nothing here to prove them by.
      if (!user || (person.caller.via === 'oidc' && !user.email_verified))
        throw new Fault('reauthentication_required.no_email');
      const method = proof.code !== undefined ? 'code' : 'password';
      if (proof.code === undefined && proof.password === undefined) {
        const { isKnown } = await tries.count('mail', user.email, visit);
        await codes.send(codeFor(user), { locale: visit.locale, isKnown, text: 'reauthenticate' });
        journal.note('sign_in.code_requested', { userId }, visit, { purpose: 'reauthenticate' });
        return { state: 'code_sent' } as const;
      }
      await deps.secondFactor.require(userId, proof, visit.address);
      await prove(user, method, proof[method] ?? '', visit);
      await markAuthenticated(person, user);
      await journal.record('reauthentication.succeeded', { userId }, visit, { method });
      return { state: 'fresh', fresh_until: new Date(now() + FRESH_MS).toISOString() } as const;
    },

    /** Sets the password and ends the person's other sessions. @throws Fault reauthentication_required, validation_failed */
    async setPassword({ caller }: SignedIn, password: string, visit: Visit): Promise<{ device: string }> {
      const { userId, sessionId } = freshSession(caller, 'PUT /auth/password');
      const user = withEmail(await users.find(userId));
      await deps.commonPasswords.refuse(password, [user?.email ?? '']);
      if (!(await users.setPassword(userId, sessionId, await passwords.hash(password))))
        throw new Fault('unauthenticated.revoked');
      sessions.invalidate();
      const { device } = await devices.remember(userId, visit);
      await journal.record('password.changed', { userId }, visit, { method: 'session' });
      if (user?.email_verified) notices.send('password_changed', user.email, visit);
      return { device };
    },

    /** Emails a code to a new address, whether or not it has a user. @throws Fault reauthentication_required, rate_limited.sign_in */
    async requestEmail({ caller }: SignedIn, email: string, visit: Visit) {
      const { userId } = freshSession(caller, 'POST /auth/email');
      const { isKnown } = await tries.count('mail', email, visit);
      await codes.send(newEmail(userId, email), { locale: visit.locale, isKnown, text: 'new_email' });
      journal.note('sign_in.code_requested', { userId }, visit, { purpose: 'email' });
      return { state: 'code_sent' } as const;
    },

    /**
     * Changes the person's address to one whose code they have, and tells the old one.
     * @throws Fault unauthenticated.code, conflict.email_taken, reauthentication_required, rate_limited.sign_in
     */
    async changeEmail({ caller }: SignedIn, { email, code }: { email: string; code: string }, visit: Visit) {
      const { userId } = freshSession(caller, 'POST /auth/email');
      const counted = await tries.count('code', email, visit);
      if (!(await codes.redeem(newEmail(userId, email), code, counted.isKnown)))
        throw new Fault('unauthenticated.code');
      await counted.forgive();
      const changed = await users.setEmail(userId, email);
      // Only who reads the mailbox hears that it has a user.
      if (!changed) throw new Fault('conflict.email_taken', { email });
      sessions.invalidate();
      await journal.record('email.changed', { userId }, visit, {}, { from: changed.before, to: email });
      notices.send('email_changed', changed.before, visit, { email });
    },

    /** The person's sessions. @throws Fault unauthenticated.no_session */
    listSessions: (caller: Caller): Promise<ListedSession[]> =>
      sessions.list(personOf(caller), caller.sessionId),

    /** @throws Fault unauthenticated.no_session, not_found.session */
    async endSession(caller: Caller, id: string, visit: Visit): Promise<void> {
      const userId = personOf(caller);
      if (!(await sessions.end(userId, id))) throw new Fault('not_found.session', { id });
      await journal.record('session.ended', { userId }, visit, { session: id });
    },

    /** Signs out of this session, or of all. @throws Fault unauthenticated.no_session */
    async signOut({ userId, sessionId }: Caller, everywhere: boolean, visit: Visit): Promise<void> {
      if (userId === undefined || sessionId === undefined) throw new Fault('unauthenticated.no_session');
      await (everywhere ? sessions.endAll(userId) : sessions.end(userId, sessionId));
      await journal.record('session.ended', { userId }, visit, { session: everywhere ? 'all' : sessionId });
    },
  };

  async function prove(
    user: UserRow,
    method: 'password' | 'code',
    said: string,
    visit: Visit,
  ): Promise<void> {
    const counted = await tries.count(method, user.email, visit);
    const proved =
      method === 'code'
        ? await codes.redeem(codeFor(user), said, counted.isKnown)
        : await passwords.verify(said, user.password_hash);
    if (!proved) {
      journal.note('reauthentication.refused', { userId: user.id }, visit, { method });
      throw new Fault(method === 'code' ? 'unauthenticated.code' : 'unauthenticated.password');
    }
    await counted.forgive();
  }

  async function markAuthenticated({ caller, token }: SignedIn, user: UserRow): Promise<void> {
    const { sessionId } = caller;
    if (sessionId === undefined) return deps.externalUsers?.markAuthenticated(user.id, token);
    if (!(await sessions.markAuthenticated(user.id, sessionId, user.password_hash)))
      throw new Fault('unauthenticated.revoked');
  }
}

function withEmail(user: PersonRow | undefined): UserRow | undefined {
  return user?.email ? { ...user, email: user.email } : undefined;
}

// A code for one of these signs no one in, and the other way round.
const codeFor = ({ id, email }: UserRow) => ({ purpose: `reauthenticate ${id}`, email });
const newEmail = (userId: string, email: string) => ({ purpose: `email ${userId}`, email });

/** @throws Fault unauthenticated.no_session for a key, the local owner and a visitor */
function personOf({ userId, via }: Caller): string {
  if (userId === undefined || (via !== 'session' && via !== 'oidc'))
    throw new Fault('unauthenticated.no_session');
  return userId;
}

/** @throws Fault unauthenticated.no_session, reauthentication_required.session */
function freshSession({ userId, sessionId, fresh }: Caller, call: string) {
  if (userId === undefined || sessionId === undefined) throw new Fault('unauthenticated.no_session');
  if (!fresh) throw new Fault('reauthentication_required.session', { tool: call });
  return { userId, sessionId };
}
