import { createEntitlements } from '../../src/billing/entitlements.ts';
import { Fault } from '../../src/errors.ts';
import type { SyncPlan } from '../../src/plans.ts';
import { newId } from '../../src/platform/ids.ts';
import { createSecretBox } from '../../src/platform/secret-box.ts';
import { createConfigs } from '../../src/sync/configs/configs.ts';
import { createSheets } from '../../src/sync/connections/sheets.ts';
import { createStores } from '../../src/sync/connections/stores.ts';
import type { OpenSheet, RenewedTokens } from '../../src/sync/ports/sheet-client.ts';
import type { OpenStore } from '../../src/sync/ports/store-client.ts';
import type { TestDatabase } from './database.ts';
import { createLocalSheet, type LocalSheet } from './local-sheet.ts';
import { createLocalStore, type LocalStore, PLACE } from './local-store.ts';
import { givePlan } from './plans.ts';

export const signal = new AbortController().signal;

export type Workshop = ReturnType<typeof openWorkshop>;

/** Connections of one database over a store and a sheet in memory, which take every token but `revoked`. */
export function openWorkshop({ sql }: TestDatabase, { demo = true, now = Date.now } = {}) {
  const store: LocalStore = createLocalStore();
  const sheet: LocalSheet = createLocalSheet({
    rows: [
      ['SKU', 'Stock'],
      ['A-1', 5],
    ],
    locale: 'es_ES',
  });
  /** What clients were opened with, and what they were asked. */
  const opened: { stores: Parameters<OpenStore>[0][]; sheets: Parameters<OpenSheet>[0][] } = {
    stores: [],
    sheets: [],
  };
  /** A token that the spreadsheet renews when it is next asked. */
  const renewal: { next: RenewedTokens | undefined } = { next: undefined };

  const openStore: OpenStore = (shop) => {
    opened.stores.push(shop);
    const refuse = async () => {
      throw new Fault('store_unauthorized.token', { domain: shop.domain });
    };
    if (!('token' in shop.credentials) || shop.credentials.token !== 'revoked')
      return elsewhere(store.client);
    return { ...store.client, describe: refuse, locations: refuse };
  };
  const openSheet: OpenSheet = async (asked) => {
    opened.sheets.push(asked);
    const { credentials, onRefresh } = asked;
    const refuse = async () => {
      throw new Fault('sheet_unauthorized.token');
    };
    if ('accessToken' in credentials && credentials.accessToken === 'revoked')
      return { ...sheet.client, describe: refuse, read: refuse };
    if (renewal.next) await onRefresh?.(renewal.next);
    return sheet.client;
  };

  const box = createSecretBox({
    key: async () => Buffer.from('the-secret-of-this-server-kept-by-its-operator'),
  });
  const entitlements = createEntitlements({ sql });
  return {
    sql,
    store,
    sheet,
    opened,
    renewal,
    stores: createStores({ sql, box, openStore, entitlements, demo }),
    sheets: createSheets({ sql, box, openSheet, entitlements, demo }),
    configs: createConfigs({ sql, entitlements, now }),

    /** A new account on a plan. */
    async newAccount(plan: SyncPlan = 'pro_api'): Promise<string> {
      const id = newId('acc');
      await sql`insert into accounts (id, name, is_local) values (${id}, 'test', false)`;
      await this.setPlan(id, plan);
      return id;
    },

    setPlan: (accountId: string, plan: SyncPlan) =>
      givePlan({ database: { sql }, entitlements }, accountId, plan, 'sync'),

    connectStore(accountId: string, domain = 'my-shop.myshopify.com', token = 'shpat_0123456789abcdef') {
      return this.stores.connect(accountId, { domain, token }, signal);
    },

    connectSheet(accountId: string, spreadsheet = '1AbC_dEf-GhI', accessToken = 'ya29.0123456789') {
      const secrets = { accessToken, refreshToken: '1//refresh-0123456789' };
      return this.sheets.connect(accountId, { spreadsheet, sheetName: 'Sheet1', secrets }, signal);
    },

    /** A store and a sheet of a new account, and a configuration of them. */
    async newPair(plan: SyncPlan = 'pro_api') {
      const accountId = await this.newAccount(plan);
      const { id: storeId } = await this.connectStore(accountId);
      const { id: sheetId } = await this.connectSheet(accountId);
      return { accountId, storeId, sheetId, pair: { store_id: storeId, sheet_id: sheetId } };
    },

    /** A run of a configuration that is as far as `status`, and a row of its base. */
    async leaveRun(configId: string, status: string, startedAt: Date | null = null): Promise<string> {
      const id = newId('run');
      await sql`
        insert into sync_runs (id, account_id, config_id, store_id, sheet_id, tab, trigger, direction, status, settings,
          actor, locale, expires_at, dry_run, started_at)
        select ${id}, account_id, id, store_id, sheet_id, sheet_id, 'manual', direction, ${status}, '{}', 'test', 'en',
          now() + interval '30 minutes', ${status === 'awaiting_confirmation'}, ${startedAt}
        from sync_configs where id = ${configId}`;
      await sql`
        insert into sync_changes (run_id, seq, account_id, key, field, side, kind, batch)
        values (${id}, 1, 'acc', 'A-1', 'price', 'sheet', 'set', 1)`;
      await sql`
        insert into sync_read_store (run_id, seq, key, variant_id, product_id, item_id, vals)
        values (${id}, 1, 'A-1', 'v', 'p', 'i', '{}')`;
      return id;
    },

    async copyConfig(configId: string, times: number): Promise<void> {
      await sql`
        insert into sync_configs (id, account_id, store_id, sheet_id, direction, mappings, options, every_minutes, next_at)
        select id || n, account_id, store_id, sheet_id, direction, mappings, options, every_minutes, next_at
        from sync_configs, generate_series(1, ${times}::integer) n where id = ${configId}`;
    },

    async addWebhook(storeId: string, at: Date): Promise<void> {
      await sql`
        insert into sync_webhook_events (id, store_id, topic, received_at)
        values (${newId('evt')}, ${storeId}, 'products/update', ${at})`;
    },

    async leaveBase(configId: string): Promise<void> {
      await sql`
        insert into sync_base (config_id, key, variant_id, product_id, item_id, vals)
        values (${configId}, 'A-1', 'v', 'p', 'i', '{}')`;
    },

    async hasBase(configId: string): Promise<boolean> {
      return (await sql`select 1 from sync_base where config_id = ${configId}`).length > 0;
    },
  };
}

export const OTHER_PLACE = { id: 'gid://shopify/Location/2', name: 'Warehouse', isActive: true } as const;

/** The same store with a second location. */
function elsewhere(client: LocalStore['client']): LocalStore['client'] {
  return {
    ...client,
    describe: async (place, signal) =>
      place === OTHER_PLACE.id
        ? { ...(await client.describe(undefined, signal)), location: OTHER_PLACE }
        : client.describe(place, signal),
    locations: async () => [PLACE, OTHER_PLACE],
  };
}
