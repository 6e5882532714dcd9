import { expect, test } from 'vitest';
import { caller, gist, PRICES, sheetRows, stock, useRuns } from '../../support/sync-runs.ts';

const setup = useRuns();

const HEADER = ['SKU', 'Stock'];
const ID = (nth: number) => `gid://shopify/ProductVariant/${nth}`;
const done = { status: 'succeeded', failed: 0, errors: [] };

test('the undo of a run to the store gives back what it changed, but not what has been sold or changed since', async () => {
  const shop = await setup.open({
    variants: [
      { sku: 'A', available: 1, price: '1.00' },
      { sku: 'B', available: 2, price: '2.00' },
      { sku: 'C', available: 3, price: '3.00' },
    ],
    rows: [
      [...HEADER, 'Price'],
      ['A', 11, 1.5],
      ['B', 12, 2.5],
      ['C', 13, 3.5],
    ],
    settings: { direction: 'sheet_to_store', mappings: PRICES },
  });
  const run = await setup.node.sync();
  shop.store.change(ID(2), { available: 7 });
  shop.store.change(ID(3), { price: '9.00' });

  const undone = await setup.node.end(await setup.node.runs.revert(caller, run.id));
  expect(undone).toMatchObject({ trigger: 'revert', reverts_run: run.id });
  expect(gist(undone)).toEqual({
    status: 'partial',
    changed: 1,
    failed: 2,
    errors: [
      { key: 'store_changed', row: 3, sku: 'B', field: 'inventory_quantity' },
      { key: 'store_changed', row: 4, sku: 'C', field: 'price' },
    ],
  });
  expect(shop.store.all().map(({ sku, available, price }) => [sku, available, price])).toEqual([
    ['A', 1, '1.00'],
    ['B', 7, '2.00'],
    ['C', 3, '9.00'],
  ]);
});

test('the undo of a run to the sheet clears the rows it appended, and the next run leaves that so', async () => {
  const shop = await setup.open({
    variants: [
      { sku: 'A', available: 1 },
      { sku: 'B', available: 2 },
    ],
    rows: [HEADER, ['B', 9]],
    settings: { direction: 'store_to_sheet' },
  });
  const run = await setup.node.sync();
  expect(sheetRows(shop)).toEqual([
    ['B', 2],
    ['A', 1],
  ]);
  expect(gist(await setup.node.end(await setup.node.runs.revert(caller, run.id)))).toEqual({
    ...done,
    changed: 2,
  });
  expect(sheetRows(shop)).toEqual([['B', 9]]);
  expect(gist(await setup.node.sync())).toEqual({
    status: 'succeeded',
    changed: 0,
    failed: 0,
    errors: [
      { key: 'reverted', params: { run: run.id }, row: 2, sku: 'B', field: 'inventory_quantity' },
      { key: 'reverted_row', params: { run: run.id }, sku: 'A', field: 'key' },
    ],
  });
  expect(sheetRows(shop)).toEqual([['B', 9]]);

  await setup.node.end(await setup.node.runs.retry(caller, run.id));
  expect(sheetRows(shop)).toEqual([
    ['B', 2],
    ['A', 1],
  ]);
  expect(gist(await setup.node.sync())).toEqual({ ...done, changed: 0 });
});

test('the undo of a run to the sheet gives cells back as they were entered, a number in a column of texts as a number', async () => {
  const entered = [
    ['A', 319803, ' Chairs '],
    ['B', '012345', 'Tables'],
    ['C', 173111, ''],
  ];
  const shop = await setup.open({
    variants: ['A', 'B', 'C'].map((sku) => ({ sku, title: 'Shelves', barcode: '645518' })),
    rows: [['SKU', 'Barcode', 'Title'], ...entered],
    settings: {
      direction: 'store_to_sheet',
      mappings: [
        { sheet_column: 'SKU', store_field: 'sku' },
        { sheet_column: 'Barcode', store_field: 'barcode' },
        { sheet_column: 'Title', store_field: 'title' },
      ],
    },
  });
  const run = await setup.node.sync();
  const written = ['A', 'B', 'C'].map((sku) => [sku, '645518', 'Shelves']);
  expect(sheetRows(shop)).toEqual(written);
  const undone = await setup.node.end(await setup.node.runs.revert(caller, run.id));
  expect(sheetRows(shop)).toEqual(entered.map((row) => row.filter((cell) => cell !== '')));
  await setup.node.end(await setup.node.runs.revert(caller, undone.id));
  expect(sheetRows(shop)).toEqual(written);
});

test('what was undone stays so at every run after it, until somebody changes it on one of the sides', async () => {
  const shop = await setup.open({
    variants: [
      { sku: 'A', price: '10.00' },
      { sku: 'B', price: '20.00' },
      { sku: 'C', price: '30.00' },
    ],
    rows: [
      ['SKU', 'Price'],
      ['A', 10],
      ['B', 20],
      ['C', 30],
    ],
    settings: {
      direction: 'two_way',
      mappings: PRICES.filter(({ store_field }) => store_field !== 'inventory_quantity'),
    },
  });
  const prices = () => [
    shop.store.all().map(({ price }) => price),
    sheetRows(shop).map(([, price]) => price),
  ];
  await setup.node.sync();
  shop.sheet.set(2, 1, 14.5);
  shop.sheet.set(3, 1, 24.5);
  shop.store.change(ID(3), { price: '34.50' });
  const run = await setup.node.sync();
  expect(prices()).toEqual([
    ['14.50', '24.50', '34.50'],
    [14.5, 24.5, 34.5],
  ]);

  const undone = await setup.node.end(await setup.node.runs.revert(caller, run.id));
  expect(gist(undone)).toEqual({ ...done, changed: 3 });
  const asBefore = [
    ['10.00', '20.00', '34.50'],
    [14.5, 24.5, 30],
  ];
  expect(prices()).toEqual(asBefore);
  for (const _ of ['the next run', 'the one after it']) {
    const held = (row: number, sku: string) => ({
      key: 'reverted',
      params: { run: run.id },
      row,
      sku,
      field: 'price',
    });
    expect(gist(await setup.node.sync())).toEqual({
      status: 'succeeded',
      changed: 0,
      failed: 0,
      errors: [held(2, 'A'), held(3, 'B'), held(4, 'C')],
    });
    expect(prices()).toEqual(asBefore);
  }

  shop.store.change(ID(1), { price: '11.00' });
  shop.sheet.set(3, 1, 22);
  shop.sheet.set(4, 1, 33);
  expect(gist(await setup.node.sync())).toEqual({ ...done, changed: 3 });
  expect(prices()).toEqual([
    ['11.00', '22.00', '33.00'],
    [11, 22, 33],
  ]);

  shop.sheet.set(2, 1, 14.5);
  expect(gist(await setup.node.sync())).toEqual({ ...done, changed: 1 });
  expect(shop.store.find(ID(1))).toMatchObject({ price: '14.50' });
  await expect(setup.node.runs.revert(caller, run.id)).rejects.toMatchObject({
    key: 'conflict.already_reverted',
    params: { run: undone.id },
  });
});

test('the undo of a merge gives each side its own back, and the next run does not merge again', async () => {
  const shop = await setup.open({
    variants: [{ sku: 'A', available: 10 }],
    rows: [HEADER, ['A', 10]],
    settings: { direction: 'two_way' },
  });
  await setup.node.sync();
  shop.store.change(ID(1), { available: 8 });
  shop.sheet.set(2, 1, 15);
  const merged = await setup.node.sync();
  expect([stock(shop), sheetRows(shop)]).toEqual([{ A: 13 }, [['A', 13]]]);

  expect(gist(await setup.node.end(await setup.node.runs.revert(caller, merged.id)))).toEqual({
    ...done,
    changed: 1,
  });
  expect([stock(shop), sheetRows(shop)]).toEqual([{ A: 8 }, [['A', 15]]]);
  await setup.node.sync();
  expect([stock(shop), sheetRows(shop)]).toEqual([{ A: 8 }, [['A', 15]]]);

  await setup.node.end(await setup.node.runs.retry(caller, merged.id));
  expect([stock(shop), sheetRows(shop)]).toEqual([{ A: 13 }, [['A', 13]]]);
});

test('an undo that is undone is synced as before it', async () => {
  const shop = await setup.open({
    variants: [{ sku: 'A', available: 10 }],
    rows: [HEADER, ['A', 10]],
    settings: { direction: 'two_way' },
  });
  await setup.node.sync();
  shop.sheet.set(2, 1, 15);
  const run = await setup.node.sync();
  const undone = await setup.node.end(await setup.node.runs.revert(caller, run.id));
  expect([stock(shop), sheetRows(shop)]).toEqual([{ A: 10 }, [['A', 15]]]);
  await setup.node.end(await setup.node.runs.revert(caller, undone.id));
  expect([stock(shop), sheetRows(shop)]).toEqual([{ A: 15 }, [['A', 15]]]);
  shop.sheet.set(2, 1, 10);
  expect(gist(await setup.node.sync())).toEqual({ ...done, changed: 1 });
  expect(stock(shop)).toEqual({ A: 10 });
});

test('a run whose undo was undone can be undone again', async () => {
  const shop = await setup.open({
    variants: [{ sku: 'A', available: 10 }],
    rows: [HEADER, ['A', 10]],
    settings: { direction: 'two_way' },
  });
  await setup.node.sync();
  shop.sheet.set(2, 1, 15);
  const run = await setup.node.sync();
  const undone = await setup.node.end(await setup.node.runs.revert(caller, run.id));
  await setup.node.end(await setup.node.runs.revert(caller, undone.id));
  await setup.node.end(await setup.node.runs.revert(caller, run.id));
  expect([stock(shop), sheetRows(shop)]).toEqual([{ A: 10 }, [['A', 15]]]);
  await expect(setup.node.runs.revert(caller, run.id)).rejects.toMatchObject({
    key: 'conflict.already_reverted',
  });
});

test('the undo of a merge after a sale changes neither side', async () => {
  const shop = await setup.open({
    variants: [{ sku: 'A', available: 10 }],
    rows: [HEADER, ['A', 10]],
    settings: { direction: 'two_way' },
  });
  await setup.node.sync();
  shop.store.change(ID(1), { available: 8 });
  shop.sheet.set(2, 1, 15);
  const merged = await setup.node.sync();
  shop.store.change(ID(1), { available: 12 });
  expect(gist(await setup.node.end(await setup.node.runs.revert(caller, merged.id)))).toMatchObject({
    status: 'partial',
    errors: [{ key: 'store_changed', sku: 'A' }],
  });
  expect([stock(shop), sheetRows(shop)]).toEqual([{ A: 12 }, [['A', 13]]]);
});

test('the undo of what changed nothing is refused', async () => {
  await setup.open({ variants: [], rows: [HEADER], settings: { direction: 'store_to_sheet' } });
  const run = await setup.node.sync();
  await expect(setup.node.runs.revert(caller, run.id)).rejects.toMatchObject({
    key: 'conflict.nothing_to_revert',
  });
  expect((await setup.node.runs.list(caller.accountId, { limit: 10 })).items.map(({ id }) => id)).toEqual([
    run.id,
  ]);
});
