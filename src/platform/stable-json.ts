/** JSON with sorted names, two spaces and a line break at the end: the same value is always the same text. */
export function stableJson(value: unknown): string {
  return `${JSON.stringify(value, (_name, inner: unknown) => sorted(inner), 2)}\n`;
}

function sorted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}
