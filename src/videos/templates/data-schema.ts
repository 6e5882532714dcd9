import { z } from 'zod';
import { Fault, type FaultDetail } from '../../errors.ts';
import { brokenBound } from '../../platform/json-size.ts';

// `pattern` is excluded: a user's regular expression can take forever.
const KEYWORDS = [
  ...['type', 'enum', 'const', 'anyOf', 'properties', 'required', 'additionalProperties', 'items'],
  ...['minLength', 'maxLength', 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  ...['minItems', 'maxItems', 'format', 'title', 'description', 'default', 'examples', '$schema'],
];

/** The parser is built in the main thread and cached. */
const BOUNDS = { levels: 50, chars: 32_768, values: 1_000 };
const LOC = ['body', 'schema'];

type Path = readonly (string | number)[];

/**
 * Builds a parser from a JSON Schema. A `format` is only a hint.
 * @throws Fault template_invalid.video_keyword for a keyword that is not allowed, template_invalid.video_schema for
 * an invalid schema, template_invalid.video_schema_size
 */
export function readDataSchema(schema: JsonObject): z.ZodType {
  if (brokenBound(schema, BOUNDS) || valuesIn(schema) > BOUNDS.values) throw tooLarge();
  const plain = plainSchema(schema, []);
  try {
    return z.fromJSONSchema({ type: 'object', ...plain });
  } catch (cause) {
    const key = 'template_invalid.video_schema';
    const params = { reason: cause instanceof Error ? cause.message : '' };
    throw new Fault(key, params, { cause, errors: [{ loc: LOC, key, params }] });
  }
}

function tooLarge(): Fault {
  const key = 'template_invalid.video_schema_size';
  const params = { limit: BOUNDS.chars, values: BOUNDS.values, levels: BOUNDS.levels };
  return new Fault(key, params, { errors: [{ loc: LOC, key, params }] });
}

/** Drops annotations and checks the keywords. */
function plainSchema(schema: JsonObject, path: Path): JsonObject {
  const unknown = Object.keys(schema).find((keyword) => !KEYWORDS.includes(keyword));
  if (unknown !== undefined) throw unknownKeyword(unknown, path);
  const { format: _, $schema: __, properties, items, additionalProperties: others, anyOf, ...plain } = schema;
  return {
    ...plain,
    ...(isObject(properties) && { properties: plainFields(properties, [...path, 'properties']) }),
    ...(items !== undefined && { items: plainValue(items, [...path, 'items']) }),
    ...(others !== undefined && {
      additionalProperties: plainValue(others, [...path, 'additionalProperties']),
    }),
    ...(Array.isArray(anyOf) && { anyOf: anyOf.map((one, at) => plainValue(one, [...path, 'anyOf', at])) }),
  };
}

function plainFields(fields: JsonObject, path: Path): JsonObject {
  return Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [name, plainValue(field, [...path, name])]),
  );
}

function plainValue(value: Json, path: Path): Json {
  return isObject(value) ? plainSchema(value, path) : value;
}

function unknownKeyword(keyword: string, path: Path): Fault {
  const key = 'template_invalid.video_keyword';
  const params = { keyword, where: path.join('.') || 'schema', known: KEYWORDS.join(', ') };
  const detail: FaultDetail = { loc: ['body', 'schema', ...path, keyword], key, params };
  return new Fault(key, params, { errors: [detail] });
}

const CHOICES: ReadonlySet<string> = new Set(['anyOf', 'type', 'enum']);

/** Counts the choices of a schema: a value may be checked against each. */
export function schemaChoices(schema: JsonObject): number {
  let choices = 0;
  const left: (readonly [name: string, value: Json])[] = [['', schema]];
  for (let next = left.pop(); next; next = left.pop()) {
    const [name, value] = next;
    if (typeof value !== 'object' || value === null) continue;
    const isList = Array.isArray(value);
    if (isList && CHOICES.has(name)) choices += value.length;
    for (const entry of Object.entries(value)) left.push(isList ? ['', entry[1]] : entry);
  }
  return choices;
}

/** Counts the values in JSON, itself included. */
export function valuesIn(json: Json): number {
  let values = 0;
  const left: Json[] = [json];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    values++;
    if (typeof next !== 'object' || next === null) continue;
    for (const value of Object.values(next)) left.push(value);
  }
  return values;
}

export type Json = z.core.util.JSONType;
export type JsonObject = { [name: string]: Json };

/** Merges objects by name; any other value of the data replaces the default. */
export function mergeData(defaults: JsonObject, data: JsonObject): JsonObject {
  const merged = new Map<string, Json>(Object.entries(defaults));
  for (const [name, value] of Object.entries(data)) {
    const fallback = merged.get(name);
    merged.set(name, isObject(fallback) && isObject(value) ? mergeData(fallback, value) : value);
  }
  return Object.fromEntries(merged);
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
