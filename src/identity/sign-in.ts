import { Fault } from '../errors.ts';
import type { Locale } from '../language.ts';
import type { Caller } from './caller.ts';
import type { Passwords } from './passwords.ts';
import type { Profile, Profiles } from './profile.ts';
import { scopesOf } from './roles.ts';
import type { Sessions, SignInOrigin } from './sessions.ts';
import type { SignInAttempts } from './sign-in-attempts.ts';
import type { SignInCodes } from './sign-in-codes.ts';
import type { UserRow } from './user-repo.ts';
import type { Users } from './users.ts';

type SignInDeps = {
  readonly users: Users;
  readonly passwords: Passwords;
  readonly codes: SignInCodes;
  readonly tries: SignInAttempts;
  readonly sessions: Sessions;
  readonly profiles: Pick<Profiles, 'get'>;
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
    });

/** The signed-in person, in their current account. */
export type SignedInUser = Pick<
  Profile,
  'id' | 'name' | 'email' | 'avatar' | 'plan' | 'created_at' | 'role'
> & { readonly account_id: string };

export type SignIn = ReturnType<typeof createSignIn>;

/** Sign-in and sign-up with an email address, by password or by a code sent to it. */
export function createSignIn({ users, passwords, codes, tries, sessions, profiles }: SignInDeps) {
  return {
    /**
     * Creates a user and signs them in; the address is unverified. Sends a code instead if there is no password, or if
     * the address has a user with another password.
     * @throws Fault rate_limited.sign_in, not_configured.mail, upstream_failed.mail, unavailable.sign_in_busy
     */
    async register({ email, name, password }: Registration, visit: Visit): Promise<SignInAnswer> {
      if (password === undefined) return sendCode(email, name ?? null, visit);
      await tries.count('registration', email, visit.address);
      const newcomer = await signUp({ email, name, password }, visit);
      const user = newcomer ?? (await proveByPassword(email, password, visit));
      return user ? enter(user, visit) : sendCode(email, null, visit);
    },

    /** @throws Fault unauthenticated.sign_in, rate_limited.sign_in, unavailable.sign_in_busy */
    async byPassword(email: string, password: string, visit: Visit): Promise<SignInAnswer> {
      return enter(await proveByPassword(email, password, visit), visit);
    },

    /**
     * Sends a code to any address. An unknown address signs up by using it.
     * @throws Fault rate_limited.sign_in, not_configured.mail, upstream_failed.mail
     */
    sendCode: (email: string, visit: Visit): Promise<SignInAnswer> => sendCode(email, null, visit),

    /**
     * Signs in with a code. A password sent with it becomes the person's password.
     * @throws Fault unauthenticated.code, rate_limited.sign_in, unavailable.sign_in_busy
     */
    async byCode({ email, code, password }: CodeEntry, visit: Visit): Promise<SignInAnswer> {
      const counted = await tries.count('code', email, visit.address);
      // Hash before redeeming: if hashing is busy, the caller can retry with the same code.
      const passwordHash = password === undefined ? null : await passwords.hash(password);
      const redeemed = await codes.redeem(email, code);
      if (!redeemed) throw new Fault('unauthenticated.code');
      await counted.forgive();
      const newcomer = { email, proved: true, name: redeemed.name ?? '', passwordHash };
      const user =
        (await proveByCode(email, passwordHash)) ??
        (await users.add({ ...newcomer, language: visit.locale })) ??
        // Another request registered the address concurrently.
        (await proveByCode(email, passwordHash));
      return enter(user, visit);
    },

    /** The caller's user; for a key or the local owner, the account. @throws Fault not_found.account */
    me: (caller: Caller): Promise<SignedInUser> => userOf(caller),
  };

  async function sendCode(email: string, name: string | null, { address, locale }: Visit) {
    await tries.count('mail', email, address);
    await codes.send(email, { name, locale });
    return { state: 'code_sent' } as const;
  }

  async function signUp({ email, name = '', password = '' }: Registration, { locale: language }: Visit) {
    if (await users.findByEmail(email)) return undefined;
    const passwordHash = await passwords.hash(password);
    return users.add({ email, proved: false, name, passwordHash, language });
  }

  /** Takes the same time for an unknown address, a user without a password and a wrong password. */
  async function proveByPassword(email: string, password: string, { address }: Visit) {
    const counted = await tries.count('password', email, address);
    const user = await users.findByEmail(email);
    if (!(await passwords.verify(password, user?.password_hash ?? null))) return undefined;
    await counted.forgive();
    if (user?.email_verified) await users.join(user.id);
    return user;
  }

  async function proveByCode(email: string, passwordHash: string | null): Promise<UserRow | undefined> {
    const user = await users.findByEmail(email);
    return user && users.prove(user.id, passwordHash);
  }

  async function enter(user: UserRow | undefined, visit: Visit): Promise<SignInAnswer> {
    const accountId = user && (await users.homeOf(user.id));
    if (!user || !accountId) throw new Fault('unauthenticated.sign_in');
    const { id: userId, email: actor, password_hash: passwordHash } = user;
    const opened = await sessions.open({ userId, accountId, passwordHash }, visit);
    if (!opened) throw new Fault('unauthenticated.sign_in');
    const { token, sessionId, expiresAt } = opened;
    const scopes = scopesOf('owner');
    const who = await userOf({ accountId, actor, scopes, via: 'session', userId, sessionId });
    return { state: 'signed_in', token, user: who, expires_at: expiresAt.toISOString() };
  }

  async function userOf(caller: Caller): Promise<SignedInUser> {
    const { id, name, email, avatar, plan, created_at, role, account } = await profiles.get(caller);
    return { id, name, email, avatar, plan, created_at, role, account_id: account.id };
  }
}
