import { type Adapter, type AdapterFactory, type AdapterPayload, errors } from 'oidc-provider';
import type { OauthStore } from '../../src/identity/connected-apps/oauth-store.ts';

/** The authorization server's storage in the product's database. One of two uses of a code at the same time is refused. */
export function createAdapter(store: OauthStore): AdapterFactory {
  return (kind): Adapter => ({
    async upsert(id, payload, expiresIn) {
      requireStorable(kind, payload);
      if (kind === 'Client') await store.putClient(id, { ...payload });
      else await store.put(kind, id, { ...payload }, expiresIn);
    },
    find: async (id) => {
      // No such id was ever stored.
      if (id.includes('\0')) return undefined;
      return known(kind === 'Client' ? await store.findClient(id) : await store.find(kind, id));
    },
    findByUserCode: async (userCode) => known(await store.findByUserCode(userCode)),
    findByUid: async (uid) => known(await store.findByUid(uid)),
    async consume(id) {
      if (!(await store.consume(kind, id))) throw new errors.InvalidGrant('already used');
    },
    destroy: (id) => (kind === 'Client' ? store.removeClient(id) : store.remove(kind, id)),
    revokeByGrantId: (grantId) => store.removeOfGrant(kind, grantId),
  });
}

/** PostgreSQL has no text with U+0000, and programs send what they like. @throws InvalidClientMetadata, InvalidRequest */
function requireStorable(kind: string, payload: AdapterPayload): void {
  let isStorable = true;
  JSON.stringify(payload, (_name, value: unknown) => {
    if (typeof value === 'string' && value.includes('\0')) isStorable = false;
    return value;
  });
  if (isStorable) return;
  const cause = 'the character U+0000 is not allowed';
  throw kind === 'Client' ? new errors.InvalidClientMetadata(cause) : new errors.InvalidRequest(cause);
}

// Written by the provider itself, so its parts need no second look.
const known = (value: object | undefined) => value as AdapterPayload | undefined;
