import { parseDomain } from '../../sync/ports/store.ts';

export type Reach = {
  /** Another server than Shopify's: the store's domain then goes along in X-Forwarded-Host. */
  readonly baseUrl?: string | undefined;
  /** Another way to reach it than the network. */
  readonly fetch?: typeof fetch | undefined;
};

export type ShopFetch = (url: string, init?: ShopRequest) => Promise<Response>;

type Given = ConstructorParameters<typeof Headers>[0];

/** What may be sent, as the client of Shopify types it. */
type ShopRequest = {
  readonly method?: string;
  readonly headers?: Given;
  readonly body?: string;
  readonly signal?: AbortSignal;
};

const REQUEST_MS = 30_000;
const MOST_BYTES = 32 * 1024 * 1024;
/** The tokens of Shopify have more than thirty. */
const SECRET_CHARS = 8;
const TOKEN_HEADER = 'x-shopify-access-token';

/**
 * `fetch` to one store and nowhere else: follows no redirect, since the token would go along, ends after 30 s, and strikes
 * the token out of the answer, so that no error can quote it. What it throws itself quotes nothing.
 */
export function createShopFetch(shop: string, { baseUrl, fetch: send = fetch }: Reach): ShopFetch {
  const domain = parseDomain(shop);

  return async (address, { headers: given, signal, ...init } = {}) => {
    const url = new URL(address);
    if (url.origin !== `https://${domain}`) throw new Error('this is not the store');
    const headers = headersOf(given);
    const token = headers.get(TOKEN_HEADER);
    if (baseUrl !== undefined) headers.set('x-forwarded-host', domain);
    const target = baseUrl === undefined ? url : new URL(`${url.pathname}${url.search}`, baseUrl);
    const deadline = AbortSignal.timeout(REQUEST_MS);
    const ending = signal ? AbortSignal.any([signal, deadline]) : deadline;
    try {
      const response = await send(target, { ...init, headers, signal: ending, redirect: 'manual' });
      const text = await readText(response);
      const { status } = response;
      return new Response(bodyless(status) ? null : struckOut(text, token), {
        status,
        headers: response.headers,
      });
    } catch (error) {
      throw new Error(`no answer (${systemCode(error)})`);
    }
  };
}

/** A header that cannot be sent would be quoted by the error. */
function headersOf(given: Given): Headers {
  try {
    return new Headers(given);
  } catch {
    throw new Error('a header cannot be sent');
  }
}

async function readText({ body }: Response): Promise<string> {
  if (!body) return '';
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  // The types of the web's streams do not say that Node's can be iterated.
  for await (const chunk of body as AsyncIterable<Uint8Array>) {
    bytes += chunk.byteLength;
    if (bytes > MOST_BYTES) throw new Error('an endless answer');
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

function bodyless(status: number): boolean {
  return status === 204 || status === 205 || status === 304;
}

/** What is no secret may stand in any answer. */
function struckOut(text: string, token: string | null): string {
  return token && token.length >= SECRET_CHARS ? text.replaceAll(token, '[token]') : text;
}

/** Such as ECONNRESET. A name, never a sentence. */
export function systemCode(error: unknown): string {
  if (!(error instanceof Error)) return 'no error';
  if ('code' in error && typeof error.code === 'string') return error.code;
  return error.cause instanceof Error ? systemCode(error.cause) : error.name;
}
