import { expect, test } from 'vitest';
import { createBatches } from '../../../src/sync/plan/change-writer.ts';
import type { PlannedChange } from '../../../src/sync/plan/planned-change-repo.ts';

const ids = { variantId: 'v', productId: 'p', itemId: 'i' };
const rest = { from: null, to: '1', base: null, state: 'planned', code: null, params: null } as const;
const cell = (row: number): PlannedChange => ({
  ...ids,
  ...rest,
  key: `S${row}`,
  row,
  field: 'price',
  side: 'sheet',
  kind: 'set',
});

test('a batch holds at most 50,000 cells, and the cells of a row stay together', () => {
  const batches = createBatches(2_000);
  const rowOf = (row: number) => batches.row([cell(row), cell(row), cell(row)]);
  const last = Array.from({ length: 16_667 }, (_, nth) => rowOf(nth)).slice(-2);
  expect(last).toEqual([
    [1, 1, 1],
    [2, 2, 2],
  ]);
  expect(batches.appending(3)).toEqual({ batch: 2, room: 16_665, rowsPerBatch: 16_666 });
});

test('batches of one side are not moved', () => {
  const batches = createBatches(2_000);
  batches.row([cell(2)]);
  expect(batches.line(true)).toBeUndefined();
});

test('the sheet comes after the store', () => {
  const batches = createBatches(2_000);
  batches.row([{ ...cell(2), side: 'store' }, cell(2)]);
  expect(batches.line(false)).toEqual({ quantities: 0, store: 1, bulk: false });
});

test('more products than the store can have changed one by one are one batch', () => {
  const products = (count: number, maxDirect: number) => {
    const batches = createBatches(maxDirect);
    for (let nth = 0; nth < count; nth++)
      batches.row([{ ...cell(nth), side: 'store', productId: `p${nth}` }]);
    return batches.line(false);
  };
  expect(products(401, 400)).toEqual({ quantities: 0, store: 1, bulk: true });
  expect(products(401, 500)).toBeUndefined();
});
