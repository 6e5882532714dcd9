/** How far JSON may go. `chars` counts the characters of its strings and names, and 8 for every other value. */
export type JsonBounds = { readonly levels: number; readonly chars: number };

/**
 * The limit that a JSON value exceeds, if any. Stops at the first, and uses no recursion: a body of a few
 * megabytes can be nested a million levels deep, which overflows the stack of everything that recurses,
 * `JSON.stringify` included.
 */
export function brokenBound(value: unknown, bounds: JsonBounds): keyof JsonBounds | undefined {
  let chars = 0;
  let level = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > bounds.levels) return 'levels';
    const next: unknown[] = [];
    for (const one of level) {
      chars += measure(one, next);
      if (chars > bounds.chars) return 'chars';
    }
    level = next;
  }
  return undefined;
}

/** The size of one value without what it holds, which is added to `inner`. */
function measure(value: unknown, inner: unknown[]): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 8;
  if (Array.isArray(value)) {
    for (const item of value) inner.push(item);
    return value.length;
  }
  let names = 0;
  for (const [name, item] of Object.entries(value)) {
    names += name.length;
    inner.push(item);
  }
  return names;
}

/** A string that is not valid text: it has half a surrogate pair or a NUL, which a database can't store. */
export function findNonText(value: unknown): string | undefined {
  for (let level = [value]; level.length > 0; level = level.flatMap(valuesIn)) {
    const found = level.flatMap(textsIn).find((text) => text.includes('\0') || !text.isWellFormed());
    if (found !== undefined) return found;
  }
  return undefined;
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.keys(value) : [];
}

function valuesIn(value: unknown): unknown[] {
  return typeof value === 'object' && value !== null ? Object.values(value) : [];
}
