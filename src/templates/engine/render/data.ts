import type { Warning } from '../../../language.ts';
import { ITEM, nameOf, type Ref, refOf } from '../paths.ts';
import {
  isObject,
  type Json,
  type JsonObject,
  own,
  put,
  type Variable,
  type VariableType,
} from '../variable.ts';
import { numberOf } from '../vocabulary/value-helper.ts';

/** `fallback` prints a schema's default or nothing, `keep` the variable's name in braces; `error` prints as `fallback`: the caller decides by `missing`. */
export type OnMissing = 'fallback' | 'error' | 'keep';

type Prepared = Found & {
  /** The caller's object where nothing had to be filled in, else a copy of what changed. */
  readonly data: JsonObject;
};

type Change = readonly [name: string, value: Json];
type Look = {
  readonly found: Findings;
  readonly keep: boolean;
  /** Where the value is that is looked at. One list that changes: a new one for each value took longer than all else. */
  readonly path: string[];
};

/** Compares data with the variables of a template and fills in what is lacking. Never changes the object it is given. */
export function prepareData(
  variables: readonly Variable[],
  data: JsonObject,
  onMissing: OnMissing,
): Prepared {
  const found = createFindings();
  const root = branchesOf(variables);
  const filled = fillObject(root, data, { found, keep: onMissing === 'keep', path: [] });
  return { data: filled, ...found.all() };
}

function fill(branch: Branch, value: Json | undefined, look: Look): Json | undefined {
  if (value === undefined || value === null) return fillAbsent(branch, value, look);
  if (!look.found.mayLook()) return value;
  const { variable, fields } = branch;
  if (variable && !accepts(variable, value)) {
    look.found.mismatch(variable, value);
    return value;
  }
  if (variable?.hasFallback && value === '') look.found.defaulted(variable);
  if (fields.size === 0) return value;
  if (Array.isArray(value)) return fillList(branch, value, look);
  return isObject(value) ? fillObject(branch, value, look) : value;
}

function fillField(name: string, branch: Branch, value: Json | undefined, look: Look): Json | undefined {
  look.path.push(name);
  const filled = fill(branch, value, look);
  look.path.pop();
  return filled;
}

/**
 * Whether a value prints as its variable means it. A number may be text for what is declared as a text, and the other way
 * round if it reads as one. What no schema declares is refused only where it would print as `[object Object]` or nothing.
 */
function accepts({ type, declared, mayBeAbsent }: Variable, value: Exclude<Json, null>): boolean {
  // A section, `{{#x}}`, takes a list, an object or a boolean.
  const isSection = mayBeAbsent === true && typeof value === 'boolean';
  switch (type) {
    case 'any':
      return true;
    case 'array':
      return Array.isArray(value) || (!declared && isObject(value)) || isSection;
    case 'object':
      return isObject(value) || isSection;
    case 'boolean':
      return typeof value === 'boolean' || !declared;
    case 'number':
      return numberOf(value) !== null || (!declared && !isObject(value));
    case 'string':
    case 'html':
      return typeof value === 'string' || typeof value === 'number' || (!declared && !isObject(value));
  }
}

function fillObject(branch: Branch, object: JsonObject, look: Look): JsonObject {
  const changes: Change[] = [];
  for (const [name, field] of branch.fields) {
    if (name === ITEM) continue;
    const value = own(object, name);
    note(name, value, fillField(name, field, value, look), changes);
  }
  if (!branch.open) lookAtOthers(branch, object, look, changes);
  if (changes.length === 0) return object;
  const copy = { ...object };
  for (const [name, value] of changes) put(copy, name, value);
  return copy;
}

/** The fields no variable names: items, where the template loops over the object, else unused. */
function lookAtOthers(branch: Branch, object: JsonObject, look: Look, changes: Change[]): void {
  const items = branch.fields.get(ITEM);
  for (const name of Object.keys(object)) {
    if (branch.fields.has(name)) continue;
    if (!look.found.mayLook()) return;
    const value = own(object, name);
    if (items) note(name, value, fillField(ITEM, items, value, look), changes);
    else look.found.unused([...look.path, name]);
  }
}

function note(name: string, value: Json | undefined, filled: Json | undefined, changes: Change[]): void {
  if (filled !== undefined && filled !== value) changes.push([name, filled]);
}

function fillList(branch: Branch, list: Json[], look: Look): Json[] {
  const items = branch.fields.get(ITEM);
  if (!items) return list;
  let copy: Json[] | null = null;
  for (const [index, value] of list.entries()) {
    if (look.found.isSpent()) break;
    const filled = fillField(ITEM, items, value, look);
    if (filled === value || filled === undefined) continue;
    copy ??= [...list];
    copy[index] = filled;
  }
  return copy ?? list;
}

/** What stands in for a value that is not there; undefined for nothing. */
function fillAbsent(branch: Branch, value: null | undefined, look: Look): Json | undefined {
  const { variable } = branch;
  if (variable?.default !== undefined) {
    look.found.defaulted(variable);
    return variable.default;
  }
  if (variable?.hasFallback) {
    look.found.defaulted(variable);
    return value;
  }
  const isPart = branch.fields.size > 0 && !branch.fields.has(ITEM);
  if (isPart) return variable?.mayBeAbsent ? value : fillAbsentObject(branch, value, look);
  if (!variable?.required) return value;
  look.found.missing(variable);
  return look.keep && isText(variable) ? placeholder(variable) : value;
}

/** An object that is not there lacks every field that is required, and comes into being when one of them has a default. */
function fillAbsentObject(branch: Branch, value: null | undefined, look: Look): Json | undefined {
  const made: JsonObject = {};
  for (const [name, field] of branch.fields) {
    const filled = fillAbsent(field, undefined, look);
    if (filled !== undefined) put(made, name, filled);
  }
  return Object.keys(made).length > 0 ? made : value;
}

function isText({ type }: Variable): boolean {
  return type !== 'array' && type !== 'object' && type !== 'boolean';
}

/** As the template would write it inside the loop it stands in. */
function placeholder({ name }: Variable): string {
  const ref = refOf(name);
  const local = nameOf(ref.slice(ref.lastIndexOf(ITEM) + 1));
  return `{{${local || 'this'}}}`;
}

/** Variables as the tree their names form. */
type Branch = {
  variable?: Variable;
  readonly fields: Map<string, Branch>;
  /** Everything inside is read, by name or not. */
  open: boolean;
};

const trees = new WeakMap<readonly Variable[], Branch>();

/** The tree of a list of variables; kept for as long as the list is, since a template's list does not change. */
function branchesOf(variables: readonly Variable[]): Branch {
  const known = trees.get(variables);
  if (known) return known;
  const root: Branch = { fields: new Map(), open: false };
  for (const variable of variables) {
    const branch = variable.name === 'this' ? root : reach(root, refOf(variable.name));
    branch.open ||= variable.type === 'any';
    if (branch !== root) branch.variable = variable;
  }
  trees.set(variables, root);
  return root;
}

function reach(root: Branch, ref: readonly string[]): Branch {
  let at = root;
  for (const part of ref) {
    const next = at.fields.get(part) ?? { fields: new Map(), open: false };
    at.fields.set(part, next);
    at = next;
  }
  return at;
}

/** A value that is not of its variable's type: what prints is not what the template means. */
export type Mismatch = {
  readonly name: string;
  readonly expected: VariableType;
  readonly got: 'string' | 'number' | 'boolean' | 'array' | 'object';
};

/** What a comparison of data with variables has found. */
type Found = {
  /** Required variables the data lacks, in the order of the template. A null counts as lacking. */
  readonly missing: string[];
  /** Fields that nothing reads, each by its outermost name; the first 100. */
  readonly unused: string[];
  /** Variables for which a default stands in, of the schema or of the helper `default`. */
  readonly defaulted: string[];
  /** Values that are not of the type of their variable; the first 100. */
  readonly mismatches: Mismatch[];
  readonly warnings: Warning[];
};

type Findings = ReturnType<typeof createFindings>;

function typeOf(value: Exclude<Json, null>): Mismatch['got'] {
  if (typeof value === 'string') return 'string';
  if (typeof value === 'number') return 'number';
  if (typeof value === 'boolean') return 'boolean';
  return Array.isArray(value) ? 'array' : 'object';
}

const VALUES = 100_000;
const UNUSED = 100;
const MISMATCHES = 100;

/** Collects findings, each once, and bounds how many values are looked at. */
function createFindings() {
  const missing = new Set<string>();
  const unused = new Set<string>();
  const defaulted = new Set<string>();
  const mismatches = new Map<string, Mismatch>();
  const warnings: Warning[] = [];
  let left = VALUES;

  return {
    /** Counts a value; false when enough have been looked at. */
    mayLook: () => --left >= 0,
    isSpent: () => left <= 0,
    missing: ({ name }: Variable) => void missing.add(name),
    defaulted: ({ name }: Variable) => void defaulted.add(name),

    unused(ref: Ref): void {
      if (unused.size < UNUSED) unused.add(nameOf(ref));
    },

    mismatch({ name, type: expected }: Variable, value: Exclude<Json, null>): void {
      if (mismatches.size >= MISMATCHES) return;
      mismatches.set(name, { name, expected, got: typeOf(value) });
    },

    all(): Found {
      for (const { name: variable, expected, got: found } of mismatches.values())
        warnings.push({ key: 'wrong_type', params: { variable, expected, found } });
      if (left <= 0) warnings.push({ key: 'data_partly_checked', params: { limit: VALUES } });
      return {
        missing: [...missing],
        unused: [...unused],
        defaulted: [...defaulted],
        mismatches: [...mismatches.values()],
        warnings,
      };
    },
  };
}
