import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Cell } from '../../../src/sync/ports/sheet-client.ts';
import type { StoreVariant, WeightUnit } from '../../../src/sync/ports/store-client.ts';
import { type Canonical, STORE_FIELDS, type StoreField, specOf } from '../../../src/sync/values/field.ts';
import { cellText } from '../../../src/sync/values/sync-key.ts';
import { tagsOf } from '../../../src/sync/values/text-value.ts';
import { cellValue, sheetCell, storeValue, variantFields } from '../../../src/sync/values/value.ts';
import { samples } from '../../support/samples.ts';

const RUNS = { numRuns: samples(2_000), seed: 20_261_121 };
const LOCALES = [
  'en_US',
  'es_ES',
  'es_MX',
  'de_CH',
  'fr_FR',
  'en_IN',
  'sv_SE',
  'ar_EG',
  'ja_JP',
  'xx_XX',
  '',
];
const UNITS: readonly WeightUnit[] = ['GRAMS', 'KILOGRAMS', 'OUNCES', 'POUNDS'];

const locale = fc.constantFrom(...LOCALES);
const scale = fc.constantFrom(0, 2, 3);
const whole = (min: number, max: number) => fc.integer({ min, max }).map(String);

/** Text that is neither blank nor one of the errors of a spreadsheet. */
const text = fc
  .string({ unit: 'grapheme', maxLength: 30 })
  .map((one) => one.trim())
  .filter((one) => one !== '' && 'text' in cellText(one));

/** An amount in the smallest unit, as text at the scale. */
function amount(units: number, scale: number): string {
  const digits = String(units).padStart(scale + 1, '0');
  const point = digits.length - scale;
  return scale === 0 ? digits : `${digits.slice(0, point)}.${digits.slice(point)}`;
}

const decimal = fc
  .tuple(fc.integer({ min: 0, max: 1_000_000_000 }), fc.integer({ min: 0, max: 99_999 }))
  .map(([units, fraction]) => `${units}.${String(fraction).padStart(5, '0')}`)
  .map((one) => one.replace(/\.?0+$/, ''))
  .filter((one) => Number(one) <= 1_000_000_000);

const canonical = (field: StoreField, decimals: number): fc.Arbitrary<Canonical> => {
  switch (field) {
    case 'sku':
    case 'title':
    case 'barcode':
      return fc.option(text);
    case 'inventory_quantity':
    case 'inventory_quantity:90000000001':
      return fc.option(whole(-1_000_000_000, 1_000_000_000));
    case 'grams':
      return fc.option(whole(0, 1_000_000_000));
    case 'weight':
      return fc.option(decimal);
    case 'handle':
      return fc.constantFrom('teapot', 'té-de-menta', 'お茶-2', 'a_b', null);
    case 'image':
      return fc.constantFrom('https://pictures.example/mug.png?v=1', 'asset:images/mug.png', '…', null);
    case 'hs_code':
      return fc.option(fc.stringMatching(/^[0-9]{6,13}$/));
    case 'tags':
      return fc.option(text.map(tagsOf).filter((tags) => tags !== undefined));
    default:
      return otherValue(field, decimals);
  }
};

function otherValue(field: StoreField, decimals: number): fc.Arbitrary<Canonical> {
  const { kind, choices = {} } = specOf(field);
  switch (kind) {
    case 'boolean':
      return fc.constantFrom('true', 'false', null);
    case 'choice':
      return fc.constantFrom(...Object.values(choices), null);
    case 'money':
      return fc.option(fc.integer({ min: 0, max: 10 ** 15 - 1 }).map((units) => amount(units, decimals)));
    default:
      return fc.option(text.map((one) => one.replace(/[\r\n]+/g, ' ').trim()).filter((one) => one !== ''));
  }
}

/** The documented ones, those beside them, and those with a part that a caller names. */
const FIELDS: readonly StoreField[] = [
  ...STORE_FIELDS,
  'metafield:custom.material',
  'variant_metafield:custom.care',
  'inventory_quantity:90000000001',
];

const valued = fc
  .tuple(fc.constantFrom(...FIELDS), scale)
  .chain(([field, decimals]) =>
    canonical(field, decimals).map((value) => ({ field, scale: decimals, value })),
  );

test('what is written into a cell is read back as it was, whatever the locale', () => {
  fc.assert(
    fc.property(valued, locale, ({ field, scale, value }, locale) => {
      expect(cellValue(field, sheetCell(field, value), { locale, scale })).toEqual({ value });
    }),
    RUNS,
  );
});

test('a cell that was read says the same when it is written and read again', () => {
  const cell: fc.Arbitrary<Cell> = fc.oneof(
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.double({ noNaN: true, min: 0, max: 10_000 }),
    fc.integer(),
    fc.boolean(),
    fc.string({ unit: 'grapheme' }),
    fc.stringMatching(/^[-−(]?[0-9]{0,4}([.,' \u00a0][0-9]{1,3}){0,3}[%€)]?$/),
  );
  fc.assert(
    fc.property(fc.constantFrom(...FIELDS), cell, locale, scale, (field, cell, locale, scale) => {
      const first = cellValue(field, cell, { locale, scale });
      if (!('value' in first)) return;
      expect(cellValue(field, sheetCell(field, first.value), { locale, scale })).toEqual(first);
    }),
    RUNS,
  );
});

test('a number is read alike whether the sheet kept it as a number or as text of its locale', () => {
  const known = fc.constantFrom('en_US', 'es_ES', 'es_MX', 'de_CH', 'fr_FR', 'en_IN', 'sv_SE', 'ja_JP');
  const number = fc.integer({ min: 0, max: 99_999_999_999 }).map((cents) => cents / 100);
  fc.assert(
    fc.property(number, known, fc.boolean(), (number, locale, useGrouping) => {
      const how = { locale, scale: 2 };
      const written = new Intl.NumberFormat(locale.replace('_', '-'), {
        useGrouping,
        maximumFractionDigits: 2,
      }).format(number);
      expect([written, cellValue('price', written, how)]).toEqual([written, cellValue('price', number, how)]);
    }),
    RUNS,
  );
});

test('a number is read as it is written in any language there is', () => {
  const letters = [...'abcdefghijklmnopqrstuvwxyz'];
  const languages = Intl.NumberFormat.supportedLocalesOf(
    letters.flatMap((one) => letters.map((two) => one + two)),
  );
  const wrong = languages.flatMap((locale) => {
    const { format } = new Intl.NumberFormat(locale, { numberingSystem: 'latn' });
    return [1_234_567.5, 12_345.25, 1_234, 0.5]
      .map((number) => ({ number, written: format(number), locale }))
      .filter(({ number, written }) => {
        const read = cellValue('price', written, { locale, scale: 2 });
        return !('value' in read && Number(read.value) === number);
      });
  });
  expect(wrong).toEqual([]);
  expect(languages.length).toBeGreaterThan(100);
});

test('what goes from the store to the sheet and is read there is what the store has', () => {
  fc.assert(
    fc.property(storeVariant(), locale, scale, (variant, locale, scale) => {
      for (const field of FIELDS) {
        const value = storeValue(field, variant, scale);
        expect(cellValue(field, sheetCell(field, value), { locale, scale })).toEqual({ value });
      }
    }),
    { ...RUNS, numRuns: samples(500) },
  );
});

test('a store that was told a value has that value', () => {
  fc.assert(
    fc.property(valued, storeVariant(), ({ field, scale, value }, variant) => {
      const weight = variant.weight && String(variant.weight.value);
      const { title, ...changed } = variantFields(field, value, variant.weight?.unit ?? null, weight);
      const told = { ...variant, ...changed, title: title ?? variant.title };
      // It is told with the weight, in the words of the store.
      if (field === 'weight_unit') return;
      const isShared = Object.keys({ ...changed, ...(title !== undefined && { title }) }).length > 0;
      expect(storeValue(field, told, scale)).toBe(isShared ? value : storeValue(field, variant, scale));
    }),
    RUNS,
  );
});

test('no amount of money is ever rounded: all cents up to 500.00, and sums of a thousand', () => {
  const how = { locale: 'en_US', scale: 2 };
  const wrong: unknown[] = [];
  // As a formula adds up in binary numbers.
  let sum = 0;
  for (let cents = 0; cents <= 50_000; cents++, sum += 0.01) {
    const value = amount(cents, 2);
    for (const cell of cents > 1_000 ? [sheetCell('price', value)] : [sheetCell('price', value), sum]) {
      const back = cellValue('price', cell, how);
      if (!('value' in back) || back.value !== value) wrong.push({ value, cell, back });
    }
  }
  expect(wrong.slice(0, 5)).toEqual([]);
});

function storeVariant(): fc.Arbitrary<StoreVariant> {
  const cents = fc.integer({ min: 0, max: 99_999_999 });
  return fc.record({
    variantId: fc.constant('gid://shopify/ProductVariant/41'),
    productId: fc.constant('gid://shopify/Product/4'),
    itemId: fc.constant('gid://shopify/InventoryItem/401'),
    sku: fc.option(text),
    title: text,
    handle: fc.constant('teapot'),
    // No currency has an amount that its decimals cannot say: whole ones do for each.
    price: cents.map((units) => `${units}.00`),
    barcode: fc.option(text),
    taxable: fc.boolean(),
    requiresShipping: fc.boolean(),
    tracked: fc.boolean(),
    weight: fc.option(
      fc.record({
        value: fc.oneof(
          fc.double({ noNaN: true, min: 0, max: 1_000_000 }),
          cents.map((one) => one / 1000),
        ),
        unit: fc.constantFrom(...UNITS),
      }),
    ),
    available: fc.option(fc.integer({ min: -1_000_000_000, max: 1_000_000_000 })),
  });
}
