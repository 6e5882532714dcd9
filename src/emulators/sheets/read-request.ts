export type ReadRequest = {
  readonly url: URL;
  readonly method: string;
  readonly authorization: string | null;
  readonly body: string;
  readonly signal: AbortSignal | undefined;
};

/** A call as `fetch` is given it. */
export async function readRequest(
  input: string | URL | Request,
  init: RequestInit = {},
): Promise<ReadRequest> {
  if (input instanceof Request) {
    const { method, headers, signal, url } = input;
    return {
      url: new URL(url),
      method,
      authorization: headers.get('authorization'),
      body: await input.text(),
      signal,
    };
  }
  const body = init.body === undefined || init.body === null ? '' : await new Response(init.body).text();
  return {
    url: new URL(input),
    method: init.method ?? 'GET',
    authorization: new Headers(init.headers).get('authorization'),
    body,
    signal: init.signal ?? undefined,
  };
}
