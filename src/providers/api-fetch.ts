/** Thrown where a page, or a way to another place, answers instead of an API. */
export class NotAnApi extends Error {}

/** Thrown while an answer is read that has no end in sight. */
export class EndlessAnswer extends Error {}

/** What the two APIs need. Everything else is dropped: the SDKs add telemetry, and headers out of the environment. */
const FORWARDED_HEADERS = ['accept', 'content-type', 'user-agent', 'anthropic-version'];

/** Most bytes of an answer, unpacked. A stream wraps each word of it into some 300 bytes. */
const MAX_BODY_BYTES = { whole: 2 * 1024 * 1024, stream: 16 * 1024 * 1024 };

/**
 * `fetch` for a provider's SDK: sends the credential handed in and no other, follows no redirect (the credential would go
 * along), and reads no more than an answer can be. Throws NotAnApi for a web page or a redirect; the body fails with
 * EndlessAnswer.
 */
export function createApiFetch(credential: Readonly<Record<string, string>>): typeof fetch {
  return async (url, init) => {
    const given = new Headers(init?.headers);
    const headers = new Headers(credential);
    for (const name of FORWARDED_HEADERS) {
      const value = given.get(name);
      if (value !== null) headers.set(name, value);
    }
    const response = await fetch(url, { ...init, headers, redirect: 'manual' });
    if (isElsewhere(response)) {
      await response.body?.cancel();
      throw new NotAnApi('no API answered');
    }
    const { body, status, headers: answered } = response;
    if (!body) return response;
    const limit = isOf(response, 'text/event-stream') ? MAX_BODY_BYTES.stream : MAX_BODY_BYTES.whole;
    return new Response(body.pipeThrough(atMost(limit)), { status, headers: answered });
  };
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
