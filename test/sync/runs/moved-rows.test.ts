import { expect, test } from 'vitest';
import { Fault } from '../../../src/errors.ts';
import { gist, type Shop, sheetRows, stock, useRuns } from '../../support/sync-runs.ts';

const setup = useRuns();

const HEADER = ['SKU', 'Stock', 'Note'];

/** Both sides agree on A to D, each with 10; then the shop sells two of each of these. */
async function sold(skus: readonly string[], options = {}): Promise<Shop> {
  const all = ['A', 'B', 'C', 'D'];
  const shop = await setup.open({
    variants: all.map((sku) => ({ sku, available: 10 })),
    rows: [HEADER, ...all.map((sku) => [sku, 10, `note of ${sku}`])],
    settings: { direction: 'two_way', options },
  });
  await setup.node.sync();
  for (const sku of skus) sell(shop, sku, 2);
  return shop;
}

function sell({ store }: Shop, sku: string, count: number): void {
  const variant = store.all().find((one) => one.sku === sku);
  if (variant) store.change(variant.variantId, { available: (variant.available ?? 0) - count });
}

/** Once, in the moment in which our first write arrives, or has arrived. */
function atWrite({ sheet }: Shop, moment: 'before' | 'after', move: () => void): void {
  sheet[moment] = ({ name }) => {
    if (name !== 'write') return;
    sheet[moment] = () => {};
    move();
  };
}

/** Runs until nothing changes; what both sides then have. */
async function settled(shop: Shop) {
  await setup.node.sync();
  const last = await setup.node.sync();
  return { ...gist(last), stock: stock(shop), rows: sheetRows(shop) };
}

const rowOf = (sku: string, count: number) => [sku, count, `note of ${sku}`];
const quiet = { status: 'succeeded', changed: 0, failed: 0, errors: [] };

test.each(['before', 'after'] as const)(
  'a row inserted just %s our write moves no value to another item',
  async (moment) => {
    const shop = await sold(['B', 'C']);
    atWrite(shop, moment, () => shop.sheet.insertRow(2, []));
    await setup.node.sync();
    expect(await settled(shop)).toEqual({
      ...quiet,
      stock: { A: 10, B: 8, C: 8, D: 10 },
      rows: [[], rowOf('A', 10), rowOf('B', 8), rowOf('C', 8), rowOf('D', 10)],
    });
  },
);

test.each(['before', 'after'] as const)(
  'rows sorted just %s our write keep their own values',
  async (moment) => {
    const shop = await sold(['A', 'B']);
    atWrite(shop, moment, () => {
      for (const sku of ['B', 'C', 'D']) {
        const at = shop.sheet.rows().findIndex(([key]) => key === sku) + 1;
        const row = shop.sheet.rows()[at - 1] ?? [];
        shop.sheet.deleteRow(at);
        shop.sheet.insertRow(2, row);
      }
    });
    await setup.node.sync();
    expect(await settled(shop)).toEqual({
      ...quiet,
      stock: { A: 8, B: 8, C: 10, D: 10 },
      rows: [rowOf('D', 10), rowOf('C', 10), rowOf('B', 8), rowOf('A', 8)],
    });
  },
);

test.each(['before', 'after'] as const)(
  'a row deleted just %s our write moves no value to another item',
  async (moment) => {
    const shop = await sold(['B', 'C']);
    atWrite(shop, moment, () => shop.sheet.deleteRow(2));
    await setup.node.sync();
    expect(await settled(shop)).toEqual({
      ...quiet,
      stock: { A: 10, B: 8, C: 8, D: 10 },
      rows: [rowOf('B', 8), rowOf('C', 8), rowOf('D', 10), ['A', 10]],
    });
  },
);

test.each(['before', 'after'] as const)(
  'a column inserted just %s our write destroys no key',
  async (moment) => {
    const shop = await sold(['B', 'C']);
    atWrite(shop, moment, () => {
      for (const [nth, cells] of shop.sheet.rows().entries())
        for (const [column, cell] of ['', ...cells].entries()) shop.sheet.set(nth + 1, column, cell);
    });
    await setup.node.sync();
    expect(await settled(shop)).toEqual({
      ...quiet,
      stock: { A: 10, B: 8, C: 8, D: 10 },
      rows: [rowOf('A', 10), rowOf('B', 8), rowOf('C', 8), rowOf('D', 10)].map((row) => ['', ...row]),
    });
  },
);

test('a row pushed to where a new item is appended stays, and the item follows in the next run', async () => {
  const shop = await sold([]);
  shop.store.add({ sku: 'NEW', available: 3 });
  atWrite(shop, 'before', () => shop.sheet.insertRow(2, []));
  await setup.node.sync();
  const { rows, stock: quantities } = await settled(shop);
  expect(quantities).toEqual({ A: 10, B: 10, C: 10, D: 10, NEW: 3 });
  expect(rows).toEqual([[], ...['A', 'B', 'C', 'D'].map((sku) => rowOf(sku, 10)), ['NEW', 3]]);
});

test.each(['before', 'after'] as const)(
  'a row deleted just %s our write appends an item stays deleted',
  async (moment) => {
    const shop = await sold(['C']);
    shop.store.add({ sku: 'NEW', available: 3 });
    atWrite(shop, moment, () => shop.sheet.deleteRow(3));
    await setup.node.sync();
    const keys = sheetRows(shop).flatMap(([key = '']) => (key === '' ? [] : [key]));
    expect(keys).toEqual(['A', 'C', 'D', 'NEW']);
  },
);

test('what a write without an answer left on another item waits for a person, and is not sold', async () => {
  const shop = await sold(['B', 'C']);
  atWrite(shop, 'before', () => shop.sheet.insertRow(2, []));
  atWrite(shop, 'after', () => {
    throw new Fault('sheet_unavailable.no_answer');
  });
  expect(await setup.node.sync()).toMatchObject({ status: 'failed' });
  expect(await setup.node.sync({ trigger: 'schedule' })).toMatchObject({
    status: 'partial',
    errors: [{ key: 'undecided', params: { count: 1 } }],
  });
  expect(stock(shop)).toEqual({ A: 10, B: 8, C: 8, D: 10 });
  expect(sheetRows(shop)).toEqual([[], rowOf('A', 8), rowOf('B', 8), rowOf('C', 8), rowOf('D', 10)]);
});

test('what cannot be put back, since rows never rest, is not synced and is said', async () => {
  const shop = await sold(['B', 'C']);
  shop.sheet.before = ({ name }) => {
    if (name === 'write') shop.sheet.insertRow(2, []);
  };
  const run = await setup.node.sync();
  shop.sheet.before = () => {};
  expect(run.status).toBe('partial');
  expect(run.errors).toContainEqual(expect.objectContaining({ key: 'rows_moved', row: expect.any(Number) }));
  await setup.node.sync({ trigger: 'schedule' });
  expect(stock(shop)).toEqual({ A: 10, B: 8, C: 8, D: 10 });
});

test('a formula that is overwritten where rows have moved is said, to be entered again', async () => {
  const shop = await sold(['D']);
  const formula = '=SUM(B2:B5)';
  shop.sheet.insertRow(6, ['', { formula, result: 40 }, 'total']);
  atWrite(shop, 'before', () => shop.sheet.deleteRow(2));
  const run = await setup.node.sync();
  expect(run.errors).toContainEqual({
    key: 'formula_overwritten',
    params: { formula },
    row: 5,
    field: 'inventory_quantity',
  });
  expect(sheetRows(shop).slice(0, 4)).toEqual([
    ...['B', 'C', 'D'].map((sku) => rowOf(sku, 10)),
    ['', '', 'total'],
  ]);
});
