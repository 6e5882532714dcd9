import { expect, test } from 'vitest';
import { UPDATE_PRODUCT, UPDATE_VARIANTS } from '../../../src/providers/shopify/operations.ts';
import { type OpenShop, openShop } from './open-shop.ts';

async function update(shop: OpenShop, variants: readonly object[], productId = shop.product('MUG-S')) {
  const { data, errors } = await shop.ask(UPDATE_VARIANTS, { productId, variants });
  return { errors, answer: data?.productVariantsBulkUpdate };
}

const row = (shop: OpenShop, sku: string) => shop.emulator.variants().find((variant) => variant.sku === sku);

test('fields that are named change, all others stay', async () => {
  const shop = openShop();
  const before = row(shop, 'MUG-S');
  const id = shop.variant('MUG-S');
  const inventoryItem = {
    sku: 'MUG-SMALL',
    requiresShipping: false,
    measurement: { weight: { value: 0.4, unit: 'KILOGRAMS' } },
  };
  const { answer } = await update(shop, [{ id, price: '13.5', taxable: false, inventoryItem }]);
  expect(answer).toEqual({ productVariants: [{ id }], userErrors: [] });
  expect(row(shop, 'MUG-SMALL')).toEqual({
    ...before,
    sku: 'MUG-SMALL',
    price: '13.50',
    taxable: false,
    requiresShipping: false,
    weight: { value: 0.4, unit: 'KILOGRAMS' },
  });
});

test('null empties a barcode and a SKU', async () => {
  const shop = openShop();
  const id = shop.variant('MUG-S');
  await update(shop, [{ id, barcode: null, inventoryItem: { sku: null } }]);
  const [first] = shop.emulator.variants();
  expect({ barcode: first?.barcode, sku: first?.sku }).toEqual({ barcode: null, sku: null });
});

test('what one variant refuses is not held against the others', async () => {
  const shop = openShop();
  const [small, large] = [shop.variant('MUG-S'), shop.variant('MUG-L')];
  const { answer } = await update(shop, [
    { id: small, price: '-1' },
    { id: large, price: '16.00' },
  ]);
  expect(answer).toEqual({
    productVariants: [{ id: large }],
    userErrors: [
      {
        field: ['variants', '0', 'price'],
        code: 'NEGATIVE_PRICE_VALUE',
        message: 'Price must be greater than or equal to 0',
      },
    ],
  });
  expect([row(shop, 'MUG-S')?.price, row(shop, 'MUG-L')?.price]).toEqual(['12.00', '16.00']);
});

test('without partial updates it is all of them or none', async () => {
  const shop = openShop();
  const text = UPDATE_VARIANTS.replace('allowPartialUpdates: true', 'allowPartialUpdates: false');
  const variants = [
    { id: shop.variant('MUG-S'), price: '-1' },
    { id: shop.variant('MUG-L'), price: '16.00' },
  ];
  const { data } = await shop.ask(text, { productId: shop.product('MUG-S'), variants });
  expect(data.productVariantsBulkUpdate.productVariants).toBeNull();
  expect(row(shop, 'MUG-L')?.price).toBe('15.50');
});

test.each([
  ['BLANK', ['price'], (id: string) => ({ id, price: null })],
  ['TOO_LONG', ['barcode'], (id: string) => ({ id, barcode: '1'.repeat(256) })],
  ['TOO_LONG', ['inventoryItem', 'sku'], (id: string) => ({ id, inventoryItem: { sku: 'A'.repeat(256) } })],
  [
    'INVALID_VALUE',
    ['inventoryItem', 'measurement', 'weight', 'value'],
    (id: string) => ({ id, inventoryItem: { measurement: { weight: { value: -1, unit: 'GRAMS' } } } }),
  ],
  ['PRODUCT_VARIANT_ID_MISSING', ['id'], () => ({ price: '1.00' })],
  ['PRODUCT_VARIANT_DOES_NOT_EXIST', ['id'], () => ({ id: 'gid://shopify/ProductVariant/1', price: '1.00' })],
])('%s at %o', async (code, at, wrong) => {
  const shop = openShop();
  const { answer } = await update(shop, [wrong(shop.variant('MUG-S'))]);
  expect(answer).toEqual({
    productVariants: [],
    userErrors: [{ code, field: ['variants', '0', ...at], message: expect.any(String) }],
  });
});

test('a variant of another product, and a product that is not there, are refused', async () => {
  const shop = openShop();
  const foreign = await update(shop, [{ id: shop.variant('PLATE'), price: '1.00' }]);
  expect(foreign.answer.userErrors[0].code).toBe('PRODUCT_VARIANT_DOES_NOT_EXIST');
  const gone = await update(shop, [], 'gid://shopify/Product/1');
  expect(gone.answer).toEqual({
    productVariants: null,
    userErrors: [{ field: ['productId'], code: 'PRODUCT_DOES_NOT_EXIST', message: 'Product does not exist' }],
  });
});

test('a price that is no decimal, and a quantity, are refused by their types', async () => {
  const shop = openShop();
  const id = shop.variant('MUG-S');
  const price = await update(shop, [{ id, price: '12,50' }]);
  expect(price.errors[0]?.message).toContain("invalid money '12,50'");
  const quantity = await update(shop, [{ id, inventoryQuantities: [] }]);
  expect(quantity.errors[0]?.message).toContain('Field "inventoryQuantities" is not defined');
});

test('2,048 variants are the most of one call', async () => {
  const shop = openShop();
  const { errors } = await update(
    shop,
    Array.from({ length: 2049 }, () => ({ id: shop.variant('MUG-S') })),
  );
  expect(errors.map(({ code }) => code)).toEqual(['MAX_INPUT_SIZE_EXCEEDED']);
});

test('prices of a currency without cents have none', async () => {
  const shop = openShop({
    shop: { currency: 'JPY', products: [{ title: 'Cup', variants: [{ sku: 'CUP', price: '990' }] }] },
  });
  await update(shop, [{ id: shop.variant('CUP'), price: '1200.00' }], shop.product('CUP'));
  expect(row(shop, 'CUP')?.price).toBe('1200');
});

test('a title is of the product: all its variants have it, and it is not blank', async () => {
  const shop = openShop();
  const id = shop.product('MUG-S');
  const blank = await shop.ask(UPDATE_PRODUCT, { product: { id, title: '  ' } });
  expect(blank.data.productUpdate.userErrors).toEqual([
    { field: ['title'], message: "Title can't be blank" },
  ]);
  const named = await shop.ask(UPDATE_PRODUCT, { product: { id, title: 'Beaker' } });
  expect(named.data.productUpdate).toEqual({ product: { id }, userErrors: [] });
  expect(shop.emulator.variants().map(({ title }) => title)).toEqual(['Beaker', 'Beaker', 'Plate']);
  const gone = await shop.ask(UPDATE_PRODUCT, { product: { id: 'gid://shopify/Product/1', title: 'Cup' } });
  expect(gone.data.productUpdate).toEqual({
    product: null,
    userErrors: [{ field: ['id'], message: 'Product does not exist' }],
  });
});
