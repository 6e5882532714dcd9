import { parseDomain } from '../../sync/ports/store-client.ts';
import { unavailable } from './read-reply.ts';
import type { Clock } from './shop-client.ts';

/** What came of one try. `held`: the store lets us wait by its own rules, which is no failure. */
export type Try<T> =
  | { readonly state: 'done'; readonly value: T }
  | { readonly state: 'held'; readonly waitMs: number }
  | { readonly state: 'failed'; readonly about: string; readonly waitMs?: number | undefined };

type Persistence = { readonly domain: string; readonly clock: Clock; readonly signal: AbortSignal };

const MOST_FAILED = 6;
const MOST_HELD = 100;
const SHORTEST_MS = 500;
const LONGEST_MS = 30_000;
/** A server that asks for more has lost its clock. */
const LONGEST_ASKED_MS = 5 * 60_000;

/** Tries until it is done, or has failed six times: then Fault store_unavailable. Only for what may be done twice. */
export async function persist<T>(
  { domain, clock, signal }: Persistence,
  attempt: () => Promise<Try<T>>,
): Promise<T> {
  for (let failed = 0, held = 0; ; ) {
    signal.throwIfAborted();
    const tried = await attempt();
    if (tried.state === 'done') return tried.value;
    if (tried.state === 'held') held += 1;
    else failed += 1;
    const about = tried.state === 'held' ? 'throttled' : tried.about;
    if (failed === MOST_FAILED || held === MOST_HELD) throw unavailable(domain, about);
    await clock.wait(Math.min(tried.waitMs ?? jitter(failed), LONGEST_ASKED_MS), signal);
  }
}

/** Anything up to a time that doubles: those who were refused together do not come back together. */
function jitter(failed: number): number {
  return Math.random() * Math.min(LONGEST_MS, SHORTEST_MS * 2 ** failed);
}

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
