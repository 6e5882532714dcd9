import type { Versions } from './diff3.ts';
import { isObject, type Json, type JsonObject, member } from './json-object.ts';
import { mergeValue } from './merge-value.ts';

/** A member both sides changed, in different ways; a side without the member has `undefined`. */
export type MemberConflict = Versions<Json | undefined> & { readonly path: readonly string[] };

export type ObjectMerge = { readonly value: JsonObject; readonly conflicts: readonly MemberConflict[] };

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
