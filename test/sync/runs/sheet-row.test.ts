import { expect, test } from 'vitest';
import type { Change } from '../../../src/sync/change.ts';
import { SyncOptions } from '../../../src/sync/config.ts';
import type { Cell } from '../../../src/sync/ports/sheet-client.ts';
import { decideRow, type SheetPlace } from '../../../src/sync/runs/apply/sheet-row.ts';

const place: SheetPlace = {
  layout: { columns: [0, 1], key_column: 0, status_column: null },
  settings: {
    direction: 'store_to_sheet',
    mappings: [
      { sheet_column: 'SKU', store_field: 'sku' },
      { sheet_column: 'Title', store_field: 'title' },
    ],
    options: SyncOptions.parse({}),
  },
  writing: { locale: 'en_US', scale: 2 },
  sharesRows: false,
};

const renamed: Change = {
  seq: 1,
  key: 'A',
  row: 2,
  variantId: 'v',
  productId: 'p',
  itemId: 'i',
  field: 'title',
  side: 'sheet',
  kind: 'set',
  from: '=Equals bag',
  to: 'Bag',
  base: null,
  batch: 1,
  state: 'planned',
  code: null,
  params: null,
};

test.each<[string, readonly Cell[], object]>([
  ['a text that begins with = is a text', ['A', '=Equals bag'], { is: 'to_write' }],
  ['a formula is left alone', ['A', '=UPPER("bag")'], { is: 'held', code: 'formula_cell' }],
  ['what somebody typed meanwhile is left alone', ['A', 'Sack'], { is: 'held', code: 'sheet_changed' }],
  [
    'a row that is of another item now is left alone',
    ['B', '=Equals bag'],
    { is: 'held', code: 'sheet_changed' },
  ],
  ['what is there already is done', ['A', 'Bag'], { is: 'there' }],
])('%s', (_, cells, fate) => {
  expect(decideRow([renamed], cells, place)).toEqual(new Map([[1, fate]]));
});
