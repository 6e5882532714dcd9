/**
 * The store fields that a sheet column can be mapped to: all that is particular to a field is said here. A value is read
 * with its variant at `read`, is written in the input of its level's mutation at `write`, looks in a cell as its kind has
 * it, and is refused as a cell where it does not fit. To add a field, add a line.
 */
type Spec = {
  readonly kind: FieldKind;
  readonly level: FieldLevel;
  /** What empties it; absent: the store always has a value, so an empty cell is refused. */
  readonly empty?: null | '' | readonly string[];
  /** The form of its text. */
  readonly form?: TextForm;
  /** Its choices: what the store calls each, and what a cell says. */
  readonly choices?: Readonly<Record<string, string>>;
  /** A code of digits, whose leading zeros a spreadsheet drops. */
  readonly isCode?: boolean;
};

type MoreSpec = Spec & {
  /** The path from a variant to the value, in answers of the Admin API. */
  readonly read: string;
  /** The path in the input that writes it: ProductUpdateInput for products, ProductVariantsBulkInput for the others. */
  readonly write: string;
};

/** `choice`: one of a few words. `tags`: words between commas, in any order. `metafield`: whatever its definition takes. */
type FieldKind =
  | 'text'
  | 'money'
  | 'quantity'
  | 'decimal'
  | 'integer'
  | 'boolean'
  | 'choice'
  | 'tags'
  | 'metafield';

/** Where the store keeps it: one value a product, a variant, an inventory item, or an item at a place. */
type FieldLevel = 'product' | 'variant' | 'item' | 'quantity';

type TextForm = 'line' | 'long' | 'handle' | 'hs_code' | 'image';

/** The value of `image` while the store processes the first picture: it has no address yet. */
export const PENDING_IMAGE = '…';

/** The documented fields, which are read with every variant. */
const BASIC_FIELDS = {
  sku: { kind: 'text', level: 'item', isCode: true },
  title: { kind: 'text', level: 'product' },
  price: { kind: 'money', level: 'variant' },
  inventory_quantity: { kind: 'quantity', level: 'quantity' },
  barcode: { kind: 'text', level: 'variant', empty: null, isCode: true },
  weight: { kind: 'decimal', level: 'item' },
  grams: { kind: 'integer', level: 'item' },
  requires_shipping: { kind: 'boolean', level: 'item' },
  taxable: { kind: 'boolean', level: 'variant' },
} as const satisfies Record<string, Spec>;

/** Fields that are read only where they are mapped. */
export const MORE_FIELDS = {
  compare_at_price: {
    kind: 'money',
    level: 'variant',
    read: 'compareAtPrice',
    write: 'compareAtPrice',
    empty: null,
  },
  cost: {
    kind: 'money',
    level: 'item',
    read: 'inventoryItem.unitCost.amount',
    write: 'inventoryItem.cost',
    empty: null,
  },
  vendor: { kind: 'text', level: 'product', read: 'product.vendor', write: 'vendor', form: 'line' },
  product_type: {
    kind: 'text',
    level: 'product',
    read: 'product.productType',
    write: 'productType',
    form: 'line',
    empty: '',
  },
  tags: { kind: 'tags', level: 'product', read: 'product.tags', write: 'tags', empty: [] },
  product_status: {
    kind: 'choice',
    level: 'product',
    read: 'product.status',
    write: 'status',
    choices: { ACTIVE: 'active', DRAFT: 'draft', ARCHIVED: 'archived', UNLISTED: 'unlisted' },
  },
  handle: { kind: 'text', level: 'product', read: 'product.handle', write: 'handle', form: 'handle' },
  description: {
    kind: 'text',
    level: 'product',
    read: 'product.descriptionHtml',
    write: 'descriptionHtml',
    form: 'long',
    empty: '',
  },
  seo_title: {
    kind: 'text',
    level: 'product',
    read: 'product.seo.title',
    write: 'seo.title',
    form: 'line',
    empty: '',
  },
  seo_description: {
    kind: 'text',
    level: 'product',
    read: 'product.seo.description',
    write: 'seo.description',
    form: 'long',
    empty: '',
  },
  image: {
    kind: 'text',
    level: 'product',
    read: 'product.featuredMedia.preview.image.url',
    write: 'files',
    form: 'image',
  },
  inventory_policy: {
    kind: 'choice',
    level: 'variant',
    read: 'inventoryPolicy',
    write: 'inventoryPolicy',
    choices: { DENY: 'deny', CONTINUE: 'continue' },
  },
  weight_unit: {
    kind: 'choice',
    level: 'item',
    read: 'inventoryItem.measurement.weight.unit',
    write: 'inventoryItem.measurement.weight.unit',
    choices: { KILOGRAMS: 'kg', GRAMS: 'g', POUNDS: 'lb', OUNCES: 'oz' },
  },
  hs_code: {
    kind: 'text',
    level: 'item',
    read: 'inventoryItem.harmonizedSystemCode',
    write: 'inventoryItem.harmonizedSystemCode',
    form: 'hs_code',
    empty: null,
    isCode: true,
  },
} as const satisfies Record<string, MoreSpec>;

type BasicField = keyof typeof BASIC_FIELDS;
type MoreField = keyof typeof MORE_FIELDS;
export type NamedField = BasicField | MoreField;

/**
 * `metafield:custom.material` is a metafield of the product, `variant_metafield:custom.care` one of the variant,
 * `inventory_quantity:90001` a quantity at one location.
 */
export type StoreField =
  | NamedField
  | `metafield:${string}`
  | `variant_metafield:${string}`
  | `inventory_quantity:${string}`;

export const FIELDS: Readonly<Record<NamedField, Spec>> = { ...BASIC_FIELDS, ...MORE_FIELDS };

// The type of Object.keys forgets the names.
export const STORE_FIELDS = Object.keys(FIELDS) as [NamedField, ...NamedField[]];

const METAFIELD: Spec = { kind: 'metafield', level: 'product', empty: null };
const VARIANT_METAFIELD: Spec = { ...METAFIELD, level: 'variant' };
const QUANTITY: Spec = BASIC_FIELDS.inventory_quantity;

export function specOf(field: StoreField): Spec {
  if (isNamed(field)) return FIELDS[field];
  if (field.startsWith('metafield:')) return METAFIELD;
  return field.startsWith('variant_metafield:') ? VARIANT_METAFIELD : QUANTITY;
}

function isNamed(field: StoreField): field is NamedField {
  return Object.hasOwn(FIELDS, field);
}

export function isMore(field: string): field is MoreField {
  return Object.hasOwn(MORE_FIELDS, field);
}

/** The namespace and key of a metafield, of a product or a variant; undefined for every other field. */
export function metafieldOf(field: string): { readonly namespace: string; readonly key: string } | undefined {
  const [, namespace, key] = METAFIELD_NAME.exec(field) ?? [];
  return namespace === undefined || key === undefined ? undefined : { namespace, key };
}

const METAFIELD_NAME = /^(?:variant_)?metafield:([\w-]{2,255})\.([\w-]{2,64})$/;

/** True for a quantity, of the configuration's location or of one that the field names. */
export function isQuantity(field: string): boolean {
  return field === 'inventory_quantity' || field.startsWith(`${PLACED}:`);
}

/** The number of the location that the field names; undefined: it is not a quantity, or the configuration names it. */
export function placeOf(field: string): string | undefined {
  return new RegExp(`^${PLACED}:(\\d{1,20})$`).exec(field)?.[1];
}

const PLACED = 'inventory_quantity';
