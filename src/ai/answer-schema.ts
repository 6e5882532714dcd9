import { z } from 'zod';

export type JsonSchema = { readonly [keyword: string]: unknown };

export type AnswerSchema = {
  /** Every keyword, for a model that reads the schema in its instructions. */
  readonly full: JsonSchema;
  /**
   * The subset of the strict modes of OpenAI and Anthropic: every property required, optional ones nullable, no additional
   * properties, no limits. Undefined when the answer has parts without a fixed shape, such as a record.
   */
  readonly strict: JsonSchema | undefined;
};

/** The JSON Schemas of an answer. The zod schema itself checks what they omit. */
export function answerSchema(schema: z.ZodType): AnswerSchema {
  const made = known.get(schema);
  if (made) return made;
  const { $schema, ...full } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  const answer = { full, strict: isClosed(full) ? strictNode(full) : undefined };
  known.set(schema, answer);
  return answer;
}

// The same schemas are used repeatedly, and converting one takes longer than sending it.
const known = new WeakMap<z.ZodType, AnswerSchema>();

/** The keywords that both strict modes accept; one or the other rejects limits and formats. */
const STRICT_KEYWORDS = new Set([
  'type',
  'description',
  'enum',
  '$ref',
  'items',
  'anyOf',
  '$defs',
  'required',
]);
const OPEN_KEYWORDS = ['prefixItems', 'allOf', 'not', 'patternProperties'];

function isClosed(node: unknown): boolean {
  if (!isNode(node)) return false;
  if (OPEN_KEYWORDS.some((keyword) => keyword in node)) return false;
  if (node['type'] === 'object' && !isNode(node['properties'])) return false;
  if (node['type'] === 'array' && !isClosed(node['items'])) return false;
  if (!['type', 'enum', 'const', '$ref', 'anyOf', 'oneOf'].some((keyword) => keyword in node)) return false;
  return [node['properties'], node['$defs'], node['anyOf'], node['oneOf']].every((nested) =>
    Object.values(nested ?? {}).every(isClosed),
  );
}

function strictNode(node: JsonSchema): JsonSchema {
  const strict: Record<string, unknown> = {};
  for (const [keyword, value] of Object.entries(node)) {
    if (keyword === 'const') strict['enum'] = [value];
    else if (keyword === 'oneOf' || keyword === 'anyOf')
      strict['anyOf'] = (value as JsonSchema[]).map(strictNode);
    else if (keyword === '$defs') strict['$defs'] = mapValues(value, strictNode);
    else if (keyword === 'items') strict['items'] = strictNode(value as JsonSchema);
    else if (STRICT_KEYWORDS.has(keyword)) strict[keyword] = value;
  }
  return isNode(node['properties']) ? { ...strict, ...strictProperties(node) } : strict;
}

function strictProperties(node: JsonSchema): JsonSchema {
  // zod writes `required` as a list of names, where there are any.
  const required = new Set(node['required'] as string[] | undefined);
  const properties = mapValues(node['properties'], (property, name) =>
    required.has(name) ? strictNode(property) : { anyOf: [strictNode(property), { type: 'null' }] },
  );
  return { properties, required: Object.keys(properties), additionalProperties: false };
}

function mapValues(nodes: unknown, change: (node: JsonSchema, name: string) => JsonSchema) {
  const entries = Object.entries(isNode(nodes) ? nodes : {});
  // JSON Schema has only schemas at these places.
  return Object.fromEntries(entries.map(([name, node]) => [name, change(node as JsonSchema, name)]));
}

function isNode(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
