import type { RestTool } from '../tools/contract/define.ts';

/** One call of an operation over REST. */
export type CallRequest = {
  readonly method: string;
  /** With the query. */
  readonly path: string;
  /** Absent where the method has none. */
  readonly body?: Readonly<Record<string, unknown>>;
};

/** The request of an operation: fields of its path there, the rest in the query or the body, by the method. */
export function requestOf(
  { rest: { route } }: RestTool,
  input: Readonly<Record<string, unknown>>,
): CallRequest {
  const [method = '', pattern = ''] = route.split(' ');
  const left = { ...input };
  const path = pattern.replace(/\{(\w+)\}/g, (_all, field: string) => {
    const value = encodeURIComponent(String(left[field] ?? ''));
    delete left[field];
    return value;
  });
  if (method !== 'GET' && method !== 'DELETE') return { method, path, body: left };
  const query = new URLSearchParams();
  for (const [field, value] of Object.entries(left))
    query.set(field, typeof value === 'object' ? asText(value) : String(value));
  return { method, path: query.size > 0 ? `${path}?${query}` : path };
}

function asText(value: unknown): string {
  return Array.isArray(value) && value.every((item) => typeof item !== 'object')
    ? value.join(',')
    : JSON.stringify(value);
}
