import { COMPILE_LIMITS } from '../limits.ts';
import { ITEM, nameOf, type Ref } from '../paths.ts';
import type { Problem } from '../problem.ts';
import type { JsonSchema } from '../source.ts';
import { isObject, type Json, type JsonObject, type VariableType } from '../variable.ts';

/** What a schema says about one variable. `required` is undefined where the schema has no `required` list to say it. */
export type Declared = {
  readonly name: string;
  readonly type: VariableType;
  readonly required: boolean | undefined;
  readonly default?: Json;
  readonly description?: string;
};

type Reading = { readonly declared: Declared[]; readonly problems: Problem[] };
type Place = { readonly ref: Ref; readonly loc: readonly (string | number)[] };

const TYPES: Readonly<Record<string, VariableType>> = {
  string: 'string',
  number: 'number',
  integer: 'number',
  boolean: 'boolean',
  array: 'array',
  object: 'object',
};

/** The variables a JSON Schema declares, each after the object it is a field of. */
export function readSchema(schema: JsonSchema): Reading {
  const reading: Reading = { declared: [], problems: [] };
  const loc = ['body', 'schema'];
  const size = JSON.stringify(schema)?.length ?? 0;
  if (!isObject(schema) || !isObjectSchema(schema)) {
    reading.problems.push({ key: 'template_invalid.schema_root', params: {}, loc });
  } else if (size > COMPILE_LIMITS.schemaBytes) {
    const params = { field: 'schema', bytes: size, limit: COMPILE_LIMITS.schemaBytes };
    reading.problems.push({ key: 'template_too_complex.size', params, loc });
  } else {
    readFields(schema, { ref: [], loc }, reading);
  }
  return reading;
}

function readFields({ properties, required }: JsonObject, place: Place, reading: Reading): void {
  if (properties !== undefined && !isObject(properties)) {
    reading.problems.push(wrongField('properties', 'an object', place));
  } else if (required !== undefined && !isTexts(required)) {
    reading.problems.push(wrongField('required', 'a list of texts', place));
  } else {
    for (const [name, field] of Object.entries(properties ?? {})) {
      const inner = { ref: [...place.ref, name], loc: [...place.loc, 'properties', name] };
      readField(field, inner, required?.includes(name), reading);
    }
  }
}

function readField(field: Json, place: Place, required: boolean | undefined, reading: Reading): void {
  const wrong = problemOf(field, place, reading);
  if (wrong) {
    const told =
      wrong.key === 'template_too_complex.schema' && reading.problems.some(({ key }) => key === wrong.key);
    if (!told) reading.problems.push(wrong);
    return;
  }
  const schema: JsonObject = isObject(field) ? field : {};
  const { default: fallback, description, items } = schema;
  reading.declared.push({
    name: nameOf(place.ref),
    type: typeOf(schema),
    required,
    ...(fallback !== undefined && { default: fallback }),
    ...(typeof description === 'string' && { description }),
  });
  readFields(schema, place, reading);
  const inner = { ref: [...place.ref, ITEM], loc: [...place.loc, 'items'] };
  if (isObject(items) && typeOf(items) === 'object') readFields(items, inner, reading);
  else if (items !== undefined) readField(items, inner, undefined, reading);
}

function problemOf(field: Json, place: Place, { declared }: Reading): Problem | null {
  const { schemaLevels: levels, schemaProperties: properties } = COMPILE_LIMITS;
  if (declared.length >= properties || place.ref.length > levels) {
    return { key: 'template_too_complex.schema', params: { levels, properties }, loc: place.loc };
  }
  if (isObject(field) || typeof field === 'boolean') return null;
  const outer = { ref: place.ref.slice(0, -1), loc: place.loc.slice(0, -1) };
  return wrongField(place.ref.at(-1) ?? '', 'a schema', outer);
}

function isObjectSchema({ type }: JsonObject): boolean {
  return type === undefined || type === 'object';
}

function typeOf({ type, format, properties, items }: JsonObject): VariableType {
  const named = Array.isArray(type) ? type.find((one) => one !== 'null') : type;
  if (format === 'html') return 'html';
  if (typeof named === 'string' && Object.hasOwn(TYPES, named)) return TYPES[named] ?? 'any';
  if (isObject(properties)) return 'object';
  return items === undefined ? 'any' : 'array';
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((one) => typeof one === 'string');
}

function wrongField(name: string, expected: string, { ref, loc }: Place): Problem {
  const where = nameOf(ref) || 'the root';
  return { key: 'template_invalid.schema_field', params: { name, expected, where }, loc: [...loc, name] };
}
