import { setImmediate } from 'node:timers/promises';
import { Fault } from '../../src/errors.ts';
import {
  MAX_SET_QUANTITIES,
  type NewKey,
  type NewProduct,
  type NewProductOutcome,
  type Outcome,
  type ProductChange,
  type QuantityChange,
  type StoreClient,
  type StoreDescription,
  type StoreVariant,
  type VariantChange,
} from '../../src/sync/ports/store-client.ts';

/** What a call does, for the hooks: `read` is one page. */
export type StoreCall =
  | { readonly name: 'describe' | 'locations' | 'read' | 'subscribe' | 'products' | 'product' }
  | { readonly name: 'variants'; readonly ids: readonly string[] }
  | { readonly name: 'setQuantities'; readonly changes: readonly QuantityChange[]; readonly key: string }
  | { readonly name: 'createProducts' | 'createdProducts'; readonly products: readonly Wanted[] }
  | { readonly name: 'updateProducts'; readonly changes: readonly ProductChange[]; readonly key: string };

type Wanted = Pick<NewProduct, 'handle' | 'variants'>;

export type LocalStore = {
  readonly client: StoreClient;
  /** Every variant as it is, in the order they were added. */
  all(): readonly StoreVariant[];
  find(variantId: string): StoreVariant | undefined;
  add(variant: Partial<StoreVariant> & { readonly sku: string | null }): StoreVariant;
  remove(variantId: string): void;
  /** Changes a variant as its merchant would: its title for the whole product, its stock for all that share it. */
  change(variantId: string, to: Partial<StoreVariant>): void;
  /** The calls so far, the writes with what they were asked. */
  readonly log: StoreCall[];
  /** Before a call does anything: may change the store, or throw what the call fails with. */
  before: (call: StoreCall) => void | Promise<void>;
  /** When it has been done: throwing here loses the answer. */
  after: (call: StoreCall) => void | Promise<void>;
  /** What the store will not have, by item or by product. */
  readonly refusals: Map<string, { readonly code: string; readonly message: string }>;
};

type Options = {
  readonly variants?: readonly (Partial<StoreVariant> & { readonly sku: string | null })[];
  readonly currency?: string;
  readonly pageSize?: number;
};

export const PLACE = { id: 'gid://shopify/Location/1', name: 'Main', isActive: true } as const;

const MAX_QUANTITY = 1_000_000_000;
const POINTS = { read: 1, write: 10 };

/** A store in memory that keeps the rules of the port: compare and set, one write a key, one outcome a change. */
export function createLocalStore({
  variants = [],
  currency = 'EUR',
  pageSize = 250,
}: Options = {}): LocalStore {
  const kept = new Map<string, StoreVariant>();
  const done = new Map<string, { readonly asked: string; readonly outcomes: readonly Outcome[] }>();
  const spent = { calls: 0, points: 0 };
  let added = 0;

  const store: LocalStore = {
    client: {
      describe: (locationId, signal) => call({ name: 'describe' }, signal, () => describe(locationId)),
      locations: (signal) => call({ name: 'locations' }, signal, () => [PLACE]),
      read: (locationId, signal) => ({
        description: Promise.resolve(describe(locationId)),
        pages: readPages(signal),
      }),
      variants: (ids, _locationId, signal) =>
        call({ name: 'variants', ids }, signal, () => ids.flatMap((id) => kept.get(id) ?? [])),
      products: (_page, signal) => call({ name: 'products' }, signal, () => ({ products: [], next: null })),
      product: (_handleOrId, signal) => call({ name: 'product' }, signal, () => undefined),
      setQuantities: (changes, { key, signal }) =>
        call({ name: 'setQuantities', changes, key }, signal, () => once(key, changes, setQuantities)),
      updateProducts: (changes, { key, signal }) =>
        call({ name: 'updateProducts', changes, key }, signal, () => changes.map(updateProduct)),
      createProducts: (products, { by, signal }) =>
        call({ name: 'createProducts', products }, signal, () =>
          products.map((product) => {
            const found = made(product, by);
            if (found) return product.sentBefore ? found : { state: 'taken' };
            return create(product, by);
          }),
        ),
      createdProducts: (products, by, signal) =>
        call({ name: 'createdProducts', products }, signal, () =>
          products.map((product) => made(product, by)),
        ),
      directProducts: () => 2000,
      subscribe: (_address, signal) => call({ name: 'subscribe' }, signal, () => ['products/update']),
      calls: () => ({ ...spent }),
    },
    all: () => [...kept.values()],
    find: (variantId) => kept.get(variantId),
    add(given) {
      added += 1;
      const variant = { ...blankVariant(added), ...given };
      kept.set(variant.variantId, variant);
      return variant;
    },
    remove: (variantId) => void kept.delete(variantId),
    change(variantId, to) {
      const was = kept.get(variantId);
      if (!was) throw new Error(`no variant ${variantId}`);
      for (const one of kept.values()) {
        const product = one.productId === was.productId ? pick(to, ['title', 'handle']) : {};
        const item =
          one.itemId === was.itemId ? pick(to, ['sku', 'available', 'weight', 'requiresShipping']) : {};
        kept.set(one.variantId, { ...one, ...(one === was ? to : {}), ...product, ...item });
      }
    },
    log: [],
    before: () => {},
    after: () => {},
    refusals: new Map(),
  };
  for (const variant of variants) store.add(variant);
  return store;

  async function call<T>(asked: StoreCall, signal: AbortSignal, work: () => T): Promise<T> {
    await setImmediate();
    signal.throwIfAborted();
    spent.calls += 1;
    spent.points +=
      asked.name === 'setQuantities' || asked.name === 'updateProducts' ? POINTS.write : POINTS.read;
    store.log.push(asked);
    await store.before(asked);
    const answer = work();
    await store.after(asked);
    return answer;
  }

  function describe(locationId: string | undefined): StoreDescription {
    if (locationId !== undefined && locationId !== PLACE.id)
      throw new Fault('store_not_found.location', { domain: 'local', location: locationId });
    return { name: 'Local', currency, location: PLACE, variantCount: kept.size };
  }

  async function* readPages(signal: AbortSignal): AsyncGenerator<readonly StoreVariant[]> {
    const ids = [...kept.keys()];
    for (let from = 0; from === 0 || from < ids.length; from += pageSize) {
      const page = ids.slice(from, from + pageSize);
      yield await call({ name: 'read' }, signal, () => page.flatMap((id) => kept.get(id) ?? []));
    }
  }

  /** The same key answers what it answered before, and is refused for anything else. */
  function once(
    key: string,
    changes: readonly QuantityChange[],
    work: (changes: readonly QuantityChange[]) => readonly Outcome[],
  ): readonly Outcome[] {
    if (changes.length > MAX_SET_QUANTITIES) throw new Error(`${changes.length} quantities in one call`);
    const asked = JSON.stringify(changes);
    const before = done.get(key);
    if (before && before.asked !== asked)
      throw new Fault('store_refused.request', {
        domain: 'local',
        reason: 'IDEMPOTENCY_KEY_PARAMETER_MISMATCH',
      });
    const outcomes = before?.outcomes ?? work(changes);
    done.set(key, { asked, outcomes });
    return outcomes;
  }

  function setQuantities(changes: readonly QuantityChange[]): readonly Outcome[] {
    return changes.map(({ itemId, from, to }): Outcome => {
      const variant = [...kept.values()].find((one) => one.itemId === itemId);
      const refusal = store.refusals.get(itemId) ?? quantityRefusal(variant, to, from);
      if (refusal || !variant) return { state: 'refused', ...(refusal ?? { code: 'GONE', message: 'gone' }) };
      if (variant.available !== from) return { state: 'stale' };
      store.change(variant.variantId, { available: to });
      return { state: 'applied' };
    });
  }

  function made({ handle, variants: wanted }: Wanted, by: NewKey): NewProductOutcome | undefined {
    const own = [...kept.values()].filter((one) => one.handle === handle);
    if (own.length === 0) return undefined;
    const found = wanted.flatMap(({ key }) => {
      const one = own.find((variant) => variant[by] === key);
      return one ? [[key, { variantId: one.variantId, itemId: one.itemId }] as const] : [];
    });
    if (found.length < wanted.length) return { state: 'taken' };
    return { state: 'made', productId: own[0]?.productId ?? '', variants: new Map(found) };
  }

  function create({ handle, title = '', variants: wanted }: NewProduct, by: NewKey): NewProductOutcome {
    const refusal = store.refusals.get(handle);
    if (refusal) return { state: 'refused', ...refusal };
    const productId = `gid://shopify/Product/${added + 1}`;
    for (const { key: _, quantities, sku = null, weight = null, more: __, ...fields } of wanted)
      store.add({
        ...{ ...fields, sku, weight, productId, handle, title },
        available: quantities[0]?.quantity ?? null,
        more: { product_status: 'DRAFT' },
      });
    return made({ handle, variants: wanted }, by) ?? { state: 'taken' };
  }

  function updateProduct({ productId, title, more, variants: changed }: ProductChange): Outcome {
    const refusal = store.refusals.get(productId);
    if (refusal) return { state: 'refused', ...refusal };
    const ofProduct = [...kept.values()].filter((one) => one.productId === productId);
    const [first] = ofProduct;
    const known = changed.every(({ variantId }) => ofProduct.some((one) => one.variantId === variantId));
    if (!first || !known)
      return {
        state: 'refused',
        code: 'PRODUCT_VARIANT_DOES_NOT_EXIST',
        message: 'Product variant does not exist',
      };
    if (title !== undefined) store.change(first.variantId, { title });
    const status = more?.product_status;
    for (const { variantId } of status ? ofProduct : [])
      store.change(variantId, { more: { product_status: status?.toUpperCase() ?? null } });
    for (const one of changed) store.change(one.variantId, withoutId(one));
    return { state: 'applied' };
  }
}

function quantityRefusal(
  variant: StoreVariant | undefined,
  to: number,
  from: number | null,
): { code: string; message: string } | undefined {
  if (!variant)
    return { code: 'INVALID_INVENTORY_ITEM', message: 'The specified inventory item could not be found.' };
  if (variant.available === null && from !== null)
    return { code: 'ITEM_NOT_STOCKED_AT_LOCATION', message: 'The item is not stocked at the location.' };
  if (to > MAX_QUANTITY) return { code: 'INVALID_QUANTITY_TOO_HIGH', message: 'The quantity is too high.' };
  return undefined;
}

function withoutId({ variantId: _, ...change }: VariantChange): Partial<StoreVariant> {
  return change;
}

function pick<K extends keyof StoreVariant>(
  from: Partial<StoreVariant>,
  names: readonly K[],
): Partial<StoreVariant> {
  return Object.fromEntries(names.filter((name) => name in from).map((name) => [name, from[name]]));
}

function blankVariant(nth: number): StoreVariant {
  return {
    variantId: `gid://shopify/ProductVariant/${nth}`,
    productId: `gid://shopify/Product/${nth}`,
    itemId: `gid://shopify/InventoryItem/${nth}`,
    sku: null,
    title: `Product ${nth}`,
    handle: `product-${nth}`,
    price: '10.00',
    barcode: null,
    taxable: true,
    requiresShipping: true,
    weight: null,
    tracked: true,
    available: 0,
  };
}
