import { afterAll, beforeAll, expect, test } from 'vitest';
import { Fault } from '../../src/errors.ts';
import { openTestDatabase, type TestDatabase } from '../support/database.ts';
import { execute, knownBefore, queueRun } from '../support/sync-crashes.ts';
import { openAccount, openShop, type Shop, sheetRows, stock } from '../support/sync-runs.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await openTestDatabase();
  await openAccount(database);
});
afterAll(() => database.close());

const SKUS = ['A', 'B', 'C', 'D', 'E', 'F'];
const RUNS = 300;

test('300 runs of which every fourth call fails, before or after it has done its work, lose no unit of stock', async () => {
  const random = randomFrom(20_261_121);
  const expected = new Map(SKUS.map((sku) => [sku, 10_000]));
  const shop = openShop({
    variants: SKUS.map((sku) => ({ sku, available: 10_000 })),
    rows: [['SKU', 'Stock'], ...SKUS.map((sku) => [sku, 10_000])],
    settings: { direction: 'two_way' },
  });
  await knownBefore(database, Object.fromEntries(expected));
  const move = (sku: string, by: number) => expected.set(sku, (expected.get(sku) ?? 0) + by);
  const sell = () => {
    const nth = Math.floor(random() * SKUS.length);
    const variantId = `gid://shopify/ProductVariant/${nth + 1}`;
    const many = 1 + Math.floor(random() * 3);
    shop.store.change(variantId, { available: (shop.store.find(variantId)?.available ?? 0) - many });
    move(SKUS[nth] ?? '', -many);
  };

  let faults = 0;
  const stumble = (side: 'store' | 'sheet') => () => {
    if (random() > 0.125) return;
    faults += 1;
    throw side === 'store'
      ? new Fault('store_unavailable.no_answer', { domain: 'local' })
      : new Fault('sheet_unavailable.no_answer');
  };
  const trouble = () => {
    shop.store.before = (call) => {
      if (call.name === 'setQuantities' && random() < 0.2) sell();
      stumble('store')();
    };
    shop.store.after = stumble('store');
    shop.sheet.before = stumble('sheet');
    shop.sheet.after = stumble('sheet');
  };

  for (let nth = 1; nth <= RUNS; nth++) {
    if (random() < 0.4) sell();
    // What a person enters over a number that may have just been written cannot be told from it: see the next test.
    if (random() < 0.4 && (await isCalm())) receive(shop, random, move);
    trouble();
    await execute(database, shop, { run: await queueRun(database, shop, nth), retry: 0 });
  }
  calm(shop);
  for (let nth = 1; nth <= 3; nth++)
    await execute(database, shop, { run: await queueRun(database, shop, RUNS + nth), retry: 0 });

  const end = Object.fromEntries(expected);
  expect(stock(shop)).toEqual(end);
  expect(Object.fromEntries(sheetRows(shop).map(([sku, many]) => [sku, many]))).toEqual(end);
  expect(faults).toBeGreaterThan(150);
  const ends = await database.sql`select status, count(*)::int as count from sync_runs group by 1 order by 1`;
  expect(ends.find(({ status }) => status === 'succeeded')?.['count']).toBeGreaterThan(10);
}, 120_000);

test('a number entered over one whose writing got no answer is asked about, not added up', async () => {
  await database.reset();
  await openAccount(database);
  const shop = openShop({
    variants: [{ sku: 'A', available: 8 }],
    rows: [
      ['SKU', 'Stock'],
      ['A', 10],
    ],
    settings: { direction: 'two_way' },
  });
  await knownBefore(database, { A: 10 });
  shop.sheet.after = ({ name }) => {
    if (name === 'write') throw new Fault('sheet_unavailable.no_answer');
  };
  await execute(database, shop, { run: await queueRun(database, shop, 1), retry: 0 });
  calm(shop);
  shop.sheet.set(2, 1, 20);
  await execute(database, shop, { run: await queueRun(database, shop, 2), retry: 0 });

  const [run] = await database.sql`select status, errors from sync_runs where id = 'run_2'`;
  expect(run).toEqual({
    status: 'awaiting_confirmation',
    errors: [{ key: 'undecided', params: { count: 1 } }],
  });
  expect([stock(shop), sheetRows(shop)]).toEqual([{ A: 8 }, [['A', 20]]]);
});

/** No run has sent what it does not know to have arrived. */
async function isCalm(): Promise<boolean> {
  const rows = await database.sql`select id from sync_runs where counts ? 'sent'`;
  return rows.length === 0;
}

function calm({ store, sheet }: Shop): void {
  store.before = store.after = sheet.before = sheet.after = () => {};
}

/** Somebody enters in the sheet that more has come. */
function receive({ sheet }: Shop, random: () => number, move: (sku: string, by: number) => void): void {
  const nth = Math.floor(random() * SKUS.length);
  const many = 1 + Math.floor(random() * 50);
  sheet.set(nth + 2, 1, Number(sheet.rows()[nth + 1]?.[1]) + many);
  move(SKUS[nth] ?? '', many);
}

function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
