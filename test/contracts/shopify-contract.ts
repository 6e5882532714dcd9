import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { gunzipSync } from 'node:zlib';
import { buildClientSchema, type GraphQLSchema, type IntrospectionQuery } from 'graphql';
import * as texts from '../../src/providers/shopify/operations.ts';
import { STORE_FIELDS, type StoreField } from '../../src/sync/ports/store-fields.ts';

const FOLDER = new URL('../../../shared/contracts/', import.meta.url);

export const VERSIONS = ['2026-07', '2026-10'] as const;
export const CURRENT_VERSION = '2026-10';

/** True where the folder with the published schemas is. */
export const contractsArePresent = existsSync(FOLDER);

/** The Admin API as Shopify publishes it. */
export async function readShopifySchema(version: string): Promise<GraphQLSchema> {
  const packed = await readFile(new URL(`shopify-admin-${version}.introspection.json.gz`, FOLDER));
  // The file is the answer to the introspection query; building the schema checks it.
  const { data } = JSON.parse(gunzipSync(packed).toString()) as { data: IntrospectionQuery };
  return buildClientSchema(data);
}

/** Every field that is read where it is mapped, with a metafield and a location. */
const EVERY_FIELD: readonly StoreField[] = [
  ...STORE_FIELDS,
  'metafield:custom.material',
  'variant_metafield:custom.care',
  'inventory_quantity:90000000001',
];

const { bulkVariants, metafieldTypes, readById, readFirstPage, readPage, ...fixed } = texts;

/** Everything we ask of a store, by its name in `operations.ts`. */
export const operations: Readonly<Record<string, string>> = {
  ...fixed,
  bulkVariants: bulkVariants('gid://shopify/Location/1', EVERY_FIELD),
  metafieldTypes: metafieldTypes(['metafield:custom.material', 'variant_metafield:custom.care']),
  readById: readById(EVERY_FIELD),
  readFirstPage: readFirstPage(EVERY_FIELD),
  readPage: readPage(EVERY_FIELD),
};
