import { describe, expect, test } from 'vitest';
import { hasKey, missingColumns, refusedLines } from '../../web/src/pages/sync/mapping-check.ts';
import { repairOf } from '../../web/src/pages/sync/repair-of.ts';
import { sheetAddress } from '../../web/src/pages/sync/sheet-address.ts';
import { shopDomain } from '../../web/src/pages/sync/shop-domain.ts';

test.each([
  ['fern-and-clay.myshopify.com', 'fern-and-clay.myshopify.com'],
  ['https://Fern-And-Clay.myshopify.com/products?x=1', 'fern-and-clay.myshopify.com'],
  ['https://admin.shopify.com/store/fern-and-clay/products', 'fern-and-clay.myshopify.com'],
  ['fern-and-clay', 'fern-and-clay.myshopify.com'],
  ['fernandclay.com', undefined],
  ['https://admin.shopify.com/', undefined],
  ['fern.myshopify.com.evil.example', undefined],
  ['', undefined],
])('the shop in %j is %j', (pasted, domain) => {
  expect(shopDomain(pasted)).toBe(domain);
});

describe('the lines of a mapping', () => {
  const lines = (...pairs: (readonly [string, string])[]) =>
    pairs.map(([column, field], at) => ({ id: at + 1, column, field }));

  test('of two lines with one field, or one column in whatever case, the second is refused', () => {
    const refused = refusedLines(
      lines(['SKU', 'sku'], ['Price', 'price'], ['Cost', 'price'], [' sku ', 'title']),
    );
    expect([...refused]).toEqual([
      [3, { key: 'mapping.refused.field', values: { field: 'price', column: 'Price' } }],
      [4, { key: 'mapping.refused.column', values: { column: ' sku ', field: 'sku' } }],
    ]);
  });

  test('a line without a column, a field, or the name of a metafield is refused', () => {
    expect([...refusedLines(lines(['', 'sku'], ['A', ''], ['B', 'metafield:']))]).toEqual([
      [1, { key: 'mapping.refused.noColumn' }],
      [2, { key: 'mapping.refused.noField' }],
      [3, { key: 'mapping.refused.noField' }],
    ]);
  });

  test('columns that the sheet lacks are named as they are typed', () => {
    expect(
      missingColumns(lines(['sku', 'sku'], ['Price', 'price'], ['', 'title']), ['SKU', 'Stock']),
    ).toEqual(['Price']);
  });

  test('the key is in a line, or in a column of its own', () => {
    expect(hasKey(lines(['SKU', 'sku']), 'sku', '')).toBe(true);
    expect(hasKey(lines(['Stock', 'inventory_quantity']), 'sku', '')).toBe(false);
    expect(hasKey(lines(['Stock', 'inventory_quantity']), 'handle', 'Handle')).toBe(true);
  });
});

test.each([
  ['invalid_value', 'sheet'],
  ['not_stocked', 'activate'],
  ['header_not_found', 'add_columns'],
  ['conflict', 'conflict'],
  ['store_unauthorized', 'stores'],
  ['sheet_forbidden', 'sheets'],
  ['store_unavailable', 'again'],
  ['store_changed', 'again'],
  ['sheet_changed', 'again'],
  ['outcome_unknown', 'again'],
])('%s is repaired by: %s', (code, repair) => {
  expect(repairOf(code)).toBe(repair);
});

test('a row of a spreadsheet has an address at Google', () => {
  expect(sheetAddress({ spreadsheet_id: 'abc' }, 17)).toBe(
    'https://docs.google.com/spreadsheets/d/abc/edit#range=17:17',
  );
});
