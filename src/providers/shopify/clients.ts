import type { AdminApiClient } from '@shopify/admin-api-client';
import type { ShopFetch } from './shop-fetch.ts';

type Parts = { readonly domain: string; readonly apiVersion: string; readonly fetch: ShopFetch };

/** Shopify's own client for a store and a token of it; the last one is kept. */
export function createClients({ domain, apiVersion, fetch }: Parts) {
  let last: { readonly accessToken: string; readonly client: AdminApiClient } | undefined;

  return async function clientOf(accessToken: string): Promise<AdminApiClient> {
    if (last?.accessToken === accessToken) return last.client;
    const { createAdminApiClient } = await import('@shopify/admin-api-client');
    const client = createAdminApiClient({
      storeDomain: domain,
      apiVersion,
      accessToken,
      customFetchApi: fetch,
      // Its own retries take seconds for milliseconds, and never see that a request was throttled.
      retries: 0,
      // It is handed the headers, and with them the token.
      logger: () => {},
    });
    last = { accessToken, client };
    return client;
  };
}
