import { Fault } from '../../errors.ts';
import type { StoreClient } from './store-client.ts';

/** A token that was made in the store's admin, or an app of the store that makes its own. */
export type StoreCredentials =
  | { readonly token: string }
  | { readonly clientId: string; readonly clientSecret: string };

/** Makes the client of a store; asks it nothing yet. `domain` is as `parseDomain` answers it. */
export type OpenStore = (shop: {
  readonly domain: string;
  readonly credentials: StoreCredentials;
  readonly accountId: string;
}) => StoreClient | Promise<StoreClient>;

const DOMAIN = /^[a-z0-9][a-z0-9-]{0,59}\.myshopify\.com$/;
const QUOTED_CHARS = 100;

/**
 * The domain of a store as it is kept, out of what people paste: also an address within its admin. No other host ever
 * gets a token. Throws Fault validation_failed.store_domain.
 */
export function parseDomain(text: string): string {
  const domain = text
    .trim()
    .toLowerCase()
    .replace(/^https:\/\//, '')
    .replace(/[/?#].*$/s, '');
  if (isDomain(domain)) return domain;
  throw new Fault('validation_failed.store_domain', { domain: text.trim().slice(0, QUOTED_CHARS) });
}

/** True for what `parseDomain` answers. */
export function isDomain(text: string): boolean {
  return DOMAIN.test(text);
}
