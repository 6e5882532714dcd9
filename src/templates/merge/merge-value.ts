import { isDeepStrictEqual } from 'node:util';
import type { Versions } from './diff3.ts';

export type ValueMerge<T> =
  | { readonly clean: true; readonly value: T }
  | ({ readonly clean: false } & Versions<T>);

/** Three-way merge of a value as a whole: the side that changed it wins, two different changes conflict. */
export function mergeValue<T>(base: T, ours: T, theirs: T): ValueMerge<T> {
  if (isDeepStrictEqual(ours, theirs) || isDeepStrictEqual(base, theirs)) return { clean: true, value: ours };
  if (isDeepStrictEqual(base, ours)) return { clean: true, value: theirs };
  return { clean: false, base, ours, theirs };
}
