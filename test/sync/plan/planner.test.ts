import { describe, expect, test } from 'vitest';
import { counted, STOCK_HEADER, usePlans } from '../../support/sync-plans.ts';

const setup = usePlans();

describe('store to sheet', () => {
  test('an empty tab gets its header in row 1 and the rows below, in the order of the store', async () => {
    const { changes, counts, layout } = await setup.workshop.plan({
      store: [
        { sku: 'B', available: 2 },
        { sku: 'A', available: 1 },
      ],
      sheet: [],
    });
    expect(changes).toEqual([
      [1, '', 1, 'sheet append', 'sku', null, 'SKU'],
      [1, '', 1, 'sheet append', 'inventory_quantity', null, 'Stock'],
      [1, 'B', 2, 'sheet append', 'sku', null, 'B'],
      [1, 'B', 2, 'sheet append', 'inventory_quantity', null, '2'],
      [1, 'A', 3, 'sheet append', 'sku', null, 'A'],
      [1, 'A', 3, 'sheet append', 'inventory_quantity', null, '1'],
    ]);
    expect(counts).toEqual(counted({ store_rows: 2, to_sheet: 2, appended: 2 }));
    expect(layout).toMatchObject({ writes_header: true, header_row: 1, columns: [0, 1] });
  });

  test('cells that differ are set, the others are unchanged', async () => {
    const { changes, counts } = await setup.workshop.plan({
      store: [
        { sku: 'A', available: 5 },
        { sku: 'B', available: 7 },
      ],
      sheet: [
        ['SKU', 'Mine', 'Stock'],
        ['A', 'x', 4],
        ['B', 'y', 7],
      ],
    });
    expect(changes).toEqual([[1, 'A', 2, 'sheet set', 'inventory_quantity', '4', '5']]);
    expect(counts).toEqual(counted({ store_rows: 2, sheet_rows: 2, unchanged: 1, to_sheet: 1 }));
  });
});

test('a cell that shows what the store has is unchanged, although it could not be written there', async () => {
  const { changes } = await setup.workshop.plan({
    columns: { SKU: 'sku', Price: 'price', Stock: 'inventory_quantity' },
    store: [{ sku: 'A', price: '3.999', available: 2 }],
    sheet: [
      ['SKU', 'Price', 'Stock'],
      ['A', 3.999, 1],
    ],
  });
  expect(changes).toEqual([[1, 'A', 2, 'sheet set', 'inventory_quantity', '1', '2']]);
});

const link = (product: number, variant: number) =>
  `https://local.myshopify.com/admin/products/${product}/variants/${variant}`;

describe('rows that are not in the sheet or not in the store', () => {
  const store = [
    { sku: 'A', available: 1 },
    { sku: 'NEW', available: 9 },
  ];
  const sheet = [STOCK_HEADER, ['A', 1], ['GONE', 3]];

  test('are appended below all that the sheet has, and stale rows are kept', async () => {
    const { changes, counts } = await setup.workshop.plan({
      store,
      sheet: [...sheet, ['', '', 'a note of mine']],
    });
    expect(changes).toEqual([
      [1, 'NEW', 5, 'sheet append', 'sku', null, 'NEW'],
      [1, 'NEW', 5, 'sheet append', 'inventory_quantity', null, '9'],
    ]);
    expect(counts).toEqual(
      counted({ store_rows: 2, sheet_rows: 3, unchanged: 1, to_sheet: 1, appended: 1, skipped: 1 }),
    );
  });

  test('stale rows are cleared, where that is wanted', async () => {
    const { changes, counts } = await setup.workshop.plan({ store, sheet, options: { stale_rows: 'clear' } });
    expect(changes.slice(0, 2)).toEqual([
      [1, 'GONE', 3, 'sheet clear', 'sku', 'GONE', null],
      [1, 'GONE', 3, 'sheet clear', 'inventory_quantity', '3', null],
    ]);
    expect(counts.to_sheet).toBe(2);
  });

  test('stale rows are marked once, and no longer once their item is back', async () => {
    const text = 'The store has no item with this sku. Check its spelling, or delete the row.';
    const options = { stale_rows: 'mark', status_column: 'Status' } as const;
    const header = [...STOCK_HEADER, 'Status'];
    const first = await setup.workshop.plan({ store: [], sheet: [header, ['GONE', 3]], options });
    expect(first.changes).toEqual([[1, 'GONE', 2, 'sheet set', 'status', null, text]]);
    const second = await setup.workshop.plan({ store: [], sheet: [header, ['GONE', 3, text]], options });
    expect(second.changes).toEqual([]);
    const back = [{ sku: 'GONE', available: 3 }];
    const third = await setup.workshop.plan({ store: back, sheet: [header, ['GONE', 3, text]], options });
    expect(third.changes).toEqual([[1, 'GONE', 2, 'sheet set', 'status', text, null]]);
  });

  test('a new status column gets its header', async () => {
    const { changes } = await setup.workshop.plan({
      store: [{ sku: 'A', available: 1 }],
      sheet: [STOCK_HEADER, ['A', 1]],
      options: { status_column: 'Status' },
    });
    expect(changes).toEqual([[1, '', 1, 'sheet append', 'status', null, 'Status']]);
  });

  test('a row of which the store has nothing is an error towards the store', async () => {
    const { changes, counts, errors } = await setup.workshop.plan({
      direction: 'sheet_to_store',
      store,
      sheet,
    });
    expect(changes).toEqual([]);
    expect(errors).toEqual([
      { key: 'not_in_store', params: { key: 'sku' }, row: 3, sku: 'GONE', field: 'key' },
    ]);
    expect(counts).toEqual(counted({ store_rows: 2, sheet_rows: 2, unchanged: 1, skipped: 1 }));
  });

  test('in both directions the one is appended and the other is an error', async () => {
    const { changes, errors } = await setup.workshop.plan({ direction: 'two_way', store, sheet });
    expect(changes.map(([, key, row, what]) => [key, row, what])).toEqual([
      ['NEW', 4, 'sheet append'],
      ['NEW', 4, 'sheet append'],
    ]);
    expect(errors.map(({ key, row }) => [key, row])).toEqual([['not_in_store', 3]]);
  });
});

describe('the header', () => {
  test('that is not there is the only thing said, and nothing is planned', async () => {
    const { layout, counts, errors, changes } = await setup.workshop.plan({
      store: [{ sku: 'A' }],
      sheet: [['Name', 'Stock']],
    });
    expect({ layout, counts, errors, changes }).toEqual({
      layout: null,
      counts: counted({}),
      errors: [{ key: 'header_not_found', params: { columns: 'SKU', found: 'Name, Stock' } }],
      changes: [],
    });
  });

  test('of an empty tab is written in both directions, and is missing towards the store', async () => {
    const both = await setup.workshop.plan({ direction: 'two_way', store: [], sheet: [] });
    expect(both.changes.map(([, , row, what, field, , to]) => [row, what, field, to])).toEqual([
      [1, 'sheet append', 'sku', 'SKU'],
      [1, 'sheet append', 'inventory_quantity', 'Stock'],
    ]);
    const store = await setup.workshop.plan({ direction: 'sheet_to_store', store: [], sheet: [] });
    expect(store.errors.map(({ key }) => key)).toEqual(['header_not_found']);
  });

  test('gets a column of its own for a key that no field is mapped to', async () => {
    const { changes } = await setup.workshop.plan({
      columns: { Stock: 'inventory_quantity' },
      options: { key: 'handle', key_column: 'Handle' },
      store: [{ sku: 'A', handle: 'a-shirt', available: 4 }],
    });
    expect(changes).toEqual([
      [1, '', 1, 'sheet append', 'inventory_quantity', null, 'Stock'],
      [1, '', 1, 'sheet append', 'key', null, 'Handle'],
      [1, 'a-shirt', 2, 'sheet append', 'inventory_quantity', null, '4'],
      [1, 'a-shirt', 2, 'sheet append', 'key', null, 'a-shirt'],
    ]);
  });
});

describe('keys', () => {
  test('are found by their exact spelling, then without regard to case where that names one', async () => {
    const { changes } = await setup.workshop.plan({
      direction: 'sheet_to_store',
      store: [
        { sku: 'ABC', available: 1 },
        { sku: 'Xy', available: 1 },
        { sku: 'xY', available: 1 },
      ],
      sheet: [STOCK_HEADER, [' abc ', 2], ['Xy', 3], ['xY', 4]],
    });
    expect(changes.map(([, key, row, what, , from, to]) => [key, row, what, from, to])).toEqual([
      ['ABC', 2, 'store set', '1', '2'],
      ['Xy', 3, 'store set', '1', '3'],
      ['xY', 4, 'store set', '1', '4'],
    ]);
  });

  test('are spelled as in the store where the sheet follows it', async () => {
    const { changes } = await setup.workshop.plan({
      store: [{ sku: 'ABC', available: 1 }],
      sheet: [STOCK_HEADER, ['abc', 1]],
    });
    expect(changes).toEqual([[1, 'ABC', 2, 'sheet set', 'sku', 'abc', 'ABC']]);
  });

  test('that several rows have are errors on each of them, and nothing is written for them', async () => {
    const { changes, errors, counts } = await setup.workshop.plan({
      store: [{ sku: 'A', available: 1 }],
      sheet: [STOCK_HEADER, ['A', 2], ['a', 3], ['A', 4]],
    });
    expect(changes).toEqual([]);
    expect(errors.map(({ key, params, row }) => [key, params?.['count'], row])).toEqual([
      ['duplicate_in_sheet', 2, 2],
      ['duplicate_in_sheet', 2, 4],
    ]);
    expect(counts).toEqual(counted({ store_rows: 1, sheet_rows: 3, skipped: 2 }));
  });

  test('that several variants have are errors on their row, or by themselves', async () => {
    const { changes, errors, counts } = await setup.workshop.plan({
      store: [{ sku: 'A' }, { sku: 'A' }, { sku: 'B' }, { sku: 'B' }, { sku: 'B' }],
      sheet: [STOCK_HEADER, ['A', 2]],
    });
    expect(changes).toEqual([]);
    expect(errors).toEqual([
      { key: 'duplicate_in_store', params: { key: 'sku', count: 2 }, row: 2, sku: 'A', field: 'key' },
      { key: 'duplicate_in_store', params: { key: 'sku', count: 3 }, sku: 'B', field: 'key' },
    ]);
    expect(counts).toEqual(counted({ store_rows: 5, sheet_rows: 1, skipped: 4 }));
  });

  test('that differ in case only, and cannot be told apart, are not appended either', async () => {
    const { changes, errors } = await setup.workshop.plan({
      store: [{ sku: 'ABC', available: 1 }],
      sheet: [STOCK_HEADER, ['abc', 2], ['Abc', 3]],
    });
    expect(changes).toEqual([]);
    expect(errors.map(({ key, row }) => [key, row])).toEqual([
      ['duplicate_in_sheet', 2],
      ['duplicate_in_sheet', 3],
    ]);
  });

  test('that are missing are errors, which name the product and where to find it; rows without any cell are none', async () => {
    const { changes, errors, counts } = await setup.workshop.plan({
      store: [{ sku: null, variantId: 'gid://shopify/ProductVariant/77', title: 'Mug' }, { sku: ' ' }],
      sheet: [STOCK_HEADER, [], ['', 4], ['', '', '']],
    });
    expect(changes).toEqual([]);
    expect(errors).toEqual([
      { key: 'missing_key_in_row', params: { key: 'sku' }, row: 3, field: 'key' },
      { key: 'missing_key', params: { key: 'sku', product: 'Mug', link: link(1, 77) }, field: 'key' },
      { key: 'missing_key', params: { key: 'sku', product: 'Product 2', link: link(2, 2) }, field: 'key' },
    ]);
    expect(counts).toEqual(counted({ store_rows: 2, sheet_rows: 1, skipped: 3 }));
  });

  test('more than a thousand errors are counted, but not kept', async () => {
    const rows = Array.from({ length: 1_200 }, (_, nth) => [`X${nth}`, 1]);
    const { errors, counts } = await setup.workshop.plan({
      direction: 'sheet_to_store',
      store: [],
      sheet: [STOCK_HEADER, ...rows],
    });
    expect([errors.length, counts.skipped]).toEqual([1_000, 1_200]);
  });
});
