import type { Variable } from '../engine/engine.ts';
import { ITEM, type Ref, refOf } from '../engine/paths.ts';
import type { Data } from '../schema.ts';

type Json = Data[string];

/** Data that a template with these variables renders with: defaults where there are some, else a value of the type. */
export function sampleData(variables: readonly Variable[]): Data {
  const sample: Data = {};
  const placed = variables.map((variable) => ({ variable, ref: refOf(variable.name) }));
  // Outer places first, so that `items` is a list before the price of its items is put into it.
  for (const { variable, ref } of placed.sort((a, b) => a.ref.length - b.ref.length)) {
    put(sample, ref, sampleValue(variable, ref));
  }
  return sample;
}

/** Puts a value at a place, making the objects and one-item lists that lead there. */
function put(target: Data, [first, ...rest]: Ref, value: Json): void {
  if (first === undefined) return;
  const name = first === ITEM ? '0' : first;
  if (rest.length === 0) {
    target[name] ??= value;
    return;
  }
  const isList = rest[0] === ITEM;
  const present = target[name];
  const fits = typeof present === 'object' && present !== null && Array.isArray(present) === isList;
  const inner = fits ? present : isList ? [] : {};
  target[name] = inner;
  // A list takes its one item under the name 0, as an object takes a field.
  put(inner as Data, rest, value);
}

function sampleValue({ name, type, default: fallback }: Variable, ref: Ref): Json {
  if (fallback !== undefined) return fallback;
  const last = ref.findLast((part) => part !== ITEM) ?? name;
  switch (type) {
    case 'array':
      return [];
    case 'object':
      return {};
    case 'number':
      return 1;
    case 'boolean':
      return true;
    case 'html':
      return `<p>${last}</p>`;
    default:
      return /url|link|href/i.test(last) ? 'https://example.com/' : last.replaceAll('_', ' ');
  }
}

/** Every text of some data. */
export function textsIn(value: Json | Data): string[] {
  if (typeof value === 'string') return value === '' ? [] : [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(textsIn);
}
