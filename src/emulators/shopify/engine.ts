import { readFileSync } from 'node:fs';
import {
  buildSchema,
  type DocumentNode,
  executeSync,
  extendSchema,
  type FragmentDefinitionNode,
  GraphQLError,
  type GraphQLSchema,
  getOperationAST,
  isScalarType,
  Kind,
  type OperationDefinitionNode,
  parse,
  validate,
} from 'graphql';
import type { Call } from './access.ts';

const FILE = new URL('./admin.graphql', import.meta.url);

/** What the version before had and the current one no longer has. */
const FORMERLY = parse('extend enum InventorySetQuantitiesUserErrorCode { ITEM_NOT_STOCKED_AT_LOCATION }');

/** The part of the Admin API that the emulator knows, as it is in `version`. */
export function adminSchema(version: string): GraphQLSchema {
  const current = buildSchema(readFileSync(FILE, 'utf8'));
  const schema = version < '2026-10' ? extendSchema(current, FORMERLY) : current;
  const money = schema.getType('Money');
  if (money && isScalarType(money)) money.parseValue = parseMoney;
  return schema;
}

function parseMoney(value: unknown): string {
  const text = typeof value === 'number' ? String(value) : value;
  if (typeof text === 'string' && /^-?\d{1,16}(\.\d{1,10})?$/.test(text)) return text;
  throw new GraphQLError(`invalid money '${String(value)}'`);
}

/** Prepared texts are kept: a client asks few different things many times. */
const KEPT_TEXTS = 200;

type Json = Readonly<Record<string, unknown>>;

/** A text that is valid; `operation` null: it has none, or several and no name says which. */
export type Prepared = {
  readonly schema: GraphQLSchema;
  readonly document: DocumentNode;
  readonly operation: OperationDefinitionNode | null;
  readonly fragments: Readonly<Record<string, FragmentDefinitionNode>>;
  readonly errors: readonly GraphQLError[];
};
export type Result = { readonly data?: Json | null; readonly errors?: readonly GraphQLError[] };

export type Engine = ReturnType<typeof createEngine>;

/** GraphQL over the part of the published schema that we use: what is wrong there is wrong here. */
export function createEngine(root: () => object) {
  const schemas = new Map<string, GraphQLSchema>();
  const texts = new Map<string, Prepared>();

  function schemaOf(version: string): GraphQLSchema {
    const schema = schemas.get(version) ?? adminSchema(version);
    schemas.set(version, schema);
    return schema;
  }

  return {
    /** @throws GraphQLError where the text is no GraphQL */
    prepare(version: string, text: string, operationName?: string): Prepared {
      const name = `${version} ${operationName ?? ''} ${text}`;
      const known = texts.get(name);
      if (known) return known;
      const schema = schemaOf(version);
      const document = parse(text);
      const prepared: Prepared = {
        schema,
        document,
        operation: getOperationAST(document, operationName) ?? null,
        fragments: fragmentsOf(document),
        errors: validate(schema, document),
      };
      if (texts.size >= KEPT_TEXTS) texts.clear();
      texts.set(name, prepared);
      return prepared;
    },
    /** Runs synchronously, so no other request sees a mutation half done. */
    run({ schema, document, operation }: Prepared, variables: Json, call: Call): Result {
      return executeSync({
        schema,
        document,
        rootValue: root(),
        contextValue: call,
        variableValues: variables,
        operationName: operation?.name?.value ?? null,
      });
    },
  };
}

function fragmentsOf({ definitions }: DocumentNode): Prepared['fragments'] {
  const fragments = definitions.filter((definition) => definition.kind === Kind.FRAGMENT_DEFINITION);
  return Object.fromEntries(fragments.map((fragment) => [fragment.name.value, fragment]));
}
