import { apiFaultOf, SheetsApiFault } from './faults.ts';

export type Wire = ReturnType<typeof createWire>;

type Options = {
  /** Stands for every address of the service. */
  readonly baseUrl: string | undefined;
  readonly fetch: typeof fetch;
  readonly deadlineMs: number;
};

/** Most bytes of an answer: ten times what a sheet of 100,000 rows has. */
const MOST_BYTES = 100 * 1024 * 1024;

/**
 * Returns the `fetch` for the SDK. It follows no redirects, sets a deadline for each request and throws
 * SheetsApiFault for every unusable response, so the SDK neither retries automatically nor wraps a response
 * in its own errors.
 */
export function createWire({ baseUrl, fetch: send, deadlineMs }: Options) {
  return (signal: AbortSignal) =>
    async (input: string | URL | Request, init: RequestInit = {}): Promise<Response> => {
      const url = new URL(input instanceof Request ? input.url : input);
      const address = baseUrl === undefined ? url : new URL(url.pathname + url.search, baseUrl);
      const answer = await ask(address, init, AbortSignal.any([signal, AbortSignal.timeout(deadlineMs)]));
      if (answer.status < 200 || answer.status > 299) {
        throw apiFaultOf(answer.status, withoutToken(textOf(answer.chunks), init.headers));
      }
      if (!answer.isJson) throw new SheetsApiFault('lost', 'no API answered');
      // As it came: a text is more than twice as large, and one made into a body is copied twice.
      const body = new ReadableStream<Uint8Array>({
        start(stream) {
          for (const chunk of answer.chunks) stream.enqueue(chunk);
          stream.close();
        },
      });
      return new Response(body, { headers: { 'content-type': 'application/json' } });
    };

  async function ask(url: URL, init: RequestInit, signal: AbortSignal) {
    const { method = 'GET', headers = {}, body = null } = init;
    try {
      const response = await send(url, { method, headers, body, signal, redirect: 'manual' });
      const isJson = response.headers.get('content-type')?.startsWith('application/json') === true;
      return { status: response.status, isJson, chunks: await chunksOf(response) };
    } catch {
      // Its cause has the request in it, and with it the token.
      throw new SheetsApiFault('lost', 'the connection broke');
    }
  }
}

/** A refusal may repeat what it refuses. */
function withoutToken(text: string, headers: RequestInit['headers']): string {
  const [, token] = new Headers(headers).get('authorization')?.split(' ') ?? [];
  return token ? text.replaceAll(token, '***') : text;
}

function textOf(chunks: readonly Uint8Array[]): string {
  return new TextDecoder().decode(Buffer.concat(chunks));
}

async function chunksOf({ body }: Response): Promise<Uint8Array[]> {
  if (!body) return [];
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.byteLength;
    if (bytes > MOST_BYTES) throw new Error(`more than ${MOST_BYTES} bytes`);
    chunks.push(chunk);
  }
  return chunks;
}
