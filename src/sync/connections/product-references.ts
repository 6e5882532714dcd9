import { Fault } from '../../errors.ts';
import type { StoreProduct } from '../ports/store-client.ts';

/**
 * `product:sto_…/stoneware-mug` stands for a product of a connected store wherever data has a text, and
 * `product:sto_…/stoneware-mug#title` for one value of it. The store's ID is part of it: data holds texts of customers too,
 * who don't know that ID, so none of these is taken for a reference.
 */
const REFERENCE =
  /^product:(sto_[a-z0-9]+)\/(gid:\/\/shopify\/Product\/\d{1,20}|[^\s/#?]{1,255})(?:#(\S+))?$/iu;

/** What may follow the `#`. */
const PARTS = ['id', 'title', 'handle', 'status', 'price', 'currency', 'image', 'url'] as const;
type Part = (typeof PARTS)[number];

/** Different products that one call may name. */
const MAX_PRODUCTS = 100;

/** Deeper data is refused elsewhere. */
const MAX_LEVELS = 100;

type Reference = {
  readonly text: string;
  readonly store: string;
  readonly product: string;
  readonly part: string | undefined;
};

type ReadProduct = (
  store: string,
  handleOrId: string,
) => Promise<{ readonly domain: string; readonly product: StoreProduct | undefined }>;

/** Whether data (JSON) has a reference. */
export function hasProductReference(data: unknown): boolean {
  return referencesIn(data).length > 0;
}

/**
 * Fills the data of one call: each reference becomes the product, or its value. Data without any comes back as it is.
 * @throws Fault not_found.product_store, not_found.product, validation_failed.product_part, too_large.products, and what
 * stores throw
 */
export function createProductFiller(read: ReadProduct) {
  const products = new Map<string, Promise<StoreProduct>>();

  return async <Data>(data: Data): Promise<Data> => {
    const references = referencesIn(data);
    if (references.length === 0) return data;
    const values = new Map<string, unknown>();
    await Promise.all(
      references.map(async (reference) => values.set(reference.text, await resolve(reference))),
    );
    // A text became a value of JSON; nothing else changed.
    return replaced(data, values) as Data;
  };

  async function resolve({ text, store, product: name, part }: Reference): Promise<unknown> {
    if (part !== undefined && !isPart(part))
      throw new Fault('validation_failed.product_part', { reference: text, parts: PARTS.join(', ') });
    const key = `${store}/${name}`;
    if (!products.has(key) && products.size >= MAX_PRODUCTS)
      throw new Fault('too_large.products', { limit: MAX_PRODUCTS });
    const reading = products.get(key) ?? found(text, store, name);
    products.set(key, reading);
    const product = await reading;
    return part === undefined ? product : product[part];
  }

  async function found(reference: string, store: string, name: string): Promise<StoreProduct> {
    const { domain, product } = await read(store, name).catch((error: unknown) => {
      if (error instanceof Fault && error.key === 'not_found.store')
        throw new Fault('not_found.product_store', { reference, store }, { cause: error });
      throw error;
    });
    if (!product) throw new Fault('not_found.product', { reference, store, product: name, domain });
    return product;
  }
}

function isPart(part: string): part is Part {
  return (PARTS as readonly string[]).includes(part);
}

/** All references in data. Every render looks for them: one list that is filled is many times as fast as nested generators. */
function referencesIn(data: unknown): readonly Reference[] {
  const found: Reference[] = [];
  look(data, 0);
  return found;

  function look(value: unknown, level: number): void {
    if (typeof value === 'string') {
      const reference = referenceOf(value);
      if (reference) found.push(reference);
    } else if (typeof value === 'object' && value !== null && level < MAX_LEVELS) {
      for (const inner of Object.values(value)) look(inner, level + 1);
    }
  }
}

function referenceOf(value: string): Reference | undefined {
  const found = REFERENCE.exec(value);
  if (!found) return undefined;
  const [text, store, product, part] = found;
  if (store === undefined || product === undefined) return undefined;
  return { text, store, product, part };
}

function replaced(data: unknown, values: ReadonlyMap<string, unknown>, level = 0): unknown {
  if (typeof data === 'string') return values.has(data) ? values.get(data) : data;
  if (typeof data !== 'object' || data === null || level >= MAX_LEVELS) return data;
  if (Array.isArray(data)) return data.map((value) => replaced(value, values, level + 1));
  return Object.fromEntries(
    Object.entries(data).map(([name, value]) => [name, replaced(value, values, level + 1)]),
  );
}
