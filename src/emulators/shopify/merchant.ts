import type { StoreVariant } from '../../sync/ports/store-client.ts';
import type { StoreField } from '../../sync/ports/store-fields.ts';
import { mediaOf } from './media.ts';
import type { MediaRecord, ProductRecord, ProductSeed, Status, VariantRecord } from './records.ts';
import type { Shop } from './shop.ts';

/** As a picture without an address is read: see store-fields.ts. */
const PENDING_IMAGE = '…';

/** What the merchant and the buyers do in the shop itself, by SKU. Throws where the shop has no such SKU or place. */
export function createMerchant(shop: Shop, now: () => number) {
  /** As it was when it was last made; of several with one SKU, the first. */
  let bySku = new Map<string, VariantRecord>();

  function variantOf(sku: string): VariantRecord {
    const known = bySku.get(sku);
    if (known && shop.variant(known.id) === known && shop.itemOf(known).sku === sku) return known;
    const pairs = shop.variants().map((variant): [string, VariantRecord] => {
      return [shop.itemOf(variant).sku ?? '', variant];
    });
    bySku = new Map(pairs.reverse());
    const found = bySku.get(sku);
    if (!found) throw new Error(`the shop has no SKU ${sku}`);
    return found;
  }

  function levelOf(sku: string, place?: string) {
    const item = shop.itemOf(variantOf(sku));
    const locationId = shop.locationNamed(place).id;
    return { item, locationId, available: item.levels[locationId]?.available ?? 0 };
  }

  function addressOf({ url, readyAt, fault }: MediaRecord): string | null {
    return readyAt <= now() && !fault ? url : null;
  }

  /** As it is read: where the first is not ready, PENDING_IMAGE. */
  function pictureOf(product: ProductRecord): string | null {
    const [first] = mediaOf(product);
    return first ? (addressOf(first) ?? PENDING_IMAGE) : null;
  }

  return {
    /** Everything that is sold, with the stock at the place named, or else at the primary one. */
    variants(place?: string): readonly StoreVariant[] {
      const { id } = shop.locationNamed(place);
      return shop.variants().map((variant) => readVariant(shop, variant, id));
    },
    /** The same, with these of the fields that are not in every answer. */
    variantsWith(fields: readonly StoreField[]): readonly StoreVariant[] {
      const { id } = shop.locationNamed();
      return shop.variants().map((variant) => {
        const more = fields.map((field) => [
          field,
          field === 'image' ? pictureOf(shop.productOf(variant)) : moreOf(shop, variant, field),
        ]);
        return { ...readVariant(shop, variant, id), more: Object.fromEntries(more) };
      });
    },
    setQuantity(sku: string, available: number, place?: string): void {
      const { item, locationId } = levelOf(sku, place);
      shop.setLevel(item, locationId, available);
    },
    /** More may be sold than there are. */
    sell(sku: string, count = 1, place?: string): void {
      const { item, locationId, available } = levelOf(sku, place);
      shop.setLevel(item, locationId, available - count);
    },
    /** Changes the status of a product, by the SKU of one of its variants. */
    setStatus(sku: string, status: Status): void {
      const product = shop.productOf(variantOf(sku));
      product.status = status;
      shop.changed({ kind: 'product', product });
    },
    /** Gives a product another first picture, by the SKU of one of its variants; its others stay behind it. */
    setPicture(sku: string, url: string): void {
      const product = shop.productOf(variantOf(sku));
      product.media = [{ id: shop.newMediaId(), url, readyAt: 0 }, ...mediaOf(product)];
      shop.changed({ kind: 'product', product });
    },
    /** Adds a picture to a product, behind its others. */
    addPicture(sku: string, url: string): void {
      const product = shop.productOf(variantOf(sku));
      product.media = [...mediaOf(product), { id: shop.newMediaId(), url, readyAt: 0 }];
      shop.changed({ kind: 'product', product });
    },
    /** The addresses of a product's pictures, in their order; null: not processed yet, or it has failed. */
    pictures: (sku: string) => mediaOf(shop.productOf(variantOf(sku))).map(addressOf),
    addProduct(product: ProductSeed): void {
      shop.addProduct(product);
    },
    removeVariant(sku: string): void {
      shop.removeVariant(variantOf(sku));
    },
  };
}

function readVariant(shop: Shop, variant: VariantRecord, locationId: string): StoreVariant {
  const { id: itemId, sku, requiresShipping, weight, tracked = true, levels } = shop.itemOf(variant);
  const { id: productId, title, handle } = shop.productOf(variant);
  const { id: variantId, price, barcode, taxable } = variant;
  const level = levels[locationId];
  const available = level?.isStocked ? level.available : null;
  return {
    variantId,
    productId,
    itemId,
    sku,
    title,
    handle,
    price,
    barcode,
    taxable,
    requiresShipping,
    weight,
    tracked,
    available,
  };
}

/** A field as the shop has it, in the words of its API; null: it has none. */
function moreOf(shop: Shop, variant: VariantRecord, field: StoreField): string | null {
  const { compareAtPrice = null, inventoryPolicy = 'DENY' } = variant;
  const { cost = null, hsCode = null, weight, levels } = shop.itemOf(variant);
  const product = shop.productOf(variant);
  const [kind, name = ''] = field.split(':');
  switch (kind) {
    case 'compare_at_price':
      return compareAtPrice;
    case 'cost':
      return cost;
    case 'hs_code':
      return hsCode;
    case 'inventory_policy':
      return inventoryPolicy;
    case 'weight_unit':
      return weight?.unit ?? null;
    case 'vendor':
      return product.vendor ?? shop.about().name;
    case 'product_type':
      return product.productType ?? null;
    case 'tags':
      return product.tags?.join(',') ?? null;
    case 'product_status':
      return product.status ?? 'ACTIVE';
    case 'handle':
      return product.handle;
    case 'description':
      return product.descriptionHtml ?? null;
    case 'seo_title':
      return product.seo?.title ?? null;
    case 'seo_description':
      return product.seo?.description ?? null;
    case 'metafield':
      return product.metafields?.[name]?.value ?? null;
    case 'variant_metafield':
      return variant.metafields?.[name]?.value ?? null;
    case 'inventory_quantity': {
      const level = levels[`gid://shopify/Location/${name}`];
      return level?.isStocked ? String(level.available) : null;
    }
    default:
      return null;
  }
}
