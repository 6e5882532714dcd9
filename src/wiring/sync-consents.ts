import type { Config } from '../config.ts';
import { createGoogleConsent } from '../providers/sheets/google-consent.ts';
import { createShopifyConsent } from '../providers/shopify/shopify-consent.ts';
import type { ConsentProvider, ConsentProviderName } from '../sync/ports/consent.ts';

/** The services at which people can consent: those that the operator has a client of. */
export function openConsentProviders(
  config: Config,
  now: () => number,
): Readonly<Partial<Record<ConsentProviderName, ConsentProvider>>> {
  const { googleClientId, googleClientSecret, googleAccess, googleBaseUrl } = config;
  const { shopifyClientId, shopifyClientSecret, shopifyBaseUrl } = config;
  return {
    ...(googleClientId &&
      googleClientSecret && {
        google: createGoogleConsent({
          clientId: googleClientId,
          clientSecret: googleClientSecret,
          picks: googleAccess === 'picked',
          now,
          baseUrl: googleBaseUrl,
        }),
      }),
    ...(shopifyClientId &&
      shopifyClientSecret && {
        shopify: createShopifyConsent({
          clientId: shopifyClientId,
          clientSecret: shopifyClientSecret,
          baseUrl: shopifyBaseUrl,
          now,
        }),
      }),
  };
}
