import type { Book } from './book.ts';
import { invalid, Refusal } from './faults.ts';
import { searchMetadata } from './metadata.ts';
import { batchUpdate, describeBook } from './structure-api.ts';
import { valuesApi } from './values-api.ts';

export type CallKind = 'read' | 'write';

/** So many reads and so many writes a minute for each user; the next minute everything is as before. */
export function createQuota(perMinute: Readonly<Record<CallKind, number>>, now: () => number) {
  let minute = 0;
  const used = new Map<string, number>();

  return {
    /** @throws Refusal 429 */
    take(user: string, kind: CallKind): void {
      const current = Math.floor(now() / 60_000);
      if (current !== minute) used.clear();
      minute = current;
      const key = `${kind} ${user}`;
      const count = (used.get(key) ?? 0) + 1;
      used.set(key, count);
      if (count <= perMinute[kind]) return;
      const name = kind === 'read' ? 'Read' : 'Write';
      throw new Refusal(
        429,
        `Quota exceeded for quota metric '${name} requests' and limit '${name} requests per minute per user' of service 'sheets.googleapis.com'.`,
      );
    },
  };
}

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

export type ApiCall = {
  readonly method: string;
  /** Decoded. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly body: string;
};

/** What the API answers to a call of somebody who may make it. @throws Refusal */
export function runCall(
  books: ReadonlyMap<string, Book>,
  { method, path, query, body: text }: ApiCall,
): unknown {
  const [, id = '', rest = ''] = /^\/v4\/spreadsheets\/([^/:]+)(.*)$/s.exec(path) ?? [];
  const book = books.get(id);
  if (!book) throw new Refusal(404, 'Requested entity was not found.');
  if (book.forbidden || (book.readOnly && isWrite(method, path)))
    throw new Refusal(403, 'The caller does not have permission');
  const body = text === '' ? {} : parseJson(text);
  const values = valuesApi(book, query);
  const range = /^\/values\/(.+?)(?::append|:clear)?$/s.exec(rest)?.[1] ?? '';
  const routes: Readonly<Record<string, () => unknown>> = {
    'GET ': () => describeBook(book),
    'POST :batchUpdate': () => batchUpdate(book, body),
    'POST /developerMetadata:search': () => searchMetadata(book, body),
    'GET /values:batchGet': () => values.batchGet(),
    'POST /values:batchUpdate': () => values.batchUpdate(body),
    'POST /values:batchGetByDataFilter': () => values.batchGetByDataFilter(body),
    'POST /values:batchUpdateByDataFilter': () => values.batchUpdateByDataFilter(body),
    'POST /values:batchClear': () => values.batchClear(body),
    [`GET /values/${range}`]: () => values.get(range),
    [`PUT /values/${range}`]: () => values.update(range, body),
    [`POST /values/${range}:clear`]: () => values.clear(range),
    [`POST /values/${range}:append`]: () => values.append(range, body),
  };
  const route = routes[`${method} ${rest}`];
  if (!route) throw new Refusal(404, `The requested URL ${path} was not found on this server.`);
  return route();
}

/** Whether only an editor may ask it. */
export function isWrite(method: string, path: string): boolean {
  return method !== 'GET' && !/(:search|[gG]etByDataFilter)$/.test(path);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw invalid('Invalid JSON payload received. Unexpected end of string.');
  }
}
