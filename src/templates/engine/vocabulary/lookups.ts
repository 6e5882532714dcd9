import type { ValueHelper } from './value-helper.ts';

export const lookups = {
  /** Own fields and items only, and only by a key that is itself plain. */
  lookup([from, key]) {
    if (from === null || from === undefined || !/^(?:string|number|boolean)$/.test(typeof key))
      return undefined;
    const holder: Readonly<Record<string, unknown>> = Object(from);
    return Object.hasOwn(holder, String(key)) ? holder[String(key)] : undefined;
  },
} satisfies Record<string, ValueHelper>;
