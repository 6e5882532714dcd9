import { expect, test } from 'vitest';
import { DEFAULT_MAPPINGS, type Mapping, SyncOptions, type SyncSettings } from '../../../src/sync/config.ts';
import { findLayout } from '../../../src/sync/plan/layout.ts';
import type { Cell } from '../../../src/sync/ports/sheet-client.ts';

const TAB = { title: 'Sheet1', id: 0 };

type Some = { direction?: SyncSettings['direction']; mappings?: readonly Mapping[] } & Partial<SyncOptions>;

function layoutOf(rows: readonly (readonly Cell[])[], some: Some = {}) {
  const { direction = 'store_to_sheet', mappings = DEFAULT_MAPPINGS, ...options } = some;
  const settings = { direction, mappings: [...mappings], options: SyncOptions.parse(options) };
  return findLayout({ tab: TAB, rows }, settings);
}

/** With the header SKU, Stock in row 1. */
const PLAIN = {
  tab: TAB,
  header_row: 1,
  writes_header: false,
  added: [],
  columns: [0, 1],
  key_column: 0,
  status_column: null,
  used_rows: 2,
};

test('the documented sheet: SKU and Stock in row 1, data from row 2', () => {
  expect(
    layoutOf([
      ['SKU', 'Stock'],
      ['A-1', 5],
    ]),
  ).toEqual({ layout: PLAIN, writesStatus: false });
});

test('headers are found whatever their row, order and case, and whatever stands around them', () => {
  expect(
    layoutOf([['Our products'], [], ['Notes', 2026, ' stock ', '', 'sku\u00a0'], ['', '', 5, '', 'A-1'], []]),
  ).toEqual({
    layout: { ...PLAIN, header_row: 3, columns: [4, 2], key_column: 4, used_rows: 5 },
    writesStatus: false,
  });
});

test('of two columns with the same header the first counts', () => {
  expect(layoutOf([['Stock', 'SKU', 'STOCK', 'SKU'], []])).toEqual({
    layout: { ...PLAIN, columns: [1, 0], key_column: 1 },
    writesStatus: false,
  });
});

test('a row that has all headers is the header, also below one that happens to have one of them', () => {
  expect(layoutOf([['SKU'], ['SKU', 'Stock']])).toEqual({
    layout: { ...PLAIN, header_row: 2 },
    writesStatus: false,
  });
});

test.each<[string, readonly (readonly Cell[])[], readonly string[]]>([
  ['one is missing', [['SKU', 'Price'], ['A-1']], ['Stock']],
  ['the key is missing', [['Stock'], [5]], ['SKU']],
  ['all are missing', [['Artikel', 'Bestand']], ['SKU', 'Stock']],
  ['no row has both', [['Stock'], ['SKU']], ['Stock']],
  ['the header is in row 11', [...Array(10).fill(['']), ['SKU', 'Stock']], ['SKU', 'Stock']],
])('without its headers nothing is found: %s', (_, rows, missing) => {
  expect(layoutOf(rows)).toMatchObject({ missing });
});

test('a header in row 10 is found', () => {
  expect(layoutOf([...Array(9).fill([]), ['SKU', 'Stock']])).toEqual({
    layout: { ...PLAIN, header_row: 10, used_rows: 10 },
    writesStatus: false,
  });
});

test.each(['store_to_sheet', 'two_way'] as const)(
  'an empty tab gets its header in row 1, in the order of the mappings (%s)',
  (direction) => {
    const written = { ...PLAIN, writes_header: true, used_rows: 1 };
    expect(layoutOf([], { direction })).toEqual({ layout: written, writesStatus: false });
    expect(layoutOf([[''], ['  ', '\u00a0']], { direction })).toEqual({
      layout: written,
      writesStatus: false,
    });
  },
);

test('an empty tab that is only read has no header', () => {
  const missing = { missing: ['SKU', 'Stock'], found: [], canAdd: false };
  expect(layoutOf([], { direction: 'sheet_to_store' })).toEqual(missing);
});

test('a tab with anything in it is not empty', () => {
  const missing = { missing: ['SKU', 'Stock'], canAdd: false };
  expect(layoutOf([[0]])).toEqual({ ...missing, found: ['0'] });
  expect(layoutOf([[], [false]])).toEqual({ ...missing, found: ['false'] });
});

const STOCK: Mapping = { sheet_column: 'Stock', store_field: 'inventory_quantity' };

test('a key that no field is mapped to has a column of its own', () => {
  const some = { key: 'handle', key_column: 'Handle', mappings: [STOCK] } as const;
  expect(layoutOf([['Stock', 'Handle'], []], some)).toEqual({
    layout: { ...PLAIN, columns: [0], key_column: 1 },
    writesStatus: false,
  });
  expect(layoutOf([['Stock']], some)).toEqual({ missing: ['Handle'], found: ['Stock'], canAdd: false });
  expect(layoutOf([], { ...some, status_column: 'Sync' })).toEqual({
    layout: { ...PLAIN, writes_header: true, columns: [0], key_column: 1, status_column: 2, used_rows: 1 },
    writesStatus: true,
  });
});

test('the column a key is mapped to goes before the one that is named', () => {
  const mappings: Mapping[] = [STOCK, { sheet_column: 'EAN', store_field: 'barcode' }];
  expect(layoutOf([['Code', 'EAN', 'Stock'], []], { key: 'barcode', key_column: 'Code', mappings })).toEqual({
    layout: { ...PLAIN, columns: [2, 1], key_column: 1 },
    writesStatus: false,
  });
});

test('the status column is the one with its header', () => {
  expect(layoutOf([['sync status', 'SKU', 'Stock'], []], { status_column: 'Sync status' })).toEqual({
    layout: { ...PLAIN, columns: [1, 2], key_column: 1, status_column: 0 },
    writesStatus: false,
  });
});

test('a new status column goes right of the header, into an empty column', () => {
  const rows = [
    ['SKU', '', 'Stock', ''],
    ['A-1', '', 5, 'my note'],
    ['A-2', '', 5, '', '', 0],
  ];
  const written = { ...PLAIN, columns: [0, 2], used_rows: 3 };
  expect(layoutOf(rows, { status_column: 'Sync status' })).toEqual({
    layout: { ...written, status_column: 4 },
    writesStatus: true,
  });
  expect(layoutOf(rows, { status_column: 'Sync status', direction: 'two_way' })).toEqual({
    layout: { ...written, status_column: 4 },
    writesStatus: true,
  });
});

test('a run that only reads the sheet makes no status column', () => {
  const rows = [['SKU', 'Stock'], []];
  expect(layoutOf(rows, { status_column: 'Sync status', direction: 'sheet_to_store' })).toEqual({
    layout: PLAIN,
    writesStatus: false,
  });
});
