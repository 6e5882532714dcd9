import { beforeEach, describe, expect, test } from 'vitest';
import { Fault } from '../../../src/errors.ts';
import type { SyncSettings } from '../../../src/sync/config.ts';
import type { Run } from '../../../src/sync/runs/run.ts';
import { caller, gist, PRICES, type Shop, sheetRows, useRuns } from '../../support/sync-runs.ts';

const setup = useRuns();

const VARIANT = (nth: number) => `gid://shopify/ProductVariant/${nth}`;
const PRODUCT = (nth: number) => `gid://shopify/Product/${nth}`;
const ITEM = (nth: number) => `gid://shopify/InventoryItem/${nth}`;
const done = { status: 'succeeded', failed: 0, errors: [] };

/** Three items, in sync. */
async function openSynced(direction: SyncSettings['direction'] = 'two_way'): Promise<Shop> {
  const items = ['A', 'B', 'C'].map((sku) => ({ sku, available: 5, price: '1.00' }));
  const shop = await setup.open({
    variants: items,
    rows: [['SKU', 'Stock', 'Price'], ...items.map(({ sku }) => [sku, 5, 1])],
    settings: { direction, mappings: PRICES },
  });
  await setup.node.sync();
  shop.store.log.length = 0;
  return shop;
}

/** The run after webhooks that named these items. */
const syncItems = (...items: string[]): Promise<Run> =>
  setup.node.sync({ trigger: 'webhook', request: { items } });

/** What the runs have read of the store: `all`, or the ids of variants. */
const readsOf = ({ store }: Shop) =>
  store.log.flatMap((call) => {
    if (call.name === 'variants') return [call.ids.join()];
    return call.name === 'read' ? ['all'] : [];
  });

let shop: Shop;
beforeEach(async () => {
  shop = await openSynced();
});

describe('a run after webhooks that name items', () => {
  test('reads and writes only these, whatever else has changed', async () => {
    shop.store.change(VARIANT(2), { available: 4 });
    shop.store.change(VARIANT(3), { available: 1 });
    const run = await syncItems(ITEM(2));
    expect(gist(run)).toEqual({ ...done, changed: 1 });
    expect(run.counts).toMatchObject({ store_rows: 1, sheet_rows: 1, to_sheet: 1, unchanged: 0 });
    expect(readsOf(shop)).toEqual([VARIANT(2)]);
    expect(sheetRows(shop)).toEqual([
      ['A', 5, 1],
      ['B', 4, 1],
      ['C', 5, 1],
    ]);

    expect(gist(await setup.node.sync())).toEqual({ ...done, changed: 1 });
    expect(sheetRows(shop).at(-1)).toEqual(['C', 1, 1]);
  });

  test('adds up what both sides have changed, as any other run', async () => {
    shop.store.change(VARIANT(1), { available: 3 });
    shop.sheet.set(2, 1, 15);
    expect(gist(await syncItems(ITEM(1), PRODUCT(1)))).toEqual({ ...done, changed: 1 });
    expect([shop.store.find(VARIANT(1))?.available, sheetRows(shop)[0]]).toEqual([13, ['A', 13, 1]]);
    expect(gist(await setup.node.sync())).toEqual({ ...done, changed: 0 });
  });

  test('finds rows that were sorted or moved since', async () => {
    shop.store.change(VARIANT(1), { available: 4 });
    shop.sheet.set(2, 0, 'C');
    shop.sheet.set(4, 0, 'A');
    expect(gist(await syncItems(ITEM(1)))).toEqual({ ...done, changed: 1 });
    expect(sheetRows(shop).at(-1)).toEqual(['A', 4, 1]);
  });

  test('forgets nothing of what it has not read: no row counts as lost, and no status is written', async () => {
    shop.set({ direction: 'two_way', mappings: PRICES, options: { safety_limits: LIMITS } });
    shop.store.change(VARIANT(2), { available: 4 });
    expect(gist(await syncItems(ITEM(2)))).toEqual({ ...done, changed: 1 });
    const [base] = await setup.database.sql`select count(*)::int as rows from sync_base`;
    expect(base).toEqual({ rows: 3 });
  });
});

test('an automatic run that fails has the next one read all, since nothing is named again', async () => {
  const { sql } = setup.database;
  const later = () => sql`update sync_configs set full_at = now() + interval '1 day'`;
  const readsAll = async () => (await sql`select full_at is null as all from sync_configs`)[0];
  await later();
  await syncItems(ITEM(2));
  expect(await readsAll()).toEqual({ all: false });
  const { sides } = shop;
  shop.sides = () => {
    throw new Fault('store_unavailable.no_answer', { domain: 'shop' });
  };
  expect(await syncItems(ITEM(2))).toMatchObject({ status: 'failed' });
  expect(await readsAll()).toEqual({ all: true });
  await later();
  expect(await setup.node.sync()).toMatchObject({ status: 'failed' });
  expect(await readsAll()).toEqual({ all: false });
  shop.sides = sides;
});

const LIMITS = { changed_percent: 20, zeroed_percent: 20, shrunk_percent: 20, price_percent: 50 };

describe('all is read instead', () => {
  const readAll = async (...items: string[]) => {
    const run = await syncItems(...items);
    expect(run.request).toEqual({});
    return readsOf(shop).at(-1) === 'all' ? gist(run) : 'only the items';
  };

  test('where an item is new, and it is appended', async () => {
    shop.store.add({ sku: 'D', available: 9, price: '2.00' });
    expect(await readAll(PRODUCT(4))).toEqual({ ...done, changed: 1 });
    expect(sheetRows(shop).at(-1)).toEqual(['D', 9, 2]);
  });

  test('where a product has a new variant, and it is appended', async () => {
    shop.store.add({ sku: 'A-XL', available: 9, price: '2.00', productId: PRODUCT(1) });
    expect(await readAll(PRODUCT(1), VARIANT(1), VARIANT(4))).toEqual({ ...done, changed: 1 });
    expect(sheetRows(shop).at(-1)).toEqual(['A-XL', 9, 2]);
  });

  test('where an item is gone', async () => {
    shop.store.remove(VARIANT(2));
    expect(await readAll(PRODUCT(2))).toMatchObject({ errors: [{ key: 'not_in_store', sku: 'B' }] });
  });

  test('where an item has another key', async () => {
    shop.store.change(VARIANT(2), { sku: 'C' });
    expect(await readAll(PRODUCT(2))).toMatchObject({ errors: [{ key: 'duplicate_in_store' }, {}] });
  });

  test('where its row is gone, and is appended', async () => {
    shop.sheet.set(3, 0, 'X');
    expect(await readAll(PRODUCT(2))).toMatchObject({ errors: [{ key: 'not_in_store', sku: 'X' }] });
    expect(sheetRows(shop).at(-1)).toEqual(['B', 5, 1]);
  });

  test('where its key is in two rows', async () => {
    shop.sheet.set(3, 0, 'A');
    const twice = { key: 'duplicate_in_sheet', sku: 'A' };
    expect(await readAll(PRODUCT(1))).toMatchObject({ errors: [twice, twice] });
  });

  test('where a person has to decide, who then finds all that is open', async () => {
    for (const nth of [1, 2]) {
      shop.store.change(VARIANT(nth), { price: '2.00' });
      shop.sheet.set(nth + 1, 2, 3);
    }
    expect(await readAll(PRODUCT(1))).toMatchObject({ status: 'partial', changed: 0 });
    const open = async () => (await setup.node.runs.conflicts(caller.accountId, {})).map(({ key }) => key);
    expect(await open()).toEqual(['A', 'B']);
    shop.store.change(VARIANT(3), { available: 1 });
    expect(gist(await syncItems(ITEM(3)))).toEqual({ ...done, changed: 1 });
    expect(await open()).toEqual(['A', 'B']);
  });

  test('where a safety limit is exceeded', async () => {
    shop.set({ direction: 'two_way', mappings: PRICES, options: { safety_limits: LIMITS } });
    shop.store.change(VARIANT(1), { price: '1.00' });
    shop.sheet.set(2, 2, 9);
    expect(await syncItems(PRODUCT(1))).toMatchObject({
      status: 'awaiting_confirmation',
      safety_limits_hit: [{ safety_limit: 'price_percent' }],
    });
  });
});
