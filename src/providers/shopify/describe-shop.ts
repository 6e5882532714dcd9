import { z } from 'zod';
import type { StoreDescription, StoreLocation } from '../../sync/ports/store-client.ts';
import { lackingScopes, scopesFor } from '../../sync/ports/store-scopes.ts';
import { DESCRIBE_STORE, LIST_LOCATIONS, LIST_SUBSCRIPTIONS, SUBSCRIBE } from './operations.ts';
import { noLocation, refused, UserErrors, unscoped } from './read-reply.ts';
import type { Shop } from './shop-client.ts';

/** Rejects a page that neither is the last nor has a cursor: it would be read endlessly. */
export const PageInfo = z
  .object({ hasNextPage: z.boolean(), endCursor: z.string().nullable() })
  .refine(({ hasNextPage, endCursor }) => !hasNextPage || endCursor !== null);

const Location = z.object({ id: z.string(), name: z.string(), isActive: z.boolean() });

export const Described = z.object({
  shop: z.object({ name: z.string(), currencyCode: z.string() }),
  location: Location.nullable(),
  productVariantsCount: z.object({ count: z.number() }).nullable(),
  currentAppInstallation: z.object({ accessScopes: z.array(z.object({ handle: z.string() })) }).nullish(),
});

const Locations = z.object({ locations: z.object({ nodes: z.array(Location), pageInfo: PageInfo }) });
const PAGE_SIZE = 100;

/** @throws Fault store_unauthorized.scopes where the token may not read what syncs read */
export async function describeShop(
  shop: Shop,
  locationId: string | undefined,
  signal: AbortSignal,
): Promise<StoreDescription> {
  const location = locationId === undefined ? undefined : locationGid(shop.domain, locationId);
  // Without an id, the store returns its primary location.
  const variables = () => (location === undefined ? {} : { location });
  const described = await shop.request({ query: DESCRIBE_STORE, variables, response: Described }, signal);
  const description = descriptionOf(shop.domain, described, locationId);
  const lacking = lackingScopes(scopesFor([]), description.scopes ?? scopesFor([]));
  if (lacking.length > 0) throw unscoped(shop.domain, lacking);
  return description;
}

/** Throws Fault store_not_found.location where the store has no such location. */
export function descriptionOf(
  domain: string,
  { shop, location, productVariantsCount, currentAppInstallation }: z.output<typeof Described>,
  locationId = '–',
): StoreDescription {
  if (!location) throw noLocation(domain, locationId);
  return {
    name: shop.name,
    currency: shop.currencyCode,
    location,
    variantCount: productVariantsCount?.count ?? 0,
    scopes: currentAppInstallation?.accessScopes.map(({ handle }) => handle),
  };
}

export async function listLocations(shop: Shop, signal: AbortSignal): Promise<readonly StoreLocation[]> {
  const found: StoreLocation[] = [];
  for (let after: string | null = null; ; ) {
    const variables = (first: number) => ({ first, after });
    const query = { query: LIST_LOCATIONS, variables, size: PAGE_SIZE, response: Locations };
    const { nodes, pageInfo }: z.output<typeof Locations>['locations'] = (await shop.request(query, signal))
      .locations;
    found.push(...nodes);
    if (!pageInfo.hasNextPage) return found;
    after = pageInfo.endCursor;
  }
}

/** The id of a location as the API accepts it; people copy the number from the URL of their admin. */
export function locationGid(domain: string, id: string): string {
  if (/^\d{1,20}$/.test(id)) return `gid://shopify/Location/${id}`;
  if (/^gid:\/\/shopify\/Location\/\d{1,20}$/.test(id)) return id;
  throw noLocation(domain, id);
}

/** The webhook topics that cause a run or end a connection (X-Shopify-Topic). */
const TOPICS = [
  'products/create',
  'products/update',
  'products/delete',
  'inventory_levels/update',
  'inventory_items/update',
  'app/uninstalled',
] as const;

const Listed = z.object({
  webhookSubscriptions: z.object({
    nodes: z.array(z.object({ topic: z.string(), uri: z.string() })),
    pageInfo: PageInfo,
  }),
});
const Created = z.object({ webhookSubscriptionCreate: z.object({ userErrors: UserErrors }) });

/** Subscribes an address to the topics it is not subscribed to yet. Returns all topics. */
export async function subscribe(
  shop: Shop,
  address: string,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const subscribed = await subscribedTopics(shop, address, signal);
  for (const topic of TOPICS) {
    const name = enumOf(topic);
    if (!subscribed.has(name)) await create(shop, { topic: name, subscription: { uri: address } }, signal);
  }
  return TOPICS;
}

/** `PRODUCTS_CREATE` for `products/create`. */
function enumOf(topic: string): string {
  return topic.replace('/', '_').toUpperCase();
}

async function subscribedTopics(shop: Shop, address: string, signal: AbortSignal): Promise<Set<string>> {
  const subscribed = new Set<string>();
  for (let after: string | null = null; ; ) {
    const variables = (first: number) => ({ first, after });
    const query = { query: LIST_SUBSCRIPTIONS, variables, size: PAGE_SIZE, response: Listed };
    const listed: z.output<typeof Listed> = await shop.request(query, signal);
    const { nodes, pageInfo } = listed.webhookSubscriptions;
    for (const { topic, uri } of nodes) if (uri === address) subscribed.add(topic);
    if (!pageInfo.hasNextPage) return subscribed;
    after = pageInfo.endCursor;
  }
}

async function create(shop: Shop, subscription: Record<string, unknown>, signal: AbortSignal): Promise<void> {
  const query = { query: SUBSCRIBE, variables: () => subscription, response: Created };
  const { userErrors } = (await shop.request(query, signal)).webhookSubscriptionCreate;
  const [error] = userErrors;
  // An earlier attempt may have created it without a response.
  if (error && !/already been taken/i.test(error.message)) throw refused(shop.domain, error.message);
}
