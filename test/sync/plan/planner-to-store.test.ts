import { describe, expect, test } from 'vitest';
import { counted, STOCK_HEADER, usePlans } from '../../support/sync-plans.ts';

const setup = usePlans();

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

  test('rows without a baseline are undecided until a side is named', async () => {
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
