import type { Entitlements } from '../billing/entitlements.ts';
import type { Config } from '../config.ts';
import type { Database } from '../platform/database/database.ts';
import type { Log } from '../platform/log.ts';
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

type Parts = {
  readonly database: Database;
  readonly config: Config;
  readonly log: Log;
  readonly entitlements: Entitlements;
};

export type Sync = ReturnType<typeof composeSync>;

/** Nobody else asks the store that is in this process. */
const UNTHROTTLED: Throttles = { take: async () => 0, learn: async () => {} };

/** Stores and sheets kept in step. */
export function composeSync({ database, config, log, entitlements }: Parts) {
  const { sql, engine } = database;
  const { encryptionKey, dataDir, syncDemo: demo } = config;
  const box = createSecretBox({ key: secretBoxKey({ encryptionKey, engine, dataDir }) });
  const { demos, openStore, openSheet } = openSides(database, config);
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

  return {
    stores,
    sheets,
    configs,
    runs,
    demos,
    webhooks,
    usage: createSyncUsage({ sql, entitlements }),
    /** Takes runs, and begins those that are due, in this process. */
    async start(): Promise<void> {
      await runs.start();
    },
    heardDue: schedule.onDue,
    work: schedule.work,
    async sweep(): Promise<void> {
      await Promise.all([runs.sweep(), webhooks.sweep(), subscriptions.renew()]);
    },
    async close(): Promise<void> {
      await schedule.stop();
      await runs.close();
    },
  };

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

/** What stores and sheets are reached through: the services, and the demo of each account where it is on. */
function openSides({ sql }: Database, config: Config) {
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
