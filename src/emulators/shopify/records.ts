import type { WeightUnit } from '../../sync/ports/store-client.ts';

export type Weight = { readonly value: number; readonly unit: WeightUnit };

/** A number: as many at the first location. By location names: as many there. Null: stocked nowhere. */
export type Stock = number | null | Readonly<Record<string, number>>;

export type VariantSeed = {
  readonly sku?: string | null;
  readonly price?: string;
  readonly barcode?: string | null;
  readonly taxable?: boolean;
  readonly requiresShipping?: boolean;
  readonly weight?: Weight | null;
  readonly available?: Stock;
  /** False: its stock is not counted. */
  readonly tracked?: boolean;
  /** Has its stock, its SKU and its weight of an item that is there, by that item's id. */
  readonly itemId?: string;
};

export type ProductSeed = {
  readonly title: string;
  readonly handle?: string;
  readonly variants: readonly VariantSeed[];
};

export type ShopSeed = {
  readonly name?: string;
  /** ISO 4217. */
  readonly currency?: string;
  /** The first is the primary one. */
  readonly locations?: readonly string[];
  readonly products?: readonly ProductSeed[];
};

export type LocationRecord = { readonly id: string; readonly name: string; readonly isActive: boolean };

export type ProductRecord = { readonly id: string; title: string; readonly handle: string };

export type VariantRecord = {
  readonly id: string;
  readonly productId: string;
  readonly itemId: string;
  price: string;
  barcode: string | null;
  taxable: boolean;
};

/** `isStocked` false: there is a count, but the place is not one that stocks the item. */
type Level = { available: number; isStocked: boolean };

export type ItemRecord = {
  readonly id: string;
  sku: string | null;
  requiresShipping: boolean;
  weight: Weight | null;
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
  /** Of the last id given out. */
  readonly lastNumber: number;
};
