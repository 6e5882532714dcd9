import type { Entitlements } from '../billing/entitlements.ts';
import type { Config } from '../config.ts';
import type { Database } from '../platform/database/database.ts';
import type { Log } from '../platform/log.ts';
import type { Queue } from '../platform/queue/queue.ts';
import { createSecretBox } from '../platform/secret-box.ts';
import { secretBoxKey } from '../platform/secret-box-key.ts';
import { createGoogleSheets } from '../providers/sheets.ts';
import { createShopifyStores } from '../providers/shopify.ts';
import { createScheduler } from '../sync/automation/scheduler.ts';
import { createSubscriptions } from '../sync/automation/subscriptions.ts';
import { createStoreWebhooks } from '../sync/automation/webhooks.ts';
import { createConfigs } from '../sync/configs/configs.ts';
import { createSheets } from '../sync/connections/sheets.ts';
import { createStores } from '../sync/connections/stores.ts';
import { createDemo, DEMO_DOMAIN, DEMO_SPREADSHEET } from '../sync/demo/demo.ts';
import { createPlanner, type Sides } from '../sync/plan/plan.ts';
import type { OpenSheet } from '../sync/ports/sheet-client.ts';
import type { OpenStore } from '../sync/ports/store-client.ts';
import type { Throttles } from '../sync/ports/throttles.ts';
import type { Run } from '../sync/runs/run.ts';
import { createRuns } from '../sync/runs/runs.ts';
import { createThrottleStore } from '../sync/throttle-repository.ts';
import { createSyncUsage } from '../sync/usage.ts';

type Parts = {
  readonly database: Database;
  readonly queue: Queue;
  readonly config: Config;
  readonly log: Log;
  readonly entitlements: Entitlements;
};

export type Sync = ReturnType<typeof composeSync>;

/** Nobody else asks the store that is in this process. */
const UNTHROTTLED: Throttles = { take: async () => 0, learn: async () => {} };

/** Stores and sheets kept in step. */
export function composeSync({ database, queue, config, log, entitlements }: Parts) {
  const { sql, engine } = database;
  const { encryptionKey, dataDir, syncDemo } = config;
  const box = createSecretBox({ key: secretBoxKey({ encryptionKey, engine, dataDir }) });
  const { demo, openStore, openSheet } = openSides(database, config);
  const stores = createStores({ sql, box, openStore, entitlements, demo: syncDemo });
  const sheets = createSheets({ sql, box, openSheet, entitlements, demo: syncDemo });
  const configs = createConfigs({ sql, entitlements });
  const runs = createRuns({
    sql,
    queue,
    planner: createPlanner({ sql }),
    settingsOf: configs.settingsOf,
    openSides: sidesOf,
    connectionFailed: ({ account_id, store_id, sheet_id, started_at }, side) =>
      side === 'store'
        ? stores.markReconnect(account_id, store_id, started_at)
        : sheets.markReconnect(account_id, sheet_id, started_at),
    log,
  });
  const { due, makeDue, makeStoreDue } = configs;
  const scheduler = createScheduler({ due, makeDue, runs, locale: config.defaultLanguage, log });
  const subscriptions = createSubscriptions({ stores, publicUrl: config.publicUrl, log });
  const webhooks = createStoreWebhooks({ sql, stores, makeStoreDue });

  return {
    stores,
    sheets,
    configs,
    runs,
    demo,
    webhooks,
    usage: createSyncUsage({ sql, entitlements }),
    /** Takes runs, and begins those that are due, in this process. */
    async start(): Promise<void> {
      await runs.start();
    },
    onDue: scheduler.onDue,
    work: scheduler.work,
    async sweep(): Promise<void> {
      await Promise.all([runs.sweep(), webhooks.sweep(), subscriptions.renew()]);
    },
    async close(): Promise<void> {
      await scheduler.stop();
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
  const demo = createDemo({
    sql,
    enabled: config.syncDemo,
    createStore: async (state) => (await import('../emulators/shopify/demo.ts')).createDemoShop(state),
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
