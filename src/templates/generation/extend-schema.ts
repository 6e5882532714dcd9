import type { Variable } from '../engine/engine.ts';
import { ITEM, type Ref, refOf } from '../engine/paths.ts';
import { isObject, type JsonObject, own, put } from '../engine/variable.ts';
import type { Document } from '../schema.ts';

type Declaration = Pick<Variable, 'name' | 'type' | 'required' | 'description'>;

/**
 * A schema that also declares these variables; undefined when there is nothing to declare. What the schema says already
 * stays. A list `required` is begun only where the schema is begun: added to an old one, it would turn the
 * variables it does not name into optional ones.
 */
export function extendSchema(
  schema: Document['schema'],
  variables: readonly Declaration[],
): Document['schema'] {
  const named = variables.filter(({ name }) => name !== 'this');
  if (named.length === 0) return schema;
  const root: JsonObject = structuredClone(schema) ?? objectSchema();
  // Outer places first, so that a list is a list before its items are described.
  const placed = named.map((variable) => ({ variable, ref: refOf(variable.name) }));
  for (const { variable, ref } of placed.sort((a, b) => a.ref.length - b.ref.length)) {
    declare(root, ref, variable);
  }
  return root;
}

/** The schema without the variables that the old content read and the new one does not. */
export function forgetVariables(
  schema: Document['schema'],
  before: string,
  after: string,
): Document['schema'] {
  if (!isObject(schema?.['properties'])) return schema;
  const [read, stillRead] = [wordsIn(before), wordsIn(after)];
  const gone = Object.keys(schema['properties']).filter((name) => read.has(name) && !stillRead.has(name));
  if (gone.length === 0) return schema;
  const kept = Object.entries(schema['properties']).filter(([name]) => !gone.includes(name));
  const required = Array.isArray(schema['required'])
    ? { required: schema['required'].filter((name) => !gone.includes(String(name))) }
    : {};
  return { ...schema, properties: Object.fromEntries(kept), ...required };
}

/** Every word within an expression of the text. */
function wordsIn(text: string): Set<string> {
  const mustaches = text.split('{{').slice(1);
  return new Set(mustaches.flatMap((one) => (one.split('}}', 1)[0] ?? '').split(/[^\p{L}\p{N}_$-]+/u)));
}

function declare(schema: JsonObject, [first, ...rest]: Ref, variable: Declaration): void {
  if (first === undefined) return;
  if (first === ITEM) {
    const items = isObject(own(schema, 'items')) ? own(schema, 'items') : itemSchema(rest, variable);
    put(schema, 'items', items ?? {});
    if (isObject(items)) declare(items, rest, variable);
    return;
  }
  const properties = own(schema, 'properties');
  const fields = isObject(properties) ? properties : {};
  put(schema, 'properties', fields);
  const known = own(fields, first);
  const field = isObject(known) ? known : rest.length === 0 ? fieldSchema(variable) : innerSchema(rest);
  put(fields, first, field);
  const required = own(schema, 'required');
  if (!known && variable.required && Array.isArray(required)) required.push(first);
  if (rest.length > 0) declare(field, rest, variable);
}

function fieldSchema({ type, description }: Declaration): JsonObject {
  const about = description ? { description } : {};
  switch (type) {
    case 'object':
      return { ...objectSchema(), ...about };
    case 'any':
      return about;
    case 'html':
      return { type: 'string', format: 'html', ...about };
    default:
      return { type, ...about };
  }
}

function innerSchema([next]: Ref): JsonObject {
  return next === ITEM ? { type: 'array' } : objectSchema();
}

function itemSchema(rest: Ref, variable: Declaration): JsonObject {
  return rest.length === 0 ? fieldSchema(variable) : innerSchema(rest);
}

function objectSchema(): JsonObject {
  return { type: 'object', properties: {}, required: [] };
}
