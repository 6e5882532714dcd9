import type { JsonSchema } from '../contract/json-schema.ts';

type Direction = 'input' | 'output';
type Definitions = Readonly<Record<string, unknown>>;

/**
 * A JSON Schema for a model: few tokens, and no keyword that a model vendor rejects. It may say less than its source,
 * never something else; the tool still parses its input and output. References are inlined, except a schema that
 * contains itself, which stays open. An output schema has only the shape, without limits, and later versions may add
 * members.
 */
export function modelSchema(schema: JsonSchema, direction: Direction): JsonSchema {
  const { $defs, ...root } = schema;
  return write(root, { direction, definitions: isObject($defs) ? $defs : {}, nested: false });
}

type Context = { readonly direction: Direction; readonly definitions: Definitions; readonly nested: boolean };

function write(schema: JsonSchema, context: Context): JsonSchema {
  const { $ref, ...rest } = schema;
  if (typeof $ref !== 'string') return writeKeywords(rest, context);
  const target = context.definitions[definitionOf($ref)];
  const whole = isObject(target) && !isRecursive($ref, context.definitions);
  return { ...(whole ? write(target, context) : {}), ...rest };
}

function writeKeywords(written: JsonSchema, context: Context): JsonSchema {
  const schema = context.direction === 'input' ? withoutNumericChoice(written) : written;
  const kept = Object.entries(schema).filter(([keyword, value]) => !isNoise(keyword, value, schema, context));
  return Object.fromEntries(kept.map(([keyword, value]) => [keyword, writeValue(keyword, value, context)]));
}

/** Some vendors know choices only among texts: the numbers to choose from are said in words, and the tool checks them. */
function withoutNumericChoice(schema: JsonSchema): JsonSchema {
  const { enum: choices, const: only, ...rest } = schema;
  const values = Array.isArray(choices) ? choices : only === undefined ? [] : [only];
  if (values.length === 0 || !values.every((value) => typeof value === 'number')) return schema;
  const type = values.every(Number.isInteger) ? 'integer' : 'number';
  const { description } = schema;
  const said = [description, `One of: ${values.join(', ')}`].filter(Boolean).join('. ');
  return { ...rest, type, description: said };
}

// Zod bounds every integer by what a double holds.
const SAFE_INTEGERS: readonly unknown[] = [Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER];

const LIMITS: readonly string[] = ['minLength', 'maxLength', 'minItems', 'maxItems', 'pattern', 'default'];

function isNoise(keyword: string, value: unknown, schema: JsonSchema, context: Context): boolean {
  // Vendors know few forms of pattern, and a model reads a format or a description better.
  const told = 'format' in schema || 'description' in schema;
  if (keyword === 'propertyNames' || (keyword === 'pattern' && told)) return true;
  if (keyword === 'minimum' || keyword === 'maximum')
    return SAFE_INTEGERS.includes(value) || isAnswer(context);
  // An input without arguments says so: some vendors refuse an object that names no properties.
  if (keyword === 'properties')
    return isEmpty(value) && 'additionalProperties' in schema && (context.nested || isAnswer(context));
  return isAnswer(context) && isDetail(keyword, value, context);
}

function isDetail(keyword: string, value: unknown, { nested }: Context): boolean {
  if (keyword === 'additionalProperties') return value === false;
  return LIMITS.includes(keyword) || (keyword === 'required' && nested);
}

function isAnswer({ direction }: Context): boolean {
  return direction === 'output';
}

// The values of these are data, whatever they look like.
const DATA: readonly string[] = ['default', 'const', 'enum', 'examples', 'required'];

function writeValue(keyword: string, value: unknown, around: Context): unknown {
  if (DATA.includes(keyword)) return value;
  const context = { ...around, nested: true };
  if (keyword === 'properties' && isObject(value))
    return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, writePart(part, context)]));
  const part = writePart(value, context);
  // `{}` and `true` mean the same, but some vendors only know the second.
  return keyword === 'additionalProperties' && isEmpty(part) ? true : part;
}

function writePart(part: unknown, context: Context): unknown {
  if (Array.isArray(part)) return part.map((item) => writePart(item, context));
  return isObject(part) ? write(part, context) : part;
}

function definitionOf(reference: string): string {
  return reference.replace('#/$defs/', '');
}

/** Whether a definition reaches itself, directly or through others. */
function isRecursive(reference: string, definitions: Definitions): boolean {
  const reached = new Set<string>();
  const follow = (from: string): void => {
    for (const next of referencesIn(definitions[definitionOf(from)])) {
      if (reached.has(next)) continue;
      reached.add(next);
      follow(next);
    }
  };
  follow(reference);
  return reached.has(reference);
}

function referencesIn(part: unknown): string[] {
  if (Array.isArray(part)) return part.flatMap(referencesIn);
  if (!isObject(part)) return [];
  const { $ref, ...rest } = part;
  return [...(typeof $ref === 'string' ? [$ref] : []), ...Object.values(rest).flatMap(referencesIn)];
}

function isEmpty(value: unknown): boolean {
  return isObject(value) && Object.keys(value).length === 0;
}

function isObject(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
