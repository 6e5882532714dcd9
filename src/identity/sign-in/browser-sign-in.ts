import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { Fault } from '../../errors.ts';
import type { Sql } from '../../platform/database/database.ts';
import type { RecordEvent } from '../members/roles.ts';
import type { SignedInPerson } from '../second-factor/second-factor.ts';
import type { EnterExternal, VerifiedIdentity } from '../users/external-users.ts';
import * as linkedIdentityRepo from '../users/linked-identity-repo.ts';
import * as userRepo from '../users/user-repo.ts';
import type { Challenges } from './challenges.ts';

/** What an authorization request and its answer must have in common. */
export type VisitSecrets = {
  readonly state: string;
  readonly nonce: string;
  readonly codeVerifier: string;
};

/** An issuer with a sign-in page, by authorization code and PKCE. Adapters are in src/providers. */
export type SignInProvider = {
  /** Shown on the sign-in page. */
  readonly label: string;
  readonly issuer: string;
  /** Address of the issuer's sign-in page. @throws Fault unavailable.identity_provider */
  start(redirectUri: string, secrets: VisitSecrets): Promise<string>;
  /**
   * The person, from the address the issuer sent them back to. State, nonce, PKCE, issuer, audience and signature are checked.
   * @throws Fault unauthenticated.provider, unavailable.identity_provider
   */
  finish(currentUrl: string, secrets: VisitSecrets): Promise<VerifiedIdentity>;
};

/** By the name in paths, such as google. */
export type SignInProviders = ReadonlyMap<string, SignInProvider>;

type BrowserSignInDeps = {
  readonly sql: Sql;
  readonly providers: SignInProviders;
  readonly challenges: Challenges;
  readonly enterExternal: EnterExternal;
  readonly record: RecordEvent;
};

type Start = {
  readonly provider: string;
  readonly redirectUri: string;
  /** Where the person wants to go afterwards: a path of this site. */
  readonly returnTo: string;
  /** The signed-in person who links the identity to themselves, instead of signing in with it. */
  readonly link?: SignedInPerson;
};

type Arrival =
  | { readonly state: 'entered'; readonly userId: string; readonly returnTo: string }
  | { readonly state: 'linked'; readonly returnTo: string }
  | { readonly state: 'refused'; readonly error: 'account_exists' | 'identity_taken' | 'email_unverified' };

export type BrowserSignIn = ReturnType<typeof createBrowserSignIn>;

/** How long a person may take at the issuer. */
export const VISIT_TTL_MS = 10 * 60_000;
export const EXCHANGE_TTL_MS = 30_000;

const Visit = z.object({
  provider: z.string(),
  state: z.string(),
  nonce: z.string(),
  code_verifier: z.string(),
  return_to: z.string(),
  account_id: z.string().nullable(),
  actor: z.string().nullable(),
});
const Exchange = z.object({ browser: z.string() });

/**
 * Sign-in in the browser through identity providers: a redirect there, a redirect back, and a one-time code that the client
 * exchanges for a session. `browser` is a secret in a cookie: what starts in one browser ends in no other.
 * An identity signs in as the user it created or was linked to, and never as another one with the same address.
 */
export function createBrowserSignIn(deps: BrowserSignInDeps) {
  const { sql, providers, challenges, enterExternal, record } = deps;
  return {
    list: () => [...providers].map(([id, { label }]) => ({ id, label })),

    /** @throws Fault not_found.sign_in_provider, forbidden.unproved_link, unavailable.identity_provider */
    async start({ provider: id, redirectUri, returnTo, link }: Start) {
      const provider = find(id);
      if (link) await requireVerified(link.userId);
      const secrets = { state: randomSecret(), nonce: randomSecret(), codeVerifier: randomSecret() };
      const url = await provider.start(redirectUri, secrets);
      const browser = await challenges.open('provider_visit', {
        ...(link && { userId: link.userId }),
        ttlMs: VISIT_TTL_MS,
        data: {
          provider: id,
          state: secrets.state,
          nonce: secrets.nonce,
          code_verifier: secrets.codeVerifier,
          return_to: returnTo,
          account_id: link?.accountId ?? null,
          actor: link?.actor ?? null,
        },
      });
      return { url, browser };
    },

    /**
     * Ends a visit that began in the same browser, once.
     * @throws Fault not_found.sign_in_provider, unauthenticated.provider, unavailable.identity_provider
     */
    async finish(id: string, currentUrl: string, browser: string): Promise<Arrival> {
      const provider = find(id);
      const visit = await challenges.take('provider_visit', browser, Visit);
      if (visit?.data.provider !== id) throw new Fault('unauthenticated.provider');
      const { state, nonce, code_verifier: codeVerifier, return_to: returnTo } = visit.data;
      const identity = await provider.finish(currentUrl, { state, nonce, codeVerifier });
      const { userId, data } = visit;
      if (userId === null) return enter(identity, returnTo);
      const { account_id, actor } = data;
      const who = { userId, accountId: account_id ?? '', actor: actor ?? userId };
      return link(who, identity, { provider: id, returnTo });
    },

    /** A code for a session, and the secret that the browser must send along. */
    async issueCode(userId: string, browser: string): Promise<string> {
      return challenges.open('exchange', { userId, data: { browser }, ttlMs: EXCHANGE_TTL_MS });
    },

    /** The person of a code, once. @throws Fault unauthenticated.exchange */
    async exchange(code: string, browser: string): Promise<string> {
      const taken = await challenges.take('exchange', code, Exchange);
      if (!taken?.userId || taken.data.browser !== browser) throw new Fault('unauthenticated.exchange');
      return taken.userId;
    },

    /** Removes the link of a person to an issuer. @throws Fault not_found.sign_in_provider, not_found.linked_identity */
    async unlink({ userId, accountId, actor }: SignedInPerson, id: string): Promise<void> {
      const { issuer } = find(id);
      await sql.begin(async (tx) => {
        if (!(await linkedIdentityRepo.remove(tx, userId, issuer)))
          throw new Fault('not_found.linked_identity', { provider: id });
        await record(tx, accountId, { actor, action: 'identity.unlinked', target: id });
      });
    },
  };

  function find(id: string): SignInProvider {
    const provider = providers.get(id);
    if (!provider) throw new Fault('not_found.sign_in_provider', { provider: id });
    return provider;
  }

  async function enter(identity: VerifiedIdentity, returnTo: string): Promise<Arrival> {
    const linked = await linkedIdentityRepo.find(sql, identity);
    if (linked) return { state: 'entered', userId: linked, returnTo };
    const isKnown = await userRepo.findExternal(sql, identity);
    if (!isKnown && identity.email && (await userRepo.findByEmail(sql, identity.email)))
      return { state: 'refused', error: 'account_exists' };
    const { id: userId } = await enterExternal(identity);
    return { state: 'entered', userId, returnTo };
  }

  async function link(
    { userId, accountId, actor }: SignedInPerson,
    identity: VerifiedIdentity,
    { provider, returnTo }: { provider: string; returnTo: string },
  ): Promise<Arrival> {
    if (!identity.email) return { state: 'refused', error: 'email_unverified' };
    await requireVerified(userId);
    const isTaken = await sql.begin(async (tx) => {
      if (await userRepo.findExternal(tx, identity)) return true;
      const owner = await linkedIdentityRepo.insert(tx, identity, userId);
      if (owner === userId)
        await record(tx, accountId, { actor, action: 'identity.linked', target: provider });
      return owner !== userId;
    });
    return isTaken ? { state: 'refused', error: 'identity_taken' } : { state: 'linked', returnTo };
  }

  async function requireVerified(userId: string): Promise<void> {
    const user = await userRepo.findById(sql, userId);
    if (!user?.email_verified) throw new Fault('forbidden.unproved_link');
  }
}

/** 256 bits in 43 characters, as RFC 7636 asks of a code verifier. */
function randomSecret(): string {
  return randomBytes(32).toString('base64url');
}
