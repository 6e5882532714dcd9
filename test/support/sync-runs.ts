import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import type { Fault } from '../../src/errors.ts';
import type { Database, Sql, Tx } from '../../src/platform/database/database.ts';
import { createQueue } from '../../src/platform/queue/queue.ts';
import { type Mapping, SyncSettings } from '../../src/sync/config.ts';
import { createPlanner, type Sides } from '../../src/sync/plan/plan.ts';
import type { StoreVariant } from '../../src/sync/ports/store-client.ts';
import type { Run } from '../../src/sync/runs/run.ts';
import { createRuns, type NewRun, type Runs } from '../../src/sync/runs/runs.ts';
import { openTestDatabase, type TestDatabase } from './database.ts';
import { createLocalSheet, type LocalCell, type LocalSheet } from './local-sheet.ts';
import { createLocalStore, type LocalStore, PLACE } from './local-store.ts';

export const caller = { accountId: 'acc_test', actor: 'test' } as const;
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
export function partsOf({ sql }: Pick<Database, 'sql'>, shop: Shop) {
  return {
    sql,
    planner: createPlanner({ sql }),
    openSides: async () => shop.sides(),
    connectionFailed: async (_run: Run, side: string, fault: Fault) => {
      shop.refused.push(`${side} ${fault.key}`);
    },
    async settingsOf(_accountId: string, _configId: string, within?: Tx) {
      await configure({ sql: within ?? sql }, shop);
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
  const parts = partsOf(database, shop);
  const queue = createQueue({ database, log: parts.log });
  const runs = createRuns({ ...parts, queue, limits: { gracePeriodMs: 100 } });
  const listener = await database.sql.listen('sync_runs', runs.onNotify, runs.onReconnect);
  await runs.start();
  const end = (run: Run) => runs.wait(caller.accountId, run.id, AbortSignal.timeout(50_000), 50_000);
  return {
    runs,
    end,
    sync: async (order = {}) => end(await runs.create(caller, { config_id: CONFIG, ...order })),
    async stop() {
      await runs.close();
      await queue.close();
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

/** The set-up of a test file about runs: a database with the account for each test, and the node that a test opens. */
export function useRuns() {
  let database: TestDatabase;
  let node: Node | undefined;
  beforeAll(async () => {
    database = await openTestDatabase();
  });
  beforeEach(async () => {
    await database.reset();
    await openAccount(database);
  });
  afterEach(async () => {
    await node?.stop();
    node = undefined;
  });
  afterAll(() => database.close());

  return {
    get database(): TestDatabase {
      return database;
    },
    /** The open node. */
    get node(): Node {
      if (!node) throw new Error('the test has opened no node');
      return node;
    },
    /** Starts a node for the shop; the test stops one that it has opened before. */
    async start(shop: Shop): Promise<Node> {
      node = await openNode(database, shop);
      return node;
    },
    /** Opens a shop and a node for it. */
    async open(...given: Parameters<typeof openShop>): Promise<Shop> {
      const shop = openShop(...given);
      await this.start(shop);
      return shop;
    },
  };
}
