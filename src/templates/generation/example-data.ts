import { brokenBound, hasNonText } from '../../platform/json-size.ts';
import type { Variable } from '../engine/engine.ts';
import { ITEM, type Ref, refOf } from '../engine/paths.ts';
import { isObject, type Json, own, put } from '../engine/variable.ts';
import { sampleData } from '../rendering/sample-data.ts';
import type { Data } from '../schema.ts';
import type { DraftVariable } from './draft.ts';

/** Data the template renders with and misses nothing: the model's examples where they are of the right kind, else samples. */
export function exampleData(variables: readonly Variable[], written: readonly DraftVariable[]): Data {
  const data = sampleData(variables);
  const placed = written.flatMap((one) => {
    const variable = variables.find(({ name }) => name === one.name);
    const value = variable && exampleOf(one.example, variable);
    return value === undefined ? [] : [{ ref: refOf(one.name), value }];
  });
  // Prices before the list they are in: the list's own example then says more, and keeps what it lacks.
  for (const { ref, value } of placed.sort((a, b) => b.ref.length - a.ref.length)) place(data, ref, value);
  return data;
}

/** The names the model gave its variables, as the engine writes them: `items.0.price` and `items[0].price` are `items[].price`. */
export function engineName(name: string): string {
  return name.trim().replace(/\.?\[\d*\]|\.\d+(?=\.|$)/g, '[]');
}

/** The value an example stands for; undefined when it is none of that type. */
function exampleOf(example: string, { type }: { readonly type: string }): Json | undefined {
  const parsed = parse(example);
  switch (type) {
    case 'array':
      return Array.isArray(parsed) ? parsed : undefined;
    case 'object':
      return isObject(parsed) ? parsed : undefined;
    case 'number':
      return typeof parsed === 'number' ? parsed : undefined;
    case 'boolean':
      return typeof parsed === 'boolean' ? parsed : undefined;
    default:
      return example === '' ? undefined : example;
  }
}

function place(into: Json | undefined, [first, ...rest]: Ref, value: Json): void {
  if (first === undefined) return;
  if (first === ITEM) {
    if (!Array.isArray(into)) return;
    for (const [index, item] of into.entries()) {
      if (rest.length === 0) into[index] = joined(item, value);
      else place(item, rest, value);
    }
    return;
  }
  if (!isObject(into)) return;
  const present = own(into, first);
  if (rest.length > 0) place(present, rest, value);
  else put(into, first, joined(present, value));
}

/** The example with what the sample has and it lacks, so that nothing the template reads is missing. */
function joined(sample: Json | undefined, example: Json): Json {
  if (Array.isArray(sample) && Array.isArray(example)) {
    const [item] = sample;
    if (example.length === 0) return sample;
    return item === undefined ? example : example.map((one) => joined(item, one));
  }
  if (isObject(sample)) return isObject(example) ? joinedObjects(sample, example) : sample;
  return Array.isArray(sample) ? sample : example;
}

function joinedObjects(sample: Data, example: Data): Data {
  const whole: Data = { ...example };
  for (const [name, value] of Object.entries(sample)) {
    const given = own(example, name);
    put(whole, name, given === undefined || given === null ? value : joined(value, given));
  }
  return whole;
}

// As deep as data that a caller sends may be.
const BOUNDS = { levels: 90, chars: Number.POSITIVE_INFINITY };

/** The JSON of an example, if it is some that can be filled in and stored. */
function parse(example: string): Json | undefined {
  try {
    // What JSON.parse gives is JSON.
    const json = JSON.parse(example) as Json;
    return brokenBound(json, BOUNDS) || hasNonText(json) ? undefined : json;
  } catch {
    return undefined;
  }
}
