import { numberOf, type ValueHelper } from './value-helper.ts';

/** Handlebars' own idea of empty, in which 0 is empty too, as it is for `{{#if}}`. */
export function isTrue(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : Boolean(value);
}

/** The helpers that are conditions, also as blocks. */
export const comparisons = {
  eq: ([a, b]) => a === b,
  ne: ([a, b]) => a !== b,
  lt: ([a, b]) => order(a, b) < 0,
  gt: ([a, b]) => order(a, b) > 0,
  and: (args) =>
    args[
      orLast(
        args.findIndex((value) => !isTrue(value)),
        args,
      )
    ],
  or: (args) => args[orLast(args.findIndex(isTrue), args)],
  not: ([value]) => !isTrue(value),
} satisfies Record<string, ValueHelper>;

function orLast(index: number, args: readonly unknown[]): number {
  return index < 0 ? args.length - 1 : index;
}

/** Below, at or above zero; NaN where the two cannot be compared. */
function order(a: unknown, b: unknown): number {
  const x = numberOf(a);
  const y = numberOf(b);
  if (x !== null && y !== null) return x - y;
  if (typeof a !== 'string' || typeof b !== 'string') return Number.NaN;
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
