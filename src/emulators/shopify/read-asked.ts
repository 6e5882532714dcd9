/** One request as it came. */
export type Asked = {
  readonly method: string;
  readonly path: string;
  readonly headers: Headers;
  /** Of the Admin API, where it is asked: such as `2026-10`. */
  readonly version: string | undefined;
  /** Its fields, where the body is JSON or a plain form. */
  readonly fields: Readonly<Record<string, unknown>>;
  /** Where the body is a form with files. */
  readonly form: FormData | undefined;
  /** Name of the GraphQL operation. */
  readonly operation: string | undefined;
  readonly bytes: number;
};

const GRAPHQL_PATH = /^\/admin\/api\/(\d{4}-\d\d|unstable)\/graphql\.json$/;

export async function readAsked(request: Request): Promise<Asked> {
  const { method, headers } = request;
  const path = new URL(request.url).pathname;
  const [, version] = GRAPHQL_PATH.exec(path) ?? [];
  const type = headers.get('content-type') ?? '';
  const head = { method, path, headers, version };
  if (type.startsWith('multipart/form-data')) {
    const form = await request.formData();
    return { ...head, fields: {}, form, operation: undefined, bytes: formBytes(form) };
  }
  const text = await request.text();
  const fields = type.startsWith('application/x-www-form-urlencoded')
    ? Object.fromEntries(new URLSearchParams(text))
    : readJson(text);
  return { ...head, fields, form: undefined, operation: nameIn(fields), bytes: Buffer.byteLength(text) };
}

function formBytes(form: FormData): number {
  return [...form.values()].reduce(
    (sum, value) => sum + (typeof value === 'string' ? value.length : value.size),
    0,
  );
}

function readJson(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}

function nameIn({ operationName, query }: Readonly<Record<string, unknown>>): string | undefined {
  if (typeof operationName === 'string') return operationName;
  return /^\s*(?:query|mutation)\s+(\w+)/.exec(String(query ?? ''))?.[1];
}
