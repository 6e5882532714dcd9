import { hash } from 'node:crypto';
import { Fault } from '../../errors.ts';
import type { Listener, Sql, Tx } from '../../platform/database/database.ts';
import { newId } from '../../platform/ids.ts';
import { createNotifiedCache } from '../../platform/notified-cache.ts';
import type { Accounts } from '../accounts/accounts.ts';
import type { Caller } from '../caller.ts';
import { type CredentialKind, refreshMember } from '../credentials.ts';
import type { MembershipRow } from '../members/membership-repo.ts';
import * as membershipRepo from '../members/membership-repo.ts';
import { scopesOf } from '../members/roles.ts';
import * as reauthenticationRepo from '../sessions/reauthentication-repo.ts';
import { FRESH_MS } from '../sessions/sessions.ts';
import type { SignUpPolicy } from '../sign-in/sign-up-policy.ts';
import type { ExternalUserRow } from './user-repo.ts';
import * as userRepo from './user-repo.ts';

type ExternalUsersDeps = {
  readonly sql: Sql;
  readonly provider: IdentityProvider;
  readonly accounts: Pick<Accounts, 'ensureSeeded'>;
  /** Who may become a user. */
  readonly policy: Pick<SignUpPolicy, 'require'>;
  readonly now?: () => number;
};

export type ExternalUsers = CredentialKind & {
  /** The person with this token has authenticated again: the token is fresh for 10 minutes, on every node. */
  markAuthenticated(userId: string, token: string): Promise<void>;
  sweep(): Promise<void>;
  /** Invalidates what this node knows; the listeners do on every node when a membership changed. */
  invalidate(): void;
  readonly listeners: readonly Listener[];
};

const CACHE_TTL_MS = 60_000;
const MAX_ATTEMPTS = 3;

/**
 * People who sign in through an identity provider. The first sign-in of an issuer and subject creates a user
 * with their own account. A matching address never signs a person in as another user, even if the provider
 * verified it.
 */
export function createExternalUsers(parts: ExternalUsersDeps): ExternalUsers {
  const { sql, provider, accounts, now = Date.now } = parts;
  const enter = createEnterExternal(parts);
  const cache = createNotifiedCache<{
    readonly caller: Caller;
    readonly until: number;
    readonly authenticatedAt: number;
  }>({
    max: 10_000,
    channels: ['sessions'],
    isFresh: ({ until }) => until > now(),
  });

  return {
    async resolve(token, { account }) {
      const key = `${hash('sha256', token)} ${account ?? ''}`;
      const { caller, authenticatedAt } = await cache.get(key, async () => {
        const identity = await provider.verify(token);
        const user = await enter(identity);
        const caller = await callerOf(user, account);
        const proved = await reauthenticationRepo.find(sql, user.id, hash('sha256', token));
        const authenticatedAt = Math.max(identity.authenticatedAt ?? 0, proved?.getTime() ?? 0);
        return { caller, authenticatedAt, until: Math.min(now() + CACHE_TTL_MS, identity.expiresAt) };
      });
      return now() - authenticatedAt <= FRESH_MS ? { ...caller, fresh: true } : caller;
    },

    async markAuthenticated(userId, token) {
      await reauthenticationRepo.put(sql, userId, hash('sha256', token), new Date(now()));
      cache.invalidate();
    },

    sweep: () => reauthenticationRepo.deleteOld(sql, new Date(now() - FRESH_MS)),

    renew: (caller) => refreshMember(sql, caller),

    invalidate: cache.invalidate,
    listeners: cache.listeners,
  };

  async function callerOf(user: ExternalUserRow, account: string | undefined): Promise<Caller> {
    const membership = await membershipRepo.find(sql, user.id, account ?? null);
    if (!membership) throw new Fault('not_found.account', { id: account ?? '' });
    await complete(membership);
    const { account_id: accountId, role } = membership;
    const actor = user.email ?? (user.name || user.id);
    return { accountId, actor, scopes: scopesOf(role), via: 'oidc', userId: user.id, role };
  }

  async function complete({ account_id: id, account_name: name, seeded }: MembershipRow): Promise<void> {
    if (!seeded) await accounts.ensureSeeded({ id, name, seeded });
  }
}

type EnterDeps = Pick<ExternalUsersDeps, 'sql' | 'policy'>;

/** Finds the user of an identity, or creates one with their own account. */
export type EnterExternal = (identity: VerifiedIdentity) => Promise<ExternalUserRow>;

export function createEnterExternal(deps: EnterDeps): EnterExternal {
  return (identity) => enter(identity, MAX_ATTEMPTS);

  /** If two users take the same free address concurrently, the second attempt finds it taken. */
  async function enter(identity: VerifiedIdentity, attempts: number): Promise<ExternalUserRow> {
    try {
      return await deps.sql.begin((tx) => enterIn(tx, identity, deps));
    } catch (error) {
      if (!isDuplicate(error) || attempts === 1) throw error;
      return enter(identity, attempts - 1);
    }
  }
}

async function enterIn(tx: Tx, identity: VerifiedIdentity, { policy }: EnterDeps) {
  const known = await userRepo.findExternal(tx, identity);
  if (known) await userRepo.refreshExternal(tx, known.id, identity);
  else {
    await policy.require(identity.email);
    await userRepo.insertExternal(tx, newId('usr'), identity);
  }
  const user = await userRepo.findExternal(tx, identity);
  if (!user) throw new Error('a user is neither there nor could they be made');
  if (!(await membershipRepo.find(tx, user.id, null))) await giveHome(tx, user);
  return user;
}

async function giveHome(tx: Tx, { id, name, email }: ExternalUserRow): Promise<void> {
  await userRepo.lockExternal(tx, id);
  // Another call of the same person may have been faster.
  if (await membershipRepo.find(tx, id, null)) return;
  const accountId = newId('acc');
  await userRepo.insertAccount(tx, accountId, name || (email ?? 'account'));
  await membershipRepo.insert(tx, accountId, id, 'owner');
}

function isDuplicate(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '23505';
}

/** What an identity provider says of the person a token speaks for. The signature and every claim have been checked. */
export type VerifiedIdentity = {
  readonly issuer: string;
  /** Of the person at the issuer: the one thing that never changes. */
  readonly subject: string;
  /** Lower case, and only when the provider has seen that it is theirs. */
  readonly email: string | null;
  readonly name: string | null;
  /** An https address. */
  readonly avatar: string | null;
  /** When the person signed in at the provider, in milliseconds since 1970; null if the token does not tell. */
  readonly authenticatedAt: number | null;
  /** When the token ends, in milliseconds since 1970. */
  readonly expiresAt: number;
};

/** An external service that signs people in; adapters are in src/providers. */
export type IdentityProvider = {
  /**
   * @throws Fault unauthenticated.token for a token that is not good here, token_expired.token, and
   * unavailable.identity_provider when the provider cannot be asked for its keys
   */
  verify(token: string): Promise<VerifiedIdentity>;
};
