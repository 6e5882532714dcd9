import { type Adapter, type AdapterFactory, type AdapterPayload, errors } from 'oidc-provider';
import type { OauthStore } from '../../src/identity/connected-apps/oauth-store.ts';

/** The authorization server's storage in the product's database. One of two uses of a code at the same time is refused. */
export function createAdapter(store: OauthStore): AdapterFactory {
  return (kind): Adapter => ({
    upsert: (id, payload, expiresIn) =>
      kind === 'Client'
        ? store.putClient(id, { ...payload })
        : store.put(kind, id, { ...payload }, expiresIn),
    find: async (id) => known(kind === 'Client' ? await store.findClient(id) : await store.find(kind, id)),
    findByUserCode: async (userCode) => known(await store.findByUserCode(userCode)),
    findByUid: async (uid) => known(await store.findByUid(uid)),
    async consume(id) {
      if (!(await store.consume(kind, id))) throw new errors.InvalidGrant('already used');
    },
    destroy: (id) => (kind === 'Client' ? store.removeClient(id) : store.remove(kind, id)),
    revokeByGrantId: (grantId) => store.removeOfGrant(kind, grantId),
  });
}

// Written by the provider itself, so its parts need no second look.
const known = (value: object | undefined) => value as AdapterPayload | undefined;
