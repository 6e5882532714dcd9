import type { RestTool } from '../tools/contract/define.ts';

/** One call of an operation over REST. */
export type CallRequest = {
  readonly method: string;
  /** With the query. */
  readonly path: string;
  /** Absent where the method has none. */
  readonly body?: Readonly<Record<string, unknown>>;
  /** Sent as the body, whatever its size; everything else is in the query. */
  readonly file?: LocalFile;
};

/** A file on this machine. */
export class LocalFile {
  readonly path: string;
  constructor(path: string) {
    this.path = path;
  }
}

/** The request of an operation: fields of its path there, the rest in the query or the body, by the method. */
export function requestOf(
  { rest: { route, upload } }: RestTool,
  input: Readonly<Record<string, unknown>>,
): CallRequest {
  const [method = '', pattern = ''] = route.split(' ');
  const left = { ...input };
  const path = pattern.replace(/\{(\w+)\}/g, (_all, field: string) => {
    const value = encodeURIComponent(String(left[field] ?? ''));
    delete left[field];
    return value;
  });
  const file = upload && left[upload.field];
  if (upload && file instanceof LocalFile) {
    delete left[upload.field];
    return { method, path: withQuery(path, left), file };
  }
  if (method !== 'GET' && method !== 'DELETE') return { method, path, body: left };
  return { method, path: withQuery(path, left) };
}

function withQuery(path: string, fields: Readonly<Record<string, unknown>>): string {
  const query = new URLSearchParams();
  for (const [field, value] of Object.entries(fields))
    query.set(field, typeof value === 'object' ? asText(value) : String(value));
  return query.size > 0 ? `${path}?${query}` : path;
}

function asText(value: unknown): string {
  return Array.isArray(value) && value.every((item) => typeof item !== 'object')
    ? value.join(',')
    : JSON.stringify(value);
}
