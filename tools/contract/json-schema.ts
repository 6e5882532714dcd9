import { createRequire } from 'node:module';
import { z } from 'zod';

export type JsonSchema = { readonly [key: string]: unknown };

type Direction = 'input' | 'output';

/** The list of tools, REST and the API document ask for the same schemas, and converting one takes long. */
const converted: Readonly<Record<Direction, WeakMap<object, JsonSchema>>> = {
  input: new WeakMap(),
  output: new WeakMap(),
};

/**
 * The only conversion of a zod schema to JSON Schema (draft 2020-12). The same frozen object for the same
 * schema.
 * @throws Error when the result describes nothing.
 */
export function toJsonSchema(schema: object, io: Direction): JsonSchema {
  const known = converted[io].get(schema);
  if (known) return known;
  const made = deepFreeze(convert(schema, io));
  converted[io].set(schema, made);
  return made;
}

/**
 * zod 4 converts itself; zod-to-json-schema answers an empty schema for zod 4 without an error, so it only gets what it
 * understands: zod 3 schemas of plug-in tools.
 */
function convert(schema: object, io: Direction): JsonSchema {
  const { $schema: _dialect, ...said } = isZod4(schema)
    ? z.toJSONSchema(schema, { io })
    : // A schema without zod 4's marker is a zod 3 schema by the plug-in contract.
      (zod3Converter().zodToJsonSchema(schema as never) as Record<string, unknown>);
  if (Object.keys(said).length === 0) throw new Error('The schema converts to an empty JSON Schema.');
  return said;
}

/** Fifty modules, loaded by the first plug-in that needs them. */
function zod3Converter(): typeof import('zod-to-json-schema') {
  return createRequire(import.meta.url)('zod-to-json-schema');
}

function isZod4(schema: object): schema is z.ZodType {
  return '_zod' in schema;
}

export function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  Object.values(value).forEach(deepFreeze);
  return Object.freeze(value);
}
