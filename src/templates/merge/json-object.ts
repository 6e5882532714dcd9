import type { Document } from '../schema.ts';

export type JsonObject = NonNullable<Document['schema']>;
export type Json = JsonObject[string];

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function member(object: JsonObject, key: string): Json | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

/** The object with the member at the path set, or removed when the value is undefined. */
export function withMember(
  object: JsonObject,
  [key = '', ...rest]: readonly string[],
  value: Json | undefined,
): JsonObject {
  const others = Object.entries(object).filter(([name]) => name !== key);
  if (rest.length > 0) {
    const inner = member(object, key);
    return Object.fromEntries([...others, [key, withMember(isObject(inner) ? inner : {}, rest, value)]]);
  }
  return Object.fromEntries(value === undefined ? others : [...others, [key, value]]);
}

/** The fields a document has, as members. */
export function membersOf(document: Document): JsonObject {
  return Object.fromEntries(
    Object.entries(document).flatMap(([field, value]) => (value === undefined ? [] : [[field, value]])),
  );
}
