import { mediaOf } from '../../../src/emulators/shopify/media.ts';
import type { ProductSeed, ShopSnapshot, VariantSeed } from '../../../src/emulators/shopify/records.ts';
import { type Canonical, type StoreField, specOf } from '../../../src/sync/values/field.ts';
import { tagsOf } from '../../../src/sync/values/text-value.ts';
import type { Chance } from './chance.ts';

/** The values of one item, by field, in their one spelling. */
export type Values = Partial<Record<StoreField, Canonical>>;

export const METAFIELD = 'metafield:custom.material';
const VARIANT_METAFIELD = 'variant_metafield:custom.care';
/** That of variants is not defined: it has the type that was sent first. */
export const METAFIELD_TYPES = { 'custom.material': 'single_line_text_field' };
export const PLACES = ['Shop', 'Depot'] as const;

/** Every field but the SKU and the quantities. */
export const OTHER_FIELDS = [
  'title',
  'price',
  'barcode',
  'weight',
  'grams',
  'requires_shipping',
  'taxable',
  'compare_at_price',
  'cost',
  'vendor',
  'product_type',
  'tags',
  'product_status',
  'handle',
  'description',
  'seo_title',
  'seo_description',
  'image',
  'inventory_policy',
  'weight_unit',
  'hs_code',
  METAFIELD,
  VARIANT_METAFIELD,
] as const satisfies readonly StoreField[];

/** One value for all variants of a product. */
export function isOfProduct(field: StoreField): boolean {
  return specOf(field).level === 'product';
}

/** Another value of a field than most others have. */
export function someValue(field: StoreField, chance: Chance): Canonical {
  const { kind, form, choices } = specOf(field);
  const number = (most = 100_000) => chance.between(1, most);
  switch (kind) {
    case 'quantity':
    case 'integer':
      return String(chance.between(1_000, 9_000));
    case 'money':
      return (number(50_000) / 100).toFixed(2);
    case 'decimal':
      return String(number(400) / 8);
    case 'boolean':
      return String(chance.happens(0.5));
    case 'choice':
      return chance.pick(Object.values(choices ?? {}));
    case 'tags':
      return tagsOf(`new, ${chance.pick(['red', 'blue'])}, tag ${number()}`) ?? null;
    case 'metafield':
      return `Cloth ${number()}`;
    case 'text':
      if (form === 'handle') return `handle-${number(1e9)}`;
      if (form === 'image') return `https://pictures.example/${number(1e6)}.png`;
      if (form === 'hs_code') return String(chance.between(100_000, 999_999));
      if (field === 'description') return `<p>Text ${number()}</p>\n<p>More</p>`;
      return field === 'barcode' ? `B-${number()}` : `${field} ${number()}`;
  }
}

/** So many variants, of products of one to three, named S001, S002 … */
export function someProducts(count: number, chance: Chance, from = 0): ProductSeed[] {
  const products: ProductSeed[] = [];
  for (let nth = from; nth < from + count; ) {
    const own = Math.min(chance.between(1, 3), from + count - nth);
    const variants = Array.from({ length: own }, (_, at) => someVariant(skuOf(nth + at), chance));
    products.push({ title: `Title of ${skuOf(nth)}`, ...someDetails(chance), variants });
    nth += own;
  }
  return products;
}

function skuOf(nth: number): string {
  return `S${String(nth + 1).padStart(3, '0')}`;
}

function someDetails(chance: Chance): Omit<ProductSeed, 'title' | 'variants'> {
  const orNone = (field: StoreField) => (chance.happens(0.7) ? someValue(field, chance) : null);
  const material = orNone(METAFIELD);
  const image = orNone('image');
  return {
    ...(image && { image }),
    handle: someValue('handle', chance) ?? '',
    vendor: someValue('vendor', chance) ?? '',
    productType: orNone('product_type') ?? '',
    tags: orNone('tags')?.split(', ') ?? [],
    status: chance.pick(['ACTIVE', 'DRAFT', 'ARCHIVED'] as const),
    descriptionHtml: orNone('description') ?? '',
    seo: { title: orNone('seo_title'), description: orNone('seo_description') },
    metafields:
      material === null ? {} : { 'custom.material': { type: 'single_line_text_field', value: material } },
  };
}

function someVariant(sku: string, chance: Chance): VariantSeed {
  const unit = chance.pick(['KILOGRAMS', 'GRAMS', 'POUNDS'] as const);
  const orNone = (field: StoreField) => (chance.happens(0.7) ? someValue(field, chance) : null);
  const [shop, depot] = PLACES;
  return {
    metafields: careOf(orNone(VARIANT_METAFIELD)),
    sku,
    price: someValue('price', chance) ?? '1.00',
    compareAtPrice: orNone('compare_at_price'),
    cost: orNone('cost'),
    hsCode: orNone('hs_code'),
    inventoryPolicy: chance.pick(['DENY', 'CONTINUE'] as const),
    barcode: someValue('barcode', chance),
    taxable: chance.happens(0.5),
    requiresShipping: chance.happens(0.5),
    weight: { value: chance.between(1, 400) / 8, unit },
    available: { [shop]: chance.between(5_000, 9_000), [depot]: chance.between(5_000, 9_000) },
  };
}

function careOf(value: Canonical): NonNullable<VariantSeed['metafields']> {
  return value === null ? {} : { 'custom.care': { type: 'multi_line_text_field', value } };
}

/** What a person in the store changes: the record of a field, which it has under the SKU of a snapshot. */
export function changed(
  snapshot: ShopSnapshot,
  sku: string,
  field: StoreField,
  value: Canonical,
): ShopSnapshot {
  const item = snapshot.items.find((one) => one.sku === sku);
  const variant = snapshot.variants.find(({ itemId }) => itemId === item?.id);
  const product = snapshot.products.find(({ id }) => id === variant?.productId);
  if (!item || !variant || !product) throw new Error(`no SKU ${sku}`);
  const text = value ?? '';
  const seo = { title: null, description: null, ...product.seo };
  const edits: Partial<Record<StoreField, () => unknown>> = {
    title: () => (product.title = text),
    vendor: () => (product.vendor = text),
    product_type: () => (product.productType = text),
    tags: () => (product.tags = value?.split(', ') ?? []),
    product_status: () => (product.status = nameOf('product_status', text)),
    handle: () => (product.handle = text),
    description: () => (product.descriptionHtml = text),
    seo_title: () => (product.seo = { ...seo, title: value }),
    seo_description: () => (product.seo = { ...seo, description: value }),
    image: () =>
      (product.media = [
        { id: `gid://shopify/MediaImage/${text}`, url: text, readyAt: 0 },
        ...mediaOf(product),
      ]),
    [METAFIELD]: () =>
      (product.metafields =
        value === null ? {} : { 'custom.material': { type: 'single_line_text_field', value } }),
    [VARIANT_METAFIELD]: () => (variant.metafields = careOf(value)),
    price: () => (variant.price = text),
    compare_at_price: () => (variant.compareAtPrice = value),
    inventory_policy: () => (variant.inventoryPolicy = nameOf('inventory_policy', text)),
    barcode: () => (variant.barcode = value),
    taxable: () => (variant.taxable = value === 'true'),
    cost: () => (item.cost = value),
    hs_code: () => (item.hsCode = value),
    requires_shipping: () => (item.requiresShipping = value === 'true'),
    weight: () => (item.weight = { value: Number(value), unit: item.weight?.unit ?? 'GRAMS' }),
    grams: () => (item.weight = { value: Number(value), unit: 'GRAMS' }),
    weight_unit: () => (item.weight = { value: item.weight?.value ?? 0, unit: nameOf('weight_unit', text) }),
  };
  const edit = edits[field];
  if (!edit) throw new Error(`nobody changes ${field} in the store`);
  edit();
  return snapshot;
}

/** A choice as the store calls it. */
function nameOf<T extends string>(field: StoreField, value: string): T {
  const names = Object.entries(specOf(field).choices ?? {});
  return (names.find(([, choice]) => choice === value)?.[0] ?? '') as T;
}
