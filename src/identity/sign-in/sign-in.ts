import { Fault } from '../../errors.ts';
import type { Locale } from '../../language.ts';
import type { Profile, Profiles } from '../accounts/profile.ts';
import type { Takeover, Takeovers } from '../accounts/takeover.ts';
import type { Caller } from '../caller.ts';
import { scopesOf } from '../members/roles.ts';
import type { NoticeMails } from '../notice-mails.ts';
import type { SecondFactor, SecondFactorProof } from '../second-factor/second-factor.ts';
import type { SecurityJournal } from '../security-journal.ts';
import type { KnownDevices } from '../sessions/known-devices.ts';
import type { Sessions, SignInOrigin } from '../sessions/sessions.ts';
import type { PersonRow, UserRow } from '../users/user-repo.ts';
import type { Users } from '../users/users.ts';
import type { CommonPasswords } from './common-passwords.ts';
import type { Passwords } from './passwords.ts';
import type { SignInAttempts } from './sign-in-attempts.ts';
import type { SignInCodes } from './sign-in-codes.ts';
import type { SignUpPolicy } from './sign-up-policy.ts';

type SignInDeps = {
  readonly users: Users;
  readonly passwords: Passwords;
  readonly codes: SignInCodes;
  readonly tries: SignInAttempts;
  readonly secondFactor: Pick<SecondFactor, 'gate' | 'pass'>;
  readonly sessions: Sessions;
  readonly profiles: Pick<Profiles, 'get'>;
  /** What a person who took an account over is to be asked. */
  readonly takeovers?: Pick<Takeovers, 'askOf'> | undefined;
  readonly devices: KnownDevices;
  readonly commonPasswords: CommonPasswords;
  readonly policy: SignUpPolicy;
  readonly journal: SecurityJournal;
  readonly notices: NoticeMails;
};

/** Origin of a sign-in, and the person's language. */
export type Visit = SignInOrigin & { readonly locale: Locale };

type Registration = {
  readonly email: string;
  readonly name?: string | undefined;
  readonly password?: string | undefined;
};

type CodeEntry = { readonly email: string; readonly code: string; readonly password?: string | undefined };

export type SignInAnswer =
  | { readonly state: 'code_sent' }
  | ({ readonly state: 'signed_in'; readonly token: string; readonly expires_at: string } & {
      readonly user: SignedInUser;
      /** Set where the person is asked what to keep of an account that someone else registered. */
      readonly takeover?: Takeover;
      /** Marks this browser as known to the person; gives no access. */
      readonly device: string;
    });

/** The signed-in person, in their current account. */
export type SignedInUser = Pick<
  Profile,
  'id' | 'name' | 'email' | 'avatar' | 'plan' | 'plans' | 'payment_customer_id' | 'created_at' | 'role'
> & { readonly account_id: string };

export type SignIn = ReturnType<typeof createSignIn>;

/** How somebody authenticated. */
export type SignInMethod = 'password' | 'code' | 'passkey' | 'provider' | 'second_factor';

/**
 * Sign-in and sign-up with an email address, by password or by a code sent to it.
 *
 * In: an address with a password, a code or another proof. Out: a session, or a code on its way. Invariant: a person
 * who has a second factor gets no session before it is shown.
 */
export function createSignIn(deps: SignInDeps) {
  const { users, passwords, codes, tries, secondFactor, sessions, profiles, takeovers } = deps;
  const { devices, policy, journal, notices } = deps;

  return {
    /**
     * Creates a user and signs them in; the address is unverified. Sends a code instead if there is no password, if
     * the address has a user with another password, or if not everyone may sign up.
     * @throws Fault sign_up_closed, rate_limited.sign_in, not_configured.mail, upstream_failed.mail,
     * unavailable.sign_in_busy, validation_failed.password_guessable
     */
    async register({ email, name, password }: Registration, visit: Visit): Promise<SignInAnswer> {
      await policy.require(email);
      if (password === undefined || policy.isRestricted) return sendCode(email, name ?? null, visit);
      await deps.commonPasswords.refuse(password, [email, name ?? '']);
      await tries.count('registration', email, visit);
      const newcomer = await signUp({ email, name, password }, visit);
      if (newcomer) return enter(newcomer, visit, { method: 'password', isTold: true });
      const user = await proveByPassword(email, password, visit);
      return user ? enter(user, visit, { method: 'password' }) : sendCode(email, null, visit);
    },

    /** @throws Fault unauthenticated.sign_in, rate_limited.sign_in, unavailable.sign_in_busy */
    async byPassword(email: string, password: string, visit: Visit): Promise<SignInAnswer> {
      return enter(await proveByPassword(email, password, visit), visit, { method: 'password' });
    },

    /**
     * Sends a code to any address. An unknown address signs up by using it.
     * @throws Fault rate_limited.sign_in, not_configured.mail, upstream_failed.mail
     */
    sendCode: (email: string, visit: Visit): Promise<SignInAnswer> => sendCode(email, null, visit),

    /**
     * Signs in with a code. A password sent with it becomes the person's password.
     * @throws Fault unauthenticated.code, rate_limited.sign_in, unavailable.sign_in_busy, sign_up_closed,
     * validation_failed.password_guessable
     */
    async byCode({ email, code, password }: CodeEntry, visit: Visit): Promise<SignInAnswer> {
      if (password !== undefined) await deps.commonPasswords.refuse(password, [email]);
      const counted = await counting('code', email, visit);
      // Hash before redeeming: if hashing is busy, the caller can retry with the same code.
      const passwordHash = password === undefined ? null : await passwords.hash(password);
      const redeemed = await codes.redeem({ purpose: 'sign_in', email }, code, counted.isKnown);
      if (!redeemed) {
        journal.note('sign_in.refused', { email }, visit, { method: 'code' });
        throw new Fault('unauthenticated.code');
      }
      await counted.forgive();
      const known = await proveByCode(email, passwordHash);
      const user = known ?? (await join({ email, name: redeemed.name ?? '', passwordHash }, visit));
      // With a second factor, the password is set once that is shown.
      const isChanged =
        known !== undefined && passwordHash !== null && known.held_password_hash === undefined;
      if (isChanged) await notePassword(known, visit);
      return enter(user, visit, { method: 'code', isTold: !known || isChanged });
    },

    /**
     * Finishes a sign-in that waits for the second factor. A password sent with the code is set now.
     * @throws Fault unauthenticated.challenge, unauthenticated.second_factor, rate_limited.sign_in
     */
    async bySecondFactor(challenge: string, proof: SecondFactorProof, visit: Visit): Promise<SignInAnswer> {
      const passed = await secondFactor.pass(challenge, proof, visit.address);
      const user = await users.find(passed.userId);
      if (!passed.isCurrent(user?.password_hash ?? null)) throw new Fault('unauthenticated.challenge');
      const { heldPasswordHash: held } = passed;
      const how = { method: 'second_factor', isShown: true } as const;
      if (held === null) return enter(user, visit, how);
      const changed = await users.prove(passed.userId, held, 'shown');
      if (changed) await notePassword(changed, visit);
      return enter(changed, visit, { ...how, isTold: true });
    },

    /** Signs in a person whom a passkey or an identity provider has identified. A passkey is the second factor, too. */
    async identified(userId: string, by: 'passkey' | 'provider', visit: Visit): Promise<SignInAnswer> {
      return enter(await users.find(userId), visit, { method: by, isShown: by === 'passkey' });
    },

    /** The caller's user; for a key or the local owner, the account. @throws Fault not_found.account */
    me: (caller: Caller): Promise<SignedInUser> => userOf(caller),
  };

  /** @throws Fault rate_limited.sign_in, which is logged */
  async function counting(kind: 'password' | 'code', email: string, visit: Visit) {
    return tries.count(kind, email, visit).catch((error: unknown) => {
      journal.note('sign_in.limited', { email }, visit, { method: kind });
      throw error;
    });
  }

  async function sendCode(email: string, name: string | null, visit: Visit) {
    const { isKnown } = await tries.count('mail', email, visit);
    // Where not everyone may sign up, the time a mail server takes would tell who is a user.
    const delivery = policy.isRestricted ? ((await mayEnter(email)) ? 'background' : 'silent') : 'wait';
    await codes.send({ purpose: 'sign_in', email }, { name, locale: visit.locale, isKnown, delivery });
    journal.note('sign_in.code_requested', { email }, visit);
    return { state: 'code_sent' } as const;
  }

  async function mayEnter(email: string): Promise<boolean> {
    const [user, admitted] = await Promise.all([users.findByEmail(email), policy.admits(email)]);
    return user !== undefined || admitted;
  }

  async function signUp({ email, name = '', password = '' }: Registration, { locale: language }: Visit) {
    if (await users.findByEmail(email)) return undefined;
    const passwordHash = await passwords.hash(password);
    return users.add({ email, proved: false, name, passwordHash, language });
  }

  /** Creates a user with a verified address, unless another request has just done so. @throws Fault sign_up_closed */
  async function join(
    newcomer: { email: string; name: string; passwordHash: string | null },
    { locale: language }: Visit,
  ): Promise<UserRow | undefined> {
    const { email, passwordHash } = newcomer;
    await policy.require(email);
    return (await users.add({ ...newcomer, proved: true, language })) ?? proveByCode(email, passwordHash);
  }

  /** Takes the same time for an unknown address, a user without a password and a wrong password. */
  async function proveByPassword(email: string, password: string, visit: Visit) {
    const counted = await counting('password', email, visit);
    const user = await users.findByEmail(email);
    if (!(await passwords.verify(password, user?.password_hash ?? null))) {
      journal.note('sign_in.refused', { email }, visit, { method: 'password' });
      return undefined;
    }
    await counted.forgive();
    return user;
  }

  async function notePassword({ id: userId, email }: UserRow, visit: Visit): Promise<void> {
    await journal.record('password.changed', { userId }, visit, { method: 'code' });
    notices.send('password_changed', email, visit);
  }

  async function proveByCode(email: string, passwordHash: string | null) {
    const user = await users.findByEmail(email);
    return user && users.prove(user.id, passwordHash);
  }

  /**
   * Every successful sign-in passes here: asks for the second factor, opens the session, remembers the device, records it, and
   * tells the person. @throws Fault second_factor_required.sign_in, unauthenticated.sign_in
   */
  async function enter(
    user: PersonRow | undefined,
    visit: Visit,
    /** `isShown`: the second factor is. `isTold`: the person is new, or hears of it in another email. */
    {
      method,
      isShown = false,
      isTold = false,
    }: { method: SignInMethod; isShown?: boolean; isTold?: boolean },
  ): Promise<SignInAnswer> {
    if (user && !isShown) await secondFactor.gate(user);
    const accountId = user && (await users.homeOf(user.id));
    if (!user || !accountId) throw new Fault('unauthenticated.sign_in');
    const { id: userId, email, password_hash: passwordHash } = user;
    const actor = email ?? userId;
    const opened = await sessions.open({ userId, accountId, passwordHash }, visit);
    if (!opened) throw new Fault('unauthenticated.sign_in');
    const { token, sessionId, expiresAt } = opened;
    const { known, device } = await devices.remember(userId, visit);
    await journal.record('sign_in.succeeded', { userId }, visit, { method, new_device: !known });
    if (!known && !isTold && email !== null && user.email_verified) notices.send('new_device', email, visit);
    const scopes = scopesOf('owner');
    const who = await userOf({ accountId, actor, scopes, via: 'session', userId, sessionId });
    const takeover = await takeovers?.askOf(userId, actor);
    const expires_at = expiresAt.toISOString();
    return { state: 'signed_in', token, user: who, expires_at, device, ...(takeover && { takeover }) };
  }

  async function userOf(caller: Caller): Promise<SignedInUser> {
    const { id, name, email, avatar, plan, plans, payment_customer_id, created_at, role, account } =
      await profiles.get(caller);
    const paid = { plan, plans, payment_customer_id };
    return { id, name, email, avatar, ...paid, created_at, role, account_id: account.id };
  }
}
