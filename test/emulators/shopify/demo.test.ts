import { expect, test } from 'vitest';
import { DEMO_SHOP } from '../../../src/emulators/shopify/demo.ts';
import { createShopifyEmulator } from '../../../src/emulators/shopify/shopify.ts';

const variants = createShopifyEmulator({ shop: DEMO_SHOP }).variants();

test('the demo shop has 24 products, about 60 variants, one place and euros', () => {
  expect({
    products: new Set(variants.map(({ productId }) => productId)).size,
    handles: new Set(variants.map(({ handle }) => handle)).size,
    variants: variants.length,
    locations: DEMO_SHOP.locations,
    currency: DEMO_SHOP.currency,
  }).toEqual({ products: 24, handles: 24, variants: 60, locations: ['Almond Street 7'], currency: 'EUR' });
});

test('its SKUs and barcodes are each of one variant', () => {
  const barcodes = variants.flatMap(({ barcode }) => barcode ?? []);
  expect(new Set(variants.map(({ sku }) => sku)).size).toBe(60);
  expect(new Set(barcodes).size).toBe(59);
  expect(barcodes[0]).toBe('2000000000015');
});

test('it has what syncs trip over: a title like a formula, a SKU of digits, something that is not stocked', () => {
  expect(variants.find(({ sku }) => sku === 'TOTE-NAT')?.title).toBe('=Equals tote bag');
  expect(variants.find(({ sku }) => sku === '00731')?.handle).toBe('notebook-dotted');
  expect(variants.find(({ sku }) => sku === 'CLASS-2')).toMatchObject({
    available: null,
    weight: null,
    barcode: null,
    requiresShipping: false,
  });
});
