import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { Fault } from '../errors.ts';
import type { Sql, Tx } from '../platform/database/database.ts';
import { newId } from '../platform/ids.ts';
import type { Accounts } from './accounts.ts';
import type { Caller } from './caller.ts';
import type { CredentialKind } from './credential-kind.ts';
import type { IdentityProvider, VerifiedIdentity } from './identity-provider.ts';
import { createMembershipStore, type MembershipRow } from './membership-repo.ts';
import { createProvidedUserStore, type ExternalUserRow } from './provided-user-store.ts';
import { refreshMember } from './renew-member.ts';
import { scopesOf } from './roles.ts';

type ExternalUsersDeps = {
  readonly sql: Sql;
  readonly provider: IdentityProvider;
  readonly accounts: Pick<Accounts, 'furnish'>;
  /** Makes a person a member of what their proved address was invited to. */
  readonly acceptInvitations: (tx: Tx, user: { id: string; email: string }) => Promise<void>;
  readonly now?: () => number;
};

export type ExternalUsers = CredentialKind & {
  /** Forgets who has called; called on every node when a membership changed. */
  forget(): void;
};

const KEPT_MS = 60_000;
const TRIES = 3;

/**
 * People whom an identity provider signs in. A user is made at the first sight of an issuer and subject, with an account
 * of their own; an address that another user has never leads to that user, whoever vouches for it.
 */
export function createExternalUsers(parts: ExternalUsersDeps): ExternalUsers {
  const { sql, provider, accounts, now = Date.now } = parts;
  const kept = new LRUCache<string, { caller: Caller; until: number }>({ max: 10_000 });
  // How often everything was forgotten: an answer that was on its way meanwhile may be of before.
  let forgotten = 0;

  return {
    async resolve(token, { account }) {
      const key = `${hash('sha256', token)} ${account ?? ''}`;
      const known = kept.get(key);
      if (known && known.until > now()) return known.caller;
      const asked = forgotten;
      const identity = await provider.verify(token);
      const caller = await callerOf(await enter(identity), account);
      if (asked === forgotten)
        kept.set(key, { caller, until: Math.min(now() + KEPT_MS, identity.expiresAt) });
      return caller;
    },

    renew: (caller) => refreshMember(sql, caller),

    forget() {
      forgotten++;
      kept.clear();
    },
  };

  async function callerOf(user: ExternalUserRow, account: string | undefined): Promise<Caller> {
    const membership = await createMembershipStore(sql).find(user.id, account ?? null);
    if (!membership) throw new Fault('not_found.account', { id: account ?? '' });
    await complete(membership);
    const { account_id: accountId, role } = membership;
    const actor = user.email ?? (user.name || user.id);
    return { accountId, actor, scopes: scopesOf(role), via: 'oidc', userId: user.id };
  }

  async function complete({ account_id: id, account_name: name, furnished }: MembershipRow): Promise<void> {
    if (!furnished) await accounts.furnish({ id, name, furnished });
  }

  /** Two who take the same free address at once cannot both have it: the second tries again, and finds it taken. */
  async function enter(identity: VerifiedIdentity, tries = TRIES): Promise<ExternalUserRow> {
    try {
      return await sql.begin((tx) => enterIn(tx, identity, parts));
    } catch (error) {
      if (!isDuplicate(error) || tries === 1) throw error;
      return enter(identity, tries - 1);
    }
  }
}

async function enterIn(tx: Tx, identity: VerifiedIdentity, { acceptInvitations }: ExternalUsersDeps) {
  const users = createProvidedUserStore(tx);
  const memberships = createMembershipStore(tx);
  const known = await users.findExternal(identity);
  if (known) await users.refreshExternal(known.id, identity);
  else await users.insertExternal(newId('usr'), identity);
  const user = await users.findExternal(identity);
  if (!user) throw new Error('a user is neither there nor could they be made');
  if (!(await memberships.find(user.id, null))) await giveHome(tx, user);
  if (identity.email) await acceptInvitations(tx, { id: user.id, email: identity.email });
  return user;
}

async function giveHome(tx: Tx, { id, name, email }: ExternalUserRow): Promise<void> {
  const users = createProvidedUserStore(tx);
  const memberships = createMembershipStore(tx);
  await users.lockExternal(id);
  // Another call of the same person may have been faster.
  if (await memberships.find(id, null)) return;
  const accountId = newId('acc');
  await users.insertAccount(accountId, name || (email ?? 'account'));
  await memberships.insert(accountId, id, 'owner');
}

function isDuplicate(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '23505';
}
