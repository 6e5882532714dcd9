import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { type Away, pauseAway } from '../../sync/ports/away.ts';
import type { LendTokens } from '../../sync/ports/consent.ts';
import { parseDomain, type StoreClient, type StoreCredentials } from '../../sync/ports/store-client.ts';
import type { Throttles } from '../../sync/ports/throttles.ts';
import { type AccessToken, createAccessToken, lentToken } from './access-token.ts';
import { createdProducts, createProducts } from './create-products.ts';
import { describeShop, listLocations, locationGid, subscribe } from './describe-shop.ts';
import { createFileFetch } from './file-fetch.ts';
import { findProduct, listProducts } from './list-products.ts';
import { readVariants, readVariantsById } from './read-variants.ts';
import { setQuantities } from './set-quantities.ts';
import { type Clock, type Costs, createShop, systemClock } from './shop-client.ts';
import { createShopFetch, type Reach } from './shop-fetch.ts';
import { directProducts, updateProducts } from './update-products.ts';

export type ShopifySettings = Reach & {
  /** Such as `2026-10`. */
  readonly apiVersion: string;
  readonly throttles: Throttles;
  /** The tokens of what people have granted by consent. */
  readonly lend?: LendTokens;
  readonly clock?: Clock;
};

type ConnectedShop = {
  readonly domain: string;
  readonly credentials: StoreCredentials;
  /** Whose grants are lent. */
  readonly accountId?: string | undefined;
  readonly away?: Away | undefined;
};

const TOKENS_KEPT = 500;
/** Of queries: what they ask depends on the fields that are mapped. */
const COSTS_KEPT = 1000;

/**
 * Stores at Shopify, by its Admin GraphQL API: the port `StoreClient` of sync. In: a store's domain and credentials. Out:
 * products and variants in the product's own fields, and changes of them, one by one or as a bulk job. Always: what a call
 * costs is known before it is sent, so that the store's limit is shared and not hit. The SDK is loaded at the first question.
 */
export function createShopifyStores({
  apiVersion,
  throttles,
  lend,
  clock = systemClock,
  ...reach
}: ShopifySettings) {
  const costs: Costs = new LRUCache({ max: COSTS_KEPT });
  const files = createFileFetch(reach);
  // A token that was given for a day serves every run of it.
  const tokens = new LRUCache<string, AccessToken>({ max: TOKENS_KEPT });

  return {
    /** Throws Fault validation_failed.store_domain for another host than a store's. */
    open(shop: ConnectedShop): StoreClient {
      const domain = parseDomain(shop.domain);
      const fetch = createShopFetch(domain, reach);
      const token = tokenOf(shop, { domain, clock, fetch });
      const { away } = shop;
      const patient: Clock = {
        now: clock.now,
        wait: (ms, signal) => pauseAway(away, ms, () => clock.wait(ms, signal)),
      };
      const parts = { domain, files, fetch, apiVersion, token, throttles, costs };
      return clientOf(createShop({ ...parts, clock: patient, away: away ?? ((wait) => wait()) }));
    },
  };

  function tokenOf(
    { accountId = '', credentials }: ConnectedShop,
    parts: Parameters<typeof createAccessToken>[0],
  ) {
    if ('grant' in credentials) {
      if (!lend) throw new Error('no grants are kept here');
      return lentToken(lend(accountId, credentials.grant));
    }
    const kept = nameOf(parts.domain, credentials);
    const token = tokens.get(kept) ?? createAccessToken(parts, credentials);
    tokens.set(kept, token);
    return token;
  }
}

function nameOf(domain: string, credentials: StoreCredentials): string {
  return createHash('sha256')
    .update(JSON.stringify([domain, credentials]))
    .digest('base64');
}

function clientOf(shop: ReturnType<typeof createShop>): StoreClient {
  return {
    describe: (locationId, signal) => describeShop(shop, locationId, signal),
    locations: (signal) => listLocations(shop, signal),
    read: (locationId, signal, more = []) => readVariants(shop, { locationId, more, signal }),
    variants: async (ids, locationId, signal, more = []) =>
      readVariantsById(shop, ids, { location: locationGid(shop.domain, locationId), more, signal }),
    setQuantities: (changes, write) => setQuantities(shop, changes, write),
    updateProducts: (changes, { signal }) => updateProducts(shop, changes, signal),
    createProducts: (products, write) => createProducts(shop, products, write),
    createdProducts: (products, by, signal) => createdProducts(shop, products, by, signal),
    products: (page, signal) => listProducts(shop, page, signal),
    product: (handleOrId, signal) => findProduct(shop, handleOrId, signal),
    directProducts: () => directProducts(shop),
    subscribe: (address, signal) => subscribe(shop, address, signal),
    calls: shop.calls,
  };
}
