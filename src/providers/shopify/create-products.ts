import { z } from 'zod';
import type {
  NewKey,
  NewProduct,
  NewProductOutcome,
  NewVariant,
  ProductToCreate,
  StoreWrite,
} from '../../sync/ports/store-client.ts';
import type { StoreField } from '../../sync/ports/store-fields.ts';
import { locationGid } from './describe-shop.ts';
import { inputOfProduct } from './inputs.ts';
import { readDefinedTypes } from './metafield-types.ts';
import { CREATE_PRODUCT, FIND_CREATED } from './operations.ts';
import { entriesOf, inputOf } from './product-steps.ts';
import { UserErrors } from './read-reply.ts';
import { createdImage, fileInput, findImage } from './set-image.ts';
import type { Shop } from './shop-client.ts';
import { mapBounded } from './update-products.ts';

const CONCURRENCY = 4;

const Created = z.object({
  id: z.string(),
  variants: z.object({
    nodes: z.array(
      z.object({
        id: z.string(),
        sku: z.string().nullish(),
        barcode: z.string().nullish(),
        inventoryItem: z.object({ id: z.string() }),
      }),
    ),
  }),
});
type Created = z.output<typeof Created>;

const Found = z.object({ productByIdentifier: Created.nullable() });
const Answer = z.object({
  productSet: z.object({ product: Created.nullish(), userErrors: UserErrors }),
});

/**
 * Creates products, one call each, without a picture that the store refuses. `productSet` knows no idempotency key, so each
 * product has a handle, which the store has once: it is looked up before, and again where the store says that it is taken. A
 * product of that handle is ours only where an earlier request may have created it.
 */
export async function createProducts(
  shop: Shop,
  products: readonly ProductToCreate[],
  { by, signal }: StoreWrite & { readonly by: NewKey },
): Promise<readonly NewProductOutcome[]> {
  const typeOf = await readDefinedTypes(shop, products.flatMap(fieldsIn), signal);
  return mapBounded(CONCURRENCY, products, async (product) => {
    const before = await find(shop, product, by, signal);
    const known = before && (product.sentBefore ? before : TAKEN);
    const made = known ?? (await create(shop, product, { by, signal, typeOf }));
    if (made.state !== 'made' || !product.image || made.image) return made;
    const image = await createdImage(shop, made.productId, product.image, signal);
    return { ...made, ...(image && { image }) };
  });
}

export async function createdProducts(
  shop: Shop,
  products: readonly Pick<NewProduct, 'handle' | 'variants' | 'image'>[],
  by: NewKey,
  signal: AbortSignal,
): Promise<readonly (NewProductOutcome | undefined)[]> {
  return mapBounded(CONCURRENCY, products, async (product) => {
    const made = await find(shop, product, by, signal);
    if (made?.state !== 'made' || !product.image) return made;
    const url = await findImage(shop, made.productId, product.image, signal);
    return url === undefined ? made : { ...made, image: { url } };
  });
}

const TAKEN = { state: 'taken' } as const;

type TypeOf = (field: StoreField) => string | undefined;

function fieldsIn({ more = {}, variants }: NewProduct): StoreField[] {
  return [more, ...variants.map((variant) => variant.more ?? {})].flatMap((values) =>
    entriesOf(values).map(([field]) => field),
  );
}

async function find(
  shop: Shop,
  { handle, variants }: Pick<NewProduct, 'handle' | 'variants'>,
  by: NewKey,
  signal: AbortSignal,
): Promise<NewProductOutcome | undefined> {
  const query = { query: FIND_CREATED, variables: () => ({ identifier: { handle } }), response: Found };
  const { productByIdentifier: found } = await shop.request(query, signal);
  return found ? (madeOf(found, variants, by) ?? TAKEN) : undefined;
}

/** Undefined: it lacks one of the variants, so it is another product. */
function madeOf(
  { id, variants: { nodes } }: Created,
  wanted: readonly NewVariant[],
  by: NewKey,
): NewProductOutcome | undefined {
  const found = wanted.flatMap(({ key }) => {
    const variant = by === 'handle' ? nodes[0] : nodes.find((one) => one[by] === key);
    return variant ? [[key, { variantId: variant.id, itemId: variant.inventoryItem.id }] as const] : [];
  });
  return found.length === wanted.length
    ? { state: 'made', productId: id, variants: new Map(found) }
    : undefined;
}

type How = { readonly by: NewKey; readonly signal: AbortSignal; readonly typeOf: TypeOf };

async function create(
  shop: Shop,
  product: ProductToCreate,
  { by, signal, typeOf }: How,
): Promise<NewProductOutcome> {
  let requests = 0;
  const variables = () => {
    requests += 1;
    return { input: inputOfNew(product, shop.domain, typeOf) };
  };
  const query = { query: CREATE_PRODUCT, variables, response: Answer };
  const { product: created, userErrors } = (await shop.request(query, signal)).productSet;
  const [error] = userErrors;
  if (error?.code === 'HANDLE_NOT_UNIQUE') {
    // What an earlier attempt or request has sent may arrive after the handle was looked up.
    const mayBeOurs = product.sentBefore || requests > 1;
    return (mayBeOurs && (await find(shop, product, by, signal))) || TAKEN;
  }
  if (error) {
    const refusal = { code: error.code ?? 'UNKNOWN', message: error.message };
    const { image, ...rest } = product;
    if (!image || !error.field?.includes('files')) return { state: 'refused', ...refusal };
    const made = await create(shop, rest, { by, signal, typeOf });
    return made.state === 'made' ? { ...made, image: { refusal } } : made;
  }
  const made = created && madeOf(created, product.variants, by);
  return made ?? { state: 'refused', code: 'UNKNOWN', message: 'The store has not created all variants.' };
}

/**
 * Variants are told apart by one option; a product that has one variant has the store's own. The picture comes with the
 * product: one that was sent after it could take the place of a picture that the merchant has chosen since.
 */
function inputOfNew(
  { handle, title, more = {}, image, variants }: NewProduct,
  domain: string,
  typeOf: TypeOf,
) {
  const isOne = variants.length === 1;
  const name = isOne ? 'Title' : 'Variant';
  const optionOf = ({ key }: NewVariant) => (isOne ? 'Default Title' : key);
  const fields = entriesOf(more).filter(isFilled);
  const { redirectNewHandle: _, ...own } = inputOfProduct(fields, typeOf);
  return {
    status: 'DRAFT',
    ...own,
    title,
    handle,
    ...(image && { files: [fileInput(image)] }),
    productOptions: [{ name, values: variants.map((variant) => ({ name: optionOf(variant) })) }],
    variants: variants.map((variant) => ({
      ...variantInput(variant, domain, typeOf),
      optionValues: [{ optionName: name, name: optionOf(variant) }],
    })),
  };
}

function variantInput({ key, quantities, more, ...variant }: NewVariant, domain: string, typeOf: TypeOf) {
  const fields = entriesOf(more ?? {}).filter(isFilled);
  const { id: _, ...basic } = inputOf(
    { ...variant, variantId: key, more: Object.fromEntries(fields) },
    (_, field) => typeOf(field),
  );
  if (quantities.length === 0) return basic;
  const item = 'inventoryItem' in basic ? basic.inventoryItem : undefined;
  return {
    ...basic,
    inventoryItem: { ...(typeof item === 'object' ? item : {}), tracked: true },
    inventoryQuantities: quantities.map(({ locationId, quantity }) => ({
      locationId: locationGid(domain, locationId),
      name: 'available',
      quantity,
    })),
  };
}

function isFilled([, value]: readonly [StoreField, string | null]): boolean {
  return value !== null;
}
