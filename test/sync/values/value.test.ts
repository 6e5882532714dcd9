import { expect, test } from 'vitest';
import type { Cell } from '../../../src/sync/ports/sheet-client.ts';
import type { StoreVariant } from '../../../src/sync/ports/store-client.ts';
import { STORE_FIELDS, type StoreField } from '../../../src/sync/values/field.ts';
import { isExcerpt } from '../../../src/sync/values/text-value.ts';
import {
  cellValue,
  currencyScale,
  sheetCell,
  storeValue,
  variantFields,
} from '../../../src/sync/values/value.ts';

const MORE = {
  compare_at_price: '12',
  cost: '3.5',
  vendor: ' Almond Street ',
  product_type: '',
  tags: 'tea,Green,tea,green, ,Bio',
  product_status: 'UNLISTED',
  handle: 'teapot',
  description: '<p>One</p>\r\n<p>Two</p>\n',
  seo_title: null,
  seo_description: 'Best pot',
  inventory_policy: 'CONTINUE',
  weight_unit: 'KILOGRAMS',
  hs_code: '0901110000',
  'metafield:custom.material': 'Stoneware',
  'inventory_quantity:90001': '7',
} as const;

const TEAPOT: StoreVariant = {
  variantId: 'gid://shopify/ProductVariant/41',
  productId: 'gid://shopify/Product/4',
  itemId: 'gid://shopify/InventoryItem/401',
  sku: ' TEA-1 ',
  title: 'Teapot',
  handle: 'teapot',
  price: '9.9',
  barcode: '',
  taxable: true,
  requiresShipping: false,
  tracked: true,
  weight: { value: 1.0005, unit: 'KILOGRAMS' },
  available: -3,
};

test('the store has one spelling of each value', () => {
  const fields = [...STORE_FIELDS, 'metafield:custom.material', 'inventory_quantity:90001'] as const;
  expect(fields.map((field) => [field, storeValue(field, { ...TEAPOT, more: MORE }, 2)])).toEqual([
    ['sku', 'TEA-1'],
    ['title', 'Teapot'],
    ['price', '9.90'],
    ['inventory_quantity', '-3'],
    ['barcode', null],
    ['weight', '1.0005'],
    ['grams', '1001'],
    ['requires_shipping', 'false'],
    ['taxable', 'true'],
    ['compare_at_price', '12.00'],
    ['cost', '3.50'],
    ['vendor', 'Almond Street'],
    ['product_type', null],
    ['tags', 'Bio, Green, tea'],
    ['product_status', 'unlisted'],
    ['handle', 'teapot'],
    ['description', '<p>One</p>\n<p>Two</p>'],
    ['seo_title', null],
    ['seo_description', 'Best pot'],
    ['image', null],
    ['inventory_policy', 'continue'],
    ['weight_unit', 'kg'],
    ['hs_code', '0901110000'],
    ['metafield:custom.material', 'Stoneware'],
    ['inventory_quantity:90001', '7'],
  ]);
});

test('what the store has not is absent, never zero', () => {
  const bare = { ...TEAPOT, sku: null, barcode: null, weight: null, available: null };
  const fields = ['sku', 'barcode', 'weight', 'grams', 'inventory_quantity'] as const;
  expect(fields.map((field) => storeValue(field, bare, 2))).toEqual([null, null, null, null, null]);
  const weightless = { ...TEAPOT, weight: { value: 0, unit: 'GRAMS' }, available: 0 } as const;
  expect(fields.slice(2).map((field) => storeValue(field, weightless, 2))).toEqual(['0', '0', '0']);
});

test.each([
  ['990.00', 0, '990'],
  ['990', 0, '990'],
  ['9.9', 3, '9.900'],
  ['0.00', 2, '0.00'],
  // No yen are ever cut off without a word.
  ['990.50', 0, '990.5'],
])('a price of %s in a currency of %i decimals is %s', (price, scale, canonical) => {
  expect(storeValue('price', { ...TEAPOT, price }, scale)).toBe(canonical);
});

test.each([
  ['USD', 2],
  ['eur', 2],
  ['JPY', 0],
  ['CLP', 0],
  ['KWD', 3],
  ['RSD', 2],
  ['XXX', 2],
])('amounts of %s have %i decimals', (currency, scale) => {
  expect(currencyScale(currency)).toBe(scale);
});

test.each([
  [{ value: 12, unit: 'GRAMS' }, '12'],
  [{ value: 0.145, unit: 'KILOGRAMS' }, '145'],
  [{ value: 1.0005, unit: 'KILOGRAMS' }, '1001'],
  // In binary numbers this is a little less than 501.5.
  [{ value: 0.5015, unit: 'KILOGRAMS' }, '502'],
  [{ value: 1, unit: 'POUNDS' }, '454'],
  [{ value: 16, unit: 'OUNCES' }, '454'],
] as const)('a weight of %j is %s grams', (weight, grams) => {
  expect(storeValue('grams', { ...TEAPOT, weight }, 2)).toBe(grams);
});

const read = (field: StoreField, cell: Cell, locale = 'en_US', scale = 2) =>
  cellValue(field, cell, { locale, scale });

test.each<[StoreField, Cell, string | null]>([
  ['inventory_quantity', 12, '12'],
  ['inventory_quantity', '12', '12'],
  ['inventory_quantity', ' 007 ', '7'],
  ['inventory_quantity', '1,500', '1500'],
  ['inventory_quantity', '12.0', '12'],
  ['inventory_quantity', 11.999999999999998, '12'],
  ['inventory_quantity', 1e9, '1000000000'],
  ['inventory_quantity', 0, '0'],
  ['inventory_quantity', -0, '0'],
  // As an oversold item stands there; writing it to a store is refused elsewhere.
  ['inventory_quantity', -3, '-3'],
  ['inventory_quantity', '\u22123', '-3'],
  ['inventory_quantity', '', null],
  ['inventory_quantity', '  \u00a0', null],
  ['price', 9.9, '9.90'],
  ['price', 0.1 + 0.2, '0.30'],
  ['price', 10 * 1.1, '11.00'],
  [
    'price',
    Array(76)
      .fill(0.01)
      .reduce((sum, one) => sum + one),
    '0.76',
  ],
  ['price', '9.900', '9.90'],
  ['price', '.5', '0.50'],
  ['price', '1,234,567.89', '1234567.89'],
  ['price', 9_999_999_999_999.99, '9999999999999.99'],
  ['weight', 0.5, '0.5'],
  ['weight', '0.50', '0.5'],
  ['weight', 1e-7, '0.0000001'],
  ['grams', 500, '500'],
  ['taxable', true, 'true'],
  ['taxable', 'false', 'false'],
  ['taxable', 1, 'true'],
  ['taxable', '0', 'false'],
  ['sku', 12_345_678_901_234, '12345678901234'],
  ['sku', 'A-1 ', 'A-1'],
  ['sku', '00123', '00123'],
  ['barcode', 4_006_381_333_931, '4006381333931'],
  ['title', '=1+1', '=1+1'],
  ['title', 1.5, '1.5'],
  ['title', '#1 mug', '#1 mug'],
])('of %s a cell with %j says %j', (field, cell, value) => {
  expect(read(field, cell)).toEqual({ value });
});

test.each<[StoreField, Cell, string]>([
  ['inventory_quantity', 1.5, 'expected.whole_number'],
  ['inventory_quantity', 1e9 + 1, 'expected.whole_number'],
  ['inventory_quantity', 'twelve', 'expected.whole_number'],
  ['inventory_quantity', '(12)', 'expected.whole_number'],
  ['inventory_quantity', '+12', 'expected.whole_number'],
  ['inventory_quantity', '12-', 'expected.whole_number'],
  ['inventory_quantity', '- 12', 'expected.whole_number'],
  ['inventory_quantity', '1e3', 'expected.whole_number'],
  ['inventory_quantity', '0x10', 'expected.whole_number'],
  ['inventory_quantity', '1 500', 'expected.whole_number'],
  ['inventory_quantity', true, 'expected.whole_number'],
  ['inventory_quantity', '#N/A', 'expected.whole_number'],
  ['price', 19.999, 'expected.amount_2'],
  ['price', '19.999', 'expected.amount_2'],
  ['price', 19.990000001, 'expected.amount_2'],
  ['price', 1e21, 'expected.amount_2'],
  ['price', '12345678901234.56', 'expected.amount_2'],
  ['price', -1, 'expected.amount_2'],
  ['price', '$9.90', 'expected.amount_2'],
  ['price', '9.90 USD', 'expected.amount_2'],
  ['price', '10%', 'expected.amount_2'],
  ['price', '1,50', 'expected.amount_2'],
  ['price', '1,234,56', 'expected.amount_2'],
  ['price', '0,123', 'expected.amount_2'],
  ['price', '1.2.3', 'expected.amount_2'],
  ['price', '9.', 'expected.amount_2'],
  ['price', '.', 'expected.amount_2'],
  ['weight', -0.5, 'expected.number'],
  ['weight', '1/2', 'expected.number'],
  ['weight', '0.0000000001', 'expected.number'],
  ['grams', -1, 'expected.whole_number'],
  ['grams', 0.5, 'expected.whole_number'],
  ['taxable', 'yes', 'expected.boolean'],
  ['taxable', 2, 'expected.boolean'],
  ['taxable', 'VERDADERO', 'expected.boolean'],
  ['sku', 1e15, 'expected.exact_text'],
  ['barcode', 12_345_678_901_234_567_000, 'expected.exact_text'],
  ['title', '#N/A', 'expected.text'],
  ['title', '#¡REF!', 'expected.text'],
  ['title', 'Loading...', 'expected.text'],
  ['title', true, 'expected.text'],
])('of %s a cell with %j is refused: %s', (field, cell, expected) => {
  expect(read(field, cell)).toEqual({ expected });
});

test.each<[string, string, string | null]>([
  ['es_ES', '1,5', '1.5'],
  ['es_ES', '1.234,5', '1234.5'],
  ['es_ES', '1.234', '1234'],
  ['es_ES', '1.5', null],
  ['es_ES', '0.123', null],
  ['es_MX', '1,234.5', '1234.5'],
  ['de_DE', '1.234,5', '1234.5'],
  ['de_CH', '1’234.5', '1234.5'],
  ['de_CH', "1'234.5", '1234.5'],
  ['fr_FR', '1 234,5', '1234.5'],
  ['fr_FR', '1\u00a0234,5', '1234.5'],
  ['fr_FR', '1\u202f234,5', '1234.5'],
  ['fr_FR', '1.5', null],
  ['en_IN', '12,34,567.5', '1234567.5'],
  ['en_IN', '1,234,567', null],
  ['sv_SE', '\u22121 234,5', '-1234.5'],
  ['ar_EG', '1234', '1234'],
  ['en', '1,500', '1500'],
  // Number format unknown: accepts only what every locale reads alike.
  ['xx_XX', '1500', '1500'],
  ['xx_XX', '1,500', null],
  ['xx_XX', '1.5', null],
  ['', '1500', '1500'],
  ['not a locale', '1.5', null],
  ['ar_EG-u-nu-arab', '1234', '1234'],
])('in a spreadsheet of %s the text %j is %j', (locale, text, number) => {
  const answer = read('weight', text, locale);
  const negative = number?.startsWith('-');
  expect(answer).toEqual(number === null || negative ? { expected: 'expected.number' } : { value: number });
  if (negative) expect(read('inventory_quantity', '\u22121 234', locale)).toEqual({ value: '-1234' });
});

test('cells full of text are refused at once', () => {
  // The most a cell can hold, in a form that takes a careless reader seconds.
  const full = `1.${'0'.repeat(49_990)}1`;
  const answers = Array.from({ length: 20 }, () => read('price', full));
  expect(answers).toEqual(Array(20).fill({ expected: 'expected.amount_2' }));
});

test('a spreadsheet says true and false in its language, and always in English', () => {
  expect(read('taxable', 'verdadero', 'es_MX')).toEqual({ value: 'true' });
  expect(read('taxable', 'FALSO', 'es')).toEqual({ value: 'false' });
  expect(read('taxable', 'TRUE', 'es')).toEqual({ value: 'true' });
  expect(read('taxable', 'FAUX', 'fr_FR')).toEqual({ value: 'false' });
});

test.each([
  [0, 990, '990', 'expected.amount_0', 990.5],
  [3, 9.9, '9.900', 'expected.amount_3', 9.9001],
])('an amount at %i decimals', (scale, cell, value, expected, tooLong) => {
  expect(read('price', cell, 'en_US', scale)).toEqual({ value });
  expect(read('price', tooLong, 'en_US', scale)).toEqual({ expected });
});

test('numbers and booleans go into cells as such, everything else as text', () => {
  expect([
    sheetCell('inventory_quantity', '12'),
    sheetCell('grams', '500'),
    sheetCell('weight', '0.5'),
    sheetCell('price', '9.90'),
    sheetCell('price', '12345678901234567.89'),
    sheetCell('taxable', 'false'),
    sheetCell('requires_shipping', 'true'),
    sheetCell('sku', '00123'),
    sheetCell('barcode', '4006381333931'),
    sheetCell('key', '41'),
    sheetCell('status', 'ok'),
    sheetCell('barcode', null),
    sheetCell('status', null),
  ]).toEqual([
    12,
    500,
    0.5,
    9.9,
    '12345678901234567.89',
    false,
    true,
    '00123',
    '4006381333931',
    '41',
    'ok',
    '',
    '',
  ]);
});

test('the store is told what a value changes, a weight in the unit the variant has', () => {
  expect([
    variantFields('title', 'Pot', null),
    variantFields('price', '9.90', null),
    variantFields('sku', 'TEA-2', null),
    variantFields('barcode', null, null),
    variantFields('taxable', 'false', null),
    variantFields('requires_shipping', 'true', null),
    variantFields('weight', '0.5', 'POUNDS'),
    variantFields('weight', '0.5', null),
    variantFields('grams', '500', 'POUNDS'),
    variantFields('weight', null, 'POUNDS'),
    variantFields('title', null, null),
    variantFields('inventory_quantity', '5', null),
  ]).toEqual([
    { title: 'Pot' },
    { price: '9.90' },
    { sku: 'TEA-2' },
    { barcode: null },
    { taxable: false },
    { requiresShipping: true },
    { weight: { value: 0.5, unit: 'POUNDS' } },
    { weight: { value: 0.5, unit: 'KILOGRAMS' } },
    { weight: { value: 500, unit: 'GRAMS' } },
    {},
    {},
    {},
  ]);
});

test.each<[StoreField, Cell, ReturnType<typeof cellValue>]>([
  ['product_status', ' Archived ', { value: 'archived' }],
  ['product_status', 'sold', { expected: 'expected.product_status' }],
  ['inventory_policy', 'DENY', { value: 'deny' }],
  ['weight_unit', 'LB', { value: 'lb' }],
  ['weight_unit', 'stone', { expected: 'expected.weight_unit' }],
  ['tags', 'b, A ,a,,c', { value: 'A, b, c' }],
  ['tags', 2026, { value: '2026' }],
  ['tags', ',', { expected: 'expected.tags' }],
  ['tags', 'x'.repeat(256), { expected: 'expected.tags' }],
  ['handle', 'té-de-menta', { value: 'té-de-menta' }],
  ['handle', 'Tea Pot', { expected: 'expected.handle' }],
  ['handle', 'tea--pot', { expected: 'expected.handle' }],
  ['hs_code', '090111', { value: '090111' }],
  // A sheet that took it for a number has lost its zero: nothing is guessed.
  ['hs_code', 90111, { expected: 'expected.hs_code' }],
  ['vendor', 'x'.repeat(256), { expected: 'expected.line' }],
  ['vendor', 'two\nlines', { expected: 'expected.line' }],
  ['description', '<p>a</p>\r\n<p>b</p>', { value: '<p>a</p>\n<p>b</p>' }],
  ['metafield:custom.washable', true, { value: 'true' }],
  ['metafield:custom.count', 12, { value: '12' }],
  ['compare_at_price', '-1', { expected: 'expected.amount_2' }],
])('a cell of %s with %j reads as %j', (field, cell, expected) => {
  expect(cellValue(field, cell, { locale: 'en_US', scale: 2 })).toEqual(expected);
});

test('a text that no cell holds is shown by its beginning, which says that it changed', () => {
  const long = `<p>${'long '.repeat(20_000)}</p>`;
  const value = (description: string) =>
    storeValue('description', { ...TEAPOT, more: { description } }, 2) ?? '';
  expect(value(long).slice(-40)).toMatch(/lo \[…100007 #[0-9a-f]{12}\]$/);
  expect([value(long).length < 600, isExcerpt(value(long)), value(long) === value(`${long} more`)]).toEqual([
    true,
    true,
    false,
  ]);
});

test('the store is told what its other fields change', () => {
  expect([
    variantFields('product_status', 'draft', null),
    variantFields('compare_at_price', null, null),
    variantFields('vendor', null, null),
    variantFields('weight_unit', 'lb', 'KILOGRAMS', '2.5'),
    variantFields('metafield:custom.material', null, null),
    variantFields('inventory_quantity:90001', '5', null),
  ]).toEqual([
    { more: { product_status: 'draft' } },
    { more: { compare_at_price: null } },
    {},
    { weight: { value: 2.5, unit: 'POUNDS' } },
    { more: { 'metafield:custom.material': null } },
    {},
  ]);
});
