import { Fault } from '../errors.ts';
import type { Sql } from '../platform/database/database.ts';
import type { Caller } from './caller.ts';
import type { CallerRights } from './caller-rights.ts';
import * as membershipRepo from './members/membership-repo.ts';
import { scopesOf } from './members/roles.ts';
import type { SecurityJournal, Subject } from './security-journal.ts';

export type Credentials = CredentialKind;

type CredentialsDeps = {
  /** API keys. */
  readonly keys: HeldCredentialKind;
  /** Local sign-in. */
  readonly sessions: HeldCredentialKind;
  /** OIDC sign-in, if a provider is configured. */
  readonly externalUsers?: CredentialKind | undefined;
  /** Access tokens of programs that people let in. */
  readonly connectedApps: HeldCredentialKind;
  /** What the state of the account leaves of a caller's rights. */
  readonly rights: CallerRights;
  readonly journal: Pick<SecurityJournal, 'note'>;
};

// A signed token: three parts joined by dots.
const JWT = /^[\w-]+\.[\w-]+\.[\w-]*$/;

/** Resolves any credential; its format tells the kind. */
export function createCredentials(deps: CredentialsDeps): Credentials {
  const { keys, sessions, connectedApps, externalUsers, rights, journal } = deps;
  return {
    async resolve(token, origin) {
      const kind = kindOf(token);
      if (!kind) {
        journal.note('token.refused', undefined, origin);
        throw new Fault('unauthenticated.wrong');
      }
      const caller = await kind.resolve(token, origin).catch(async (error: unknown) => {
        if (isRefusal(error)) await noteRefused(token, origin, error);
        throw error;
      });
      return rights.bound(caller, origin);
    },

    async renew({ withheld: _, ...caller }) {
      if (caller.via === 'session') return rights.bound(await sessions.renew(caller));
      if (caller.via === 'oauth') return rights.bound(await connectedApps.renew(caller));
      if (caller.via === 'oidc') {
        // The provider has since been removed from the settings.
        if (!externalUsers) throw new Fault('unauthenticated.revoked');
        return rights.bound(await externalUsers.renew(caller));
      }
      return caller.via === 'api_key' ? rights.bound(await keys.renew(caller)) : caller;
    },
  };

  function kindOf(token: string): CredentialKind | undefined {
    if (token.startsWith('sh_live_')) return keys;
    if (token.startsWith('ses_')) return sessions;
    if (token.startsWith('oat_')) return connectedApps;
    return JWT.test(token) ? externalUsers : undefined;
  }

  async function noteRefused(token: string, origin: Origin, { key }: Fault): Promise<void> {
    const detail = { reason: key };
    if (token.startsWith('sh_live_'))
      return journal.note('api_key.refused', await keys.holderOf(token), origin, detail);
    if (token.startsWith('ses_'))
      return journal.note('session.refused', await sessions.holderOf(token), origin, detail);
    const holder = token.startsWith('oat_') ? await connectedApps.holderOf(token) : undefined;
    journal.note('token.refused', holder, origin, detail);
  }
}

/** The same fault with what to do for the person at this machine, who can create keys. */
export function toOperatorFault(error: unknown): unknown {
  const isWrong = error instanceof Fault && error.key === 'unauthenticated.wrong';
  return isWrong ? new Fault('unauthenticated.wrong_local') : error;
}

function isRefusal(error: unknown): error is Fault {
  return error instanceof Fault && (error.status === 401 || error.code === 'ip_not_allowed');
}

/** Origin of a call. */
export type Origin = {
  /** The client's address; absent over stdio. */
  readonly address?: string | undefined;
  readonly userAgent?: string | undefined;
  /** Where the call arrived, as the protected resources that an access token can be for. */
  readonly resources?: readonly string[] | undefined;
  /** The account the person wants to act in; by default their own. */
  readonly account?: string | undefined;
  /** The call is one of those that a deleted account still accepts. */
  readonly whileDeleted?: boolean | undefined;
};

/** A kind of credential: resolves its tokens, and refreshes earlier callers. */
export type CredentialKind = {
  /** @throws Fault unauthenticated and others of 401 and 403 */
  resolve(token: string, origin: Origin): Promise<Caller>;
  /** An earlier caller with its remaining scopes. @throws Fault unauthenticated.revoked */
  renew(caller: Caller): Promise<Caller>;
};

/** One whose rejected tokens may be somebody's: expired, or used from a place that is not allowed. */
type HeldCredentialKind = CredentialKind & { holderOf(token: string): Promise<Subject> };

/**
 * An earlier caller with the scopes that their role still gives them. For people: keys have their own check.
 * @throws Fault unauthenticated.revoked
 */
export async function refreshMember(sql: Sql, caller: Caller): Promise<Caller> {
  const { accountId, userId } = caller;
  const membership = userId && (await membershipRepo.find(sql, userId, accountId));
  if (!membership) throw new Fault('unauthenticated.revoked');
  const { role } = membership;
  const scopes = scopesOf(role);
  return { ...caller, role, scopes: caller.scopes.filter((scope) => scopes.includes(scope)) };
}
