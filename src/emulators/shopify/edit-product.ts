import { type UserError, userError } from './faults.ts';
import type { ProductRecord, Status, VariantRecord } from './records.ts';
import type { Shop } from './shop.ts';

const TEXT_MOST = 255;
const TAGS_MOST = 250;

export type MetafieldInput = {
  readonly namespace?: string | null;
  readonly key?: string | null;
  readonly type?: string | null;
  readonly value?: string | null;
};

/** What is absent stays. */
export type ProductInput = {
  readonly id?: string | null;
  readonly title?: string | null;
  readonly vendor?: string | null;
  readonly productType?: string | null;
  readonly tags?: readonly string[] | null;
  readonly status?: Status | null;
  readonly handle?: string | null;
  readonly descriptionHtml?: string | null;
  readonly seo?: { readonly title?: string | null; readonly description?: string | null } | null;
  readonly metafields?: readonly MetafieldInput[] | null;
};

/** What has metafields. */
type Owner = ProductRecord | VariantRecord;

function isVariant(owner: Owner): owner is VariantRecord {
  return 'productId' in owner;
}

type DeleteArgs = {
  readonly metafields: readonly {
    readonly ownerId: string;
    readonly namespace: string;
    readonly key: string;
  }[];
};

/** What an input of a product changes in its record, and `metafieldsDelete`. */
export function createEditProduct(shop: Shop) {
  function faultOf(product: ProductRecord, input: ProductInput): UserError | undefined {
    const { title, vendor, productType, tags, handle, metafields } = input;
    const message = title === undefined ? undefined : titleFault(title);
    if (message) return userError(['title'], null, message);
    const long = Object.entries({ vendor, product_type: productType, handle }).find(
      ([, text]) => (text ?? '').length > TEXT_MOST,
    );
    if (long)
      return userError([long[0]], null, `${long[0]} is too long (maximum is ${TEXT_MOST} characters)`);
    if ((tags ?? []).length > TAGS_MOST || (tags ?? []).some((tag) => tag.length > TEXT_MOST))
      return userError(['tags'], null, 'Product tags is invalid');
    const isTaken = shop.products().some((other) => other.handle === handle && other.id !== product.id);
    if (handle && isTaken)
      return userError(['handle'], null, `Handle '${handle}' already in use. Please provide a new handle.`);
    return metafieldsFault(product, metafields);
  }

  function metafieldsFault(owner: Owner, inputs: readonly MetafieldInput[] | null = []) {
    return (inputs ?? []).map((field, nth) => metafieldFault(owner, field, nth)).find(Boolean);
  }

  /** Its type is the one that the shop has defined, or else the one that was sent. */
  function metafieldFault(
    owner: Owner,
    { namespace, key, type, value }: MetafieldInput,
    nth: number,
  ): UserError | undefined {
    const { metafields = {} } = owner;
    const name = `${namespace}.${key}`;
    const defined = shop.metafieldType(name, isVariant(owner));
    const known = defined ?? metafields[name]?.type ?? type;
    const fault = (at: string, message: string) => userError(['metafields', String(nth), at], null, message);
    if (!defined && !type) return fault('type', "Type can't be blank");
    if (type && type !== known) return fault('type', `Type must be consistent with '${known}'.`);
    if (!value) return fault('value', "Value can't be blank");
    const isWrong = known === 'number_integer' && !/^-?\d+$/.test(value);
    return isWrong ? fault('value', 'Value must be an integer.') : undefined;
  }

  /** Whether it changed anything. */
  function apply(product: ProductRecord, input: ProductInput): boolean {
    const before = JSON.stringify(product);
    Object.assign(product, textsIn(input), detailsIn(input));
    if (input.seo) product.seo = { ...EMPTY_SEO, ...product.seo, ...seoOf(input.seo) };
    setMetafields(product, input.metafields);
    return JSON.stringify(product) !== before;
  }

  function setMetafields(owner: Owner, inputs: readonly MetafieldInput[] | null = []): void {
    for (const { namespace, key, type, value } of inputs ?? []) {
      const name = `${namespace}.${key}`;
      const kept = { type: shop.metafieldType(name, isVariant(owner)) ?? type ?? '', value: value ?? '' };
      owner.metafields = { ...owner.metafields, [name]: kept };
    }
  }

  /** A product without a vendor is of the shop itself. */
  function textsIn({ title, vendor, productType, descriptionHtml }: ProductInput) {
    return {
      ...(typeof title === 'string' && { title: title.trim() }),
      ...(vendor !== undefined && { vendor: vendor?.trim() || shop.about().name }),
      ...(productType !== undefined && { productType: productType?.trim() ?? '' }),
      ...(descriptionHtml !== undefined && { descriptionHtml: descriptionHtml ?? '' }),
    };
  }

  const ownerOf = (id: string) => shop.product(id) ?? shop.variant(id);

  return {
    faultOf,
    apply,
    metafieldsFault,
    setMetafields,

    /** A metafield that is not there is none to delete. */
    metafieldsDelete({ metafields }: DeleteArgs) {
      const gone = metafields.find(({ ownerId }) => !ownerOf(ownerId));
      if (gone)
        return { userErrors: [userError(['metafields'], null, `Owner ${gone.ownerId} does not exist`)] };
      for (const { ownerId, namespace, key } of metafields) {
        const owner = ownerOf(ownerId);
        if (!owner?.metafields?.[`${namespace}.${key}`]) continue;
        const { [`${namespace}.${key}`]: _, ...rest } = owner.metafields;
        owner.metafields = rest;
        shop.changed({ kind: 'product', product: isVariant(owner) ? shop.productOf(owner) : owner });
      }
      return { userErrors: [] };
    },
  };
}

function detailsIn({ tags, status, handle }: ProductInput) {
  return { ...(tags && { tags: tagList(tags) }), ...(status && { status }), ...(handle && { handle }) };
}

const EMPTY_SEO = { title: null, description: null };

/** An empty text is none. */
function seoOf(seo: NonNullable<ProductInput['seo']>) {
  return Object.fromEntries(Object.entries(seo).map(([name, text]) => [name, text || null]));
}

/** Each once whatever its case, in their order. */
function tagList(tags: readonly string[]): string[] {
  const byName = new Map<string, string>();
  for (const tag of tags.map((one) => one.trim()))
    if (tag !== '' && !byName.has(tag.toLowerCase())) byName.set(tag.toLowerCase(), tag);
  return [...byName].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, tag]) => tag);
}

function titleFault(title: string | null): string | undefined {
  if ((title ?? '').trim() === '') return "Title can't be blank";
  if ((title ?? '').length > TEXT_MOST) return `Title is too long (maximum is ${TEXT_MOST} characters)`;
  return undefined;
}
