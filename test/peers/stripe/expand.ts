import { answered, type StripeObject } from './objects.ts';
import { Refusal } from './refusal.ts';
import type { World } from './world.ts';

type Json = Record<string, unknown>;

/** The answer with the objects the paths name put in the place of their ids, four levels deep at most. */
export function expanded(world: World, answer: object, paths: readonly string[]): Json {
  const root = copyOf(answer);
  for (const path of paths) {
    const steps = path.split('.');
    if (steps.length > 4 + Number(steps[0] === 'data')) {
      throw notExpandable(path, 'You cannot expand more than 4 levels of a property.');
    }
    walk(world, root, answer, steps, path);
  }
  return root;
}

/** Lists keep what is includable in their items until it is asked for. */
function copyOf(answer: object): Json {
  if (!('data' in answer) || !Array.isArray(answer.data)) return plain(answer);
  return { ...answer, data: answer.data.map((item: object) => plain(item)) };
}

function plain(value: object): Json {
  return isObject(value) ? answered(value) : structuredClone({ ...value });
}

function walk(world: World, copy: Json, original: object, [step = '', ...rest]: string[], path: string) {
  const stored = world.find(String(copy['id']));
  const value = copy[step] ?? Reflect.get(original, step) ?? (stored && Reflect.get(stored, step));
  if (Array.isArray(value)) {
    const sources: unknown = Reflect.get(original, step);
    copy[step] = value.map((item: unknown, index) => {
      const from: unknown = Array.isArray(sources) ? sources[index] : item;
      return grow(world, item, typeof from === 'object' && from !== null ? from : {}, rest, path);
    });
    return;
  }
  if (value === undefined) throw notExpandable(path);
  copy[step] = grow(world, value, typeof value === 'object' && value !== null ? value : {}, rest, path);
}

function grow(world: World, value: unknown, original: object, rest: string[], path: string): unknown {
  if (value === null) return null;
  const object = typeof value === 'string' ? world.find(value) : value;
  if (typeof object !== 'object' || object === null) throw notExpandable(path);
  const copy: Json = typeof value === 'string' ? plain(object) : { ...object };
  if (rest.length > 0) walk(world, copy, typeof value === 'string' ? object : original, rest, path);
  return copy;
}

function notExpandable(path: string, message = `This property cannot be expanded (${path}).`): Refusal {
  return new Refusal(400, { message, param: 'expand' }, true);
}

function isObject(value: object): value is StripeObject {
  return 'id' in value && 'object' in value;
}
