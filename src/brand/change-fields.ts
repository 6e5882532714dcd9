import { type BrandChange, BrandFields } from './brand.ts';

/** The fields after a change. An object without a field left is removed, as is a text or a list that became empty. */
export function changeFields(fields: BrandFields, change: BrandChange): BrandFields {
  const next: Record<string, unknown> = { ...fields };
  for (const [name, value] of Object.entries(change)) {
    if (value === undefined) continue;
    next[name] = isObject(value) ? merge(next[name], value) : value;
    if (isEmpty(next[name])) delete next[name];
  }
  return BrandFields.parse({ ...next, ...(isObject(next['colors']) && { colors: inFull(next['colors']) }) });
}

/** Names of the fields that differ, such as `colors`. */
export function changedFields(before: BrandFields, after: BrandFields): (keyof BrandFields)[] {
  return BrandFields.keyof().options.filter(
    (name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]),
  );
}

/** `#ABC` is `#aabbcc`. */
function inFull(colors: object): object {
  const full = (color: string) => (color.length === 4 ? color.replace(/[0-9a-f]/gi, '$&$&') : color);
  return Object.fromEntries(
    Object.entries(colors).map(([name, color]) => [name, full(String(color)).toLowerCase()]),
  );
}

function merge(before: unknown, change: object): object {
  const next = new Map<string, unknown>(isObject(before) ? Object.entries(before) : []);
  for (const [name, value] of Object.entries(change)) {
    if (value === undefined) continue;
    if (isEmpty(value)) next.delete(name);
    else next.set(name, value);
  }
  return Object.fromEntries([...next].sort(([one], [other]) => (one < other ? -1 : 1)));
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isEmpty(value: unknown): boolean {
  if (value === null || value === '') return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}
