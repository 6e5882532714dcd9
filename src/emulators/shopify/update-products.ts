import type { createCatalogue } from './catalog.ts';
import { createEditProduct, type ProductInput } from './edit-product.ts';
import { createEditVariant, type InputFault, type VariantInput, valueFault } from './edit-variant.ts';
import type { UserError } from './faults.ts';
import { refuseLong, userError } from './faults.ts';
import type { ProductRecord } from './records.ts';
import type { Shop } from './shop.ts';

const VARIANTS_MOST = 2048;

type UpdateVariantsArgs = {
  readonly productId: string;
  readonly variants: readonly VariantInput[];
  readonly allowPartialUpdates: boolean;
};
type UpdateProductArgs = { readonly product: ProductInput };

/** The mutations `productVariantsBulkUpdate` and `productUpdate`. */
export function createUpdateProducts(shop: Shop, catalogue: ReturnType<typeof createCatalogue>) {
  const edit = createEditProduct(shop);
  const { change } = createEditVariant(shop, edit);

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

function inputFaultAt({ at, code, message }: InputFault, index: number): UserError {
  return userError(['variants', String(index), ...at], code, message);
}
