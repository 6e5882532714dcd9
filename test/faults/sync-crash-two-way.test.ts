import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../support/database.ts';
import { createReaper, execute, knownBefore, queueRun } from '../support/sync-crashes.ts';
import { openAccount, openShop, type Shop, sheetRows, stock } from '../support/sync-runs.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

const ID = (nth: number) => `gid://shopify/ProductVariant/${nth}`;

/** A shop after its first run, then changed on both sides; one more is sold just before the quantities are set. */
async function changedShop(): Promise<Shop> {
  await database.reset();
  await openAccount(database);
  const shop = openShop({
    variants: [
      { sku: 'A', available: 10 },
      { sku: 'B', available: 20 },
      { sku: 'C', available: 30 },
    ],
    rows: [
      ['SKU', 'Stock'],
      ['A', 10],
      ['B', 20],
      ['C', 30],
    ],
    settings: { direction: 'two_way' },
  });
  await knownBefore(database, { A: 10, B: 20, C: 30 });
  sell(shop, 1, 2);
  shop.sheet.set(2, 1, 15);
  shop.sheet.set(3, 1, 70);
  sell(shop, 3, 4);
  shop.store.add({ sku: 'D', available: 5 });
  let sold = false;
  shop.store.before = ({ name }) => {
    if (name !== 'setQuantities' || sold) return;
    sold = true;
    sell(shop, 2, 1);
  };
  return shop;
}

function sell({ store }: Shop, nth: number, many: number): void {
  store.change(ID(nth), { available: (store.find(ID(nth))?.available ?? 0) - many });
}

test('a run both ways that is killed at any moment loses nothing and applies nothing twice', async () => {
  const whole = await changedShop();
  const clean = createReaper();
  await execute(database, whole, { run: await queueRun(database, whole, 1), retry: 0, reaper: clean });
  const places = clean.passed();
  expect(places).toBeGreaterThan(20);

  const wrong: unknown[] = [];
  for (let at = 1; at <= places; at++) {
    const shop = await changedShop();
    const run = await queueRun(database, shop, 1);
    await execute(database, shop, { run, retry: 0, reaper: createReaper(at) });
    // Sales between the crash and the retry, while no worker has the run.
    sell(shop, 1, 1);
    sell(shop, 2, 1);
    await execute(database, shop, { run, retry: 1 });
    const follow = async (nth: number) =>
      execute(database, shop, { run: await queueRun(database, shop, nth), retry: 0 });
    await follow(2);
    const end = () => ({ stock: stock(shop), rows: sheetRows(shop) });
    if (!isDeepStrictEqual(end(), EXPECTED)) await follow(3);
    if (!isDeepStrictEqual(end(), EXPECTED)) wrong.push({ at, ...end() });
  }
  expect(wrong).toEqual([]);
}, 120_000);

/** A: 10 − 2 + 5 − 1. B: 20 + 50 − 1 − 1. C: 30 − 4. */
const EXPECTED = {
  stock: { A: 12, B: 68, C: 26, D: 5 },
  rows: [
    ['A', 12],
    ['B', 68],
    ['C', 26],
    ['D', 5],
  ],
};
