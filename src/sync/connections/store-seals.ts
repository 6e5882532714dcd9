import { z } from 'zod';
import type { SecretBox, SecretPlace } from '../../platform/secret-box.ts';
import type { StoreCredentials } from '../ports/open-store.ts';
import type { StoreRow } from './store-store.ts';
import { tokenHint } from './token-hint.ts';

const Credentials = z.union([
  z.object({ token: z.string() }),
  z.object({ clientId: z.string(), clientSecret: z.string() }),
]);

type Secrets = { readonly credentials: StoreCredentials; readonly webhookSecret: string | undefined };

/** The secrets of stores, as their rows keep them. */
export function createStoreSeals(box: SecretBox) {
  return {
    /** A client's secret signs its webhooks, too. */
    async seal(id: string, { credentials, webhookSecret }: Secrets) {
      const secret = 'token' in credentials ? credentials.token : credentials.clientSecret;
      const signing = webhookSecret ?? ('token' in credentials ? undefined : secret);
      return {
        credentials: await box.seal(JSON.stringify(credentials), placeOf(id, 'credentials')),
        webhook_secret: signing === undefined ? null : await box.seal(signing, placeOf(id, 'webhook_secret')),
        token_hint: tokenHint(secret),
      };
    },

    async credentials({ id, credentials }: Pick<StoreRow, 'id' | 'credentials'>): Promise<StoreCredentials> {
      return Credentials.parse(JSON.parse(await box.open(credentials, placeOf(id, 'credentials'))));
    },

    async webhookSecret({ id, webhook_secret: sealed }: Pick<StoreRow, 'id' | 'webhook_secret'>) {
      return sealed === null ? undefined : box.open(sealed, placeOf(id, 'webhook_secret'));
    },
  };
}

function placeOf(row: string, column: string): SecretPlace {
  return { table: 'sync_stores', row, column };
}
