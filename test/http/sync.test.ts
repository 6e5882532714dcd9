import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ProductSeed } from '../../src/emulators/shopify/records.ts';
import { useRest } from '../support/server.ts';
import { HEADER, openPairs, type Pairs, shelf, stocked } from '../support/sync-pairs.ts';

let pairs: Pairs;
beforeAll(async () => {
  pairs = await openPairs();
});
afterAll(() => pairs.close());

const TO_SHEET = { direction: 'store_to_sheet' };
const TO_STORE = { direction: 'sheet_to_store' };

describe('store_to_sheet', () => {
  test('writes SKU and Stock from row 2, column A, and answers products_synced and errors', async () => {
    const pair = await pairs.open({ products: stocked({ 'MUG-1': 3, 'MUG-2': 0, '00731': 12 }) });
    expect(await pair.run(TO_SHEET)).toMatchObject({
      status: 200,
      body: {
        products_synced: 3,
        errors: [],
        run_id: expect.stringMatching(/^run_/),
        changed: 3,
        unchanged: 0,
        skipped: 0,
        status: 'succeeded',
      },
    });
    expect(pair.rows()).toEqual([HEADER, ['MUG-1', 3], ['MUG-2', 0], ['00731', 12]]);
    expect([pair.book.cell('Sheet1', 'A2'), pair.book.cell('Sheet1', 'B2')]).toEqual(['MUG-1', 3]);
  });

  test('writes nothing the second time, and reads the sheet once', async () => {
    const pair = await pairs.open({ products: stocked(shelf(60)) });
    await pair.run(TO_SHEET);
    const before = { writes: pair.writes(), mutations: pair.mutations() };
    expect((await pair.run(TO_SHEET)).body).toMatchObject({
      products_synced: 60,
      changed: 0,
      unchanged: 60,
      status: 'succeeded',
    });
    expect({ writes: pair.writes(), mutations: pair.mutations() }).toEqual(before);
  });

  test('finds rows by their SKU, leaves what else there is, and adds new ones below', async () => {
    const pair = await pairs.open({
      products: stocked({ A: 1, B: 2, C: 3 }),
      rows: [
        ['Shelf', 'Stock', 'SKU', 'Notes'],
        ['top', 9, 'B', 'fragile'],
        ['', '', '', ''],
        ['low', 1, 'A'],
      ],
    });
    expect((await pair.run(TO_SHEET)).body).toMatchObject({ products_synced: 3, errors: [] });
    expect(pair.rows()).toEqual([
      ['Shelf', 'Stock', 'SKU', 'Notes'],
      ['top', 2, 'B', 'fragile'],
      [],
      ['low', 1, 'A'],
      ['', 3, 'C'],
    ]);
  });

  test('never overwrites a formula, and says which cell has it', async () => {
    const pair = await pairs.open({ products: stocked({ A: 1, B: 2 }), rows: [HEADER, ['A', 0], ['B', 0]] });
    pair.book.type('Sheet1', 'B2', '=SUM(C2:D2)', 10);
    expect((await pair.run(TO_SHEET)).body).toMatchObject({
      status: 'partial',
      products_synced: 1,
      errors: [{ code: 'formula_cell', row: 2, sku: 'A', field: 'inventory_quantity' }],
    });
    expect(pair.book.cell('Sheet1', 'B2')).toMatchObject({ formula: '=SUM(C2:D2)' });
    expect(pair.rows()[2]).toEqual(['B', 2]);
  });
});

describe('sheet_to_store', () => {
  test('goes on after the first 250 products', async () => {
    const stock = shelf(620, 5);
    const rows = Object.keys(stock).map((sku, nth) => [sku, nth === 0 || nth === 600 ? 50 : 5]);
    const pair = await pairs.open({ products: stocked(stock), rows: [HEADER, ...rows] });
    expect((await pair.run(TO_STORE)).body).toMatchObject({
      products_synced: 620,
      changed: 2,
      unchanged: 618,
      errors: [],
    });
    expect(pair.stock()).toEqual({ ...stock, S001: 50, S601: 50 });
  });

  test('reads the tab that was connected, whatever has its name now', async () => {
    const pair = await pairs.open({ products: stocked({ A: 1 }), rows: [HEADER, ['A', 1]] });
    await pair.run(TO_STORE);
    pair.book.type('Sheet1', 'B2', 30);
    pair.book.renameTab('Sheet1', 'Stock');
    pair.book.addTab('Sheet1', [HEADER, ['A', 999]]);
    expect((await pair.run(TO_STORE)).body).toMatchObject({ status: 'succeeded', changed: 1 });
    expect(pair.stock()).toEqual({ A: 30 });
  });

  test('reads numbers as they are written there by now', async () => {
    const products = [{ title: 'Mug', variants: [{ sku: 'A', available: 1, price: '2.00' }] }];
    const pair = await pairs.open({
      products,
      rows: [
        ['SKU', 'Price'],
        ['A', 2],
      ],
      locale: 'en_US',
    });
    const config_id = await pair.config({
      ...TO_STORE,
      mappings: [
        { sheet_column: 'SKU', store_field: 'sku' },
        { sheet_column: 'Price', store_field: 'price' },
      ],
    });
    await pair.run({ config_id });
    pair.book.setLocale('de_DE');
    pair.book.type('Sheet1', 'B2', "'1,500");
    expect((await pair.run({ config_id })).body).toMatchObject({ status: 'succeeded', changed: 1 });
    expect(pair.shop.variants().map(({ price }) => price)).toEqual(['1.50']);
  });

  test('takes what a formula comes to', async () => {
    const pair = await pairs.open({ products: stocked({ A: 4 }), rows: [HEADER, ['A', 0]] });
    pair.book.type('Sheet1', 'B2', '=3*4', 12);
    expect((await pair.run(TO_STORE)).body).toMatchObject({ status: 'succeeded', changed: 1 });
    expect([pair.stock(), pair.book.cell('Sheet1', 'B2')]).toMatchObject([{ A: 12 }, { formula: '=3*4' }]);
  });

  test('leaves empty cells alone, and says which rows it has no item for', async () => {
    const pair = await pairs.open({
      products: stocked({ A: 4, B: 5 }),
      rows: [HEADER, ['A', ''], ['B', 6], ['X', 1], ['', 7]],
    });
    expect((await pair.run(TO_STORE)).body).toMatchObject({
      status: 'partial',
      products_synced: 2,
      errors: [
        {
          code: 'not_in_store',
          row: 4,
          sku: 'X',
          message: 'The store has no item with this sku. Check its spelling, or delete the row.',
        },
        {
          code: 'missing_key_in_row',
          row: 5,
          message: 'This row has no sku, so it is not synced. If this row is an item, enter its sku.',
        },
      ],
    });
    expect(pair.stock()).toEqual({ A: 4, B: 6 });
  });
});

describe('all fields', () => {
  const COLUMNS = {
    SKU: 'sku',
    Product: 'title',
    Price: 'price',
    Stock: 'inventory_quantity',
    Code: 'barcode',
    Weight: 'weight',
    Grams: 'grams',
    Ships: 'requires_shipping',
    Tax: 'taxable',
  };
  const mapped = (columns: readonly string[]) =>
    Object.entries(COLUMNS)
      .filter(([column]) => columns.includes(column))
      .map(([sheet_column, store_field]) => ({ sheet_column, store_field }));
  const ALL = Object.keys(COLUMNS);
  const product: ProductSeed = {
    title: '=HYPERLINK("https://evil.example")',
    variants: [
      {
        sku: '00042',
        price: '9.90',
        available: 7,
        barcode: '2000000000015',
        weight: { value: 1.5, unit: 'KILOGRAMS' },
        requiresShipping: true,
        taxable: false,
      },
    ],
  };

  test('go to the sheet, with a title that looks like a formula as plain text', async () => {
    const pair = await pairs.open({ products: [product] });
    const config_id = await pair.config({ ...TO_SHEET, mappings: mapped(ALL) });
    expect((await pair.run({ config_id })).body).toMatchObject({ products_synced: 1, errors: [] });
    expect(pair.rows()).toEqual([
      ALL,
      ['00042', '=HYPERLINK("https://evil.example")', 9.9, 7, '2000000000015', 1.5, 1500, true, false],
    ]);
    expect(pair.book.cell('Sheet1', 'B2')).toBe('=HYPERLINK("https://evil.example")');
    expect((await pair.run({ config_id })).body).toMatchObject({ unchanged: 1, changed: 0 });
  });

  test('come from the sheet, written as its language writes them', async () => {
    const columns = ALL.filter((column) => column !== 'Weight');
    const pair = await pairs.open({
      products: [product],
      locale: 'es_ES',
      rows: [columns, ['00042', '=Suma', '12,50', '8', '2000000000022', 900, 'FALSO', 'VERDADERO']],
    });
    const config_id = await pair.config({
      ...TO_STORE,
      mappings: mapped(columns),
      safety_limits: { price_percent: 100 },
    });
    expect((await pair.run({ config_id })).body).toMatchObject({ products_synced: 1, errors: [] });
    expect(pair.shop.variants()).toMatchObject([
      {
        sku: '00042',
        title: '=Suma',
        price: '12.50',
        available: 8,
        barcode: '2000000000022',
        weight: { value: 900, unit: 'GRAMS' },
        requiresShipping: false,
        taxable: true,
      },
    ]);
  });
});

test('weight comes from the sheet in the unit the store has for the item', async () => {
  const weighed = (sku: string, unit: 'KILOGRAMS' | 'POUNDS') => ({
    title: sku,
    variants: [{ sku, available: 1, weight: { value: 1, unit } }],
  });
  const pair = await pairs.open({
    products: [weighed('A', 'KILOGRAMS'), weighed('B', 'POUNDS')],
    rows: [
      ['SKU', 'Weight'],
      ['A', 2.5],
      ['B', '0.75'],
    ],
  });
  const mappings = [
    { sheet_column: 'SKU', store_field: 'sku' },
    { sheet_column: 'Weight', store_field: 'weight' },
  ];
  const config_id = await pair.config({ ...TO_STORE, mappings });
  expect((await pair.run({ config_id })).body).toMatchObject({ products_synced: 2, errors: [] });
  expect(pair.shop.variants().map(({ weight }) => weight)).toEqual([
    { value: 2.5, unit: 'KILOGRAMS' },
    { value: 0.75, unit: 'POUNDS' },
  ]);
});

describe('the REST API', () => {
  const filled = () => pairs.open({ products: stocked({ A: 1, B: 2 }), rows: [HEADER, ['A', 2]] });

  test('repeats the answer to a repeated order, and runs once', async () => {
    const pair = await filled();
    const order = () => pair.post('/sync/run', { ...pair.ids, ...TO_SHEET }, { 'idempotency-key': 'once' });
    const [first, second] = [await order(), await order()];
    expect(second.body).toEqual(first.body);
    expect(second.headers.get('idempotency-replayed')).toBe('true');
    const { body } = await pair.rest('GET', '/sync/history');
    expect(body['items']).toHaveLength(1);
  });

  test('tells of the run as events, and ends with its answer', async () => {
    const pair = await filled();
    const { headers, body } = await pair.post(
      '/sync/run',
      { ...pair.ids, ...TO_SHEET },
      { accept: 'text/event-stream' },
    );
    expect(headers.get('content-type')).toMatch(/^text\/event-stream/);
    expect(body['text']).toMatch(/event: done\ndata: {"products_synced":2,/);
  });

  test('lets a key that may only read preview, not run', async () => {
    const pair = await filled();
    const { key } = await pairs.app.keys.create(pair.accountId, 'reader', ['sync:read'], null);
    const reader = useRest(pairs.url, key);
    const order = { body: { ...pair.ids, ...TO_STORE } };
    expect((await reader('POST', '/sync/preview', order)).status).toBe(200);
    const run = await reader('POST', '/sync/run', order);
    expect([run.status, run.body['code']]).toEqual([403, 'insufficient_scope']);
    expect(pair.stock()).toEqual({ A: 1, B: 2 });
  });

  test('is closed without a key', async () => {
    const pair = await filled();
    const anyone = useRest(pairs.url);
    for (const path of [
      '/sync/run',
      '/sync/preview',
      '/sync/history/run_1/revert',
      '/sync/conflicts/resolve',
    ])
      expect([path, (await anyone('POST', path, { body: pair.ids })).status]).toEqual([path, 401]);
    for (const path of ['/sync/stores', '/sync/history', '/sync/conflicts'])
      expect([path, (await anyone('GET', path)).status]).toEqual([path, 401]);
  });
});

describe('an order that cannot be meant is refused', () => {
  test.each([
    ['an unknown field', { ...TO_SHEET, products: 5 }, 422, 'validation_failed'],
    ['an unknown direction', { direction: 'sideways' }, 422, 'validation_failed'],
    ['no direction', {}, 422, 'validation_failed'],
    ['a configuration and a pair', { ...TO_SHEET, config_id: 'cfg_1' }, 422, 'validation_failed'],
    ['a store nobody has', { ...TO_SHEET, store_id: 'sto_nobody' }, 404, 'not_found'],
    ['a sheet nobody has', { ...TO_SHEET, sheet_id: 'she_nobody' }, 404, 'not_found'],
  ])('%s', async (_what, order, status, code) => {
    const pair = await pairs.open();
    const answer = await pair.post('/sync/run', { ...pair.ids, ...order });
    expect([answer.status, answer.body['code']]).toEqual([status, code]);
  });

  test('an unknown configuration', async () => {
    const pair = await pairs.open();
    expect(await pair.run({ config_id: 'cfg_nobody' })).toMatchObject({
      status: 404,
      body: { code: 'not_found' },
    });
  });
});
