import { z } from 'zod';
import type { StoreVariant } from '../../sync/ports/store.ts';
import { awaitBulk } from './bulk-job.ts';
import { bulkLines } from './bulk-lines.ts';
import { bulkVariants, START_BULK_QUERY } from './operations.ts';
import { readVariant } from './read-variant.ts';
import type { Shop } from './shop.ts';
import { unavailable } from './shop-fault.ts';

/** Variants in one page, at most. More of them, kept while they are stored, show in the memory of the process. */
const PAGE = 250;

const Started = z.object({
  bulkOperationRunQuery: z.object({ bulkOperation: z.object({ id: z.string() }).nullish() }).nullable(),
});

type Pages = AsyncGenerator<readonly StoreVariant[], void, void>;

/** All variants by one bulk query, however many there are; undefined where the store does not get it done. */
export async function bulkPages(
  shop: Shop,
  location: string,
  signal: AbortSignal,
): Promise<Pages | undefined> {
  const variables = () => ({ query: bulkVariants(location) });
  const started = await shop.ask({ query: START_BULK_QUERY, variables, answer: Started }, signal);
  const id = started.bulkOperationRunQuery?.bulkOperation?.id;
  if (id === undefined) return undefined;
  const ended = await awaitBulk(shop, id, signal);
  if (ended.state === 'failed') return undefined;
  return ended.url === null ? none() : pagesOf(shop, ended.url, signal);
}

async function* none(): Pages {}

async function* pagesOf(shop: Shop, url: string, signal: AbortSignal): Pages {
  let page: StoreVariant[] = [];
  for await (const lines of bulkLines(shop, url, signal)) {
    for (const line of lines) {
      if (line === '') continue;
      page.push(readVariant(shop.domain, parseLine(shop.domain, line)));
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
