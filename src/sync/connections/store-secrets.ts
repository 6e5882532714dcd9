import { Fault } from '../../errors.ts';
import type { StoreCredentials } from '../ports/open-store.ts';

/** What a caller gives to open a store with. */
export type StoreSecrets = {
  readonly token?: string | undefined;
  readonly clientId?: string | undefined;
  readonly clientSecret?: string | undefined;
};

/**
 * A token, or the client that gets them, and not both; the demo takes anything.
 * @throws Fault validation_failed.store_credentials
 */
export function storeCredentials(secrets: StoreSecrets, isDemo = false): StoreCredentials {
  const { token, clientId, clientSecret } = secrets;
  if (isDemo) return { token: token ?? 'demo' };
  const isClient = clientId !== undefined || clientSecret !== undefined;
  if (token !== undefined && !isClient) return { token };
  if (token === undefined && clientId !== undefined && clientSecret !== undefined)
    return { clientId, clientSecret };
  throw new Fault('validation_failed.store_credentials');
}

/** Whether anything was given. */
export function hasStoreSecrets({ token, clientId, clientSecret }: StoreSecrets): boolean {
  return token !== undefined || clientId !== undefined || clientSecret !== undefined;
}
