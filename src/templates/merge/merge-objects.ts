import { isDeepStrictEqual } from 'node:util';
import type { Document } from '../schema.ts';
import type { Versions } from './diff3.ts';

/** A member both sides changed, in different ways; a side without the member has `undefined`. */
export type MemberConflict = Versions<Json | undefined> & { readonly path: readonly string[] };

type ObjectMerge = { readonly value: JsonObject; readonly conflicts: readonly MemberConflict[] };

/** Three-way merge of JSON objects, member by member and into objects both sides have; a conflict holds our value. */
export function mergeObjects(objects: Versions<JsonObject>, path: readonly string[] = []): ObjectMerge {
  const { base, ours, theirs } = objects;
  const conflicts: MemberConflict[] = [];
  const members: [string, Json][] = [];
  for (const key of new Set([...Object.keys(ours), ...Object.keys(theirs)])) {
    const versions = { base: member(base, key), ours: member(ours, key), theirs: member(theirs, key) };
    const merged = mergeMember(versions, [...path, key]);
    conflicts.push(...merged.conflicts);
    if (merged.value !== undefined) members.push([key, merged.value]);
  }
  return { value: Object.fromEntries(members), conflicts };
}

type MemberMerge = { readonly value: Json | undefined; readonly conflicts: readonly MemberConflict[] };

function mergeMember(versions: Versions<Json | undefined>, path: readonly string[]): MemberMerge {
  const { base, ours, theirs } = versions;
  const whole = mergeValue(base, ours, theirs);
  if (whole.clean) return { value: whole.value, conflicts: [] };
  if (isObject(ours) && isObject(theirs)) {
    return mergeObjects({ base: isObject(base) ? base : {}, ours, theirs }, path);
  }
  if (path.at(-1) === 'required' && isNames(ours) && isNames(theirs)) {
    return { value: mergeNames(isNames(base) ? base : [], ours, theirs), conflicts: [] };
  }
  return { value: ours, conflicts: [{ path, ...versions }] };
}

function isNames(value: Json | undefined): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

/** JSON Schema's `required` is a set, so two branches that each add a name do not conflict. */
function mergeNames(base: readonly string[], ours: readonly string[], theirs: readonly string[]): string[] {
  const kept = ours.filter((name) => theirs.includes(name) || !base.includes(name));
  return [...kept, ...theirs.filter((name) => !base.includes(name) && !ours.includes(name))];
}

type ValueMerge<T> = { readonly clean: true; readonly value: T } | ({ readonly clean: false } & Versions<T>);

/** Three-way merge of a value as a whole: the side that changed it wins, two different changes conflict. */
export function mergeValue<T>(base: T, ours: T, theirs: T): ValueMerge<T> {
  if (isDeepStrictEqual(ours, theirs) || isDeepStrictEqual(base, theirs)) return { clean: true, value: ours };
  if (isDeepStrictEqual(base, ours)) return { clean: true, value: theirs };
  return { clean: false, base, ours, theirs };
}

export type JsonObject = NonNullable<Document['schema']>;
export type Json = JsonObject[string];

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function member(object: JsonObject, key: string): Json | undefined {
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
