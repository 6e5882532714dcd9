import { z } from 'zod';
import type { StoreDescription, StoreLocation } from '../../sync/ports/store.ts';
import { DESCRIBE_STORE, LIST_LOCATIONS } from './operations.ts';
import type { Shop } from './shop.ts';
import { noLocation } from './shop-fault.ts';

const Location = z.object({ id: z.string(), name: z.string(), isActive: z.boolean() });

export const Described = z.object({
  shop: z.object({ name: z.string(), currencyCode: z.string() }),
  location: Location.nullable(),
  productVariantsCount: z.object({ count: z.number() }).nullable(),
});

/** A page that says neither that it is the last nor where the next begins would be read for ever. */
export const PageInfo = z
  .object({ hasNextPage: z.boolean(), endCursor: z.string().nullable() })
  .refine(({ hasNextPage, endCursor }) => !hasNextPage || endCursor !== null);

const Locations = z.object({ locations: z.object({ nodes: z.array(Location), pageInfo: PageInfo }) });
const PAGE = 100;

export async function describeShop(
  shop: Shop,
  locationId: string | undefined,
  signal: AbortSignal,
): Promise<StoreDescription> {
  const location = locationId === undefined ? undefined : locationGid(shop.domain, locationId);
  // Where the id is left out, the store answers with its primary place.
  const variables = () => (location === undefined ? {} : { location });
  const described = await shop.ask({ query: DESCRIBE_STORE, variables, answer: Described }, signal);
  return descriptionOf(shop.domain, described, locationId);
}

/** Throws Fault store_not_found.location where the store has no such place. */
export function descriptionOf(
  domain: string,
  { shop, location, productVariantsCount }: z.output<typeof Described>,
  locationId = '–',
): StoreDescription {
  if (!location) throw noLocation(domain, locationId);
  return {
    name: shop.name,
    currency: shop.currencyCode,
    location,
    variantCount: productVariantsCount?.count ?? 0,
  };
}

export async function listLocations(shop: Shop, signal: AbortSignal): Promise<readonly StoreLocation[]> {
  const found: StoreLocation[] = [];
  for (let after: string | null = null; ; ) {
    const variables = (first: number) => ({ first, after });
    const question = { query: LIST_LOCATIONS, variables, size: PAGE, answer: Locations };
    const { nodes, pageInfo }: z.output<typeof Locations>['locations'] = (await shop.ask(question, signal))
      .locations;
    found.push(...nodes);
    if (!pageInfo.hasNextPage) return found;
    after = pageInfo.endCursor;
  }
}

/** The id of a place as the API takes it; people give the number out of the address in the admin. */
export function locationGid(domain: string, id: string): string {
  if (/^\d{1,20}$/.test(id)) return `gid://shopify/Location/${id}`;
  if (/^gid:\/\/shopify\/Location\/\d{1,20}$/.test(id)) return id;
  throw noLocation(domain, id);
}
