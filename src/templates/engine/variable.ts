export type VariableType = 'string' | 'number' | 'boolean' | 'array' | 'object' | 'html' | 'any';

/** One thing a template reads from its data. */
export type Variable = {
  /** `user.first_name`; `items[].price` is that field of every item. `this` alone is the data as a whole. */
  readonly name: string;
  readonly type: VariableType;
  /** Whether rendering without it leaves a hole: it is printed or looped over without a guard and has no default. */
  readonly required: boolean;
  /** Whether the schema names it; else it was inferred from the template. */
  readonly declared: boolean;
  readonly default?: Json;
  readonly description?: string;
  /**
   * It may be absent as a whole: the template asks for it first (`{{#if name}}`), or its schema leaves it out of `required`. What it
   * lacks inside is then not missing, and no default of a field inside brings it into being.
   */
  readonly mayBeAbsent?: true;
  /** The template itself says what to print instead: `{{default name "there"}}`. */
  readonly hasFallback?: true;
};

export type Json = null | boolean | number | string | Json[] | JsonObject;
export type JsonObject = { [key: string]: Json };

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A field of the object itself; `__proto__`, `constructor` and the like are only data here. */
export function own(object: JsonObject, key: string): Json | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

/** Sets a field for any key: plain assignment to `__proto__` would change the prototype instead. */
export function put(object: JsonObject, key: string, value: Json): void {
  Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
}
