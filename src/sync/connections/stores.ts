import { Fault } from '../../errors.ts';
import { newId } from '../../platform/ids.ts';
import { byNumber, type Page, type PageRequest, pageOf } from '../../platform/paging.ts';
import { parseDomain } from '../ports/open-store.ts';
import type { StoreLocation } from '../ports/store-client.ts';
import { askStore, describeStore } from './ask-store.ts';
import { dropBases, purgeUses } from './bases.ts';
import { createConfigStore } from './config-store.ts';
import { type ConnectedStore, connectedStore } from './connected-store.ts';
import { DEMO_DOMAIN, demandDemo } from './demo.ts';
import { demandRoom, noRoom, type Room, roomFor } from './room.ts';
import { createStoreAccess, type StoreParts } from './store-access.ts';
import { createStoreSeals } from './store-seals.ts';
import { hasStoreSecrets, type StoreSecrets, storeCredentials } from './store-secrets.ts';
import { createStoreStore, type StoreRow } from './store-store.ts';

type Parts = StoreParts & {
  /** Whether the demo store can be connected. */
  readonly demo: boolean;
};

export type StoreChange = StoreSecrets & {
  readonly locationId?: string | undefined;
  /** By what its webhooks are signed; with a client it is the client's secret unless said. */
  readonly webhookSecret?: string | undefined;
};

type StoreRequest = StoreChange & { readonly domain: string };

/** The stores an account has connected. Their secrets come in, and never out again. */
export function createStores(parts: Parts) {
  const { sql, openStore, entitlements } = parts;
  const rows = createStoreStore(sql);
  const seals = createStoreSeals(parts.box);

  async function roomOf(accountId: string): Promise<Room> {
    return roomFor('stores', (await entitlements.of(accountId)).sync);
  }

  async function find(accountId: string, id: string): Promise<StoreRow> {
    const row = await rows.find(accountId, id);
    if (!row) throw new Fault('not_found.store', { id });
    return row;
  }

  /** Changes what is given, once the store was seen to answer with it. */
  async function update(accountId: string, id: string, change: StoreChange, signal: AbortSignal) {
    for (;;) {
      const settled = await settle(await find(accountId, id), change, signal);
      if (settled) return connectedStore({ ...settled, status: 'connected' }, await roomOf(accountId));
    }
  }

  /** Undefined when other credentials were entered meanwhile: it is to be seen with those. */
  async function settle(row: StoreRow, change: StoreChange, signal: AbortSignal) {
    const { id, account_id: accountId, domain } = row;
    const isNew = hasStoreSecrets(change);
    const credentials = isNew
      ? storeCredentials(change, domain === DEMO_DOMAIN)
      : await seals.credentials(row);
    const place = change.locationId ?? row.location_id;
    const described = await describeStore(openStore, { domain, credentials, accountId }, place, signal).catch(
      async (error: unknown) => {
        const isRefused = error instanceof Fault && error.code === 'store_unauthorized';
        if (isRefused && !isNew) await rows.refuse(accountId, id, row.credentials);
        throw error;
      },
    );
    // A new client signs with its own secret.
    const kept = change.clientSecret === undefined ? await seals.webhookSecret(row) : undefined;
    const webhookSecret = change.webhookSecret ?? kept;
    const settled = { ...row, ...(await seals.seal(id, { credentials, webhookSecret })), ...described };
    const isSettled = await sql.begin(async (tx) => {
      if (!(await createStoreStore(tx).settle(accountId, id, row.credentials, settled))) return false;
      if (settled.location_id !== row.location_id)
        await dropBases(tx, await createConfigStore(tx).atLocationOf(id));
      return true;
    });
    return isSettled ? settled : undefined;
  }

  return {
    ...createStoreAccess(parts),

    /**
     * Connects a store that was seen to answer.
     * @throws Fault validation_failed, conflict.store_connected, plan_limit.stores, not_configured, and what stores throw
     */
    async connect(accountId: string, request: StoreRequest, signal: AbortSignal): Promise<ConnectedStore> {
      const domain = parseDomain(request.domain);
      demandDemo(domain, parts.demo);
      const credentials = storeCredentials(request, domain === DEMO_DOMAIN);
      const room = await roomOf(accountId);
      await demandPlace(rows, accountId, domain, room);
      const shop = { domain, credentials, accountId };
      const described = await describeStore(openStore, shop, request.locationId, signal);
      const id = newId('sto');
      const sealed = await seals.seal(id, { credentials, webhookSecret: request.webhookSecret });
      const row = await sql.begin(async (tx) => {
        const own = createStoreStore(tx);
        await own.lock(accountId);
        await demandPlace(own, accountId, domain, room);
        return own.insert({ id, account_id: accountId, domain, ...sealed, ...described }, room.limit);
      });
      if (!row) throw noRoom(room, room.limit);
      return connectedStore(row, room);
    },

    /** Newest first. */
    async list(accountId: string, request: PageRequest): Promise<Page<ConnectedStore>> {
      const { before, limit } = byNumber(request);
      const room = await roomOf(accountId);
      const found = await rows.list(accountId, { before, limit: limit + 1 });
      const present = (row: StoreRow) => connectedStore(row, room);
      return pageOf(found, limit, ({ seq }) => seq, present);
    },

    /** @throws Fault not_found.store */
    async get(accountId: string, id: string): Promise<ConnectedStore> {
      return connectedStore(await find(accountId, id), await roomOf(accountId));
    },

    /** @throws Fault not_found.store, sync_running.sheet for another location during a run, and what stores throw */
    update,

    /**
     * Sees whether the store still answers, and notes what it says.
     * @throws Fault not_found.store, and what stores throw: one that refuses is to be connected again
     */
    test(accountId: string, id: string, signal: AbortSignal): Promise<ConnectedStore> {
      return update(accountId, id, {}, signal);
    },

    /** @throws Fault not_found.store, and what stores throw */
    async locations(accountId: string, id: string, signal: AbortSignal): Promise<readonly StoreLocation[]> {
      const row = await find(accountId, id);
      const shop = { domain: row.domain, accountId, credentials: await seals.credentials(row) };
      return askStore(openStore, shop, signal, (client, within) => client.locations(within));
    },

    /**
     * With `cascade` its configurations go with it, and the history of their runs.
     * @throws Fault not_found.store, conflict.sync_in_use, sync_running.sheet
     */
    async delete(accountId: string, id: string, options: { cascade: boolean }): Promise<void> {
      await find(accountId, id);
      await purgeUses(sql, accountId, id, options);
      await rows.delete(accountId, id);
    },
  };
}

/** @throws Fault conflict.store_connected, plan_limit.stores */
async function demandPlace(
  rows: ReturnType<typeof createStoreStore>,
  accountId: string,
  domain: string,
  room: Room,
): Promise<void> {
  const { used, same } = await rows.standing(accountId, domain);
  if (same !== null) throw new Fault('conflict.store_connected', { domain, id: same });
  demandRoom(room, used);
}
