import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Mapping } from '../../src/sync/config.ts';
import { openTestDatabase, type TestDatabase } from '../support/database.ts';
import { createReaper, execute, queueRun } from '../support/sync-crashes.ts';
import { openAccount, openShop, type Shop, sheetRows } from '../support/sync-runs.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

const MAPPINGS: readonly Mapping[] = [
  { sheet_column: 'SKU', store_field: 'sku' },
  { sheet_column: 'Title', store_field: 'title' },
  { sheet_column: 'Stock', store_field: 'inventory_quantity' },
];
const ROWS = [
  ['A', 'Mug', 3],
  ['B-S', 'Bowl', 2],
  ['B-L', 'Bowl', 4],
  ['C', 'Plate', 5],
];

async function opened(): Promise<Shop> {
  await database.reset();
  await openAccount(database);
  return openShop({
    variants: [{ sku: 'A', title: 'Mug', available: 3 }],
    rows: [['SKU', 'Title', 'Stock'], ...ROWS],
    settings: { direction: 'two_way', mappings: MAPPINGS, options: { create_products: true } },
  });
}

function ends({ store, sheet }: Shop): unknown {
  const variants = store.all().map(({ sku, handle, available }) => [sku, handle, available]);
  return { variants, rows: sheetRows({ sheet } as Shop) };
}

const EXPECTED = {
  variants: [
    ['A', 'product-1', 3],
    ['B-S', 'bowl', 1],
    ['B-L', 'bowl', 4],
    ['C', 'plate', 5],
  ],
  rows: ROWS.map(([sku, title, stock]) => [sku, title, sku === 'B-S' ? 1 : stock]),
};

/** A sale of what the run has created, once it is there. */
function sellOne({ store }: Shop): void {
  const bowl = store.all().find(({ sku }) => sku === 'B-S');
  if (bowl) store.change(bowl.variantId, { available: 1 });
}

test('a run that creates products and is killed at any moment creates each once, and loses no sale of them', async () => {
  const whole = await opened();
  const clean = createReaper();
  await execute(database, whole, { run: await queueRun(database, whole, 1), retry: 0, reaper: clean });
  expect(clean.passed()).toBeGreaterThan(20);

  const wrong: unknown[] = [];
  for (let at = 1; at <= clean.passed(); at++) {
    const shop = await opened();
    const run = await queueRun(database, shop, 1);
    await execute(database, shop, { run, retry: 0, reaper: createReaper(at) });
    sellOne(shop);
    await execute(database, shop, { run, retry: 1 });
    sellOne(shop);
    await execute(database, shop, { run: await queueRun(database, shop, 2), retry: 0 });
    if (!isDeepStrictEqual(ends(shop), EXPECTED)) wrong.push({ at, end: ends(shop) });
  }
  expect(wrong).toEqual([]);
}, 120_000);
