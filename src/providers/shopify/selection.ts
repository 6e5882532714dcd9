import {
  isMore,
  MORE_FIELDS,
  metafieldOf,
  placeOf,
  type StoreField,
  specOf,
} from '../../sync/ports/store-fields.ts';

export type Fields = readonly StoreField[];

const BASIC = [
  ...['id', 'sku', 'price', 'barcode', 'taxable', 'product.id', 'product.title', 'product.handle'],
  ...['inventoryItem.id', 'inventoryItem.requiresShipping', 'inventoryItem.tracked'],
  ...['inventoryItem.measurement.weight.value', 'inventoryItem.measurement.weight.unit'],
];

/** What is asked of a variant, with the fields beside the basic ones. `location`: a variable, or an id in quotes. */
export function variantSelection(more: Fields, location = '$location'): string {
  const own = more.flatMap((field, nth) => pathOf(field, nth) ?? []);
  return selectionOf([...BASIC, `inventoryItem.${levelAt(location)}`, ...own]);
}

/** Of products and variants, each of their metafields by the name that `aliasOf` gives it. */
export function metafieldSelection(fields: Fields, parts: string): string {
  const ofOwner = (type: string, level: string) => {
    const own = fields.flatMap((field, nth) =>
      specOf(field).level === level ? `${metafieldAt(field, nth)} { ${parts} }` : [],
    );
    return own.length > 0 ? `... on ${type} { ${own.join(' ')} }` : '';
  };
  return `${ofOwner('Product', 'product')} ${ofOwner('ProductVariant', 'variant')}`;
}

export function metafieldDefinitions(fields: Fields): string {
  return fields
    .map((field, nth) => {
      const { namespace, key } = metafieldOf(field) ?? { namespace: '', key: '' };
      const owner = specOf(field).level === 'variant' ? 'PRODUCTVARIANT' : 'PRODUCT';
      const name = `ownerType: ${owner}, namespace: ${JSON.stringify(namespace)}, key: ${JSON.stringify(key)}`;
      return `${aliasOf(nth)}: metafieldDefinitions(${name}, first: 1) { nodes { type { name } } }`;
    })
    .join(' ');
}

/** By its place among the fields: no name of a caller is one of GraphQL. */
export function aliasOf(nth: number): string {
  return `f${nth}`;
}

/** Where an answer has a field, as the keys that lead to it from the variant; undefined: it is a basic one. */
export function answerPath(field: StoreField, nth: number): readonly string[] | undefined {
  return pathOf(field, nth)
    ?.split('.')
    .map((part) => /^\w+/.exec(part)?.[0] ?? part);
}

/** Namespaces, keys and numbers of locations are checked by form: nothing in them ends a string or a path. */
function pathOf(field: StoreField, nth: number): string | undefined {
  if (isMore(field)) return MORE_FIELDS[field].read;
  if (metafieldOf(field)) {
    const path = `${metafieldAt(field, nth)}.value`;
    return specOf(field).level === 'product' ? `product.${path}` : path;
  }
  const place = placeOf(field);
  if (place === undefined) return undefined;
  return `inventoryItem.${aliasOf(nth)}: ${levelAt(JSON.stringify(`gid://shopify/Location/${place}`))}`;
}

function metafieldAt(field: StoreField, nth: number): string {
  const { namespace, key } = metafieldOf(field) ?? { namespace: '', key: '' };
  return `${aliasOf(nth)}: metafield(namespace: ${JSON.stringify(namespace)}, key: ${JSON.stringify(key)})`;
}

function levelAt(location: string): string {
  return `inventoryLevel(locationId: ${location}).quantities(names: ["available"]).quantity`;
}

/** Paths as one selection, in which each field is asked for once. */
function selectionOf(paths: readonly string[]): string {
  const byHead = Map.groupBy(
    paths.map((path) => path.split('.')),
    ([head]) => head ?? '',
  );
  return [...byHead]
    .map(([head, own]) => {
      const rest = own.map(([, ...below]) => below.join('.')).filter((below) => below !== '');
      return rest.length > 0 ? `${head} { ${selectionOf(rest)} }` : head;
    })
    .join(' ');
}
