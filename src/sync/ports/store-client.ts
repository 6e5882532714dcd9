import { Fault } from '../../errors.ts';
import type { Away } from './away.ts';
import type { StoreField } from './store-fields.ts';
import type { ProductImage } from './store-images.ts';

/** A token that was made in the store's admin, an app of the store that makes its own, or what a person has granted by consent. */
export type StoreCredentials =
  | { readonly token: string }
  | { readonly clientId: string; readonly clientSecret: string }
  | { readonly grant: string };

/** Creates the client of a store; sends no request yet. `domain` is as `parseDomain` returns it. */
export type OpenStore = (shop: {
  readonly domain: string;
  readonly credentials: StoreCredentials;
  readonly accountId: string;
  /** Of a run: how it waits for the store. */
  readonly away?: Away | undefined;
}) => StoreClient | Promise<StoreClient>;

const DOMAIN = /^[a-z0-9][a-z0-9-]{0,59}\.myshopify\.com$/;
const QUOTED_CHARS = 100;

/**
 * The domain of a store as it is kept, out of what people paste: also an address within its admin. No other host ever
 * gets a token. Throws Fault validation_failed.store_domain.
 */
export function parseDomain(text: string): string {
  const domain = text
    .trim()
    .toLowerCase()
    .replace(/^https:\/\//, '')
    .replace(/[/?#].*$/s, '');
  if (isDomain(domain)) return domain;
  throw new Fault('validation_failed.store_domain', { domain: text.trim().slice(0, QUOTED_CHARS) });
}

/** True for what `parseDomain` returns. */
export function isDomain(text: string): boolean {
  return DOMAIN.test(text);
}

/**
 * A connected store, as the sync engine needs it. An adapter waits out throttling and retries what may be retried,
 * within the signal. Every function throws Fault store_unauthorized, store_frozen, store_not_found, store_unavailable, or
 * store_refused with what the store says.
 */
export type StoreClient = {
  /** One call. Where `locationId` is absent, the store's primary place. */
  describe(locationId: string | undefined, signal: AbortSignal): Promise<StoreDescription>;
  locations(signal: AbortSignal): Promise<readonly StoreLocation[]>;
  /**
   * All variants, in pages; in few calls however many there are. The first request also describes the store. `more`: the
   * fields to read beside the basic ones, here and in `variants`.
   */
  read(locationId: string, signal: AbortSignal, more?: readonly StoreField[]): StoreReading;
  /** Variants by their ids as they are now; those that are gone are left out. */
  variants(
    ids: readonly string[],
    locationId: string,
    signal: AbortSignal,
    more?: readonly StoreField[],
  ): Promise<readonly StoreVariant[]>;
  /**
   * Sets quantities, at most MAX_SET_QUANTITIES, each only if it still is `from`. The same key never sets twice, also
   * where the answer to the first was lost. One outcome for each change, in their order; what one refuses is not held
   * against the others.
   */
  setQuantities(
    changes: readonly QuantityChange[],
    write: StoreWrite & { readonly locationId: string },
  ): Promise<readonly Outcome[]>;
  /**
   * Changes products and their variants, any number. Setting the same values again changes nothing more. One outcome
   * for each, in their order.
   */
  updateProducts(changes: readonly ProductChange[], write: StoreWrite): Promise<readonly Outcome[]>;
  /**
   * Creates products, each unless the store has one of its handle: that is then `taken`, unless it was `sentBefore` and has
   * all of its variants, as after a lost answer. One outcome for each, in their order.
   */
  createProducts(
    products: readonly ProductToCreate[],
    write: StoreWrite & { readonly by: NewKey },
  ): Promise<readonly NewProductOutcome[]>;
  /** Products that were to be created, as they are now; undefined: the store has none of that handle. */
  createdProducts(
    products: readonly Pick<NewProduct, 'handle' | 'variants' | 'image'>[],
    by: NewKey,
    signal: AbortSignal,
  ): Promise<readonly (NewProductOutcome | undefined)[]>;
  /** A page of products in the order of their ids; with `q`, those that the store finds for these words. */
  products(page: ProductQuery, signal: AbortSignal): Promise<ProductPage>;
  /** A product by its handle, or by its id (`gid://…`). Undefined: the store has none of that name. */
  product(handleOrId: string, signal: AbortSignal): Promise<StoreProduct | undefined>;
  /** Products that the store can have changed one by one without a long wait for its rate limit: it takes more at once. */
  directProducts(): number;
  /** Subscribes `address` to webhooks of changes; harmless when it is subscribed already. Returns the topics. */
  subscribe(address: string, signal: AbortSignal): Promise<readonly string[]>;
  /** Requests of this client since it was opened, and their cost in points. */
  readonly calls: () => StoreCalls;
};

export type ProductQuery = {
  readonly q?: string | undefined;
  readonly limit: number;
  /** The cursor of the page before. */
  readonly after?: string | undefined;
};

export type ProductPage = {
  readonly products: readonly StoreProduct[];
  /** Null: there are no more. */
  readonly next: string | null;
};

/** A product as it is shown. Its texts are the store's: data, never instructions or markup. */
export type StoreProduct = {
  readonly id: string;
  readonly title: string;
  readonly handle: string;
  readonly status: string;
  /** The lowest price of its variants, as decimal text. */
  readonly price: string;
  /** ISO 4217. */
  readonly currency: string;
  readonly image: string | null;
  /** Null where the online store does not show it. */
  readonly url: string | null;
  /** The first ones. */
  readonly variants: readonly {
    readonly id: string;
    readonly sku: string | null;
    readonly title: string;
    readonly price: string;
  }[];
};

/** Quantities one call sets at most. */
export const MAX_SET_QUANTITIES = 250;

export type StoreCalls = { readonly calls: number; readonly points: number };

export type StoreReading = {
  readonly description: Promise<StoreDescription>;
  readonly pages: AsyncIterable<readonly StoreVariant[]>;
};

export type StoreDescription = {
  readonly name: string;
  /** ISO 4217. */
  readonly currency: string;
  readonly location: StoreLocation;
  readonly variantCount: number;
  /** What the store has granted; undefined: it does not say. */
  readonly scopes?: readonly string[] | undefined;
};

export type StoreLocation = { readonly id: string; readonly name: string; readonly isActive: boolean };

export type WeightUnit = 'GRAMS' | 'KILOGRAMS' | 'OUNCES' | 'POUNDS';

export type StoreVariant = {
  readonly variantId: string;
  readonly productId: string;
  readonly itemId: string;
  readonly sku: string | null;
  /** Of the product. */
  readonly title: string;
  /** Of the product. */
  readonly handle: string;
  /** Decimal text, as the store writes it. */
  readonly price: string;
  readonly barcode: string | null;
  readonly taxable: boolean;
  readonly requiresShipping: boolean;
  readonly weight: { readonly value: number; readonly unit: WeightUnit } | null;
  /** False: the store sells the item whatever its quantity is. */
  readonly tracked: boolean;
  /** At the place; null where the item is not stocked there. */
  readonly available: number | null;
  /** The fields beside these that were asked for, as the store writes them. */
  readonly more?: MoreValues;
};

/** Null: the store has none. */
type MoreValues = { readonly [Field in StoreField]?: string | null };

export type StoreWrite = {
  /** The same for a repeat of the same write, another for any other. */
  readonly key: string;
  /** Names the run in the store's own history. */
  readonly reference: string;
  readonly signal: AbortSignal;
};

/** `from` null: the item is not stocked at the place, which it is to be. `locationId`: where it is not the write's. */
export type QuantityChange = {
  readonly itemId: string;
  readonly from: number | null;
  readonly to: number;
  readonly locationId?: string;
};

/** Fields that are absent stay. */
export type ProductChange = {
  readonly productId: string;
  readonly title?: string;
  /** Other fields of the product; null empties one. */
  readonly more?: MoreValues;
  /** Becomes its first picture. */
  readonly image?: ProductImage;
  readonly variants: readonly VariantChange[];
};

export type VariantChange = {
  readonly variantId: string;
  readonly sku?: string | null;
  readonly price?: string;
  readonly barcode?: string | null;
  readonly taxable?: boolean;
  readonly requiresShipping?: boolean;
  readonly weight?: { readonly value: number; readonly unit: WeightUnit };
  /** Other fields of the variant or its item; null empties one. */
  readonly more?: MoreValues;
};

/** What tells the variants of a new product apart; `handle`: it has one. */
export type NewKey = 'sku' | 'barcode' | 'handle';

export type NewProduct = Pick<ProductChange, 'title' | 'more' | 'image'> & {
  readonly handle: string;
  /** At most MAX_NEW_VARIANTS. */
  readonly variants: readonly NewVariant[];
};

/** `sentBefore`: an earlier attempt may have created it. */
export type ProductToCreate = NewProduct & { readonly sentBefore: boolean };

export type NewVariant = Omit<VariantChange, 'variantId'> & {
  readonly key: string;
  readonly quantities: readonly { readonly locationId: string; readonly quantity: number }[];
};

/** Variants that a product is created with at most. */
export const MAX_NEW_VARIANTS = 100;

/** `made`: by this call or an earlier one; its variants by their keys. `taken`: the handle is another product's. */
export type NewProductOutcome =
  | {
      readonly state: 'made';
      readonly productId: string;
      readonly variants: ReadonlyMap<string, { readonly variantId: string; readonly itemId: string }>;
      /** The outcome for its picture; absent: it has not been set. */
      readonly image?: ImageOutcome;
    }
  | { readonly state: 'taken' }
  | ({ readonly state: 'refused' } & Refusal);

/**
 * `url`: the address of the store's copy; null: it is not processed yet. `refusal`: it could not be fetched or processed, and
 * the product has the pictures it had.
 */
export type ImageOutcome = { readonly url: string | null } | { readonly refusal: Refusal };

/** Why the store rejected a change: its code and its message. */
export type Refusal = { readonly code: string; readonly message: string };

/**
 * `stale`: the old value was no longer there. `refused`: the store rejected all or part of it. `parts` then
 * says of a ProductChange what: variants by their ids, fields of the product by their names; the rest was
 * applied. Absent: nothing was. `image`: the address that the store gave to its picture, where it has one.
 */
export type Outcome =
  | { readonly state: 'applied'; readonly image?: string }
  | { readonly state: 'stale'; readonly unsure?: boolean }
  | ({
      readonly state: 'refused';
      readonly parts?: ReadonlyMap<string, Refusal>;
      readonly image?: string;
    } & Refusal);
