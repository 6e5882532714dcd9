import { describe, expect, test } from 'vitest';
import { usePlans } from '../../support/sync-plans.ts';

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

const STOCK_HEADER = ['SKU', 'Stock'];

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

describe('sheet to store', () => {
  const direction = 'sheet_to_store';

  test('quantities go first, then other fields by product; each begins from what the store has', async () => {
    const { changes, counts } = await setup.workshop.plan({
      direction,
      columns: { SKU: 'sku', Price: 'price', Stock: 'inventory_quantity' },
      store: [
        { sku: 'A', price: '10.00', available: 1 },
        { sku: 'B', price: '5.00', available: 2 },
      ],
      sheet: [
        ['SKU', 'Price', 'Stock'],
        ['A', 12.5, 3],
        ['B', '5', 4],
      ],
    });
    expect(changes).toEqual([
      [1, 'A', 2, 'store set', 'inventory_quantity', '1', '3'],
      [1, 'B', 3, 'store set', 'inventory_quantity', '2', '4'],
      [2, 'A', 2, 'store set', 'price', '10.00', '12.50'],
    ]);
    expect(counts).toEqual(counted({ store_rows: 2, sheet_rows: 2, to_store: 2 }));
  });

  test('blank cells say nothing, unless they are meant', async () => {
    const given = {
      direction,
      columns: { SKU: 'sku', Barcode: 'barcode', Stock: 'inventory_quantity' },
      store: [{ sku: 'A', barcode: '123', available: 4 }],
      sheet: [['SKU', 'Barcode', 'Stock'], ['A']],
    } as const;
    const silent = await setup.workshop.plan(given);
    expect([silent.changes, silent.counts.unchanged]).toEqual([[], 1]);
    const meant = await setup.workshop.plan({ ...given, options: { blank_means: 'clear' } });
    expect(meant.changes).toEqual([[1, 'A', 2, 'store set', 'barcode', '123', null]]);
    expect(meant.errors).toEqual([{ key: 'cannot_clear', row: 2, sku: 'A', field: 'inventory_quantity' }]);
  });

  test('cells that cannot be used are errors, as is stock that the item is not kept at', async () => {
    const { changes, errors, counts } = await setup.workshop.plan({
      direction,
      store: [
        { sku: 'A', available: 1 },
        { sku: 'B', available: null },
        { sku: 'C', available: 1 },
      ],
      sheet: [STOCK_HEADER, ['A', 'many'], ['B', 5], ['C', -2]],
    });
    expect(changes).toEqual([]);
    const expected = 'expected.whole_number';
    const at = { field: 'inventory_quantity' };
    expect(errors).toEqual([
      { key: 'invalid_value', params: { value: 'many', expected }, row: 2, sku: 'A', ...at },
      { key: 'not_stocked', row: 3, sku: 'B', ...at },
      { key: 'invalid_value', params: { value: '-2', expected }, row: 4, sku: 'C', ...at },
    ]);
    expect(counts.skipped).toBe(3);
  });

  test('a weight keeps the unit it has, and grams are grams', async () => {
    const weight = { value: 1, unit: 'POUNDS' } as const;
    const pounds = await setup.workshop.plan({
      direction,
      columns: { SKU: 'sku', Weight: 'weight' },
      store: [{ sku: 'A', weight }, { sku: 'B' }],
      sheet: [
        ['SKU', 'Weight'],
        ['A', 2],
        ['B', 0.5],
      ],
    });
    expect(pounds.changes).toEqual([
      [1, 'A', 2, 'store set', 'weight', '1', '2', { unit: 'POUNDS' }],
      [1, 'B', 3, 'store set', 'weight', null, '0.5', { unit: 'KILOGRAMS' }],
    ]);
    const grams = await setup.workshop.plan({
      direction,
      columns: { SKU: 'sku', Grams: 'grams' },
      store: [{ sku: 'A', weight }],
      sheet: [
        ['SKU', 'Grams'],
        ['A', 500],
      ],
    });
    expect(grams.changes).toEqual([[1, 'A', 2, 'store set', 'grams', '454', '500', { unit: 'GRAMS' }]]);
  });

  test('the one row of a product whose title was changed tells it, where the others are as they were', async () => {
    const product = { productId: 'gid://shopify/Product/1', title: 'Old' };
    const { changes, errors } = await setup.workshop.plan({
      direction: 'two_way',
      columns: { SKU: 'sku', Title: 'title' },
      store: ['A1', 'A2', 'A3'].map((sku) => ({ sku, ...product })),
      sheet: [
        ['SKU', 'Title'],
        ['A1', 'Old'],
        ['A2', 'New'],
        ['A3', 'Old'],
      ],
      base: { A1: ['A1', 'Old'], A2: ['A2', 'Old'], A3: ['A3', 'Old'] },
    });
    expect(changes).toEqual([[1, 'A2', 3, 'store set', 'title', 'Old', 'New']]);
    expect(errors).toEqual([]);
  });

  test('a title of the store that many rows show counts as one change for the safety limits', async () => {
    const variants = Array.from({ length: 30 }, (_, nth) => `A${nth}`);
    const others = Array.from({ length: 70 }, (_, nth) => `B${nth}`);
    const titled = (sku: string, title: string) => ({
      sku,
      title,
      productId: `gid://shopify/Product/${sku[0]}`,
    });
    const { changes, safetyLimitsHit } = await setup.workshop.plan({
      direction: 'two_way',
      columns: { SKU: 'sku', Title: 'title' },
      store: [...variants.map((sku) => titled(sku, 'New')), ...others.map((sku) => titled(sku, 'Same'))],
      sheet: [
        ['SKU', 'Title'],
        ...variants.map((sku) => [sku, 'Old']),
        ...others.map((sku) => [sku, 'Same']),
      ],
      base: Object.fromEntries([
        ...variants.map((sku) => [sku, [sku, 'Old']]),
        ...others.map((sku) => [sku, [sku, 'Same']]),
      ]),
    });
    expect(changes).toHaveLength(30);
    expect(safetyLimitsHit).toEqual([]);
  });

  test('a product is told its title once, and not at all where its rows disagree', async () => {
    const product = (productId: string, title: string) => ({ productId, title });
    const { changes, errors } = await setup.workshop.plan({
      direction,
      columns: { SKU: 'sku', Title: 'title' },
      store: [
        { sku: 'A1', ...product('gid://shopify/Product/1', 'Old') },
        { sku: 'A2', ...product('gid://shopify/Product/1', 'Old') },
        { sku: 'B1', ...product('gid://shopify/Product/2', 'Same') },
        { sku: 'B2', ...product('gid://shopify/Product/2', 'Same') },
      ],
      sheet: [
        ['SKU', 'Title'],
        ['A1', 'New'],
        ['A2', 'New'],
        ['B1', 'Other'],
        ['B2', 'Same'],
      ],
    });
    expect(changes).toEqual([[1, 'A1', 2, 'store set', 'title', 'Old', 'New']]);
    expect(errors).toEqual([{ key: 'titles_differ', row: 4, sku: 'B1', field: 'title' }]);
  });

  test('stock that variants share is set once, and not at all where their rows disagree', async () => {
    const { changes, errors } = await setup.workshop.plan({
      direction,
      store: [
        { sku: 'A1', itemId: 'gid://shopify/InventoryItem/1', available: 1 },
        { sku: 'A2', itemId: 'gid://shopify/InventoryItem/1', available: 1 },
        { sku: 'B1', itemId: 'gid://shopify/InventoryItem/2', available: 1 },
        { sku: 'B2', itemId: 'gid://shopify/InventoryItem/2', available: 1 },
      ],
      sheet: [STOCK_HEADER, ['A1', 5], ['A2', 5], ['B1', 5], ['B2', 6]],
    });
    expect(changes).toEqual([[1, 'A1', 2, 'store set', 'inventory_quantity', '1', '5']]);
    expect(errors.map(({ key, row }) => [key, row])).toEqual([
      ['items_differ', 4],
      ['items_differ', 5],
    ]);
  });
});

describe('both directions', () => {
  const direction = 'two_way';
  const stock = (store: number | null, sheet: string | number, base?: string | null) =>
    ({
      direction,
      store: [{ sku: 'A', available: store }],
      sheet: [STOCK_HEADER, ['A', sheet]],
      base: base === undefined ? {} : { A: ['A', base] },
    }) as const;

  test('what one side changed goes to the other', async () => {
    expect((await setup.workshop.plan(stock(5, 3, '3'))).changes).toEqual([
      [1, 'A', 2, 'sheet set', 'inventory_quantity', '3', '5'],
    ]);
    expect((await setup.workshop.plan(stock(3, 5, '3'))).changes).toEqual([
      [1, 'A', 2, 'store set', 'inventory_quantity', '3', '5'],
    ]);
  });

  test('stock that both changed is added up: the store first, from what the sheet has', async () => {
    const { changes, counts } = await setup.workshop.plan(stock(90, 150, '100'));
    expect(changes).toEqual([
      [1, 'A', 2, 'store set', 'inventory_quantity', '90', '140', 'base 150'],
      [2, 'A', 2, 'sheet set', 'inventory_quantity', '150', '140', 'base 140'],
    ]);
    expect(counts).toEqual(counted({ store_rows: 1, sheet_rows: 1, to_store: 1, to_sheet: 1 }));
  });

  test('stock that would be less than none together is held, as is what is not to be added up', async () => {
    const negative = await setup.workshop.plan(stock(1, 2, '10'));
    expect(negative.changes).toEqual([
      [
        0,
        'A',
        2,
        'sheet set',
        'inventory_quantity',
        '2',
        '1',
        'conflict: negative_quantity',
        { quantity: -7 },
      ],
    ]);
    const held = await setup.workshop.plan({ ...stock(1, 2, '10'), options: { quantity_merge: false } });
    const params = { store: '1', sheet: '2' };
    expect(held.changes).toEqual([
      [0, 'A', 2, 'sheet set', 'inventory_quantity', '2', '1', 'conflict: conflict', params],
    ]);
    expect(held.errors).toEqual([{ key: 'conflict', params, row: 2, sku: 'A', field: 'inventory_quantity' }]);
    expect(held.counts).toEqual(counted({ store_rows: 1, sheet_rows: 1, conflicts: 1 }));
  });

  test('rows of which nothing is known are undecided until a side is named', async () => {
    const open = await setup.workshop.plan(stock(1, 2));
    expect([open.changes, open.undecided, open.counts]).toEqual([
      [],
      1,
      counted({ store_rows: 1, sheet_rows: 1 }),
    ]);
    const store = await setup.workshop.plan({ ...stock(1, 2), request: { initial: 'store' } });
    expect(store.changes.map(([, , , what, , , to]) => [what, to])).toEqual([['sheet set', '1']]);
    const sheet = await setup.workshop.plan({ ...stock(1, 2), request: { initial: 'sheet' } });
    expect(sheet.changes.map(([, , , what, , , to]) => [what, to])).toEqual([['store set', '2']]);
  });

  test('nothing of an undecided row is planned, whatever else there is', async () => {
    const { changes, undecided } = await setup.workshop.plan({
      direction,
      columns: { SKU: 'sku', Stock: 'inventory_quantity', Price: 'price' },
      store: [{ sku: 'A', available: 5, price: '2.00' }],
      sheet: [
        ['SKU', 'Stock', 'Price'],
        ['A', 3, 1],
      ],
      base: { A: ['A', '3', null] },
    });
    expect([changes, undecided]).toEqual([[], 1]);
  });

  test('a blank cell is filled, and a cell that cannot be used says so', async () => {
    expect((await setup.workshop.plan(stock(5, '', '5'))).changes).toEqual([
      [1, 'A', 2, 'sheet set', 'inventory_quantity', null, '5'],
    ]);
    const odd = await setup.workshop.plan(stock(5, 'x', '4'));
    expect([odd.changes, odd.errors.map(({ key }) => key)]).toEqual([[], ['invalid_value']]);
  });

  test('a cell of an item that is no longer stocked is emptied', async () => {
    expect((await setup.workshop.plan(stock(null, 5, '5'))).changes).toEqual([
      [1, 'A', 2, 'sheet set', 'inventory_quantity', '5', null],
    ]);
  });
});

describe('safety limits', () => {
  const items = Array.from({ length: 25 }, (_, nth) => ({ sku: `S${nth}`, available: 10 }));
  const rows = items.map(({ sku }) => [sku, 0]);
  const given = { direction: 'sheet_to_store', store: items, sheet: [STOCK_HEADER, ...rows] } as const;

  test('hold a plan that changes much, with both figures', async () => {
    const { safetyLimitsHit } = await setup.workshop.plan(given);
    expect(safetyLimitsHit).toEqual([
      { safety_limit: 'changed_percent', limit: 20, found: 100 },
      { safety_limit: 'zeroed_percent', limit: 5, found: 100 },
    ]);
  });

  test('hold a plan for a sheet that has lost rows', async () => {
    const { safetyLimitsHit } = await setup.workshop.plan({
      store: items.slice(0, 2),
      sheet: [STOCK_HEADER, ['S0', 10]],
      base: { S0: ['S0', '10'], S1: ['S1', '10'] },
    });
    expect(safetyLimitsHit).toEqual([{ safety_limit: 'shrunk_percent', limit: 30, found: 50 }]);
  });

  test('do not hold what a person has seen, nor the first run onto an empty tab', async () => {
    expect((await setup.workshop.plan({ ...given, request: { confirmed: true } })).safetyLimitsHit).toEqual(
      [],
    );
    expect((await setup.workshop.plan({ store: items, sheet: [] })).safetyLimitsHit).toEqual([]);
  });
});

function counted(some: object) {
  const none = { store_rows: 0, sheet_rows: 0, unchanged: 0, to_sheet: 0, appended: 0, to_store: 0 };
  return { ...none, conflicts: 0, skipped: 0, changed: 0, failed: 0, ...some };
}
