import { z } from 'zod';
import { Fault } from '../../errors.ts';
import type { Sql } from '../../platform/database/database.ts';
import type { OpenSheet } from '../ports/sheet-client.ts';
import type { OpenStore } from '../ports/store-client.ts';

/** The store and the spreadsheet that work without an external account, and accept any token or none. */
export const DEMO_DOMAIN = 'demo.myshopify.com';
export const DEMO_SPREADSHEET = 'demo';

/** @throws Fault not_configured.sync_demo for a demo store or spreadsheet where the demo is disabled */
export function requireDemo(name: string, isEnabled: boolean): void {
  const isDemo = name === DEMO_DOMAIN || name === DEMO_SPREADSHEET;
  if (isDemo && !isEnabled) throw new Fault('not_configured.sync_demo');
}

/** An emulated service in this process. `fetch` handles requests; `snapshot` is its state as JSON data. */
export type DemoService = {
  readonly fetch: typeof fetch;
  snapshot(): unknown;
  restore(state: unknown): void;
  /** Sets the stock of an item. False when there is no such item. */
  setStock(sku: string, stock: number): boolean;
};

type DemoDeps = {
  readonly sql: Sql;
  /** False: no account has a demo, also not one that was connected before. */
  readonly enabled: boolean;
  /** Create a service, restored from `state` or new; loaded when first needed. */
  readonly createStore: (state: unknown) => Promise<DemoService>;
  readonly createSheet: (state: unknown) => Promise<DemoService>;
  readonly storesWith: (service: typeof fetch) => OpenStore;
  readonly sheetsWith: (service: typeof fetch) => OpenSheet;
};

/** The token the demo store accepts. */
export const DEMO_TOKEN = 'demo';

type DemoSide = 'store' | 'sheet';

type Demo = {
  /** Both throw Fault not_configured.sync_demo where the demo is disabled. */
  readonly openStore: OpenStore;
  readonly openSheet: OpenSheet;
  /** @throws Fault not_found.demo_item, not_configured.sync_demo */
  setStock(accountId: string, side: DemoSide, sku: string, stock: number): Promise<void>;
};

/**
 * A demo store and a demo spreadsheet for each account, reached through the same clients as the real ones. Their state is
 * in `sync_demos`: read before every request, so that changes from other processes count, and saved after a change.
 * In: requests of the clients. Out: responses of the emulators. Invariant: an account reaches its own demo alone,
 * whatever token it sends.
 */
export function createDemo(deps: DemoDeps): Demo {
  const { sql, enabled, storesWith, sheetsWith } = deps;

  return {
    // Whatever token was sent, the demo belongs to the account.
    openStore: async (shop) =>
      storesWith(await persistent(shop.accountId, 'store'))({ ...shop, credentials: { token: DEMO_TOKEN } }),
    openSheet: async (sheet) => sheetsWith(await persistent(sheet.accountId, 'sheet'))(sheet),

    async setStock(accountId, side, sku, stock) {
      const service = await open(side, await findState(sql, accountId, side));
      if (!service.setStock(sku, stock)) throw new Fault('not_found.demo_item', { sku });
      await saveState(sql, accountId, side, JSON.stringify(service.snapshot()));
    },
  };

  function open(side: DemoSide, state?: unknown): Promise<DemoService> {
    if (!enabled) throw new Fault('not_configured.sync_demo');
    return side === 'store' ? deps.createStore(state) : deps.createSheet(state);
  }

  /** Handles one request after the other. */
  async function persistent(accountId: string, side: DemoSide): Promise<typeof fetch> {
    const service = await open(side);
    let last: Promise<unknown> = Promise.resolve();
    const handle = async (...request: Parameters<typeof fetch>) => {
      const saved = await findState(sql, accountId, side);
      if (saved !== undefined) service.restore(saved);
      const before = JSON.stringify(service.snapshot());
      const response = await service.fetch(...request);
      const after = JSON.stringify(service.snapshot());
      if (after !== before) await saveState(sql, accountId, side, after);
      return response;
    };
    return (...request) => {
      const response = last.then(() => handle(...request));
      last = response.catch(() => {});
      return response;
    };
  }
}

const Row = z.object({ state: z.json() });

async function findState(sql: Sql, accountId: string, side: DemoSide): Promise<unknown> {
  const [row] = await sql`select state from sync_demos where account_id = ${accountId} and name = ${side}`;
  return row && Row.parse(row).state;
}

/** `state` is JSON. */
async function saveState(sql: Sql, accountId: string, side: DemoSide, state: string): Promise<void> {
  await sql`
    insert into sync_demos (account_id, name, state) values (${accountId}, ${side}, ${state}::text::jsonb)
    on conflict (account_id, name) do update set state = excluded.state, updated_at = now()`;
}
