import type {
  ItemRecord,
  LocationRecord,
  ProductRecord,
  ProductSeed,
  ShopSeed,
  ShopSnapshot,
  Stock,
  SubscriptionRecord,
  VariantRecord,
  VariantSeed,
} from './records.ts';

/** What befell a shop, for those it tells. */
export type ShopChange =
  | { readonly kind: 'level'; readonly item: ItemRecord; readonly locationId: string }
  | { readonly kind: 'item'; readonly item: ItemRecord }
  | { readonly kind: 'product' | 'new_product' | 'lost_product'; readonly product: ProductRecord };

export type Shop = ReturnType<typeof createShop>;

/** Where the numbers of ids begin: no two kinds of thing share one. */
const FIRST = {
  Product: 8e9,
  ProductVariant: 44e9,
  InventoryItem: 46e9,
  Location: 90e9,
  WebhookSubscription: 1e9,
  MediaImage: 30e9,
};

/** The records of a shop: its places, its catalogue, its stock and whom it tells. */
export function createShop(seed: ShopSeed, onChange: (change: ShopChange) => void) {
  let lastNumber = 0;
  let about = { name: seed.name ?? 'Corner shop', currency: seed.currency ?? 'EUR' };
  let locations: LocationRecord[] = [];
  let subscriptions: SubscriptionRecord[] = [];
  let metafieldTypes = seed.metafieldTypes ?? {};
  /** In the order of their ids. */
  let variants: VariantRecord[] = [];
  const byId = {
    variants: new Map<string, VariantRecord>(),
    products: new Map<string, ProductRecord>(),
    items: new Map<string, ItemRecord>(),
  };

  for (const name of seed.locations ?? ['Main street']) {
    locations.push({ id: newId('Location'), name, isActive: true });
  }
  for (const product of seed.products ?? []) insertProduct(product);

  function newId(kind: keyof typeof FIRST): string {
    lastNumber += 1;
    return `gid://shopify/${kind}/${FIRST[kind] + lastNumber}`;
  }

  function insertProduct({ title, handle, variants: seeds, ...details }: ProductSeed): ProductRecord {
    const product = { id: newId('Product'), title, handle: handle ?? handleOf(title), ...details };
    byId.products.set(product.id, product);
    for (const variant of seeds) insertVariant(product.id, variant);
    return product;
  }

  function insertVariant(productId: string, seed: VariantSeed): void {
    const {
      price = '10.00',
      barcode = null,
      taxable = true,
      compareAtPrice,
      inventoryPolicy,
      metafields,
    } = seed;
    const id = newId('ProductVariant');
    const itemId = seed.itemId ?? insertItem(seed);
    const more = {
      ...(compareAtPrice && { compareAtPrice }),
      ...(inventoryPolicy && { inventoryPolicy }),
      ...(metafields && { metafields }),
    };
    const variant = { id, productId, itemId, price, barcode, taxable, ...more };
    byId.variants.set(id, variant);
    variants.push(variant);
  }

  function insertItem(seed: VariantSeed): string {
    const { sku = null, requiresShipping = true, weight = null, available = 0, tracked = true } = seed;
    const id = newId('InventoryItem');
    const more = { ...(seed.cost && { cost: seed.cost }), ...(seed.hsCode && { hsCode: seed.hsCode }) };
    byId.items.set(id, { id, sku, requiresShipping, weight, tracked, ...more, levels: levelsOf(available) });
    return id;
  }

  function levelsOf(stock: Stock): ItemRecord['levels'] {
    if (stock === null) return {};
    const here = locations[0]?.name ?? '';
    const places = typeof stock === 'number' ? [[here, stock] as const] : Object.entries(stock);
    return Object.fromEntries(
      places.map(([name, available]) => [locationNamed(name).id, { available, isStocked: true }]),
    );
  }

  function locationNamed(name?: string): LocationRecord {
    const found = name === undefined ? locations[0] : locations.find((location) => location.name === name);
    return there(found, name ?? 'location');
  }

  return {
    about: () => about,
    newMediaId: () => newId('MediaImage'),
    locations: (): readonly LocationRecord[] => locations,
    locationNamed,
    variants: (): readonly VariantRecord[] => variants,
    variant: (id: string) => byId.variants.get(id),
    product: (id: string) => byId.products.get(id),
    products: () => [...byId.products.values()],
    /** The type that the shop has defined for a metafield of products, or of variants. */
    metafieldType: (name: string, ofVariants = false): string | undefined =>
      metafieldTypes[ofVariants ? `variant:${name}` : name],
    item: (id: string) => byId.items.get(id),
    itemOf: ({ itemId }: VariantRecord) => there(byId.items.get(itemId), itemId),
    productOf: ({ productId }: VariantRecord) => there(byId.products.get(productId), productId),
    variantsOf: (productId: string) => variants.filter((variant) => variant.productId === productId),
    addProduct(seed: ProductSeed): ProductRecord {
      const product = insertProduct(seed);
      onChange({ kind: 'new_product', product });
      return product;
    },
    /** The last variant of a product takes the product with it. */
    removeVariant({ id, productId }: VariantRecord): void {
      const product = there(byId.products.get(productId), productId);
      byId.variants.delete(id);
      variants = variants.filter((variant) => variant.id !== id);
      const isLast = variants.every((variant) => variant.productId !== productId);
      if (isLast) byId.products.delete(productId);
      onChange({ kind: isLast ? 'lost_product' : 'product', product });
    },
    setLevel(item: ItemRecord, locationId: string, available: number): void {
      const level = item.levels[locationId];
      if (level?.available === available) return;
      item.levels[locationId] = { available, isStocked: level?.isStocked ?? false };
      onChange({ kind: 'level', item, locationId });
    },
    /** The place stocks the item from now on; with what was counted there before. */
    activate(item: ItemRecord, locationId: string): void {
      const level = item.levels[locationId];
      if (level?.isStocked) return;
      item.levels[locationId] = { available: level?.available ?? 0, isStocked: true };
      onChange({ kind: 'level', item, locationId });
    },
    /** Tells of what was changed in a record. */
    changed: onChange,
    subscriptions: (): readonly SubscriptionRecord[] => subscriptions,
    subscribe(topic: string, uri: string): SubscriptionRecord {
      const subscription = { id: newId('WebhookSubscription'), topic, uri };
      subscriptions.push(subscription);
      return subscription;
    },
    snapshot(): ShopSnapshot {
      const products = [...byId.products.values()];
      const items = [...byId.items.values()];
      const kept = { locations, products, variants, items, subscriptions, metafieldTypes, lastNumber };
      return structuredClone({ ...about, ...kept });
    },
    restore(snapshot: ShopSnapshot): void {
      const { name, currency, ...kept } = structuredClone(snapshot);
      about = { name, currency };
      lastNumber = kept.lastNumber;
      locations = [...kept.locations];
      subscriptions = [...kept.subscriptions];
      metafieldTypes = kept.metafieldTypes ?? {};
      variants = [...kept.variants];
      refill(byId.variants, kept.variants);
      refill(byId.products, kept.products);
      refill(byId.items, kept.items);
    },
  };
}

function handleOf(title: string): string {
  const plain = title.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
  return plain.replace(/[^a-z0-9]+/g, '-').replace(/^-|-$/g, '');
}

function there<T>(record: T | undefined, name: string): T {
  if (record === undefined) throw new Error(`the shop has no ${name}`);
  return record;
}

function refill<T extends { readonly id: string }>(map: Map<string, T>, records: readonly T[]): void {
  map.clear();
  for (const record of records) map.set(record.id, record);
}
