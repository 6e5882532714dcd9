import { z } from 'zod';
import type { ProductPage, ProductQuery, StoreProduct } from '../../sync/ports/store-client.ts';
import { PageInfo } from './describe-shop.ts';
import { FIND_PRODUCT, LIST_PRODUCTS } from './operations.ts';
import type { Shop } from './shop-client.ts';

const Product = z.object({
  id: z.string(),
  title: z.string(),
  handle: z.string(),
  status: z.string(),
  onlineStoreUrl: z.string().nullable(),
  featuredMedia: z
    .object({ preview: z.object({ image: z.object({ url: z.string() }).nullable() }).nullable() })
    .nullable(),
  priceRangeV2: z.object({ minVariantPrice: z.object({ amount: z.string(), currencyCode: z.string() }) }),
  variants: z.object({
    nodes: z.array(
      z.object({ id: z.string(), sku: z.string().nullable(), title: z.string(), price: z.string() }),
    ),
  }),
});
const Found = z.object({ productByIdentifier: Product.nullable() });
const Products = z.object({ products: z.object({ nodes: z.array(Product), pageInfo: PageInfo }) });

/** @throws the faults of a StoreClient */
export async function listProducts(
  shop: Shop,
  { q, limit, after }: ProductQuery,
  signal: AbortSignal,
): Promise<ProductPage> {
  const query = searchOf(q ?? '');
  const variables = (most: number) => ({ first: most, ...(after && { after }), ...(query && { query }) });
  const asked = { query: LIST_PRODUCTS, variables, size: limit, response: Products };
  const { nodes, pageInfo } = (await shop.request(asked, signal)).products;
  return { products: nodes.map(productOf), next: pageInfo.hasNextPage ? pageInfo.endCursor : null };
}

/** @throws the faults of a StoreClient */
export async function findProduct(
  shop: Shop,
  handleOrId: string,
  signal: AbortSignal,
): Promise<StoreProduct | undefined> {
  const identifier = handleOrId.startsWith('gid://') ? { id: handleOrId } : { handle: handleOrId };
  const asked = { query: FIND_PRODUCT, variables: () => ({ identifier }), response: Found };
  const { productByIdentifier: found } = await shop.request(asked, signal);
  return found ? productOf(found) : undefined;
}

/** Words alone: what the store's search takes for a field, a range or an operator is not passed on. */
function searchOf(q: string): string {
  const words = q.split(/[^\p{L}\p{M}\p{N}]+/u).filter((word) => word !== '');
  return words.map((word) => (OPERATORS.has(word) ? word.toLowerCase() : word)).join(' ');
}

const OPERATORS: ReadonlySet<string> = new Set(['AND', 'OR', 'NOT']);

function productOf({
  featuredMedia,
  onlineStoreUrl,
  priceRangeV2: { minVariantPrice },
  variants,
  status,
  ...product
}: z.output<typeof Product>): StoreProduct {
  return {
    ...product,
    status: status.toLowerCase(),
    price: minVariantPrice.amount,
    currency: minVariantPrice.currencyCode,
    image: webAddress(featuredMedia?.preview?.image?.url),
    url: webAddress(onlineStoreUrl),
    variants: variants.nodes,
  };
}

/** Addresses end up in links and pictures of emails: nothing but the web is passed on. */
function webAddress(address: string | null | undefined): string | null {
  return address && /^https?:\/\//i.test(address) && URL.canParse(address) ? address : null;
}
