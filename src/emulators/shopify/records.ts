import type { WeightUnit } from '../../sync/ports/store-client.ts';

export type Weight = { readonly value: number; readonly unit: WeightUnit };

/** A number: as many at the first location. By location names: as many there. Null: stocked nowhere. */
export type Stock = number | null | Readonly<Record<string, number>>;

export type Status = 'ACTIVE' | 'ARCHIVED' | 'DRAFT' | 'UNLISTED';
export type InventoryPolicy = 'CONTINUE' | 'DENY';

/** By namespace and key, with a dot between them. */
export type Metafields = Record<string, { readonly type: string; readonly value: string }>;

export type VariantSeed = {
  readonly sku?: string | null;
  readonly price?: string;
  readonly compareAtPrice?: string | null;
  readonly inventoryPolicy?: InventoryPolicy;
  readonly cost?: string | null;
  readonly hsCode?: string | null;
  readonly barcode?: string | null;
  readonly taxable?: boolean;
  readonly requiresShipping?: boolean;
  readonly weight?: Weight | null;
  readonly available?: Stock;
  /** False: its stock is not counted. */
  readonly tracked?: boolean;
  readonly metafields?: Metafields;
  /** Has its stock, its SKU and its weight of an item that is there, by that item's id. */
  readonly itemId?: string;
};

export type ProductSeed = Partial<Omit<Details, 'media'>> & {
  readonly title: string;
  readonly handle?: string;
  readonly variants: readonly VariantSeed[];
};

/** What a product has beside its title and handle. */
type Details = {
  vendor: string;
  productType: string;
  tags: readonly string[];
  status: Status;
  descriptionHtml: string;
  seo: { readonly title: string | null; readonly description: string | null };
  metafields: Metafields;
  /** The address of its picture. */
  image: string;
  /** In their order; absent: only `image`. */
  media: readonly MediaRecord[];
};

/** A picture of a product. `url`: of the shop's own copy, once it is `READY`. */
export type MediaRecord = {
  readonly id: string;
  readonly url: string;
  /** When the shop has processed it, in milliseconds since 1970. */
  readonly readyAt: number;
  /** Why it could not be processed. */
  readonly fault?: MediaFault;
};

export type MediaFault = {
  readonly code: 'IMAGE_DOWNLOAD_FAILURE' | 'IMAGE_PROCESSING_FAILURE' | 'UNSUPPORTED_IMAGE_FILE_TYPE';
  readonly message: string;
};

export type ShopSeed = {
  readonly name?: string;
  /** ISO 4217. */
  readonly currency?: string;
  /** The first is the primary one. */
  readonly locations?: readonly string[];
  readonly products?: readonly ProductSeed[];
  /** The types of metafields that the shop has defined, by namespace and key; `variant:custom.care` for one of variants. */
  readonly metafieldTypes?: Readonly<Record<string, string>>;
};

export type LocationRecord = { readonly id: string; readonly name: string; readonly isActive: boolean };

/** Shops that were saved before have no details. */
export type ProductRecord = Partial<Details> & { readonly id: string; title: string; handle: string };

export type VariantRecord = {
  readonly id: string;
  readonly productId: string;
  readonly itemId: string;
  price: string;
  barcode: string | null;
  taxable: boolean;
  compareAtPrice?: string | null;
  inventoryPolicy?: InventoryPolicy;
  metafields?: Metafields;
};

/** `isStocked` false: there is a count, but the place is not one that stocks the item. */
type Level = { available: number; isStocked: boolean };

export type ItemRecord = {
  readonly id: string;
  sku: string | null;
  requiresShipping: boolean;
  weight: Weight | null;
  cost?: string | null;
  hsCode?: string | null;
  /** Absent: true. */
  readonly tracked?: boolean;
  /** By location id. */
  readonly levels: Record<string, Level>;
};

export type SubscriptionRecord = { readonly id: string; readonly topic: string; readonly uri: string };

/** Everything a shop keeps, as plain JSON. */
export type ShopSnapshot = {
  readonly name: string;
  readonly currency: string;
  readonly locations: readonly LocationRecord[];
  readonly products: readonly ProductRecord[];
  /** In the order of their ids. */
  readonly variants: readonly VariantRecord[];
  readonly items: readonly ItemRecord[];
  readonly subscriptions: readonly SubscriptionRecord[];
  readonly metafieldTypes?: Readonly<Record<string, string>>;
  /** Of the last id given out. */
  readonly lastNumber: number;
};
