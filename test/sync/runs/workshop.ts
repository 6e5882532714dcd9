import { pino } from 'pino';
import type { Fault } from '../../../src/errors.ts';
import type { Database, Sql, Tx } from '../../../src/platform/database.ts';
import { type Mapping, SyncSettings } from '../../../src/sync/config.ts';
import { createPlanner } from '../../../src/sync/plan/create-planner.ts';
import type { Sides } from '../../../src/sync/plan/planner.ts';
import type { StoreVariant } from '../../../src/sync/ports/store-client.ts';
import { createRuns } from '../../../src/sync/runs/create-runs.ts';
import type { Run } from '../../../src/sync/runs/run.ts';
import type { NewRun, Runs } from '../../../src/sync/runs/runs.ts';
import type { TestDatabase } from '../../support/database.ts';
import { createLocalSheet, type LocalCell, type LocalSheet } from '../support/local-sheet.ts';
import { createLocalStore, type LocalStore, PLACE } from '../support/local-store.ts';

export const caller = { accountId: 'acc_test', actor: 'test', locale: 'en' } as const;
export const CONFIG = 'cfg_test';

export const STOCK: readonly Mapping[] = [
  { sheet_column: 'SKU', store_field: 'sku' },
  { sheet_column: 'Stock', store_field: 'inventory_quantity' },
];
export const PRICES: readonly Mapping[] = [...STOCK, { sheet_column: 'Price', store_field: 'price' }];

type SettingsInput = {
  readonly direction: SyncSettings['direction'];
  readonly mappings?: readonly Mapping[];
  readonly options?: Partial<SyncSettings['options']>;
};

/** A store and a sheet in memory, connected to the account of `caller`. */
export type Shop = {
  readonly store: LocalStore;
  readonly sheet: LocalSheet;
  settings: SyncSettings;
  /** What was told of sides that refuse their credentials. */
  readonly refused: string[];
  now: () => Date;
  sides: () => Sides;
  set(settings: SettingsInput): void;
};

type ShopOptions = {
  readonly variants: readonly (Partial<StoreVariant> & { readonly sku: string | null })[];
  readonly rows: readonly (readonly LocalCell[])[];
  readonly settings: SettingsInput;
};

export function openShop({ variants, rows, settings }: ShopOptions): Shop {
  const store = createLocalStore({ variants });
  const sheet = createLocalSheet({ rows });
  const shop: Shop = {
    store,
    sheet,
    settings: settingsOf(settings),
    refused: [],
    now: () => new Date(),
    sides: () => ({
      store: store.client,
      sheet: sheet.client,
      locationId: PLACE.id,
      currency: 'EUR',
      tab: sheet.tab,
    }),
    set(next) {
      shop.settings = settingsOf(next);
    },
  };
  return shop;
}

function settingsOf({ direction, mappings = STOCK, options = {} }: SettingsInput): SyncSettings {
  // No safety limit stops a run of a handful of rows, unless a test asks for one.
  const safety_limits = {
    changed_percent: 100,
    zeroed_percent: 100,
    shrunk_percent: 100,
    price_percent: 100,
  };
  return SyncSettings.parse({ direction, mappings, options: { safety_limits, ...options } });
}

/** The account, with one configuration of one store and one sheet. */
export async function openAccount({ sql }: Pick<Database, 'sql'>): Promise<void> {
  await sql`insert into accounts (id, name) values (${caller.accountId}, 'Test') on conflict do nothing`;
  await sql`
    insert into sync_stores (id, account_id, domain, credentials, token_hint, name, currency, location_id)
    values ('sto_test', ${caller.accountId}, 'local.myshopify.com', '', '', 'Local', 'EUR', ${PLACE.id})`;
  await sql`
    insert into sync_sheets (id, account_id, spreadsheet_id, name, sheet_name, credentials, token_hint)
    values ('she_test', ${caller.accountId}, 'local', 'Local', 'Sheet1', '', '')`;
  await sql`
    insert into sync_configs (id, account_id, store_id, sheet_id, direction, mappings, options)
    values (${CONFIG}, ${caller.accountId}, 'sto_test', 'she_test', 'two_way', '[]', '{}')`;
}

/** Has the configuration be what the shop is synced by now. */
export async function configure({ sql }: { sql: Sql | Tx }, { settings }: Shop): Promise<void> {
  const { direction, mappings, options } = settings;
  await sql`
    update sync_configs set direction = ${direction}, mappings = ${sql.json(mappings)}, options = ${sql.json(options)}
    where id = ${CONFIG}`;
}

/** What runs are made of in a test; its store and sheet are those of `shop`. */
export function partsOf(database: Pick<Database, 'sql' | 'engine'>, shop: Shop) {
  return {
    database,
    planner: createPlanner({ sql: database.sql }),
    openSides: async () => shop.sides(),
    connectionFailed: async (_run: Run, side: string, fault: Fault) => {
      shop.refused.push(`${side} ${fault.key}`);
    },
    async settingsOf(_accountId: string, _configId: string, within?: Tx) {
      await configure({ sql: within ?? database.sql }, shop);
      return { store_id: 'sto_test', sheet_id: 'she_test', settings: shop.settings };
    },
    now: () => shop.now(),
    log: pino({ level: 'silent' }),
  };
}

export type Node = {
  readonly runs: Runs;
  /** Begins a run and waits for it. */
  sync(order?: Partial<NewRun>): Promise<Run>;
  end(run: Run): Promise<Run>;
  stop(): Promise<void>;
};

/** Runs as one process has them. */
export async function openNode(database: TestDatabase, shop: Shop): Promise<Node> {
  const runs = createRuns({ ...partsOf(database, shop), limits: { graceMs: 100 } });
  const listener = await database.sql.listen('sync_runs', runs.heard, runs.heardAgain);
  await runs.start();
  const end = (run: Run) => runs.wait(caller.accountId, run.id, AbortSignal.timeout(50_000), 50_000);
  return {
    runs,
    end,
    sync: async (order = {}) => end(await runs.create(caller, { config_id: CONFIG, ...order })),
    async stop() {
      await runs.close();
      await listener.unlisten();
    },
  };
}

/** The quantity of each SKU in the store. */
export function stock({ store }: Shop): Record<string, number | null> {
  return Object.fromEntries(store.all().map(({ sku, available }) => [sku ?? '', available]));
}

/** What the sheet says, without its header. */
export function sheetRows({ sheet }: Shop): unknown[][] {
  return sheet.rows().slice(1);
}

/** How the run went, in short. */
export function gist({ status, counts, errors }: Run) {
  return { status, changed: counts.changed, failed: counts.failed, errors };
}
