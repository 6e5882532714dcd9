import { Fault } from '../../errors.ts';
import { newId } from '../../platform/ids.ts';
import type { SecretBox } from '../../platform/secret-box.ts';
import { resetBaselines } from '../configs/cleanup.ts';
import * as configRepository from '../configs/config-repo.ts';
import { DEMO_DOMAIN, requireDemo } from '../demo/demo.ts';
import type { Away } from '../ports/away.ts';
import {
  type OpenStore,
  parseDomain,
  type StoreClient,
  type StoreCredentials,
  type StoreLocation,
} from '../ports/store-client.ts';
import { type ConnectionDeps, type ConnectionStatus, createConnections } from './connections.ts';
import { type Access, presentAccess } from './consented.ts';
import {
  createCredentialEncryption,
  EncryptedStoreCredentials,
  hasStoreSecrets,
  type StoreSecrets,
  storeCredentialLife,
  storeCredentials,
  tokenHint,
} from './credentials.ts';
import { createStoreProducts } from './store-products.ts';
import type { StoreRow } from './store-repo.ts';
import * as storeRepo from './store-repo.ts';
import { callStore, verifyStore } from './verify-connection.ts';

/** A connected store, without its secrets; the moment is ISO 8601. */
type ConnectedStore = Access & {
  readonly id: string;
  readonly domain: string;
  /** Where stock is counted. */
  readonly location_id: string;
  readonly location_name: string;
  readonly name: string;
  /** ISO 4217. */
  readonly currency: string;
  readonly status: ConnectionStatus;
  /** Beyond the plan since a downgrade: kept, but not synced. */
  readonly paused: boolean;
  readonly token_hint: string;
  readonly created_at: string;
};

export type StoreChange = StoreSecrets & {
  readonly locationId?: string | undefined;
  /** Its webhooks are signed with it; by default the client's secret. */
  readonly webhookSecret?: string | undefined;
};

type StoreRequest = StoreChange & { readonly domain: string };

/** A store that a person gave access to by consent. */
type GrantedStore = {
  readonly domain: string;
  readonly locationId: string | undefined;
  readonly grant: string;
};

/** A connection to a domain, with the secret that its webhooks are signed with; null where none is known. */
type StoreListener = {
  readonly accountId: string;
  readonly storeId: string;
  readonly webhookSecret: string | null;
  /** What a person has granted; null for pasted credentials. */
  readonly grantId: string | null;
  readonly consentedAt: Date | null;
};

type StoresDeps = ConnectionDeps & {
  readonly box: SecretBox;
  readonly openStore: OpenStore;
  /** Whether the demo store can be connected. */
  readonly demo: boolean;
  /** Signs the webhooks of stores that were connected by consent. */
  readonly appSecret?: string | undefined;
  /** Called when a store no longer uses what a person granted. */
  readonly releaseGrant?: (accountId: string, grantId: string) => Promise<void>;
};

export type Stores = ReturnType<typeof createStores>;

const DAY_MS = 86_400_000;

const { countWithSame, find, insert, list, lock, remove, requireReconnect, setStatus } = storeRepo;

/** The stores an account has connected. Credentials come in, are verified and encrypted, and are never returned. */
export function createStores(deps: StoresDeps) {
  const { sql, openStore, appSecret, releaseGrant = async () => {} } = deps;
  const encryption = createCredentialEncryption(deps.box, 'sync_stores', EncryptedStoreCredentials);
  const connections = createConnections(
    {
      quota: 'stores',
      notFound: 'not_found.store',
      repository: { countWithSame, find, insert, list, lock, remove, requireReconnect, setStatus },
      present: presentStore,
      releaseGrant,
      duplicate: (id, { domain }: storeRepo.StoreIdentity) =>
        new Fault('conflict.store_connected', { domain, id }),
    },
    deps,
  );

  const sold = createStoreProducts({ openStore, find: connections.find, decrypt: encryption.decrypt });

  return {
    products: sold.products,
    product: sold.product,
    list: connections.list,
    get: connections.get,
    delete: connections.delete,
    markReconnect: connections.markReconnect,
    update,

    connect,

    /**
     * Connects a store with what a person has granted, or gives that access to the store that is connected already.
     * @throws Fault as `connect`
     */
    async connectGranted(
      accountId: string,
      { domain, locationId, grant }: GrantedStore,
      signal: AbortSignal,
    ): Promise<ConnectedStore> {
      try {
        return await connect(accountId, { domain, locationId, grant }, signal);
      } catch (error) {
        const same = error instanceof Fault && error.key === 'conflict.store_connected' && error.params['id'];
        if (!same) throw error;
        return update(accountId, String(same), { grant, locationId }, signal);
      }
    },

    /**
     * Verifies that the store still accepts its credentials, and updates its status.
     * @throws Fault not_found.store, and what stores throw
     */
    test: (accountId: string, id: string, signal: AbortSignal): Promise<ConnectedStore> =>
      update(accountId, id, {}, signal),

    /** @throws Fault not_found.store, and what stores throw */
    async locations(accountId: string, id: string, signal: AbortSignal): Promise<readonly StoreLocation[]> {
      const row = await connections.find(accountId, id);
      const shop = { domain: row.domain, accountId, credentials: await encryption.decrypt(row) };
      return callStore(openStore, shop, signal, (client, deadline) => client.locations(deadline));
    },

    /** For a run. @throws Fault not_found.store, plan_limit.stores for one that is paused */
    async openFor(
      accountId: string,
      id: string,
      away?: Away,
    ): Promise<{ client: StoreClient; store: ConnectedStore }> {
      const row = await connections.findActive(accountId, id);
      const credentials = await encryption.decrypt(row);
      const client = await openStore({ domain: row.domain, credentials, accountId, away });
      return { client, store: presentStore(row, false) };
    },

    /** The store has uninstalled the app: its webhooks are no longer accepted. */
    markDisconnected: (accountId: string, id: string) =>
      storeRepo.setStatus(sql, accountId, id, 'disconnected', null),

    async listeners(domain: string): Promise<readonly StoreListener[]> {
      const found = await storeRepo.listByDomain(sql, domain);
      return Promise.all(
        found.map(async (row) => ({
          accountId: row.account_id,
          storeId: row.id,
          webhookSecret: (row.grant_id === null ? await webhookSecretOf(row) : appSecret) ?? null,
          grantId: row.grant_id,
          consentedAt: row.consented_at,
        })),
      );
    },

    /** Deletes what is kept of a store that has uninstalled the app, in all accounts. */
    async redact(domain: string): Promise<void> {
      for (const { account_id, id } of await storeRepo.listUninstalled(sql, domain))
        await connections.delete(account_id, id, { cascade: true });
    },

    /** Claims stores with a realtime configuration whose webhooks were not subscribed within a day. */
    async claimUnsubscribed(now: Date, limit: number) {
      const before = new Date(now.getTime() - DAY_MS);
      const claimed = await storeRepo.claimUnsubscribed(sql, now, before, limit);
      return claimed.map(({ id, account_id }) => ({ accountId: account_id, storeId: id }));
    },
  };

  /**
   * Connects a store after its credentials were verified.
   * @throws Fault validation_failed, conflict.store_connected, plan_limit.stores, not_configured, and what stores throw
   */
  async function connect(
    accountId: string,
    request: StoreRequest,
    signal: AbortSignal,
  ): Promise<ConnectedStore> {
    const domain = parseDomain(request.domain);
    requireDemo(domain, deps.demo);
    const credentials = storeCredentials(request, domain === DEMO_DOMAIN);
    const quota = await connections.quotaOf(accountId);
    await connections.requireNew({ account_id: accountId, domain }, quota);
    const shop = { domain, credentials, accountId };
    const verified = await verifyStore(openStore, shop, request.locationId, signal);
    const id = newId('sto');
    const encrypted = await encrypt(id, credentials, request.webhookSecret);
    return connections.add(
      accountId,
      { id, account_id: accountId, domain, ...encrypted, ...verified },
      quota,
    );
  }

  /**
   * Changes what is given, after the store accepted it. Repeats if credentials were changed concurrently.
   * @throws Fault not_found.store, sync_running.sheet for another location during a run, and what stores throw
   */
  async function update(
    accountId: string,
    id: string,
    change: StoreChange,
    signal: AbortSignal,
  ): Promise<ConnectedStore> {
    for (;;) {
      const updated = await updateOnce(await connections.find(accountId, id), change, signal);
      if (updated) return connections.get(accountId, id);
    }
  }

  /** Undefined when the credentials were changed concurrently: the new ones have to be verified. */
  async function updateOnce(row: StoreRow, change: StoreChange, signal: AbortSignal) {
    const { id, account_id: accountId, domain } = row;
    const isNew = hasStoreSecrets(change);
    const credentials = isNew
      ? storeCredentials(change, domain === DEMO_DOMAIN)
      : await encryption.decrypt(row);
    const locationId = change.locationId ?? row.location_id;
    const verifying = verifyStore(openStore, { domain, credentials, accountId }, locationId, signal);
    const verified = await (isNew ? verifying : verifying.catch((error) => connections.rejected(row, error)));
    // A new client signs with its own secret.
    const kept = change.clientSecret === undefined ? await webhookSecretOf(row) : undefined;
    const encrypted = await encrypt(id, credentials, change.webhookSecret ?? kept);
    const updated = { ...row, ...encrypted, ...verified };
    const isUpdated = await sql.begin(async (tx) => {
      if (!(await storeRepo.update(tx, updated, row.credentials))) return false;
      if (updated.location_id !== row.location_id)
        await resetBaselines(tx, await configRepository.idsAtLocationOf(tx, id));
      return true;
    });
    if (!isUpdated) return undefined;
    if (row.grant_id !== null && row.grant_id !== updated.grant_id)
      await releaseGrant(accountId, row.grant_id);
    return updated;
  }

  /** A client's secret signs its webhooks, too. */
  async function encrypt(id: string, credentials: StoreCredentials, webhookSecret: string | undefined) {
    const secret =
      'token' in credentials ? credentials.token : 'grant' in credentials ? '' : credentials.clientSecret;
    const signing = webhookSecret ?? ('clientSecret' in credentials ? secret : undefined);
    return {
      ...storeCredentialLife(credentials),
      credentials: await encryption.encrypt(id, credentials),
      webhook_secret:
        signing === undefined ? null : await encryption.encryptColumn(id, 'webhook_secret', signing),
      token_hint: tokenHint(secret),
    };
  }

  async function webhookSecretOf({ id, webhook_secret: sealed }: Pick<StoreRow, 'id' | 'webhook_secret'>) {
    return sealed === null ? undefined : encryption.decryptColumn(id, 'webhook_secret', sealed);
  }
}

function presentStore(row: StoreRow, paused: boolean): ConnectedStore {
  const { id, domain, location_id, location_name, name, currency, status, token_hint, created_at } = row;
  const shown = { id, domain, location_id, location_name, name, currency, status, token_hint };
  return { ...shown, paused, ...presentAccess(row), created_at: created_at.toISOString() };
}
