import { Fault } from '../errors.ts';
import type { Sql } from '../platform/database/database.ts';
import type { Caller } from './caller.ts';
import * as membershipRepo from './membership-repo.ts';
import { scopesOf } from './roles.ts';

export type Credentials = CredentialKind;

type CredentialsDeps = {
  /** API keys. */
  readonly keys: CredentialKind;
  /** Local sign-in. */
  readonly sessions: CredentialKind;
  /** OIDC sign-in, if a provider is configured. */
  readonly externalUsers?: CredentialKind | undefined;
};

// A signed token: three parts joined by dots.
const JWT = /^[\w-]+\.[\w-]+\.[\w-]*$/;

/** Resolves any credential; its format tells the kind. */
export function createCredentials({ keys, sessions, externalUsers }: CredentialsDeps): Credentials {
  return {
    async resolve(token, origin) {
      if (token.startsWith('sh_live_')) return keys.resolve(token, origin);
      if (token.startsWith('ses_')) return sessions.resolve(token, origin);
      if (externalUsers && JWT.test(token)) return externalUsers.resolve(token, origin);
      throw new Fault('unauthenticated.wrong');
    },

    async renew(caller) {
      if (caller.via === 'session') return sessions.renew(caller);
      if (caller.via === 'oidc') {
        // The provider has since been removed from the settings.
        if (!externalUsers) throw new Fault('unauthenticated.revoked');
        return externalUsers.renew(caller);
      }
      return caller.via === 'api_key' ? keys.renew(caller) : caller;
    },
  };
}

/** Origin of a call. */
export type Origin = {
  /** The client's address; absent over stdio. */
  readonly address?: string | undefined;
  /** The account the person wants to act in; by default their own. */
  readonly account?: string | undefined;
};

/** A kind of credential: resolves its tokens, and refreshes earlier callers. */
export type CredentialKind = {
  /** @throws Fault unauthenticated and others of 401 and 403 */
  resolve(token: string, origin: Origin): Promise<Caller>;
  /** An earlier caller with its remaining scopes. @throws Fault unauthenticated.revoked */
  renew(caller: Caller): Promise<Caller>;
};

/**
 * An earlier caller with the scopes that their role still gives them. For people: keys have their own check.
 * @throws Fault unauthenticated.revoked
 */
export async function refreshMember(sql: Sql, caller: Caller): Promise<Caller> {
  const { accountId, userId } = caller;
  const membership = userId && (await membershipRepo.find(sql, userId, accountId));
  if (!membership) throw new Fault('unauthenticated.revoked');
  const scopes = scopesOf(membership.role);
  return { ...caller, scopes: caller.scopes.filter((scope) => scopes.includes(scope)) };
}
