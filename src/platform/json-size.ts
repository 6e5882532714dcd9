/** How far JSON may go. `chars` counts the characters of its strings and names, and 8 for every other value. */
export type JsonBounds = { readonly levels: number; readonly chars: number };

/**
 * The limit that a JSON value exceeds, if any. Stops at the first, and uses no recursion: a body of a few
 * megabytes can be nested a million levels deep, which overflows the stack of everything that recurses,
 * `JSON.stringify` included.
 */
export function brokenBound(value: unknown, bounds: JsonBounds): keyof JsonBounds | undefined {
  let chars = 0;
  let level: object[] = [];
  const take = (one: unknown) => {
    if (isNested(one)) level.push(one);
    else chars += typeof one === 'string' ? one.length : 8;
  };
  take(value);
  if (chars > bounds.chars) return 'chars';
  for (let depth = 0; level.length > 0; depth++) {
    const nested = level;
    level = [];
    for (const one of nested) {
      const values = valuesIn(one);
      if (values.length > 0 && depth >= bounds.levels) return 'levels';
      chars += charsOfNames(one);
      for (const inner of values) take(inner);
      if (chars > bounds.chars) return 'chars';
    }
  }
  return undefined;
}

/** A place in a list counts as one character. */
function charsOfNames(one: object): number {
  if (Array.isArray(one)) return one.length;
  let chars = 0;
  for (const name of Object.keys(one)) chars += name.length;
  return chars;
}

/** Whether a name or a string is not valid text: it has half a surrogate pair or a NUL, which a database can't store. */
export function hasNonText(value: unknown): boolean {
  // Grows while it is read.
  const open = [value];
  for (const one of open) {
    if (typeof one === 'string' && isNoText(one)) return true;
    if (!isNested(one)) continue;
    if (!Array.isArray(one) && Object.keys(one).some(isNoText)) return true;
    for (const inner of valuesIn(one)) open.push(inner);
  }
  return false;
}

const isNoText = (text: string) => !text.isWellFormed() || text.includes('\0');

const isNested = (value: unknown): value is object => typeof value === 'object' && value !== null;

const valuesIn = (nested: object): readonly unknown[] =>
  Array.isArray(nested) ? nested : Object.values(nested);
