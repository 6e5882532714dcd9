import { expect, test } from 'vitest';
import { variantSelection } from '../../../src/providers/shopify/selection.ts';
import { FieldName } from '../../../src/sync/values/field-name.ts';

test.each([
  'sku',
  'product_status',
  'metafield:custom.material',
  'metafield:app--1--x.care_label-2',
  'variant_metafield:custom.care',
  'inventory_quantity:90000000001',
])('%s names a field', (name) => {
  expect(FieldName.safeParse(name).success).toBe(true);
});

test.each([
  'Sku',
  'metafield:material',
  'variant_metafield:care',
  'variants_metafield:custom.care',
  'metafield:a.b',
  'metafield:custom.material") { value } } } #',
  'metafield:custom.material\n',
  'metafield:cus tom.material',
  'metafield:custom.a.b',
  'inventory_quantity:',
  'inventory_quantity:gid://shopify/Location/1',
  'inventory_quantity:1"',
  '__proto__',
])('%j names none', (name) => {
  expect(FieldName.safeParse(name).success).toBe(false);
});

test('a field that is not mapped is not asked for, and a path is asked for once', () => {
  expect(variantSelection([])).toBe(
    'id sku price barcode taxable product { id title handle } inventoryItem { id requiresShipping tracked ' +
      'measurement { weight { value unit } } ' +
      'inventoryLevel(locationId: $location) { quantities(names: ["available"]) { quantity } } }',
  );
  expect(variantSelection(['seo_title', 'weight_unit', 'metafield:custom.material'])).toBe(
    'id sku price barcode taxable ' +
      'product { id title handle seo { title } f2: metafield(namespace: "custom", key: "material") { value } } ' +
      'inventoryItem { id requiresShipping tracked measurement { weight { value unit } } ' +
      'inventoryLevel(locationId: $location) { quantities(names: ["available"]) { quantity } } }',
  );
});
