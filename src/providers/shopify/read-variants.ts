import { z } from 'zod';
import type { StoreReading, StoreVariant } from '../../sync/ports/store-client.ts';
import { bulkPages } from './bulk-job.ts';
import { Described, descriptionOf, locationGid, PageInfo } from './describe-shop.ts';
import { readById, readFirstPage, readPage } from './operations.ts';
import { variantReader } from './read-variant.ts';
import type { Fields } from './selection.ts';
import type { Shop } from './shop-client.ts';

/** Above this, one bulk query takes less time and fewer points than all the pages. */
const PAGED_MOST = 2500;
const PAGE = 50;
/** The most the API allows. Only where there are more than can be paged by 50 and bulk queries do not work. */
const LARGE_PAGE = 250;
const BY_ID = 100;

const Page = z.object({ productVariants: z.object({ nodes: z.array(z.unknown()), pageInfo: PageInfo }) });
const FirstPage = Described.extend(Page.shape);
const ById = z.object({ nodes: z.array(z.unknown()).min(1) });

type Page = z.output<typeof Page>['productVariants'];

type What = { readonly locationId: string; readonly more: Fields; readonly signal: AbortSignal };

export function readVariants(shop: Shop, what: What): StoreReading {
  const first = readFirst(shop, what);
  const description = first.then((read) => read.description);
  // Prevents an unhandled rejection. A caller that reads only the pages gets the error there.
  description.catch(() => {});
  return { description, pages: { [Symbol.asyncIterator]: () => pagesAfter(shop, first, what) } };
}

type First = Awaited<ReturnType<typeof readFirst>>;

async function readFirst(shop: Shop, { locationId, more, signal }: What) {
  const location = locationGid(shop.domain, locationId);
  const variables = (first: number) => ({ first, location });
  const query = { query: readFirstPage(more), variables, size: PAGE, response: FirstPage };
  const { productVariants, ...described } = await shop.request(query, signal);
  return { description: descriptionOf(shop.domain, described, locationId), location, page: productVariants };
}

async function* pagesAfter(
  shop: Shop,
  reading: Promise<First>,
  { more, signal }: What,
): AsyncGenerator<readonly StoreVariant[]> {
  const { description, location, page } = await reading;
  const isSmall = description.variantCount <= PAGED_MOST;
  if (!isSmall && page.pageInfo.hasNextPage) {
    const pages = await bulkPages(shop, { location, more, signal });
    if (pages) return yield* pages;
  }
  yield* follow(shop, page, { location, size: isSmall ? PAGE : LARGE_PAGE, more, signal });
}

type Following = Omit<What, 'locationId'> & { readonly location: string; readonly size: number };

async function* follow(shop: Shop, first: Page, { location, size, more, signal }: Following) {
  const read = variantReader(shop.domain, more);
  for (let page = first; ; ) {
    yield page.nodes.map(read);
    if (!page.pageInfo.hasNextPage) return;
    const after = page.pageInfo.endCursor;
    const variables = (most: number) => ({ first: most, after, location });
    const query = { query: readPage(more), variables, size, response: Page };
    page = (await shop.request(query, signal)).productVariants;
  }
}

/** Variants as they are now; what is gone, or is no variant, is left out. */
export async function readVariantsById(
  shop: Shop,
  ids: readonly string[],
  { location, more, signal }: Omit<What, 'locationId'> & { readonly location: string },
): Promise<readonly StoreVariant[]> {
  const found: StoreVariant[] = [];
  const read = variantReader(shop.domain, more);
  for (let at = 0; at < ids.length; ) {
    const variables = (most: number) => ({ ids: ids.slice(at, at + most), location });
    const query = { query: readById(more), variables, size: BY_ID, response: ById };
    const { nodes } = await shop.request(query, signal);
    for (const node of nodes) if (isVariant(node)) found.push(read(node));
    // One for each id that was asked for, however many those were.
    at += nodes.length;
  }
  return found;
}

function isVariant(node: unknown): boolean {
  return typeof node === 'object' && node !== null && 'inventoryItem' in node;
}
