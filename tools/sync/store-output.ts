import { z } from 'zod';
import type { StoreChange } from '../../src/sync/connections/stores.ts';
import type { storeSecrets } from './input.ts';

export const ConnectionStatus = z.enum(['connected', 'reconnect_required', 'disconnected']).meta({
  description:
    'reconnect_required means the credentials were rejected; automatic runs pause until they are updated',
});

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
