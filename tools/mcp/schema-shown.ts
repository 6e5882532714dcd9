import type { Tool } from '../contract/define.ts';
import { Delivered } from '../contract/delivered.ts';
import { type JsonSchema, toJsonSchema } from '../contract/json-schema.ts';
import { modelSchema } from './model-schema.ts';
import { ALWAYS_TEXT } from './structured.ts';

/**
 * The schema of a tool's structured content, as lists declare it: a longer text may be an object that has its start.
 * Undefined where there is no structured content: an output that is not an object has no place for the marks, and
 * clients that read it drop the files beside it.
 */
export function schemaShown({ output, mcp, job }: Tool): JsonSchema | undefined {
  const schema = toJsonSchema(output, 'output');
  const { type } = schema;
  if (type !== 'object' || holdsFile(schema) || (mcp !== false && mcp?.through)) return undefined;
  const { required, ...shown } = modelSchema(withOpenTexts(schema), 'output');
  // Work that takes long is answered with its job at first, so nothing of its output is required.
  if (job) return { ...shown, properties: { ...Object(shown['properties']), job_id: { type: 'string' } } };
  // A view may leave members out.
  return mcp !== false && mcp?.view ? shown : { ...shown, ...(required !== undefined && { required }) };
}

const FILE = Object.keys(Delivered.shape);

function holdsFile(schema: unknown): boolean {
  if (typeof schema !== 'object' || schema === null) return false;
  const { properties } = schema as JsonSchema;
  const isFile =
    typeof properties === 'object' && properties !== null && FILE.every((name) => name in properties);
  return isFile || Object.values(schema).some(holdsFile);
}

/** Their values are data, whatever they look like. */
const DATA: readonly string[] = ['default', 'const', 'enum', 'examples', 'required'];
/** Their members are schemas under names of the caller's. */
const NAMED: readonly string[] = ['properties', '$defs'];

function withOpenTexts(schema: JsonSchema): JsonSchema {
  const written = Object.entries(schema).map(([keyword, value]) => [keyword, writeValue(keyword, value)]);
  const copy: JsonSchema = Object.fromEntries(written);
  return mayBeLong(schema) ? { ...copy, type: ['string', 'object'] } : copy;
}

function writeValue(keyword: string, value: unknown): unknown {
  if (DATA.includes(keyword)) return value;
  if (Array.isArray(value)) return value.map((item) => writeValue('', item));
  if (typeof value !== 'object' || value === null) return value;
  if (!NAMED.includes(keyword)) return withOpenTexts({ ...value });
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, writeValue('', part)]));
}

function mayBeLong(schema: JsonSchema): boolean {
  const { type, maxLength } = schema;
  const told = ['enum', 'const', 'format'].some((keyword) => keyword in schema);
  return type === 'string' && !told && !(typeof maxLength === 'number' && maxLength <= ALWAYS_TEXT);
}
