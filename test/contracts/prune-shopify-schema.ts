import { execFileSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import {
  astFromValue,
  buildSchema,
  type GraphQLArgument,
  type GraphQLInputField,
  type GraphQLNamedType,
  type GraphQLSchema,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  isScalarType,
  isSpecifiedScalarType,
  lexicographicSortSchema,
  parse,
  print,
  printSchema,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import { CURRENT_VERSION, operations, readShopifySchema } from './shopify-contract.ts';

/** What we send: of these inputs and enums the subset has no more. */
const SENT: Readonly<Record<string, readonly string[]>> = {
  InventorySetQuantitiesInput: ['name', 'reason', 'referenceDocumentUri', 'quantities'],
  InventoryQuantityInput: ['inventoryItemId', 'locationId', 'quantity', 'changeFromQuantity'],
  ProductVariantsBulkInput: [
    ...['id', 'price', 'barcode', 'taxable', 'inventoryItem'],
    ...['compareAtPrice', 'inventoryPolicy', 'metafields'],
  ],
  InventoryItemInput: ['sku', 'tracked', 'requiresShipping', 'measurement', 'cost', 'harmonizedSystemCode'],
  InventoryItemMeasurementInput: ['weight'],
  WeightInput: ['value', 'unit'],
  ProductUpdateInput: [
    ...['id', 'title', 'vendor', 'productType', 'tags', 'status', 'handle', 'redirectNewHandle'],
    ...['descriptionHtml', 'seo', 'metafields'],
  ],
  ProductSetInput: [
    ...['title', 'vendor', 'productType', 'tags', 'status', 'handle', 'descriptionHtml', 'seo'],
    ...['metafields', 'productOptions', 'variants', 'files'],
  ],
  ProductSetIdentifiers: ['id'],
  FileSetInput: ['id', 'originalSource', 'filename', 'contentType'],
  FileContentType: ['IMAGE'],
  ProductVariantSetInput: [
    ...['price', 'barcode', 'taxable', 'inventoryItem', 'inventoryQuantities', 'optionValues'],
    ...['compareAtPrice', 'inventoryPolicy', 'metafields'],
  ],
  ProductSetInventoryInput: ['locationId', 'name', 'quantity'],
  OptionSetInput: ['name', 'values'],
  OptionValueSetInput: ['name'],
  VariantOptionValueInput: ['optionName', 'name'],
  SEOInput: ['title', 'description'],
  MetafieldInput: ['namespace', 'key', 'type', 'value'],
  MetafieldIdentifierInput: ['ownerId', 'namespace', 'key'],
  MetafieldOwnerType: ['PRODUCT', 'PRODUCTVARIANT'],
  ProductIdentifierInput: ['handle', 'id'],
  ProductSortKeys: ['ID'],
  StagedUploadInput: ['resource', 'filename', 'mimeType', 'httpMethod', 'fileSize'],
  StagedUploadTargetGenerateUploadResource: ['BULK_MUTATION_VARIABLES'],
  WebhookSubscriptionInput: ['uri', 'format', 'filter'],
  WebhookSubscriptionTopic: [
    'APP_UNINSTALLED',
    'BULK_OPERATIONS_FINISH',
    'INVENTORY_ITEMS_UPDATE',
    'INVENTORY_LEVELS_CONNECT',
    'INVENTORY_LEVELS_DISCONNECT',
    'INVENTORY_LEVELS_UPDATE',
    'PRODUCTS_CREATE',
    'PRODUCTS_DELETE',
    'PRODUCTS_UPDATE',
  ],
};

export const SUBSET_FILE = new URL('../../src/emulators/shopify/admin.graphql', import.meta.url);

const HEAD = `# The part of the Admin API ${CURRENT_VERSION} that we ask of a store.
# Made by \`node test/contracts/prune-shopify-schema.ts\` from the published schema; not to be edited.

`;

/** The types, fields and arguments that `texts` use, and no others, as schema text. */
export function pruneShopifySchema(schema: GraphQLSchema, texts: readonly string[]): string {
  const used = collectUse(schema, texts);
  const parts = [...used.types]
    .map((name) => schema.getType(name))
    .filter((type) => type !== undefined)
    .map((type) => printPruned(type, used));
  const text = [printIdempotent(schema), 'schema { query: QueryRoot mutation: Mutation }', ...parts].join(
    '\n',
  );
  return `${HEAD}${printSchema(lexicographicSortSchema(buildSchema(text)))}\n`;
}

/** Of these interfaces, the type that the emulator answers with. */
const MADE_AS: Readonly<Record<string, string>> = { Media: 'MediaImage' };

type Use = {
  readonly types: Set<string>;
  /** Of a type, its fields; of a field (`Type.field`), its arguments. */
  readonly members: Map<string, Set<string>>;
};

function collectUse(schema: GraphQLSchema, texts: readonly string[]): Use {
  const use: Use = { types: new Set(), members: new Map() };
  const info = new TypeInfo(schema);
  const visitor = visitWithTypeInfo(info, {
    enter() {
      const input = info.getInputType();
      if (input) addInput(getNamedType(input), use);
      const output = info.getType();
      if (output) use.types.add(getNamedType(output).name);
    },
    Field({ name, arguments: given }) {
      const parent = info.getParentType()?.name ?? '';
      add(use, parent, name.value);
      use.types.add(parent);
      for (const argument of given ?? []) add(use, `${parent}.${name.value}`, argument.name.value);
    },
  });
  for (const text of texts) visit(parse(text), visitor);
  for (const [name, type] of Object.entries(MADE_AS)) {
    if (!use.types.has(name)) continue;
    use.types.add(type);
    for (const member of use.members.get(name) ?? []) add(use, type, member);
  }
  for (const name of [...use.types]) dropBuiltIn(schema.getType(name), use);
  return use;
}

function addInput(type: GraphQLNamedType, use: Use): void {
  if (use.types.has(type.name)) return;
  use.types.add(type.name);
  if (!isInputObjectType(type)) return;
  const sent = SENT[type.name];
  if (!sent) throw new Error(`say in SENT which fields of ${type.name} we send`);
  for (const name of sent) {
    const field = type.getFields()[name];
    if (!field) throw new Error(`${type.name} has no field ${name}`);
    addInput(getNamedType(field.type), use);
  }
}

function add({ members }: Use, owner: string, member: string): void {
  members.set(owner, (members.get(owner) ?? new Set()).add(member));
}

function dropBuiltIn(type: GraphQLNamedType | undefined, { types }: Use): void {
  if (type && isScalarType(type) && isSpecifiedScalarType(type)) types.delete(type.name);
}

function printPruned(type: GraphQLNamedType, use: Use): string {
  if (isScalarType(type)) return `scalar ${type.name}`;
  if (isEnumType(type)) return `enum ${type.name} { ${enumValues(type.name, type.getValues()).join(' ')} }`;
  if (isInputObjectType(type)) {
    const fields = SENT[type.name]
      ?.map((name) => type.getFields()[name])
      .filter((field) => field !== undefined);
    return `input ${type.name} { ${fields?.map(printInput).join('\n')} }`;
  }
  if (!isObjectType(type) && !isInterfaceType(type))
    throw new Error(`${type.name} is of a kind we never used`);
  const names = use.members.get(type.name) ?? new Set(isInterfaceType(type) ? ['id'] : []);
  const fields = Object.values(type.getFields()).filter(({ name }) => names.has(name));
  const lines = fields.map((field) => {
    const given = use.members.get(`${type.name}.${field.name}`);
    const args = field.args.filter(({ name }) => given?.has(name)).map(printInput);
    return `${field.name}${args.length > 0 ? `(${args.join(', ')})` : ''}: ${field.type}`;
  });
  const own = isObjectType(type) ? type.getInterfaces().map(({ name }) => name) : [];
  const kept = own.filter((name) => (name === 'Node' ? names.has('id') : MADE_AS[name] === type.name));
  const keyword = isObjectType(type) ? 'type' : 'interface';
  return `${keyword} ${type.name}${kept.length > 0 ? ` implements ${kept.join(' & ')}` : ''} { ${lines.join('\n')} }`;
}

function enumValues(name: string, values: readonly { readonly name: string }[]): readonly string[] {
  return SENT[name] ?? values.map((value) => value.name);
}

function printInput({ name, type, defaultValue }: GraphQLArgument | GraphQLInputField): string {
  const given = defaultValue === undefined ? undefined : astFromValue(defaultValue, type);
  return `${name}: ${type}${given ? ` = ${print(given)}` : ''}`;
}

function printIdempotent(schema: GraphQLSchema): string {
  const directive = schema.getDirective('idempotent');
  if (!directive) throw new Error('the schema has no @idempotent');
  return `directive @idempotent(${directive.args.map(printInput).join(', ')}) on ${directive.locations.join(' | ')}`;
}

if (import.meta.main) {
  const schema = await readShopifySchema(CURRENT_VERSION);
  const file = fileURLToPath(SUBSET_FILE);
  await writeFile(file, pruneShopifySchema(schema, Object.values(operations)));
  execFileSync(fileURLToPath(new URL('../../node_modules/.bin/biome', import.meta.url)), [
    'format',
    '--write',
    file,
  ]);
}
