import { describe, expect, test } from 'vitest';
import { appendNewRows } from '../../../src/sync/plan/planned-change-repo.ts';
import { createLocalSheet } from '../../support/local-sheet.ts';
import { createLocalStore } from '../../support/local-store.ts';
import { type ShortChange, usePlans } from '../../support/sync-plans.ts';

const HEADER = ['SKU', 'Stock'];
const WORK = { signal: new AbortController().signal, progress: () => {} };

const setup = usePlans();

describe('batches', () => {
  test('hold at most 250 quantities and 100 products, and the sheet comes last', async () => {
    const names = Array.from({ length: 300 }, (_, nth) => `S${nth}`);
    const { changes } = await setup.workshop.plan({
      direction: 'two_way',
      columns: { SKU: 'sku', Stock: 'inventory_quantity', Price: 'price', Code: 'barcode' },
      store: names.map((sku) => ({ sku, available: 1, price: '1.00', barcode: 'new' })),
      sheet: [['SKU', 'Stock', 'Price', 'Code'], ...names.map((sku) => [sku, 2, 3, 'old'])],
      base: Object.fromEntries(names.map((sku) => [sku, [sku, '1', '1.00', 'old']])),
    });
    expect(sizes(changes)).toEqual([
      [1, 'store set inventory_quantity', 250],
      [2, 'store set inventory_quantity', 50],
      [3, 'store set price', 100],
      [4, 'store set price', 100],
      [5, 'store set price', 100],
      [6, 'sheet set barcode', 300],
    ]);
  });

  test('tell more than 2,000 products in one', async () => {
    const names = Array.from({ length: 2_001 }, (_, nth) => `S${nth}`);
    const { changes } = await setup.workshop.plan({
      direction: 'sheet_to_store',
      columns: { SKU: 'sku', Price: 'price' },
      store: names.map((sku) => ({ sku, price: '1.00' })),
      sheet: [['SKU', 'Price'], ...names.map((sku) => [sku, 2])],
    });
    expect(sizes(changes)).toEqual([[1, 'store set price', 2_001]]);
  });
});

test('appended rows fill the batch that was begun, then batches of their own', async () => {
  const { run, sides } = await setup.workshop.prepare({
    store: ['A', 'B', 'C', 'D', 'E'].map((sku) => ({ sku })),
    sheet: [HEADER, ['C', 0]],
  });
  await setup.workshop.planner.plan(run, sides, WORK);
  await setup.sql`delete from sync_changes`;
  const at = {
    fields: ['sku', 'inventory_quantity'],
    ownKey: false,
    row: 2,
    seq: 10,
    batch: 3,
    room: 1,
    rowsPerBatch: 2,
  };
  const added = await appendNewRows(setup.sql, run, { after: 0, to: 5 }, at);
  expect(added).toEqual({ rows: 4, changes: 8 });
  const keys = (await setup.workshop.changes(run.id)).filter(([, , , , field]) => field === 'sku');
  expect(keys.map(([batch, key, row]) => [batch, key, row])).toEqual([
    [3, 'A', 3],
    [4, 'B', 4],
    [4, 'D', 5],
    [5, 'E', 6],
  ]);
});

describe('a run', () => {
  test('that is planned again starts over, and sees what has changed since', async () => {
    const store = createLocalStore({ variants: [{ sku: 'A', available: 5 }] });
    const sheet = createLocalSheet({ rows: [HEADER, ['A', 4], ['B', 1]] });
    const { run, sides } = await setup.workshop.prepare({ store, sheet });
    await setup.workshop.planner.plan(run, sides, WORK);
    sheet.deleteRow(3);
    sheet.set(2, 1, 3);
    const { counts } = await setup.workshop.planner.plan(run, sides, WORK);
    expect(await setup.workshop.changes(run.id)).toEqual([
      [1, 'A', 2, 'sheet set', 'inventory_quantity', '3', '5'],
    ]);
    expect(counts.sheet_rows).toBe(1);
  });

  test('reads the sheet once, and the store page by page, at the same time', async () => {
    const names = Array.from({ length: 600 }, (_, nth) => `S${nth}`);
    const store = createLocalStore({ variants: names.map((sku) => ({ sku })) });
    const sheet = createLocalSheet({ rows: [HEADER] });
    const pages: number[] = [];
    sheet.before = () => void pages.push(store.log.length);
    await setup.workshop.plan({ store, sheet });
    expect([sheet.log, store.log].map((calls) => calls.map(({ name }) => name))).toEqual([
      ['read'],
      ['read', 'read', 'read'],
    ]);
    expect(pages[0]).toBeLessThanOrEqual(1);
  });

  test('fails with what a side fails with, and leaves nothing running', async () => {
    const store = createLocalStore({ variants: [{ sku: 'A' }] });
    const sheet = createLocalSheet({ rows: [HEADER] });
    store.before = () => {
      throw new Error('the store is away');
    };
    const { run, sides } = await setup.workshop.prepare({ store, sheet });
    await expect(setup.workshop.planner.plan(run, sides, WORK)).rejects.toThrow('the store is away');
    store.before = () => {};
    sheet.before = () => {
      throw new Error('the sheet is away');
    };
    await expect(setup.workshop.planner.plan(run, sides, WORK)).rejects.toThrow('the sheet is away');
  });

  test('ends when it is to end', async () => {
    const { run, sides } = await setup.workshop.prepare({ store: [{ sku: 'A' }], sheet: [HEADER] });
    const signal = AbortSignal.abort(new Error('enough'));
    await expect(setup.workshop.planner.plan(run, sides, { ...WORK, signal })).rejects.toThrow('enough');
  });
});

describe('the base', () => {
  test('takes in what both sides have alike, with where it is, and forgets what both have lost', async () => {
    const { run, sides } = await setup.workshop.prepare({
      direction: 'two_way',
      store: [
        { sku: 'A', available: 1 },
        { sku: 'B', available: 2 },
        { sku: 'C', available: 3 },
        { sku: 'D', available: 4 },
        { sku: 'D', available: 4 },
      ],
      sheet: [HEADER, ['B', 2], ['a', 1], ['C', 9], ['D', 4], ['E', 5]],
      base: {
        A: ['A', '0'],
        C: ['C', '3'],
        D: ['D', '4'],
        E: ['E', '5'],
        LOST: ['LOST', '1'],
      },
    });
    await setup.workshop.planner.plan(run, sides, WORK);
    await setup.workshop.planner.reconcileBaseline(run);
    const settled = {
      // Both sides have changed it alike, which the run adds up.
      A: [null, 'A', '0'],
      B: [2, 'B', '2'],
      C: [null, 'C', '3'],
      D: [null, 'D', '4'],
      E: [null, 'E', '5'],
    };
    expect(await setup.workshop.base()).toEqual(settled);
    await setup.workshop.planner.reconcileBaseline(run);
    expect(await setup.workshop.base()).toEqual(settled);
  });

  test('is unchanged once the run has dropped what it read', async () => {
    const { run, sides } = await setup.workshop.prepare({ store: [{ sku: 'A' }], sheet: [HEADER, ['A', 0]] });
    await setup.workshop.planner.plan(run, sides, WORK);
    await setup.workshop.planner.deleteReads(run.id);
    const rows = await setup.sql`
      select run_id from sync_read_store union all select run_id from sync_read_sheet`;
    expect([...rows]).toEqual([]);
  });
});

/** How many changes of what kind each batch has. */
function sizes(changes: readonly ShortChange[]): [number, string, number][] {
  const kinds = Map.groupBy(changes, ([batch, , , what, field]) => `${batch} ${what} ${field}`);
  return [...kinds.values()].map((own) => {
    const [batch = 0, , , what, field] = own[0] ?? [];
    return [batch, `${what} ${field}`, own.length];
  });
}
