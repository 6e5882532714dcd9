import type { StoreVariant, WeightUnit } from '../../sync/ports/store-client.ts';
import { unavailable } from './read-reply.ts';

type Row = Readonly<Record<string, unknown>>;

/**
 * A variant out of an answer or a line of a bulk file. Written by hand: there are hundreds of thousands of them. Throws
 * Fault store_unavailable for what is none.
 */
export function readVariant(domain: string, value: unknown): StoreVariant {
  try {
    return read(value);
  } catch (error) {
    if (error instanceof Surprise) throw unavailable(domain, `a variant with another ${error.message}`);
    throw error;
  }
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
