import { z } from 'zod';
import type { StoreVariant } from '../../sync/ports/store-client.ts';
import { FileFault } from './file-fetch.ts';
import { BULK_STATUS, bulkVariants, CANCEL_BULK, START_BULK_QUERY } from './operations.ts';
import { unavailable } from './read-reply.ts';
import { variantReader } from './read-variant.ts';
import type { Fields } from './selection.ts';
import type { Shop } from './shop-client.ts';
import { persist } from './shop-fetch.ts';

/** Variants in one page, at most. More of them, kept while they are stored, show in the memory of the process. */
const PAGE = 250;

const Started = z.object({
  bulkOperationRunQuery: z.object({ bulkOperation: z.object({ id: z.string() }).nullish() }).nullable(),
});

type What = { readonly location: string; readonly more: Fields; readonly signal: AbortSignal };
type Pages = AsyncGenerator<readonly StoreVariant[], void, void>;

/** All variants by one bulk query, however many there are; undefined where the store does not get it done. */
export async function bulkPages(shop: Shop, { location, more, signal }: What): Promise<Pages | undefined> {
  const variables = () => ({ query: bulkVariants(location, more) });
  const started = await shop.request({ query: START_BULK_QUERY, variables, response: Started }, signal);
  const id = started.bulkOperationRunQuery?.bulkOperation?.id;
  if (id === undefined) return undefined;
  const ended = await awaitBulk(shop, id, signal);
  if (ended.state === 'failed') return undefined;
  return ended.url === null ? none() : pagesOf(shop, ended.url, { more, signal });
}

async function* none(): Pages {}

async function* pagesOf(shop: Shop, url: string, { more, signal }: Omit<What, 'location'>): Pages {
  const read = variantReader(shop.domain, more);
  let page: StoreVariant[] = [];
  for await (const lines of bulkLines(shop, url, signal)) {
    for (const line of lines) {
      if (line === '') continue;
      page.push(read(parseLine(shop.domain, line)));
      if (page.length < PAGE) continue;
      yield page;
      page = [];
    }
  }
  if (page.length > 0) yield page;
}

export function parseLine(domain: string, line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    // Its message would quote the line.
    throw unavailable(domain, 'a line of a file is no JSON');
  }
}

type Lines = AsyncGenerator<string[], void, void>;

const LINE_CHARS = 1024 * 1024;

/**
 * The lines of a file, in groups as they arrive; one group is held at a time. A file that breaks off is asked for again,
 * and what was read of it is passed over.
 */
export async function* bulkLines(shop: Shop, url: string, signal: AbortSignal): Lines {
  const file: { lines: Lines | undefined } = { lines: undefined };
  let passed = 0;
  const next = () =>
    persist({ ...shop, signal }, async () => {
      file.lines ??= linesAfter(passed, shop, url, signal);
      try {
        return { state: 'done', value: await file.lines.next() };
      } catch (error) {
        file.lines = undefined;
        signal.throwIfAborted();
        if (!(error instanceof FileFault)) throw error;
        return { state: 'failed', about: error.message };
      }
    });
  try {
    for (let group = await next(); !group.done; group = await next()) {
      passed += group.value.length;
      yield group.value;
    }
  } finally {
    await file.lines?.return();
  }
}

async function* linesAfter(passed: number, shop: Shop, url: string, signal: AbortSignal): Lines {
  const decoder = new TextDecoder();
  let before = passed;
  let rest = '';
  for await (const chunk of shop.files.download(url, signal)) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    if (rest.length > LINE_CHARS) throw unavailable(shop.domain, 'a line of a file without end');
    const fresh = before > 0 ? lines.slice(before) : lines;
    before = Math.max(0, before - lines.length);
    if (fresh.length > 0) yield fresh;
  }
  if (rest !== '' && before === 0) yield [rest];
}

/** How a bulk operation ended. There is no file where it found nothing. */
type BulkEnd =
  | { readonly state: 'done'; readonly url: string | null }
  | { readonly state: 'failed'; readonly about: string };

const POLL_MS = { first: 1000, factor: 1.5, most: 10_000 };
/** What has not ended by then is given up. */
const MOST_MS = 60 * 60_000;
const CANCEL_MS = 5_000;

const Status = z.object({
  bulkOperation: z
    .object({ status: z.string(), errorCode: z.string().nullable(), url: z.string().nullable() })
    .nullable(),
});

/** Waits for a bulk operation. When the waiting ends before it does, it is cancelled in the store. */
export async function awaitBulk(shop: Shop, id: string, signal: AbortSignal): Promise<BulkEnd> {
  let ended: BulkEnd | undefined;
  try {
    ended = await shop.away(() => poll(shop, id, signal));
    return ended ?? { state: 'failed', about: 'it takes too long' };
  } finally {
    if (!ended) await cancel(shop, id);
  }
}

async function poll(shop: Shop, id: string, signal: AbortSignal): Promise<BulkEnd | undefined> {
  const giveUpAt = shop.clock.now() + MOST_MS;
  for (let pause = POLL_MS.first; ; pause = Math.min(pause * POLL_MS.factor, POLL_MS.most)) {
    await shop.clock.wait(pause, signal);
    const { bulkOperation } = await shop.request(
      { query: BULK_STATUS, variables: () => ({ id }), response: Status },
      signal,
    );
    if (!bulkOperation) return { state: 'failed', about: 'it is gone' };
    const { status, url, errorCode } = bulkOperation;
    if (status === 'COMPLETED') return { state: 'done', url };
    if (status !== 'CREATED' && status !== 'RUNNING')
      return { state: 'failed', about: `${status} ${errorCode ?? ''}` };
    if (shop.clock.now() > giveUpAt) return undefined;
  }
}

/** Best effort: the operation ends on its own anyway. The run's signal may be aborted, so it has its own. */
async function cancel(shop: Shop, id: string): Promise<void> {
  const query = { query: CANCEL_BULK, variables: () => ({ id }), response: z.unknown() };
  await shop.request(query, AbortSignal.timeout(CANCEL_MS)).catch(() => {});
}
