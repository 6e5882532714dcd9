import { Fault } from '../errors.ts';
import type { CredentialKind } from './credential-kind.ts';

export type Credentials = CredentialKind;

type CredentialsDeps = {
  /** API keys. */
  readonly keys: CredentialKind;
  /** People who signed in here. */
  readonly sessions: CredentialKind;
  /** People whom an identity provider signs in, where one is set up. */
  readonly provided?: CredentialKind | undefined;
};

// Three parts with dots between them: a signed token.
const JWT = /^[\w-]+\.[\w-]+\.[\w-]*$/;

/** Every credential there is, told apart by its form. */
export function createCredentials({ keys, sessions, provided }: CredentialsDeps): Credentials {
  return {
    async resolve(token, origin) {
      if (token.startsWith('sh_live_')) return keys.resolve(token, origin);
      if (token.startsWith('ses_')) return sessions.resolve(token, origin);
      if (provided && JWT.test(token)) return provided.resolve(token, origin);
      throw new Fault('unauthenticated.wrong');
    },

    async renew(caller) {
      if (caller.via === 'session') return sessions.renew(caller);
      if (caller.via === 'oidc') {
        // The provider was taken out of the settings meanwhile.
        if (!provided) throw new Fault('unauthenticated.revoked');
        return provided.renew(caller);
      }
      return caller.via === 'api_key' ? keys.renew(caller) : caller;
    },
  };
}
