import { z } from 'zod';
import { Fault, type FaultDetail } from '../../errors.ts';
import { brokenBound } from '../../platform/json-size.ts';
import { isObject, type Json, type JsonObject } from './merge-data.ts';
import { valuesIn } from './schema-choices.ts';

// `pattern` is not among them: a stranger's regular expression can take for ever.
const KEYWORDS = [
  ...['type', 'enum', 'const', 'anyOf', 'properties', 'required', 'additionalProperties', 'items'],
  ...['minLength', 'maxLength', 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  ...['minItems', 'maxItems', 'format', 'title', 'description', 'default', 'examples', '$schema'],
];

/** Its parser is made in the thread that serves everybody, and is kept. */
const BOUNDS = { levels: 50, chars: 32_768, values: 1_000 };
const LOC = ['body', 'schema'];

type Path = readonly (string | number)[];

/**
 * The parser of data that a JSON Schema describes. A `format` is only a hint to people and editors.
 * @throws Fault template_invalid.video_keyword for what a schema may not say, template_invalid.video_schema for what is none,
 * template_invalid.video_schema_size
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

/** The schema without what is only for people, its keywords checked. */
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
