import fc from 'fast-check';
import { expect, test } from 'vitest';
import { KEYS } from '../../../src/sync/config.ts';
import type { Cell } from '../../../src/sync/ports/sheet-client.ts';
import type { StoreVariant } from '../../../src/sync/ports/store-client.ts';
import { cellKey, foldKey, keyOf } from '../../../src/sync/values/sync-key.ts';
import { sheetCell } from '../../../src/sync/values/value.ts';
import { samples } from '../../support/samples.ts';

const MUG: StoreVariant = {
  variantId: 'gid://shopify/ProductVariant/40123456789012',
  productId: 'gid://shopify/Product/4',
  itemId: 'gid://shopify/InventoryItem/401',
  sku: ' MUG-1 ',
  title: 'Mug',
  handle: 'mug',
  price: '9.90',
  barcode: '4006381333931',
  taxable: true,
  requiresShipping: true,
  tracked: true,
  weight: null,
  available: 1,
};

test('a variant is found by the key of the configuration', () => {
  expect(KEYS.map((key) => [key, keyOf(key, MUG)])).toEqual([
    ['sku', 'MUG-1'],
    ['barcode', '4006381333931'],
    ['handle', 'mug'],
    ['variant_id', '40123456789012'],
  ]);
});

test('a variant whose key is empty has none', () => {
  expect([keyOf('sku', { ...MUG, sku: ' ' }), keyOf('barcode', { ...MUG, barcode: null })]).toEqual([
    null,
    null,
  ]);
});

test.each<[Cell, string | null]>([
  [' MUG-1 ', 'MUG-1'],
  ['00123', '00123'],
  [123, '123'],
  [12_345_678_901_234, '12345678901234'],
  [4_006_381_333_931, '4006381333931'],
  [40_123_456_789_012, '40123456789012'],
  ['gid://shopify/ProductVariant/40123456789012', '40123456789012'],
  ['gid://shopify/Product/4', 'gid://shopify/Product/4'],
  [1.5, '1.5'],
  ['', null],
  ['  ', null],
  [true, null],
  ['#N/A', null],
  ['#¡REF!', null],
  // Rounded by the sheet, so it might be the key of another item.
  [1_234_567_890_123_456, null],
  [2 ** 53, null],
])('a key cell with %j is %j', (cell, key) => {
  expect(cellKey(cell)).toBe(key);
});

test('a key that was written into the sheet finds its variant again', () => {
  fc.assert(
    fc.property(fc.constantFrom(...KEYS), fc.stringMatching(/^[\w-]{1,20}$/), fc.nat(), (key, text, id) => {
      const variant = {
        ...MUG,
        sku: text,
        barcode: text,
        handle: text,
        variantId: `gid://shopify/ProductVariant/${id}`,
      };
      const found = keyOf(key, variant);
      expect(cellKey(sheetCell('key', found))).toBe(found);
    }),
  );
});

test.each([
  ['mug-1', 'MUG-1'],
  ['Straße', 'STRASSE'],
  ['ΟΔΟΣ', 'οδος'],
  ['CAFE\u0301', 'café'],
])('%s and %s differ by case alone', (one, other) => {
  expect(foldKey(one)).toBe(foldKey(other));
});

test.each([
  ['mug-1', 'mug-2'],
  ['cafe', 'café'],
  ['0123', '123'],
])('%s and %s are two keys', (one, other) => {
  expect(foldKey(one)).not.toBe(foldKey(other));
});

test('folding a folded key changes nothing, nor does its case', () => {
  const differs = (text: string) => {
    const folded = foldKey(text);
    return [folded, text.toUpperCase(), text.toLowerCase()].some((other) => foldKey(other) !== folded);
  };
  const characters = Array.from({ length: 0x110000 }, (_, code) => String.fromCodePoint(code));
  const withCase = characters.filter((one) => one.toLowerCase() !== one || one.toUpperCase() !== one);
  expect(withCase.length).toBeGreaterThan(2_000);
  expect(withCase.filter(differs)).toEqual([]);
  const text = fc.array(
    fc.oneof(fc.constantFrom(...withCase), fc.constantFrom(...characters.slice(0, 0x800))),
  );
  fc.assert(
    fc.property(text, (parts) => !differs(parts.join(''))),
    { numRuns: samples(1_000), seed: 20_261_121 },
  );
});
