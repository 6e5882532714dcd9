import type { Entitlements } from '../billing/entitlements.ts';
import type { Config } from '../config.ts';
import { exportPages } from '../identity/account-export.ts';
import type { Sql } from '../platform/database/database.ts';
import { createSecretBox } from '../platform/secret-box.ts';
import { secretBoxKey } from '../platform/secret-box-key.ts';
import { createGoogleSheets } from '../providers/sheets.ts';
import { createShopifyStores } from '../providers/shopify.ts';
import { createSchedule } from '../sync/automation/schedule.ts';
import { createSubscriptions } from '../sync/automation/subscriptions.ts';
import { createWebhookStore } from '../sync/automation/webhook-store.ts';
import { createStoreWebhooks } from '../sync/automation/webhooks.ts';
import { createConfigs } from '../sync/connections/configs.ts';
import { DEMO_DOMAIN, DEMO_SPREADSHEET } from '../sync/connections/demo.ts';
import { createSheets } from '../sync/connections/sheets.ts';
import { createStores } from '../sync/connections/stores.ts';
import { createDemoStore } from '../sync/demo/demo-store.ts';
import { createDemos } from '../sync/demo/demos.ts';
import { createPlanner } from '../sync/plan/create-planner.ts';
import type { Sides } from '../sync/plan/planner.ts';
import type { OpenSheet } from '../sync/ports/open-sheet.ts';
import type { OpenStore } from '../sync/ports/open-store.ts';
import type { Throttles } from '../sync/ports/throttles.ts';
import { createRuns } from '../sync/runs/create-runs.ts';
import type { Run } from '../sync/runs/run.ts';
import { createThrottleStore } from '../sync/throttle-store.ts';
import { createSyncUsage } from '../sync/usage.ts';
import { type Base, defineService } from './service.ts';

type SyncDeps = Pick<Base, 'database' | 'config' | 'log'> & { readonly entitlements: Entitlements };

/** The demo store runs in this process, so its rate limit needs no coordination. */
const UNTHROTTLED: Throttles = { take: async () => 0, learn: async () => {} };

/** Keeps stores and sheets in sync. */
export function wireSync({ database, config, log, entitlements }: SyncDeps) {
  const { sql, engine } = database;
  const { encryptionKey, dataDir, syncDemo: demo } = config;
  const box = createSecretBox({ key: secretBoxKey({ encryptionKey, engine, dataDir }) });
  const { demos, openStore, openSheet } = openSides(sql, config);
  const stores = createStores({ sql, box, openStore, entitlements, demo });
  const sheets = createSheets({ sql, box, openSheet, entitlements, demo });
  const configs = createConfigs({ sql, entitlements });
  const runs = createRuns({
    database,
    planner: createPlanner({ sql }),
    settingsOf: configs.settingsOf,
    openSides: sidesOf,
    connectionFailed: ({ account_id, store_id, sheet_id, started_at }, side) =>
      side === 'store'
        ? stores.markReconnect(account_id, store_id, started_at)
        : sheets.markReconnect(account_id, sheet_id, started_at),
    log,
  });
  const { due, again, touch } = configs;
  const schedule = createSchedule({ due, again, runs, locale: config.defaultLanguage, log });
  const events = createWebhookStore(sql);
  const subscriptions = createSubscriptions({ stores, publicUrl: config.publicUrl, log });
  const webhooks = createStoreWebhooks({ events, stores, touch });

  const api = {
    stores,
    sheets,
    configs,
    runs,
    demos,
    webhooks,
    usage: createSyncUsage({ sql, entitlements }),
    /** Starts workers for runs in this process. */
    start: () => runs.start(),
    async sweep(): Promise<void> {
      await Promise.all([runs.sweep(), webhooks.sweep(), subscriptions.renew()]);
    },
    async close(): Promise<void> {
      await schedule.stop();
      await runs.close();
    },
  };
  return defineService({
    api: { sync: api },
    listeners: [
      { channel: 'sync_runs', onNotify: runs.onNotify, onReconnect: runs.onReconnect },
      { channel: 'sync_due', onNotify: schedule.onDue },
    ],
    jobs: { hourly: { sync: api.sweep }, frequent: { sync: schedule.work } },
    exporters: [
      exportPages('sync_stores', stores.list),
      exportPages('sync_sheets', sheets.list),
      exportPages('sync_configs', configs.list),
    ],
    close: api.close,
  });

  async function sidesOf({ account_id, store_id, sheet_id, settings }: Run): Promise<Sides> {
    const { client: store, store: shop } = await stores.openFor(account_id, store_id);
    const { client: sheet, sheet: tab } = await sheets.openFor(account_id, sheet_id);
    return {
      store,
      sheet,
      locationId: settings.options.location_id ?? shop.location_id,
      currency: shop.currency,
      tab: tab.tab,
    };
  }
}

/** Clients for stores and sheets: the real services, or the account's demo if it is enabled. */
function openSides(sql: Sql, config: Config) {
  const {
    shopifyApiVersion: apiVersion,
    googleClientId: clientId,
    googleClientSecret: clientSecret,
  } = config;
  const real = createShopifyStores({
    apiVersion,
    baseUrl: config.shopifyBaseUrl,
    throttles: createThrottleStore(sql),
  });
  const google = createGoogleSheets({ clientId, clientSecret, baseUrl: config.googleBaseUrl });
  const demos = createDemos({
    on: config.syncDemo,
    states: createDemoStore(sql),
    makeStore: async (state) => (await import('../sync/demo/demo-shop.ts')).createDemoShop(state),
    makeSheet: async (state) => (await import('../sync/demo/demo-sheet.ts')).createDemoSheet(state),
    storesOver: (fetch) => createShopifyStores({ apiVersion, throttles: UNTHROTTLED, fetch }).open,
    sheetsOver: (fetch) => createGoogleSheets({ fetch }).open,
  });
  const openStore: OpenStore = (shop) =>
    shop.domain === DEMO_DOMAIN ? demos.openStore(shop) : real.open(shop);
  const openSheet: OpenSheet = (sheet) =>
    sheet.spreadsheetId === DEMO_SPREADSHEET ? demos.openSheet(sheet) : google.open(sheet);
  return { demos, openStore, openSheet };
}
