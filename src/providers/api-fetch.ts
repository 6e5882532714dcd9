/** A web page or a redirect instead of an API response. */
export class NotAnApi extends Error {}

/** A response body over the limit. */
export class EndlessAnswer extends Error {}

/** The headers both APIs need. Others are dropped: the SDKs add telemetry and headers from the environment. */
const FORWARDED_HEADERS = ['accept', 'content-type', 'user-agent', 'anthropic-version'];

/** Limits of a response body after decompression. A stream wraps each word in about 300 bytes. */
const MAX_BODY_BYTES = { whole: 2 * 1024 * 1024, stream: 16 * 1024 * 1024 };

/**
 * `fetch` for a provider's SDK: sends only the given credential, follows no redirect (it would leak the credential), and
 * bounds what the SDK reads, which is errors. Throws NotAnApi for a web page or a redirect; the body fails with
 * EndlessAnswer. An answer is read, and bounded, by `readPieces`. `traceparent` is sent where it is given.
 */
export function createApiFetch(
  credential: Readonly<Record<string, string>>,
  traceparent: () => string | undefined = () => undefined,
): typeof fetch {
  return async (url, init) => {
    const given = new Headers(init?.headers);
    const headers = new Headers(credential);
    for (const name of FORWARDED_HEADERS) {
      const value = given.get(name);
      if (value !== null) headers.set(name, value);
    }
    const trace = traceparent();
    if (trace !== undefined) headers.set('traceparent', trace);
    const response = await fetch(url, { ...init, headers, redirect: 'manual' });
    if (isElsewhere(response)) {
      await response.body?.cancel();
      throw new NotAnApi('no API answered');
    }
    const { body, ok, status, headers: answered } = response;
    if (ok || !body) return response;
    return new Response(body.pipeThrough(atMost(MAX_BODY_BYTES.whole)), { status, headers: answered });
  };
}

/** Reads an answer's text as it arrives. @throws EndlessAnswer over the limit, and the body's errors */
export async function readPieces(response: Response, found: (text: string) => void): Promise<void> {
  const limit = isEventStream(response) ? MAX_BODY_BYTES.stream : MAX_BODY_BYTES.whole;
  const decoder = new TextDecoder();
  let bytes = 0;
  for await (const piece of response.body ?? []) {
    bytes += piece.byteLength;
    // Leaving the loop cancels the body.
    if (bytes > limit) throw new EndlessAnswer(`more than ${limit} bytes`);
    found(decoder.decode(piece, { stream: true }));
  }
}

export function isEventStream(response: Response): boolean {
  return isOf(response, 'text/event-stream');
}

function isElsewhere(response: Response): boolean {
  const { ok, status } = response;
  return (status >= 300 && status < 400) || (ok && isOf(response, 'text/html'));
}

function isOf({ headers }: Response, type: string): boolean {
  return headers.get('content-type')?.startsWith(type) === true;
}

function atMost(limit: number): TransformStream<Uint8Array, Uint8Array> {
  let bytes = 0;
  return new TransformStream({
    transform(chunk, controller) {
      bytes += chunk.byteLength;
      if (bytes > limit) controller.error(new EndlessAnswer(`more than ${limit} bytes`));
      else controller.enqueue(chunk);
    },
  });
}
