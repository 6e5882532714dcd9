import { describe, expect, test } from 'vitest';
import { CONFIG, caller, gist, PRICES, type Shop, stock, useRuns } from '../../support/sync-runs.ts';

const setup = useRuns();

const ITEMS = [
  { sku: 'A', available: 5, price: '9.90' },
  { sku: 'B', available: 6, price: '12.00' },
];
const HEADER = ['SKU', 'Stock'];
const ROWS = [HEADER, ['A', 5], ['B', 6]];
const ADDING = { add_columns: true };
const added = (cell: string, row = 1) =>
  ({ key: 'column_added', params: { column: 'Price', cell }, row, field: 'price' }) as const;
const done = (changed: number) => ({ status: 'succeeded', changed, failed: 0 });

const open = (rows: Shop['sheet']['rows'] extends () => infer Rows ? Rows : never, options = {}) =>
  setup.open({ variants: ITEMS, rows, settings: { direction: 'two_way', mappings: PRICES, options } });

describe('a mapped column that the tab does not have', () => {
  test('fails the run, which names the headers there are, the closest one, and how to add it', async () => {
    await open([['Our shop'], ['SKU', 'Stock', 'PRISE', '', 'Notes'], ['A', 5]]);
    expect(gist(await setup.node.sync())).toEqual({
      ...done(0),
      status: 'failed',
      errors: [
        {
          key: 'header_not_found.add_closest',
          params: { columns: 'Price', found: 'SKU, Stock, PRISE, Notes', closest: 'PRISE' },
        },
      ],
    });
  });

  test('is not offered where only the store is written, nor for the key', async () => {
    const shop = await open(ROWS);
    shop.set({ direction: 'sheet_to_store', mappings: PRICES, options: ADDING });
    const [toStore] = (await setup.node.sync()).errors;
    expect(toStore).toEqual({ key: 'header_not_found', params: { columns: 'Price', found: 'SKU, Stock' } });

    shop.set({ direction: 'two_way', mappings: PRICES, options: ADDING });
    shop.sheet.set(1, 0, 'SKUs');
    const [key] = (await setup.node.sync()).errors;
    expect(key).toEqual({
      key: 'header_not_found.closest',
      params: { columns: 'SKU, Price', found: 'SKUs, Stock', closest: 'SKUs' },
    });
  });
});

describe('with add_columns', () => {
  test('the column is added and filled from the store, and the run after it writes nothing', async () => {
    const shop = await open(ROWS, ADDING);
    expect(gist(await setup.node.sync())).toEqual({ ...done(2), errors: [added('C1')] });
    expect(shop.sheet.rows()).toEqual([
      [...HEADER, 'Price'],
      ['A', 5, 9.9],
      ['B', 6, 12],
    ]);
    shop.sheet.log.length = 0;
    expect(gist(await setup.node.sync())).toEqual({ ...done(0), errors: [] });
    expect(shop.sheet.log.filter(({ name }) => name === 'write')).toEqual([]);
  });

  test('what the store has is written whatever an empty cell means, and no limit asks about it', async () => {
    const many = Array.from({ length: 30 }, (_, nth) => ({ sku: `S${nth}`, available: 1, price: '2.00' }));
    const shop = await setup.open({
      variants: many,
      rows: [HEADER, ...many.map(({ sku }) => [sku, 1])],
      settings: {
        direction: 'two_way',
        mappings: PRICES,
        options: {
          ...ADDING,
          blank_means: 'clear',
          safety_limits: { changed_percent: 20, zeroed_percent: 5, shrunk_percent: 30, price_percent: 50 },
        },
      },
    });
    expect(gist(await setup.node.sync())).toEqual({ ...done(30), errors: [added('C1')] });
    expect(shop.sheet.rows().slice(1)).toEqual(many.map(({ sku }) => [sku, 1, 2]));
    expect(shop.store.all().map(({ price }) => price)).toEqual(many.map(() => '2.00'));
  });

  test('the header goes right of the others, and never over a column that has anything in it', async () => {
    const shop = await open(
      [
        ['Our shop'],
        ['SKU', 'Stock', '', 'Notes', ''],
        ['A', 5, '', 'mine', 'and this', { formula: '=B3*2', result: 10 }],
        ['B', 6],
      ] as never,
      ADDING,
    );
    expect(gist(await setup.node.sync())).toEqual({ ...done(2), errors: [added('G2', 2)] });
    expect(shop.sheet.rows()).toEqual([
      ['Our shop'],
      ['SKU', 'Stock', '', 'Notes', '', '', 'Price'],
      ['A', 5, '', 'mine', 'and this', 10, 9.9],
      ['B', 6, '', '', '', '', 12],
    ]);
  });

  test('a preview says so and writes nothing; confirming it does what it says', async () => {
    const shop = await open(ROWS);
    const order = { config_id: CONFIG, request: ADDING };
    const work = { signal: new AbortController().signal, progress: () => {} };
    const plan = await setup.node.runs.preview(caller, order, work);
    expect([plan.status, plan.errors]).toEqual(['awaiting_confirmation', [added('C1')]]);
    const { items } = await setup.node.runs.rows(caller.accountId, plan.id, { limit: 50 });
    expect(items.map(({ batch, row, field, from, to }) => [batch, row, field, from, to])).toEqual([
      [1, 1, 'price', null, 'Price'],
      [2, 2, 'price', null, '9.90'],
      [2, 3, 'price', null, '12.00'],
    ]);
    expect(shop.sheet.rows()).toEqual(ROWS);

    const run = await setup.node.end(await setup.node.runs.confirm(caller.accountId, plan.id));
    expect(gist(run)).toEqual({ ...done(2), errors: [added('C1')] });
    expect(shop.sheet.rows()[1]).toEqual(['A', 5, 9.9]);
  });

  test('new items and changes of other columns are synced by the same run', async () => {
    const shop = await open(ROWS, ADDING);
    shop.set({ direction: 'two_way' });
    await setup.node.sync();
    shop.store.add({ sku: 'C', available: 1, price: '3.00' });
    shop.store.change('gid://shopify/ProductVariant/1', { available: 2 });
    shop.set({
      direction: 'store_to_sheet',
      mappings: PRICES,
      options: { ...ADDING, status_column: 'Sync' },
    });
    expect(gist(await setup.node.sync())).toEqual({ ...done(3), errors: [added('C1')] });
    expect(shop.sheet.rows()).toEqual([
      [...HEADER, 'Price', 'Sync'],
      ['A', 2, 9.9, 'ok'],
      ['B', 6, 12, 'ok'],
      ['C', 1, 3, 'ok'],
    ]);
  });

  test('a run that names items reads all of them, so that none stays empty', async () => {
    const shop = await open(ROWS);
    shop.set({ direction: 'two_way' });
    await setup.node.sync();
    shop.set({ direction: 'two_way', mappings: PRICES, options: ADDING });
    const items = ['gid://shopify/ProductVariant/1'];
    expect(gist(await setup.node.sync({ trigger: 'webhook', request: { items } }))).toEqual({
      ...done(2),
      errors: [added('C1')],
    });
    expect(shop.sheet.rows()[2]).toEqual(['B', 6, 12]);
  });

  test('a protected header row keeps its column empty, is named, and holds back no other column', async () => {
    const shop = await open([HEADER, ['A', 1], ['B', 6]], ADDING);
    shop.set({ direction: 'store_to_sheet', mappings: PRICES, options: ADDING });
    const release = shop.sheet.protect(1, 2);
    expect(gist(await setup.node.sync())).toEqual({
      ...done(1),
      status: 'partial',
      errors: [added('C1'), { key: 'protected_cell', row: 1, field: 'price' }],
    });
    expect(shop.sheet.rows()).toEqual([HEADER, ['A', 5], ['B', 6]]);
    release();
    expect(gist(await setup.node.sync())).toEqual({ ...done(2), errors: [added('C1')] });
  });

  test('a header that somebody types in during the run is kept, and the next run looks again', async () => {
    const shop = await open(ROWS, ADDING);
    shop.sheet.before = ({ name }) => {
      if (name === 'readAllEntered') shop.sheet.set(1, 2, 'Shelf');
    };
    const { status, errors } = await setup.node.sync();
    expect([status, errors]).toEqual([
      'partial',
      [added('C1'), { key: 'sheet_changed', row: 1, field: 'price' }],
    ]);
    expect(shop.sheet.rows()).toEqual([
      [...HEADER, 'Shelf'],
      ['A', 5],
      ['B', 6],
    ]);
    shop.sheet.before = () => {};
    expect(gist(await setup.node.sync())).toEqual({ ...done(2), errors: [added('D1')] });
  });

  test('undo empties the cells and keeps the header; a retry fills them again', async () => {
    const shop = await open(ROWS, ADDING);
    const run = await setup.node.sync();
    await setup.node.end(await setup.node.runs.revert(caller, run.id));
    expect(shop.sheet.rows()).toEqual([
      [...HEADER, 'Price'],
      ['A', 5],
      ['B', 6],
    ]);
    expect((await setup.node.sync()).counts.changed).toBe(0);
    expect(shop.sheet.rows()[1]).toEqual(['A', 5]);
    expect(gist(await setup.node.end(await setup.node.runs.retry(caller, run.id)))).toMatchObject(done(2));
    expect(shop.sheet.rows()[1]).toEqual(['A', 5, 9.9]);
    expect(stock(shop)).toEqual({ A: 5, B: 6 });
  });
});
