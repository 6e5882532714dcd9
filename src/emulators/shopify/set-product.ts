import type { createCatalogue } from './catalog.ts';
import { createEditProduct, type ProductInput } from './edit-product.ts';
import { createEditVariant, type VariantInput, valueFault } from './edit-variant.ts';
import { refuseLong, type UserError, userError } from './faults.ts';
import type { FileInput, Media } from './media.ts';
import type { Shop } from './shop.ts';

const VARIANTS_MOST = 2048;

type NewVariantInput = VariantInput & {
  readonly optionValues: readonly { readonly optionName?: string | null; readonly name?: string | null }[];
  readonly inventoryQuantities?:
    | readonly { readonly locationId: string; readonly name: string; readonly quantity: number }[]
    | null;
};
type NewProductInput = ProductInput & {
  readonly productOptions?: readonly { readonly name?: string | null }[] | null;
  readonly variants?: readonly NewVariantInput[] | null;
  readonly files?: readonly FileInput[] | null;
};
type SetArgs = {
  readonly identifier?: { readonly id?: string | null } | null;
  readonly input: NewProductInput;
};

/** The mutation `productSet`, as far as it creates a product, or sets the files of one. */
export function createSetProduct(shop: Shop, catalogue: ReturnType<typeof createCatalogue>, media: Media) {
  const edit = createEditProduct(shop);
  const { change } = createEditVariant(shop, edit);

  function faultOf(input: NewProductInput): UserError | undefined {
    const variants = input.variants ?? [];
    if (!input.title?.trim()) return userError(['input', 'title'], 'INVALID_PRODUCT', "Title can't be blank");
    if (shop.products().some(({ handle }) => handle === input.handle))
      return userError(
        ['input', 'handle'],
        'HANDLE_NOT_UNIQUE',
        `Handle '${input.handle}' already in use. Please provide a new handle.`,
      );
    if (variants.length > 0 && !input.productOptions?.length)
      return userError(['input'], 'PRODUCT_OPTIONS_INPUT_MISSING', 'Product options input is required');
    const names = variants.map(({ optionValues }) => optionValues[0]?.name);
    if (new Set(names).size < names.length)
      return userError(['input', 'variants'], 'INVALID_VARIANT', 'The variants are not told apart');
    const unmade = { id: '', title: '', handle: '' };
    const fault = edit.faultOf(unmade, input);
    if (fault) return { ...fault, code: 'INVALID_PRODUCT' };
    return variants.map(variantFault).find(Boolean) ?? media.faultOf(unmade, input.files ?? []);
  }

  function variantFault(variant: NewVariantInput, nth: number): UserError | undefined {
    const wrong = valueFault(variant);
    const field = ['input', 'variants', String(nth), ...(wrong?.at ?? [])];
    if (wrong) return userError(field, 'INVALID_VARIANT', wrong.message);
    const isKnown = (place: string) => shop.locations().some(({ id }) => id === place);
    const isLost = (variant.inventoryQuantities ?? []).some(({ locationId }) => !isKnown(locationId));
    return isLost ? userError(field, 'NOT_FOUND', 'The location could not be found.') : undefined;
  }

  /** Lists that are absent stay; those that are there are all there is. */
  function setFiles(id: string, { files }: NewProductInput) {
    const product = shop.product(id);
    const fault = product
      ? media.faultOf(product, files ?? [])
      : userError(['identifier'], 'PRODUCT_DOES_NOT_EXIST', 'Product does not exist');
    if (!product || fault) return { product: null, userErrors: fault ? [fault] : [] };
    if (files) {
      media.set(product, files);
      shop.changed({ kind: 'product', product });
    }
    return { product: catalogue.productView(product), userErrors: [] };
  }

  return {
    productSet: ({ identifier, input }: SetArgs) =>
      identifier?.id ? setFiles(identifier.id, input) : create(input),
  };

  function create(input: NewProductInput) {
    const variants = input.variants ?? [];
    refuseLong(variants, VARIANTS_MOST);
    const fault = faultOf(input);
    if (fault) return { product: null, userErrors: [fault] };
    const product = shop.addProduct({
      title: input.title?.trim() ?? '',
      ...(input.handle && { handle: input.handle }),
      variants: variants.map(({ inventoryItem }) => ({
        price: '0.00',
        available: null,
        tracked: inventoryItem?.tracked ?? false,
      })),
    });
    edit.apply(product, input);
    media.set(product, input.files ?? []);
    for (const [nth, variant] of shop.variantsOf(product.id).entries()) {
      const given = variants[nth];
      if (!given) continue;
      change(variant, given);
      for (const { locationId, quantity } of given.inventoryQuantities ?? []) {
        shop.activate(shop.itemOf(variant), locationId);
        shop.setLevel(shop.itemOf(variant), locationId, quantity);
      }
    }
    return { product: catalogue.productView(product), userErrors: [] };
  }
}
