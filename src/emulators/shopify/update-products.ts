import type { createCatalogue } from './catalog.ts';
import { createEditProduct, type MetafieldInput, type ProductInput } from './edit-product.ts';
import type { UserError } from './faults.ts';
import { refuseLong, userError } from './faults.ts';
import type { InventoryPolicy, ItemRecord, ProductRecord, VariantRecord, Weight } from './records.ts';
import type { Shop } from './shop.ts';

const VARIANTS_MOST = 2048;
const TEXT_MOST = 255;

/** Digits behind the point in currencies that have none. */
const WHOLE_CURRENCIES = ['CLP', 'ISK', 'JPY', 'KRW', 'PYG', 'VND', 'XAF', 'XOF'];

type VariantInput = {
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
  readonly requiresShipping?: boolean | null;
  readonly measurement?: { readonly weight?: Weight | null } | null;
  readonly cost?: string | null;
  readonly harmonizedSystemCode?: string | null;
};
type UpdateVariantsArgs = {
  readonly productId: string;
  readonly variants: readonly VariantInput[];
  readonly allowPartialUpdates: boolean;
};
type UpdateProductArgs = { readonly product: ProductInput };

/** The mutations `productVariantsBulkUpdate` and `productUpdate`. */
export function createUpdateProducts(shop: Shop, catalogue: ReturnType<typeof createCatalogue>) {
  const edit = createEditProduct(shop);

  function errorOf(input: VariantInput, productId: string): InputFault | undefined {
    if (!input.id)
      return { at: ['id'], code: 'PRODUCT_VARIANT_ID_MISSING', message: 'Product variant ID is missing' };
    const variant = shop.variant(input.id);
    if (variant?.productId !== productId) {
      return {
        at: ['id'],
        code: 'PRODUCT_VARIANT_DOES_NOT_EXIST',
        message: 'Product variant does not exist',
      };
    }
    const fault = edit.metafieldsFault(variant, input.metafields);
    if (fault) return { at: fault.field ?? [], code: 'INVALID_VALUE', message: fault.message };
    return valueFault(input);
  }

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

  function productAnswer(product: ProductRecord | undefined, userErrors: readonly UserError[]) {
    return { product: product ? catalogue.productView(product) : null, userErrors };
  }

  return {
    productVariantsBulkUpdate({ productId, variants, allowPartialUpdates }: UpdateVariantsArgs) {
      refuseLong(variants, VARIANTS_MOST);
      const product = shop.product(productId);
      if (!product) {
        const error = userError(['productId'], 'PRODUCT_DOES_NOT_EXIST', 'Product does not exist');
        return { productVariants: null, userErrors: [error] };
      }
      const complaints = variants.map((input) => errorOf(input, productId));
      const userErrors = complaints.flatMap((complaint, index) => {
        return complaint ? [inputFaultAt(complaint, index)] : [];
      });
      if (userErrors.length > 0 && !allowPartialUpdates) return { productVariants: null, userErrors };
      const changed = variants.flatMap((input, index) => {
        const variant = complaints[index] ? undefined : shop.variant(input.id ?? '');
        if (!variant) return [];
        change(variant, input);
        return [variant];
      });
      if (changed.length > 0) shop.changed({ kind: 'product', product });
      return { productVariants: changed.map(catalogue.variantView), userErrors };
    },

    productUpdate({ product: input }: UpdateProductArgs) {
      const product = shop.product(input.id ?? '');
      if (!product) return productAnswer(undefined, [userError(['id'], null, 'Product does not exist')]);
      const fault = edit.faultOf(product, input);
      if (fault) return productAnswer(product, [fault]);
      if (edit.apply(product, input)) shop.changed({ kind: 'product', product });
      return productAnswer(product, []);
    },

    metafieldsDelete: edit.metafieldsDelete,
  };
}

/** `at`: the field of one variant that it is about. */
type InputFault = { readonly at: readonly string[]; readonly code: string; readonly message: string };

function inputFaultAt({ at, code, message }: InputFault, index: number): UserError {
  return userError(['variants', String(index), ...at], code, message);
}

function valueFault({ price, barcode, inventoryItem }: VariantInput): InputFault | undefined {
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
