import { Fault } from '../errors.ts';
import type { Sql } from '../platform/database/database.ts';
import type { Caller } from './caller.ts';
import * as membershipRepo from './membership-repo.ts';
import { scopesOf } from './roles.ts';

export type Credentials = CredentialKind;

type CredentialsDeps = {
  /** API keys. */
  readonly keys: CredentialKind;
  /** People who signed in here. */
  readonly sessions: CredentialKind;
  /** People whom an identity provider signs in, where one is set up. */
  readonly externalUsers?: CredentialKind | undefined;
};

// Three parts with dots between them: a signed token.
const JWT = /^[\w-]+\.[\w-]+\.[\w-]*$/;

/** Every credential there is, told apart by its form. */
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
        // The provider was taken out of the settings meanwhile.
        if (!externalUsers) throw new Fault('unauthenticated.revoked');
        return externalUsers.renew(caller);
      }
      return caller.via === 'api_key' ? keys.renew(caller) : caller;
    },
  };
}

/** Where a credential comes from. */
export type Origin = {
  /** The client's address; absent over stdio. */
  readonly address?: string | undefined;
  /** The account a person wants to act in, of those they are a member of; their own when absent. */
  readonly account?: string | undefined;
};

/** A kind of credential: who its tokens speak for, and what is left of that later. */
export type CredentialKind = {
  /** @throws Fault unauthenticated and others of 401 and 403 */
  resolve(token: string, origin: Origin): Promise<Caller>;
  /** A caller of earlier, with what is left of its rights by now. @throws Fault unauthenticated.revoked */
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
