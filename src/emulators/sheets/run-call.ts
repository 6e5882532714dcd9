import type { Book } from './book.ts';
import { searchMetadata } from './metadata.ts';
import { invalid, Refusal } from './refusal.ts';
import { batchUpdate, describeBook } from './structure-api.ts';
import { valuesApi } from './values-api.ts';

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
  if (book.forbidden) throw new Refusal(403, 'The caller does not have permission');
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

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw invalid('Invalid JSON payload received. Unexpected end of string.');
  }
}
