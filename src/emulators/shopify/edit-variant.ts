import type { createEditProduct, MetafieldInput } from './edit-product.ts';
import type { InventoryPolicy, ItemRecord, VariantRecord, Weight } from './records.ts';
import type { Shop } from './shop.ts';

const TEXT_MOST = 255;

/** Digits behind the point in currencies that have none. */
const WHOLE_CURRENCIES = ['CLP', 'ISK', 'JPY', 'KRW', 'PYG', 'VND', 'XAF', 'XOF'];

export type VariantInput = {
  readonly id?: string | null;
  readonly price?: string | null;
  readonly barcode?: string | null;
  readonly taxable?: boolean | null;
  readonly compareAtPrice?: string | null;
  readonly inventoryPolicy?: InventoryPolicy | null;
  readonly inventoryItem?: ItemInput | null;
  readonly metafields?: readonly MetafieldInput[] | null;
};
type ItemInput = {
  readonly sku?: string | null;
  readonly tracked?: boolean | null;
  readonly requiresShipping?: boolean | null;
  readonly measurement?: { readonly weight?: Weight | null } | null;
  readonly cost?: string | null;
  readonly harmonizedSystemCode?: string | null;
};

/** What an input of a variant changes in its record and that of its item. */
export function createEditVariant(shop: Shop, edit: ReturnType<typeof createEditProduct>) {
  function change(variant: VariantRecord, input: VariantInput): void {
    const { price, barcode, taxable, compareAtPrice, inventoryPolicy, inventoryItem } = input;
    if (typeof price === 'string') variant.price = moneyOf(price);
    if (barcode !== undefined) variant.barcode = barcode;
    if (typeof taxable === 'boolean') variant.taxable = taxable;
    if (compareAtPrice !== undefined)
      variant.compareAtPrice = compareAtPrice === null ? null : moneyOf(compareAtPrice);
    if (inventoryPolicy) variant.inventoryPolicy = inventoryPolicy;
    edit.setMetafields(variant, input.metafields);
    if (inventoryItem) changeItem(shop.itemOf(variant), inventoryItem);
  }

  function changeItem(item: ItemRecord, input: ItemInput): void {
    const { sku, requiresShipping, measurement, cost, harmonizedSystemCode } = input;
    if (cost !== undefined) item.cost = cost === null ? null : moneyOf(cost);
    if (harmonizedSystemCode !== undefined) item.hsCode = harmonizedSystemCode;
    if (sku !== undefined) item.sku = sku;
    if (typeof requiresShipping === 'boolean') item.requiresShipping = requiresShipping;
    if (measurement?.weight) item.weight = { ...measurement.weight };
    shop.changed({ kind: 'item', item });
  }

  function moneyOf(price: string): string {
    return Number(price).toFixed(WHOLE_CURRENCIES.includes(shop.about().currency) ? 0 : 2);
  }

  return { change };
}

/** `at`: the field of one variant that it is about. */
export type InputFault = { readonly at: readonly string[]; readonly code: string; readonly message: string };

export function valueFault({ price, barcode, inventoryItem }: VariantInput): InputFault | undefined {
  if (price === null) return { at: ['price'], code: 'BLANK', message: "Price can't be blank" };
  const hsCode = inventoryItem?.harmonizedSystemCode ?? null;
  if (hsCode !== null && !/^\d{6,13}$/.test(hsCode)) {
    const at = ['inventoryItem', 'harmonizedSystemCode'];
    return {
      at,
      code: 'INVALID_VALUE',
      message: 'Harmonized system code must be a number between six and 13 digits',
    };
  }
  if (price !== undefined && Number(price) < 0) {
    return {
      at: ['price'],
      code: 'NEGATIVE_PRICE_VALUE',
      message: 'Price must be greater than or equal to 0',
    };
  }
  if ((barcode ?? '').length > TEXT_MOST) {
    return {
      at: ['barcode'],
      code: 'TOO_LONG',
      message: `Barcode is too long (maximum is ${TEXT_MOST} characters)`,
    };
  }
  if ((inventoryItem?.sku ?? '').length > TEXT_MOST) {
    const message = `SKU is too long (maximum is ${TEXT_MOST} characters)`;
    return { at: ['inventoryItem', 'sku'], code: 'TOO_LONG', message };
  }
  if ((inventoryItem?.measurement?.weight?.value ?? 0) < 0) {
    const at = ['inventoryItem', 'measurement', 'weight', 'value'];
    return { at, code: 'INVALID_VALUE', message: 'Weight must be greater than or equal to 0' };
  }
  return undefined;
}
