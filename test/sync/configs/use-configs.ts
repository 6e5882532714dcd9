import { afterAll, beforeAll, beforeEach } from 'vitest';
import type { ConfigChange, ConfigRequest } from '../../../src/sync/configs/config-change.ts';
import { openTestDatabase, type TestDatabase } from '../../support/database.ts';
import { openWorkshop, type Workshop } from '../../support/sync-connections.ts';

export const NOW = Date.parse('2026-11-21T12:00:00Z');
export const at = (minutes: number) => new Date(NOW + minutes * 60_000);

export const SKU = { sheet_column: 'SKU', store_field: 'sku' } as const;
export const STOCK = { sheet_column: 'Stock', store_field: 'inventory_quantity' } as const;
export const PRICE = { sheet_column: 'Price', store_field: 'price' } as const;

/** For each test an account with a store and a sheet, and what a person does with their configurations. */
export function useConfigs() {
  let database: TestDatabase;
  let shop: Workshop;
  let here: Awaited<ReturnType<Workshop['newPair']>>;

  beforeAll(async () => {
    database = await openTestDatabase();
  });
  afterAll(() => database.close());
  beforeEach(async () => {
    shop = openWorkshop(database, { now: () => NOW });
    here = await shop.newPair();
  });

  return {
    get database() {
      return database;
    },
    get shop() {
      return shop;
    },
    get here() {
      return here;
    },
    /** Empties the database. */
    async startOver(): Promise<void> {
      await database.reset();
      here = await shop.newPair();
    },
    create: (more: Partial<ConfigRequest> = {}) =>
      shop.configs.create(here.accountId, {
        ...here.pair,
        direction: 'two_way',
        mappings: [SKU, STOCK],
        ...more,
      }),
    update: (id: string, change: ConfigChange, ifMatch?: string[]) =>
      shop.configs.update(here.accountId, id, change, ifMatch),
  };
}
