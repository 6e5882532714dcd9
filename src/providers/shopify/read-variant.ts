import type { StoreVariant, WeightUnit } from '../../sync/ports/store-client.ts';
import { PENDING_IMAGE, type StoreField } from '../../sync/ports/store-fields.ts';
import { unavailable } from './read-reply.ts';
import { answerPath, type Fields } from './selection.ts';

type Row = Readonly<Record<string, unknown>>;

/**
 * Reads variants out of answers or lines of a bulk file, with the fields beside the basic ones. Written by hand: there are
 * hundreds of thousands of them. Throws Fault store_unavailable for what is none.
 */
export function variantReader(domain: string, more: Fields): (value: unknown) => StoreVariant {
  const paths = more.flatMap((field, nth) => {
    const path = answerPath(field, nth);
    return path ? [[field, path] as const] : [];
  });
  return (value) => {
    try {
      return paths.length > 0 ? { ...read(value), more: readMore(value, paths) } : read(value);
    } catch (error) {
      if (error instanceof Surprise) throw unavailable(domain, `a variant with another ${error.message}`);
      throw error;
    }
  };
}

type Paths = readonly (readonly [StoreField, readonly string[]])[];

function readMore(value: unknown, paths: Paths): NonNullable<StoreVariant['more']> {
  return Object.fromEntries(
    paths.map(([field, path]) => [field, textAt(value, path, field) ?? withoutValue(value, field)]),
  );
}

/** A picture that is there, and has no address yet. */
function withoutValue(value: unknown, field: StoreField): string | null {
  if (field !== 'image') return null;
  const product = object(object(value, 'variant')['product'], 'product');
  return product['featuredMedia'] === null ? null : PENDING_IMAGE;
}

/** A list of texts is put between commas; of a list of records the first counts. What is missing on the way is null. */
function textAt(value: unknown, path: readonly string[], name: string): string | null {
  let at = value;
  for (const part of path) {
    if (Array.isArray(at)) [at] = at;
    if (at === null) return null;
    at = object(at, name)[part];
  }
  if (Array.isArray(at)) return at.map((one) => text(one, name)).join(',');
  return typeof at === 'number' ? String(at) : textOrNull(at, name);
}

/** Says which part of a row is not as we ask for it. */
class Surprise extends Error {}

function read(value: unknown): StoreVariant {
  const row = object(value, 'variant');
  const product = object(row['product'], 'product');
  const item = object(row['inventoryItem'], 'inventoryItem');
  return {
    variantId: text(row['id'], 'id'),
    productId: text(product['id'], 'product.id'),
    itemId: text(item['id'], 'inventoryItem.id'),
    sku: textOrNull(row['sku'], 'sku'),
    title: text(product['title'], 'product.title'),
    handle: text(product['handle'], 'product.handle'),
    price: text(row['price'], 'price'),
    barcode: textOrNull(row['barcode'], 'barcode'),
    taxable: flag(row['taxable'], 'taxable'),
    requiresShipping: flag(item['requiresShipping'], 'requiresShipping'),
    weight: weightOf(item['measurement']),
    tracked: flag(item['tracked'], 'tracked'),
    available: availableOf(item['inventoryLevel']),
  };
}

function weightOf(value: unknown): StoreVariant['weight'] {
  const { weight } = object(value, 'measurement');
  if (weight === null) return null;
  const { value: amount, unit } = object(weight, 'weight');
  return { value: number(amount, 'weight.value'), unit: unitOf(text(unit, 'weight.unit')) };
}

function unitOf(unit: string): WeightUnit {
  if (unit === 'KILOGRAMS' || unit === 'GRAMS' || unit === 'OUNCES' || unit === 'POUNDS') return unit;
  throw new Surprise('weight.unit');
}

/** Null where the item is not stocked at the place. */
function availableOf(level: unknown): number | null {
  if (level === null) return null;
  const { quantities } = object(level, 'inventoryLevel');
  const [first] = Array.isArray(quantities) ? quantities : [];
  return number(object(first, 'quantities')['quantity'], 'quantity');
}

function object(value: unknown, name: string): Row {
  if (typeof value !== 'object' || value === null) throw new Surprise(name);
  // What is not null and an object may be asked for anything.
  return value as Row;
}

function text(value: unknown, name: string): string {
  if (typeof value !== 'string') throw new Surprise(name);
  return value;
}

function textOrNull(value: unknown, name: string): string | null {
  return value === null ? null : text(value, name);
}

function number(value: unknown, name: string): number {
  if (typeof value !== 'number') throw new Surprise(name);
  return value;
}

function flag(value: unknown, name: string): boolean {
  if (typeof value !== 'boolean') throw new Surprise(name);
  return value;
}
