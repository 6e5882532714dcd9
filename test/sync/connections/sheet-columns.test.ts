import { expect, test } from 'vitest';
import { sheetColumns } from '../../../src/sync/connections/sheet-columns.ts';

test('the first values stand under the header, whatever is above it', () => {
  const rows = [
    ['Autumn stock'],
    ['SKU', '', 'Stock', 'Price'],
    ['MUG-1', 'blue', 12, 9.5],
    ['MUG-2', '', '', 8],
    ['MUG-3', '', 3, 7],
  ];
  expect(sheetColumns(rows, 2)).toEqual({
    header_row: 2,
    columns: [
      { letters: 'A', header: 'SKU', values: ['MUG-1', 'MUG-2'] },
      { letters: 'C', header: 'Stock', values: ['12', ''] },
      { letters: 'D', header: 'Price', values: ['9.5', '8'] },
    ],
  });
});

test('an empty tab has no header and no columns', () => {
  expect(sheetColumns([], 5)).toEqual({ header_row: null, columns: [] });
});

test('a column beyond Z has two letters', () => {
  const header = Array.from({ length: 28 }, (_, at) => `Column ${at}`);
  expect(sheetColumns([header], 1).columns.at(-1)).toEqual({
    letters: 'AB',
    header: 'Column 27',
    values: [],
  });
});
