import type { Call } from './access.ts';
import { numberIn, type PageArgs, pageOf } from './admin-api.ts';
import { refusal, refuseForeignId, refuseLong } from './faults.ts';
import type { Media } from './media.ts';
import type { ItemRecord, LocationRecord, Metafields, ProductRecord, VariantRecord } from './records.ts';
import type { Shop } from './shop.ts';

/** Most that a count tells where no other limit is asked for. */
const COUNT_MOST = 10_000;

const IDS_MOST = 250;

const QUANTITY_NAMES = [
  'available',
  'committed',
  'damaged',
  'incoming',
  'on_hand',
  'quality_control',
  'reserved',
  'safety_stock',
];

type DefinitionArgs = {
  readonly ownerType: string;
  readonly namespace?: string;
  readonly key?: string;
};
type ProductIdentifier = { readonly id?: string | null; readonly handle?: string | null };

/** The queries about the shop, its places and what it sells. */
export function createCatalogue(shop: Shop, media: Media, origin: string) {
  function variantView(variant: VariantRecord): object {
    const { id, price, barcode, taxable, compareAtPrice = null, inventoryPolicy = 'DENY' } = variant;
    const item = shop.itemOf(variant);
    return {
      __typename: 'ProductVariant',
      id,
      title: 'Default Title',
      price,
      barcode,
      taxable,
      compareAtPrice,
      inventoryPolicy,
      sku: item.sku,
      product: () => productView(shop.productOf(variant)),
      inventoryItem: () => itemView(item),
      metafield: metafieldIn(variant.metafields),
    };
  }

  function productView(product: ProductRecord): object {
    const { id, title, handle, ...details } = product;
    return {
      __typename: 'Product',
      id,
      title,
      handle,
      vendor: details.vendor ?? shop.about().name,
      productType: details.productType ?? '',
      tags: details.tags ?? [],
      status: details.status ?? 'ACTIVE',
      descriptionHtml: details.descriptionHtml ?? '',
      seo: details.seo ?? { title: null, description: null },
      onlineStoreUrl: isShown(details.status) ? `${origin}/products/${handle}` : null,
      featuredMedia: () => media.featured(product),
      media: () => ({ nodes: media.all(product) }),
      priceRangeV2: () => ({ minVariantPrice: lowestPrice(id) }),
      variants(args: PageArgs, call: Call) {
        const rank = (variant: VariantRecord) => numberIn(variant.id);
        // A range is one of the root's.
        const { range: _, ...rest } = call;
        return pageOf(shop.variantsOf(id), { rank, view: variantView }, args, rest);
      },
      metafield: metafieldIn(details.metafields),
    };
  }

  function lowestPrice(productId: string) {
    const prices = shop.variantsOf(productId).map(({ price }) => Number(price));
    return { amount: String(Math.min(...prices)), currencyCode: shop.about().currency };
  }

  /** Where words are looked for. */
  function textOf({ id, title, tags = [], vendor = '' }: ProductRecord): string {
    const skus = shop.variantsOf(id).map((variant) => shop.itemOf(variant).sku ?? '');
    return [title, vendor, ...tags, ...skus].join(' ').toLowerCase();
  }

  function itemView(item: ItemRecord): object {
    const { id, sku, requiresShipping, weight, tracked = true, cost = null, hsCode = null, levels } = item;
    return {
      __typename: 'InventoryItem',
      id,
      sku,
      requiresShipping,
      tracked,
      measurement: { weight },
      unitCost: cost === null ? null : { amount: cost, currencyCode: shop.about().currency },
      harmonizedSystemCode: hsCode,
      inventoryLevel({ locationId }: { readonly locationId: string }) {
        refuseForeignId(locationId, 'Location');
        const level = levels[locationId];
        return level?.isStocked ? levelView(level.available) : null;
      },
    };
  }

  function nodeView(id: string): object | null {
    const variant = shop.variant(id);
    if (variant) return variantView(variant);
    const product = shop.product(id);
    if (product) return productView(product);
    const item = shop.item(id);
    if (item) return itemView(item);
    const location = shop.locations().find((other) => other.id === id);
    return location ? locationView(location) : null;
  }

  return {
    variantView,
    productView,
    queries: {
      shop: () => ({ name: shop.about().name, currencyCode: shop.about().currency }),
      location({ id }: { readonly id?: string | null }) {
        if (id) refuseForeignId(id, 'Location');
        const found = id ? shop.locations().find((location) => location.id === id) : shop.locations()[0];
        return found ? locationView(found) : null;
      },
      locations(args: PageArgs, call: Call) {
        return pageOf(shop.locations(), { rank: ({ id }) => numberIn(id), view: locationView }, args, call);
      },
      productVariantsCount({ limit = COUNT_MOST }: { readonly limit?: number | null }) {
        const count = shop.variants().length;
        const isCut = limit !== null && count > limit;
        return { count: isCut ? limit : count, precision: isCut ? 'AT_LEAST' : 'EXACT' };
      },
      productVariants(args: PageArgs, call: Call) {
        return pageOf(shop.variants(), { rank: ({ id }) => numberIn(id), view: variantView }, args, call);
      },
      metafieldDefinitions({ ownerType, namespace, key }: DefinitionArgs) {
        const type = shop.metafieldType(`${namespace}.${key}`, ownerType === 'PRODUCTVARIANT');
        return { nodes: type === undefined ? [] : [{ type: { name: type } }] };
      },
      products({ query, ...args }: PageArgs & { readonly query?: string | null }, call: Call) {
        const words = (query ?? '').toLowerCase().split(' ').filter(Boolean);
        const found = shop
          .products()
          .filter((product) => words.every((word) => textOf(product).includes(word)));
        return pageOf(found, { rank: ({ id }) => numberIn(id), view: productView }, args, call);
      },
      productByIdentifier({ identifier: { id, handle } }: { readonly identifier: ProductIdentifier }) {
        if ((id == null) === (handle == null))
          throw refusal('INVALID_VARIABLE', 'exactly one of the identifiers must be specified');
        if (id != null) refuseForeignId(id, 'Product');
        const found = shop.products().find((product) => product.id === id || product.handle === handle);
        return found ? productView(found) : null;
      },
      nodes({ ids }: { readonly ids: readonly string[] }) {
        refuseLong(ids, IDS_MOST);
        const foreign = ids.find((id) => !/^gid:\/\/shopify\/\w+\/\d+$/.test(id));
        if (foreign !== undefined) throw refusal('INVALID_VARIABLE', `Invalid global id '${foreign}'`);
        return ids.map(nodeView);
      },
    },
  };
}

function metafieldIn(metafields: Metafields = {}) {
  return ({ namespace, key }: { readonly namespace?: string; readonly key: string }) =>
    metafields[`${namespace}.${key}`] ?? null;
}

function isShown(status = 'ACTIVE'): boolean {
  return status === 'ACTIVE' || status === 'UNLISTED';
}

function locationView(location: LocationRecord): object {
  return { __typename: 'Location', ...location };
}

/** Nothing is ordered and not yet sent in this shop: what is on hand is available. */
function levelView(available: number): object {
  return {
    quantities({ names }: { readonly names: readonly string[] }) {
      const unknown = names.find((name) => !QUANTITY_NAMES.includes(name));
      if (unknown !== undefined) throw refusal('BAD_REQUEST', `${unknown} is not a name of a quantity`);
      return names.map((name) => ({
        name,
        quantity: name === 'available' || name === 'on_hand' ? available : 0,
      }));
    },
  };
}
