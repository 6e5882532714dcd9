import { z } from 'zod';
import { zodToJsonSchema } from 'zod-to-json-schema';

export type JsonSchema = { readonly [key: string]: unknown };

/**
 * The one road from a zod schema to JSON Schema (draft 2020-12). zod 4 converts itself; zod-to-json-schema answers an
 * empty schema for zod 4 without an error, so it only gets what it understands: zod 3 schemas of plug-in tools.
 * @throws Error when the result describes nothing.
 */
export function toJsonSchema(schema: unknown, io: 'input' | 'output'): JsonSchema {
  const { $schema: _dialect, ...converted } = isZod4(schema)
    ? z.toJSONSchema(schema, { io })
    : // A schema without zod 4's marker is a zod 3 schema by the plug-in contract.
      (zodToJsonSchema(schema as never) as Record<string, unknown>);
  if (Object.keys(converted).length === 0) throw new Error('The schema converts to an empty JSON Schema.');
  return converted;
}

function isZod4(schema: unknown): schema is z.ZodType {
  return typeof schema === 'object' && schema !== null && '_zod' in schema;
}
