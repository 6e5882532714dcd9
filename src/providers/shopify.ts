import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { type Away, pauseAway } from '../sync/ports/away.ts';
import { parseDomain, type StoreClient, type StoreCredentials } from '../sync/ports/store-client.ts';
import type { Throttles } from '../sync/ports/throttles.ts';
import { type AccessToken, createAccessToken } from './shopify/access-token.ts';
import { describeShop, listLocations, locationGid, subscribe } from './shopify/describe-shop.ts';
import { createFileFetch } from './shopify/file-fetch.ts';
import { readVariants, readVariantsById } from './shopify/read-variants.ts';
import { setQuantities } from './shopify/set-quantities.ts';
import { type Clock, type Costs, createShop, systemClock } from './shopify/shop-client.ts';
import { createShopFetch, type Reach } from './shopify/shop-fetch.ts';
import { directProducts, updateProducts } from './shopify/update-products.ts';

export type ShopifySettings = Reach & {
  /** Such as `2026-10`. */
  readonly apiVersion: string;
  readonly throttles: Throttles;
  readonly clock?: Clock;
};

type ConnectedShop = {
  readonly domain: string;
  readonly credentials: StoreCredentials;
  readonly away?: Away | undefined;
};

const TOKENS_KEPT = 500;

/** Stores at Shopify. The SDK is loaded at the first question. */
export function createShopifyStores({
  apiVersion,
  throttles,
  clock = systemClock,
  ...reach
}: ShopifySettings) {
  const costs: Costs = new Map();
  const files = createFileFetch(reach);
  // A token that was given for a day serves every run of it.
  const tokens = new LRUCache<string, AccessToken>({ max: TOKENS_KEPT });

  return {
    /** Throws Fault validation_failed.store_domain for another host than a store's. */
    open(shop: ConnectedShop): StoreClient {
      const domain = parseDomain(shop.domain);
      const fetch = createShopFetch(domain, reach);
      const kept = nameOf(domain, shop.credentials);
      const token = tokens.get(kept) ?? createAccessToken({ domain, clock, fetch }, shop.credentials);
      tokens.set(kept, token);
      const { away } = shop;
      const patient: Clock = {
        now: clock.now,
        wait: (ms, signal) => pauseAway(away, ms, () => clock.wait(ms, signal)),
      };
      const parts = { domain, files, fetch, apiVersion, token, throttles, costs };
      return clientOf(createShop({ ...parts, clock: patient, away: away ?? ((wait) => wait()) }));
    },
  };
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
    read: (locationId, signal) => readVariants(shop, locationId, signal),
    variants: async (ids, locationId, signal) =>
      readVariantsById(shop, ids, { location: locationGid(shop.domain, locationId), signal }),
    setQuantities: (changes, write) => setQuantities(shop, changes, write),
    updateProducts: (changes, { signal }) => updateProducts(shop, changes, signal),
    directProducts: () => directProducts(shop),
    subscribe: (address, signal) => subscribe(shop, address, signal),
    calls: shop.calls,
  };
}
