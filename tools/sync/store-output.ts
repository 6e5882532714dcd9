import { z } from 'zod';
import type { StoreChange } from '../../src/sync/connections/stores.ts';
import type { storeSecrets } from './input.ts';

export const ConnectionStatus = z.enum(['connected', 'reconnect_required', 'disconnected']).meta({
  description:
    'reconnect_required means the credentials were rejected; automatic runs pause until they are updated',
});

const Consent = z
  .object({
    account: z.string().meta({ description: 'Google account, or domain of the store' }),
    by: z.string(),
    at: z.iso.datetime(),
    scopes: z.array(z.string()),
  })
  .meta({
    description: 'Who gave access on the page of the provider, and when; null for pasted credentials',
  });

/** How long a connection works. */
export const accessFields = {
  renewable: z
    .boolean()
    .nullable()
    .meta({ description: 'Whether access is renewed automatically; null until the connection is tested' }),
  expires_at: z.iso
    .datetime()
    .nullable()
    .meta({ description: 'When access ends at the latest; null if it is renewed or has no known end' }),
  consent: Consent.nullable(),
};

/** A connected store in answers. */
export const Store = z.object({
  id: z.string(),
  domain: z.string(),
  location_id: z.string().meta({ description: 'Stock location ID' }),
  location_name: z.string(),
  name: z.string(),
  currency: z.string(),
  status: ConnectionStatus,
  paused: z.boolean().meta({ description: 'True when over the plan limit: kept but not synced' }),
  token_hint: z.string().meta({ description: 'Last characters of the token' }),
  ...accessFields,
  created_at: z.iso.datetime(),
});

type Secrets = { readonly [Name in keyof typeof storeSecrets]?: string | undefined };

/** The credentials of a store, under either name of the token. */
export function storeChange(input: Secrets & { readonly location_id?: string | undefined }): StoreChange {
  const { store_access_token, access_token, client_id, client_secret, webhook_secret, location_id } = input;
  return {
    token: store_access_token ?? access_token,
    clientId: client_id,
    clientSecret: client_secret,
    webhookSecret: webhook_secret,
    locationId: location_id,
  };
}
