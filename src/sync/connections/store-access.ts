import type { Entitlements } from '../../billing/entitlements.ts';
import { Fault } from '../../errors.ts';
import type { Sql } from '../../platform/database/database.ts';
import type { SecretBox } from '../../platform/secret-box.ts';
import type { OpenStore } from '../ports/open-store.ts';
import type { StoreClient } from '../ports/store-client.ts';
import { type ConnectedStore, connectedStore } from './connected-store.ts';
import { hasRoom, noRoom, roomFor } from './room.ts';
import { createStoreSeals } from './store-seals.ts';
import { createStoreStore } from './store-store.ts';

export type StoreParts = {
  readonly sql: Sql;
  readonly box: SecretBox;
  readonly openStore: OpenStore;
  readonly entitlements: Pick<Entitlements, 'of'>;
};

/** A store with the client that speaks to it. */
type OpenedStore = { readonly client: StoreClient; readonly store: ConnectedStore };

/** Who has connected a domain, with what its webhooks are signed by; null where nobody said. */
type StoreListener = {
  readonly accountId: string;
  readonly storeId: string;
  readonly webhookSecret: string | null;
};

export type StoreAccess = ReturnType<typeof createStoreAccess>;

const DAY_MS = 86_400_000;

/** Connected stores as runs and webhooks need them. */
export function createStoreAccess({ sql, box, openStore, entitlements }: StoreParts) {
  const rows = createStoreStore(sql);
  const seals = createStoreSeals(box);

  return {
    /** For a run. @throws Fault not_found.store, plan_limit.stores for one that rests since a downgrade */
    async openFor(accountId: string, id: string): Promise<OpenedStore> {
      const row = await rows.find(accountId, id);
      if (!row) throw new Fault('not_found.store', { id });
      const room = roomFor('stores', (await entitlements.of(accountId)).sync);
      if (!hasRoom(room, row.place)) throw noRoom(room, row.place);
      const credentials = await seals.credentials(row);
      const client = await openStore({ domain: row.domain, credentials, accountId });
      return { client, store: connectedStore(row, room) };
    },

    /** The store no longer takes its token: nothing runs by itself until it is connected again. */
    markReconnect: (accountId: string, id: string, asOf: Date | null = null) =>
      rows.setStatus(accountId, id, 'reconnect_required', asOf),

    /** The store has let go of us: its webhooks are no longer heard. */
    markDisconnected: (accountId: string, id: string) => rows.setStatus(accountId, id, 'disconnected', null),

    async listeners(domain: string): Promise<readonly StoreListener[]> {
      const found = await rows.ofDomain(domain);
      return Promise.all(
        found.map(async (row) => ({
          accountId: row.account_id,
          storeId: row.id,
          webhookSecret: (await seals.webhookSecret(row)) ?? null,
        })),
      );
    },

    /** Takes stores that are to be asked, again, to tell of changes: those with a realtime configuration, once a day. */
    async claimUnheard(now: Date, limit: number) {
      const claimed = await rows.claimUnheard(now, new Date(now.getTime() - DAY_MS), limit);
      return claimed.map(({ id, account_id }) => ({ accountId: account_id, storeId: id }));
    },
  };
}
