import { describe, expect, test } from 'vitest';
import { gist, sheetRows, stock, useRuns } from '../../support/sync-runs.ts';

const setup = useRuns();

const HEADER = ['SKU', 'Stock'];
const SKUS = Array.from({ length: 40 }, (_, nth) => `S${nth}`);

const filled = {
  variants: SKUS.map((sku) => ({ sku, available: 7 })),
  rows: [HEADER, ...SKUS.map((sku) => [sku, 1])],
  settings: { direction: 'store_to_sheet' },
} as const;

describe('a protected cell', () => {
  test('keeps its own row from being written, which is named, and no other', async () => {
    const shop = await setup.open(filled);
    shop.sheet.protect(13, 1);

    expect(gist(await setup.node.sync())).toEqual({
      status: 'partial',
      changed: 39,
      failed: 1,
      errors: [{ key: 'protected_cell', row: 13, sku: 'S11', field: 'inventory_quantity' }],
    });
    expect(sheetRows(shop)).toEqual(SKUS.map((sku) => [sku, sku === 'S11' ? 1 : 7]));
  });

  test('is written by the next run once it is no longer protected, and what was sold counts once', async () => {
    const shop = await setup.open({
      variants: [{ sku: 'A', available: 10 }],
      rows: [HEADER, ['A', 10]],
      settings: { direction: 'two_way' },
    });
    await setup.node.sync();
    shop.store.change('gid://shopify/ProductVariant/1', { available: 8 });
    shop.sheet.set(2, 1, 15);
    const release = shop.sheet.protect(2, 1);
    await setup.node.sync();
    expect([stock(shop), sheetRows(shop)]).toEqual([{ A: 13 }, [['A', 15]]]);
    release();
    expect(gist(await setup.node.sync())).toEqual({ status: 'succeeded', changed: 1, failed: 0, errors: [] });
    expect([stock(shop), sheetRows(shop)]).toEqual([{ A: 13 }, [['A', 13]]]);
  });

  test('of the status column leaves the run as it is', async () => {
    const shop = await setup.open({
      variants: [
        { sku: 'A', available: 3 },
        { sku: 'B', available: 4 },
      ],
      rows: [
        [...HEADER, 'Sync'],
        ['A', 5, ''],
        ['B', 6, ''],
      ],
      settings: { direction: 'sheet_to_store', options: { status_column: 'Sync' } },
    });
    shop.sheet.protect(2, 2);
    expect(gist(await setup.node.sync())).toEqual({ status: 'succeeded', changed: 2, failed: 0, errors: [] });
    expect(sheetRows(shop)).toEqual([
      ['A', 5],
      ['B', 6, 'ok'],
    ]);
  });
});

test('a protected column costs a limited number of writes, and all its rows are named', async () => {
  const shop = await setup.open(filled);
  for (const nth of SKUS.keys()) shop.sheet.protect(nth + 2, 1);

  const run = await setup.node.sync();
  expect(run).toMatchObject({ status: 'partial', counts: { changed: 0, failed: 40 } });
  expect(run.errors.map(({ key, row }) => [key, row])).toEqual(
    SKUS.map((_, nth) => ['protected_cell', nth + 2]),
  );
  expect(shop.sheet.log.filter(({ name }) => name === 'write').length).toBeLessThan(50);
});

test('a cell that was protected before it could be put back is tried once, and named', async () => {
  const shop = await setup.open({
    variants: Object.entries({ A: 1, B: 2, C: 7, D: 8 }).map(([sku, available]) => ({ sku, available })),
    rows: [HEADER, ['A', 1], ['B', 2], ['C', 3], ['D', 4]],
    settings: { direction: 'store_to_sheet' },
  });
  shop.sheet.before = ({ name }) => {
    if (name !== 'write') return;
    shop.sheet.before = () => {};
    for (const row of [2, 3]) shop.sheet.insertRow(row, []);
    shop.sheet.after = () => {
      shop.sheet.after = () => {};
      shop.sheet.protect(4, 1);
    };
  };
  const run = await setup.node.sync();

  expect(run.errors.filter(({ key }) => key === 'rows_moved')).toEqual([
    { key: 'rows_moved', row: 4, sku: 'A', field: 'inventory_quantity' },
  ]);
  expect(sheetRows(shop)).toEqual([[], [], ['A', 7], ['B', 2], ['C', 3], ['D', 4]]);
  const names = shop.sheet.log.map(({ name }) => name);
  expect(names.filter((name) => name === 'readAllEntered')).toHaveLength(3);
  const triedThere = shop.sheet.log.filter(
    (call) => call.name === 'write' && call.cells.length === 1 && call.cells[0]?.row === 4,
  );
  expect(triedThere).toHaveLength(1);
});
