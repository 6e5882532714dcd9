import type { StoreVariant } from '../../sync/ports/store-client.ts';
import type { ProductSeed, VariantRecord } from './records.ts';
import type { Shop } from './shop.ts';

/** What the merchant and the buyers do in the shop itself, by SKU. Throws where the shop has no such SKU or place. */
export function createMerchant(shop: Shop) {
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

  return {
    /** Everything that is sold, with the stock at the place named, or else at the primary one. */
    variants(place?: string): readonly StoreVariant[] {
      const { id } = shop.locationNamed(place);
      return shop.variants().map((variant) => readVariant(shop, variant, id));
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
