import type { ProductSeed, VariantSeed } from '../../../src/emulators/shopify/records.ts';
import type { Canonical, StoreField } from '../../../src/sync/values/field.ts';
import type { Chance } from './chance.ts';

/** The values of one item, by field, in their one spelling. */
export type Values = Partial<Record<StoreField, Canonical>>;

export const OTHER_FIELDS = [
  'title',
  'price',
  'barcode',
  'weight',
  'grams',
  'requires_shipping',
  'taxable',
] as const satisfies readonly StoreField[];

/** Another value of a field than most others have; what is cleared is null. */
export function someValue(field: StoreField, chance: Chance): Canonical {
  switch (field) {
    case 'sku':
    case 'title':
      return `Title ${chance.between(1, 100_000)}`;
    case 'barcode':
      return `B-${chance.between(1, 100_000)}`;
    case 'price':
      return (chance.between(1, 50_000) / 100).toFixed(2);
    case 'weight':
      return String(chance.between(1, 400) / 8);
    case 'grams':
    case 'inventory_quantity':
      return String(chance.between(1_000, 9_000));
    case 'requires_shipping':
    case 'taxable':
      return String(chance.happens(0.5));
  }
}

/** So many variants, of products of one to three, named S001, S002 … */
export function someProducts(count: number, chance: Chance, from = 0): ProductSeed[] {
  const products: ProductSeed[] = [];
  for (let nth = from; nth < from + count; ) {
    const own = Math.min(chance.between(1, 3), from + count - nth);
    const variants = Array.from({ length: own }, (_, at) => someVariant(skuOf(nth + at), chance));
    products.push({ title: `Title of ${skuOf(nth)}`, variants });
    nth += own;
  }
  return products;
}

function skuOf(nth: number): string {
  return `S${String(nth + 1).padStart(3, '0')}`;
}

function someVariant(sku: string, chance: Chance): VariantSeed {
  const unit = chance.pick(['KILOGRAMS', 'GRAMS', 'POUNDS'] as const);
  return {
    sku,
    price: someValue('price', chance) ?? '1.00',
    barcode: someValue('barcode', chance),
    taxable: chance.happens(0.5),
    requiresShipping: chance.happens(0.5),
    weight: { value: chance.between(1, 400) / 8, unit },
    available: chance.between(5_000, 9_000),
  };
}
