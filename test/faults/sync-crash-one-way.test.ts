import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../support/database.ts';
import { createReaper, execute, queueRun } from '../support/sync-crashes.ts';
import { openAccount, openShop, PRICES, type Shop, sheetRows } from '../support/sync-runs.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

const HEADER = ['SKU', 'Stock', 'Price'];
const [FIRST, SECOND] = ['gid://shopify/ProductVariant/1', 'gid://shopify/ProductVariant/2'];

async function filling(): Promise<Shop> {
  return fresh({
    variants: [
      { sku: 'A', available: 1, price: '1.00' },
      { sku: 'B', available: 2, price: '2.00' },
      { sku: 'C', available: 3, price: '3.00' },
    ],
    rows: [HEADER, ['B', 9, 2], ['mine', 1, 1]],
    settings: { direction: 'store_to_sheet', mappings: PRICES },
  });
}

test('a run to the sheet that is killed at any moment writes every row, and each once', async () => {
  await everywhere(filling, (shop) => sheetRows(shop), {
    meanwhile: ({ store }) => store.change(SECOND, { available: 1 }),
    expected: [
      ['B', 1, 2],
      ['mine', 1, 1],
      ['A', 1, 1],
      ['C', 3, 3],
    ],
  });
}, 120_000);

/** A sale of the first just before its quantity is set. */
async function receiving(): Promise<Shop> {
  const shop = await fresh({
    variants: [
      { sku: 'A', available: 1, price: '1.00' },
      { sku: 'B', available: 2, price: '2.00' },
    ],
    rows: [HEADER, ['A', 50, 1.5], ['B', 2, 2.5]],
    settings: { direction: 'sheet_to_store', mappings: PRICES },
  });
  let sold = false;
  shop.store.before = ({ name }) => {
    if (name !== 'setQuantities' || sold) return;
    sold = true;
    shop.store.change(FIRST, { available: 0 });
  };
  return shop;
}

test('a run to the store that is killed at any moment arrives, and what the store changes during the run is seen', async () => {
  const told = ({ store }: Shop) => store.all().map(({ sku, available, price }) => [sku, available, price]);
  await everywhere(receiving, told, {
    meanwhile: ({ store }) => store.change(SECOND, { available: 1 }),
    // The sheet is right: the run that follows says so again.
    expected: [
      ['A', 50, '1.50'],
      ['B', 2, '2.50'],
    ],
  });
}, 120_000);

async function fresh(given: Parameters<typeof openShop>[0]): Promise<Shop> {
  await database.reset();
  await openAccount(database);
  return openShop(given);
}

/** Kills a run at each of its places, has it go on, and looks at what the run after it leaves. */
async function everywhere(
  make: () => Promise<Shop>,
  look: (shop: Shop) => unknown,
  { meanwhile, expected }: { meanwhile: (shop: Shop) => void; expected: unknown },
): Promise<void> {
  const whole = await make();
  const clean = createReaper();
  await execute(database, whole, { run: await queueRun(database, whole, 1), retry: 0, reaper: clean });
  expect(clean.passed()).toBeGreaterThan(20);

  const wrong: unknown[] = [];
  for (let at = 1; at <= clean.passed(); at++) {
    const shop = await make();
    const run = await queueRun(database, shop, 1);
    await execute(database, shop, { run, retry: 0, reaper: createReaper(at) });
    meanwhile(shop);
    await execute(database, shop, { run, retry: 1 });
    await execute(database, shop, { run: await queueRun(database, shop, 2), retry: 0 });
    if (!isDeepStrictEqual(look(shop), expected)) wrong.push({ at, end: look(shop) });
  }
  expect(wrong).toEqual([]);
}
