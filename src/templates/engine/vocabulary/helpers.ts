import { isSafeAddress, isSafeAddressPart, isSafeStyleValue } from '../html/address.ts';
import type { Meter } from '../render/meter.ts';
import { plainText, RICH_TEXT_LENGTH, safeHtml } from '../render/rich-text.ts';
import { isObject } from '../variable.ts';
import { dates, numbers } from './intl.ts';
import { numberOf, type ValueHelper } from './value-helper.ts';
import { INTERNAL } from './vocabulary.ts';
import { translations, words } from './words.ts';

/** What Handlebars passes last to every helper. */
type Options = {
  readonly hash: Readonly<Record<string, unknown>>;
  readonly data?: { readonly root?: unknown };
  readonly fn?: (context: unknown) => string;
  readonly inverse?: (context: unknown) => string;
};

type Helper = (this: unknown, ...given: unknown[]) => unknown;

/** The helpers that templates may call, beside Handlebars' own blocks, as Handlebars calls them. */
export function vettedHelpers(meter: Meter): Record<string, Helper> {
  const values: Record<string, ValueHelper> = { ...words, ...dates, ...numbers, ...lookups, ...translations };
  const made: Record<string, Helper> = {};
  for (const [name, helper] of Object.entries(values)) made[name] = valueHelper(name, helper, meter);
  for (const [name, helper] of Object.entries(comparisons))
    made[name] = condition(valueHelper(name, helper, meter));
  return made;
}

/** The checks that the engine itself writes around values, by the places they print to. */
export function placeHelpers(meter: Meter): Record<string, Helper> {
  const checked = (
    isSafe: (text: string) => boolean,
    instead: string,
    key: 'blocked_url' | 'blocked_style' = 'blocked_url',
  ): Helper => {
    return (value, name) => {
      const text = plainText(value, meter);
      if (isSafe(text)) return text;
      meter.warn({ key, params: { variable: String(name) } });
      return instead;
    };
  };
  return {
    [INTERNAL.url]: checked((text) => isSafeAddress(text, 'link'), '#'),
    [INTERNAL.image]: checked((text) => isSafeAddress(text, 'image'), '#'),
    [INTERNAL.part]: checked(isSafeAddressPart, ''),
    [INTERNAL.style]: checked(isSafeStyleValue, '', 'blocked_style'),
    [INTERNAL.html]: (value, name) => printHtml(plainText(value, meter), String(name), meter),
  };
}

function valueHelper(name: string, helper: ValueHelper, meter: Meter): Helper {
  return (...given) => {
    meter.checkTime();
    const { hash, root } = optionsOf(given);
    const value = helper(given.slice(0, -1), { name, hash, root, meter });
    if (typeof value === 'string') meter.checkFits(value.length);
    return value;
  };
}

/** A condition is a value in `(eq a b)` and chooses a half in `{{#eq a b}}…{{else}}…{{/eq}}`. */
function condition(helper: Helper): Helper {
  return function choose(...given) {
    const value = helper(...given);
    const { fn, inverse } = optionsOf(given);
    if (!fn || !inverse) return value;
    return isTrue(value) ? fn(this) : inverse(this);
  };
}

function optionsOf(given: readonly unknown[]) {
  // Handlebars always passes its options last.
  const { hash, data, fn, inverse } = given.at(-1) as Options;
  return { hash, root: isObject(data?.root) ? data.root : {}, fn, inverse };
}

function printHtml(text: string, name: string, meter: Meter): string {
  meter.checkTime();
  if (text.length > RICH_TEXT_LENGTH) {
    meter.warn({ key: 'html_too_long', params: { variable: name, limit: RICH_TEXT_LENGTH } });
    return '';
  }
  const safe = safeHtml(text);
  meter.add(safe.length);
  return safe;
}

/** Handlebars' own idea of empty, in which 0 is empty too, as it is for `{{#if}}`. */
function isTrue(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : Boolean(value);
}

/** The helpers that are conditions, also as blocks. */
const comparisons = {
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

const lookups = {
  /** Own fields and items only, and only by a key that is itself plain. */
  lookup([from, key]) {
    if (from === null || from === undefined || !/^(?:string|number|boolean)$/.test(typeof key))
      return undefined;
    const holder: Readonly<Record<string, unknown>> = Object(from);
    return Object.hasOwn(holder, String(key)) ? holder[String(key)] : undefined;
  },
} satisfies Record<string, ValueHelper>;
