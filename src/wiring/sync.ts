import type { Entitlements } from '../billing/entitlements.ts';
import type { Config } from '../config.ts';
import { exportPages } from '../identity/accounts/account-export.ts';
import type { Sql } from '../platform/database/database.ts';
import { createSecretBox } from '../platform/secret-box.ts';
import { secretBoxKey } from '../platform/secret-box-key.ts';
import { createGoogleSheets } from '../providers/sheets/sheets.ts';
import { createShopifyStores } from '../providers/shopify/shopify.ts';
import { createAutomationNotices } from '../sync/automation/notices.ts';
import { createScheduler } from '../sync/automation/scheduler.ts';
import { createSubscriptions } from '../sync/automation/subscriptions.ts';
import { createStoreWebhooks } from '../sync/automation/webhooks.ts';
import { createConfigs } from '../sync/configs/configs.ts';
import { createSheets } from '../sync/connections/sheets.ts';
import { createStores } from '../sync/connections/stores.ts';
import { createConsents } from '../sync/consents/consents.ts';
import { createGrants } from '../sync/consents/grants.ts';
import { createConnectDemo } from '../sync/demo/connect-demo.ts';
import { createDemo, DEMO_DOMAIN, DEMO_SPREADSHEET } from '../sync/demo/demo.ts';
import { createPlanner, type Sides } from '../sync/plan/plan.ts';
import type { Away } from '../sync/ports/away.ts';
import type { LendTokens } from '../sync/ports/consent.ts';
import type { OpenSheet } from '../sync/ports/sheet-client.ts';
import type { OpenStore } from '../sync/ports/store-client.ts';
import type { Throttles } from '../sync/ports/throttles.ts';
import type { Run } from '../sync/runs/run.ts';
import { createRuns } from '../sync/runs/runs.ts';
import { EMBEDDED_WRITE_ROWS, WRITE_ROWS } from '../sync/statement-size.ts';
import { createThrottleStore, deleteIdle } from '../sync/throttle-repo.ts';
import { createSyncUsage } from '../sync/usage.ts';
import { type Base, defineService } from './service.ts';
import { openConsentProviders } from './sync-consents.ts';
import { createSyncMails } from './sync-mails.ts';
import { sheetsOperation, shopifyOperation, tracedFetch } from './traced.ts';

type SyncDeps = Pick<
  Base,
  'database' | 'queue' | 'config' | 'log' | 'mail' | 'metrics' | 'tracing' | 'now'
> & {
  readonly entitlements: Entitlements;
  /** The public addresses of files of an account. */
  readonly addressesOf: (
    accountId: string,
    references: readonly string[],
  ) => ReturnType<NonNullable<Sides['addressesOf']>>;
  /** The public address of a picture of the demo store. */
  readonly demoPictureAddress: (name: string) => string | undefined;
};

/** The demo store runs in this process, so its rate limit needs no coordination. */
const UNTHROTTLED: Throttles = { take: async () => 0, learn: async () => {} };

/** Keeps stores and sheets in sync. */
export function wireSync(deps: SyncDeps) {
  const { database, queue, config, log, mail, metrics, tracing, now } = deps;
  const { entitlements, addressesOf, demoPictureAddress } = deps;
  const { sql, background, engine } = database;
  const { encryptionKey, dataDir, syncDemo } = config;
  const box = createSecretBox({ key: secretBoxKey({ encryptionKey, engine, dataDir }) });
  const providers = openConsentProviders(config, now);
  const grants = createGrants({ sql, box, providers, log, now });
  const { demo, openStore, openSheet } = openSides({
    ...{ sql, config, tracing, now, demoPictureAddress },
    lend: grants.lend,
  });
  const connecting = { sql, box, entitlements, demo: syncDemo, releaseGrant: grants.release };
  const stores = createStores({ ...connecting, openStore, appSecret: config.shopifyClientSecret });
  const hasClient = config.googleClientId !== undefined && config.googleClientSecret !== undefined;
  const sheets = createSheets({ ...connecting, openSheet, hasClient, now });
  const picks = config.googleAccess === 'picked';
  const consents = createConsents({ sql, providers, grants, stores, sheets, picks });
  const configs = createConfigs({ sql, entitlements, now, realtimeSaved: () => void subscribe() });
  const notices = createAutomationNotices({ sql, log, tell: createSyncMails({ sql, mail, log, config }) });
  const writeRows = engine === 'embedded' ? EMBEDDED_WRITE_ROWS : WRITE_ROWS;
  const runs = createRuns({
    sql,
    background,
    queue,
    planner: createPlanner({ sql: background, writeRows }),
    writeRows,
    settingsOf: configs.settingsOf,
    openSides: sidesOf,
    async connectionFailed({ account_id, store_id, sheet_id, started_at }, side, { key, params }) {
      const [connections, id] = side === 'store' ? [stores, store_id] : [sheets, sheet_id];
      await connections.markReconnect(account_id, id, started_at);
      await notices.connectionPaused(account_id, id, { key, params });
    },
    runSettled: notices.runSettled,
    now: () => new Date(now()),
    log,
    metrics,
    tracing,
  });
  const { due, makeDue, makeStoreDue } = configs;
  const scheduler = createScheduler({ due, makeDue, runs, log, now });
  const subscriptions = createSubscriptions({ stores, publicUrl: config.publicUrl, log, now });
  const webhooks = createStoreWebhooks({
    sql,
    stores,
    makeStoreDue,
    storePaused: notices.connectionPaused,
    endGrant: grants.end,
    appSecret: config.shopifyClientSecret,
    log,
    now,
  });

  const api = {
    stores,
    sheets,
    consents,
    grants,
    configs,
    runs,
    demo,
    connectDemo: createConnectDemo({ stores, sheets }),
    webhooks,
    usage: createSyncUsage({ sql, entitlements }),
    /** Starts workers for runs in this process. */
    start: () => runs.start(),
    /** Starts the runs that are due; call every half minute. */
    work: scheduler.work,
    async sweep(): Promise<void> {
      await Promise.all([
        runs.sweep(),
        webhooks.sweep(),
        subscriptions.renew(),
        grants.sweep(),
        consents.sweep(),
        deleteIdle(sql),
      ]);
    },
    async close(): Promise<void> {
      await scheduler.stop();
      await runs.close();
    },
  };
  return defineService({
    api: { sync: api },
    listeners: [
      { channel: 'sync_runs', onNotify: runs.onNotify, onReconnect: runs.onReconnect },
      { channel: 'sync_due', onNotify: scheduler.onDue },
    ],
    jobs: { hourly: { sync: api.sweep }, frequent: { sync: api.work } },
    retained: [{ kind: 'sync_runs', rows: runs }],
    exporters: [
      exportPages('sync_stores', stores.list),
      exportPages('sync_sheets', sheets.list),
      exportPages('sync_configs', configs.list),
    ],
    close: api.close,
  });

  /** A store tells of changes from now on, not from the next hour on. */
  async function subscribe(): Promise<void> {
    await subscriptions
      .renew()
      .catch((error: unknown) => log.warn({ err: error }, 'webhooks are subscribed within the hour'));
  }

  async function sidesOf({ account_id, store_id, sheet_id, settings }: Run, away?: Away): Promise<Sides> {
    const { client: store, store: shop } = await stores.openFor(account_id, store_id, away);
    const { client: sheet, sheet: tab } = await sheets.openFor(account_id, sheet_id, away);
    return {
      store,
      sheet,
      locationId: settings.options.location_id ?? shop.location_id,
      currency: shop.currency,
      tab: tab.tab,
      addressesOf: (references) => addressesOf(account_id, references),
    };
  }
}

/** Clients for stores and sheets: the real services, or the account's demo if it is enabled. */
function openSides({
  sql,
  config,
  tracing,
  now,
  lend,
  demoPictureAddress,
}: { sql: Sql; config: Config; lend: LendTokens } & Pick<
  SyncDeps,
  'tracing' | 'now' | 'demoPictureAddress'
>) {
  const {
    shopifyApiVersion: apiVersion,
    googleClientId: clientId,
    googleClientSecret: clientSecret,
  } = config;
  const real = createShopifyStores({
    apiVersion,
    baseUrl: config.shopifyBaseUrl,
    throttles: createThrottleStore(sql),
    fetch: tracedFetch('shopify', shopifyOperation, tracing),
    lend,
  });
  const google = createGoogleSheets({
    ...{ clientId, clientSecret, lend, now },
    baseUrl: config.googleBaseUrl,
    fetch: tracedFetch('sheets', sheetsOperation, tracing),
  });
  const demo = createDemo({
    sql,
    enabled: config.syncDemo,
    createStore: async (state) =>
      (await import('../emulators/shopify/demo.ts')).createDemoShop(state, demoPictureAddress),
    createSheet: async (state) => (await import('../emulators/sheets/demo.ts')).createDemoSheet(state),
    storesWith: (fetch) => createShopifyStores({ apiVersion, throttles: UNTHROTTLED, fetch }).open,
    sheetsWith: (fetch) => createGoogleSheets({ fetch }).open,
  });
  const openStore: OpenStore = (shop) =>
    shop.domain === DEMO_DOMAIN ? demo.openStore(shop) : real.open(shop);
  const openSheet: OpenSheet = (sheet) =>
    sheet.spreadsheetId === DEMO_SPREADSHEET ? demo.openSheet(sheet) : google.open(sheet);
  return { demo, openStore, openSheet };
}
