import { z } from 'zod';
import { Fault } from '../../errors.ts';
import type { SecretBox } from '../../platform/secret-box.ts';
import type { SheetCredentials } from '../ports/sheet-client.ts';
import type { StoreCredentials } from '../ports/store-client.ts';

/** Encrypts the credentials of one kind of connection for its table. The result can't be decrypted in another row. */
export function createCredentialEncryption<Credentials>(
  box: SecretBox,
  table: 'sync_stores' | 'sync_sheets',
  schema: z.ZodType<Credentials>,
) {
  const placeOf = (row: string, column: string) => ({ table, row, column });
  return {
    encrypt: (id: string, credentials: Credentials): Promise<string> =>
      box.seal(JSON.stringify(credentials), placeOf(id, 'credentials')),

    async decrypt({ id, credentials }: { id: string; credentials: string }): Promise<Credentials> {
      return schema.parse(JSON.parse(await box.open(credentials, placeOf(id, 'credentials'))));
    },

    encryptColumn: (id: string, column: string, secret: string): Promise<string> =>
      box.seal(secret, placeOf(id, column)),

    decryptColumn: (id: string, column: string, sealed: string): Promise<string> =>
      box.open(sealed, placeOf(id, column)),
  };
}

export const EncryptedStoreCredentials: z.ZodType<StoreCredentials> = z.union([
  z.object({ token: z.string() }),
  z.object({ clientId: z.string(), clientSecret: z.string() }),
  z.object({ grant: z.string() }),
]);

export const EncryptedSheetCredentials: z.ZodType<SheetCredentials> = z.union([
  z.object({
    accessToken: z.string(),
    refreshToken: z.string().optional(),
    clientId: z.string().optional(),
    clientSecret: z.string().optional(),
  }),
  z.object({ serviceAccount: z.object({ client_email: z.string(), private_key: z.string() }) }),
  z.object({ grant: z.string() }),
]);

/** The last characters would reveal too much of a shorter secret. */
const MIN_HINTED_LENGTH = 12;
const HINT_LENGTH = 4;

/** The last characters of a secret, by which its owner recognizes it; empty for a short one. */
export function tokenHint(secret: string): string {
  return secret.length < MIN_HINTED_LENGTH ? '' : secret.slice(-HINT_LENGTH);
}

/**
 * A service account is shown by its name, which is no secret: the spreadsheet has to be shared with it. A grant is shown by
 * who gave it.
 */
export function sheetTokenHint(credentials: SheetCredentials): string {
  if ('grant' in credentials) return '';
  return 'serviceAccount' in credentials
    ? credentials.serviceAccount.client_email
    : tokenHint(credentials.accessToken);
}

/** The credentials of a store as a caller sends them. */
export type StoreSecrets = {
  readonly token?: string | undefined;
  readonly clientId?: string | undefined;
  readonly clientSecret?: string | undefined;
  /** Of a consent; no caller can send one. */
  readonly grant?: string | undefined;
};

/**
 * Exactly one kind: an access token, or a client with its secret; the demo accepts anything.
 * @throws Fault validation_failed.store_credentials
 */
export function storeCredentials(secrets: StoreSecrets, isDemo = false): StoreCredentials {
  const { token, clientId, clientSecret, grant } = secrets;
  if (grant !== undefined) return { grant };
  if (isDemo) return { token: token ?? 'demo' };
  const isClient = clientId !== undefined || clientSecret !== undefined;
  if (token !== undefined && !isClient) return { token };
  if (token === undefined && clientId !== undefined && clientSecret !== undefined)
    return { clientId, clientSecret };
  throw new Fault('validation_failed.store_credentials');
}

export function hasStoreSecrets({ token, clientId, clientSecret, grant }: StoreSecrets): boolean {
  return [token, clientId, clientSecret, grant].some((secret) => secret !== undefined);
}

/** The credentials of a spreadsheet as a caller sends them. */
export type SheetSecrets = {
  readonly accessToken?: string | undefined;
  readonly refreshToken?: string | undefined;
  /** The client that the tokens were issued to, where it is not the server's. */
  readonly clientId?: string | undefined;
  readonly clientSecret?: string | undefined;
  /** The key file of a service account, parsed or as text. */
  readonly serviceAccount?: unknown;
  /** Of a consent; no caller can send one. */
  readonly grant?: string | undefined;
};

const ServiceAccount = z.object({
  client_email: z.string().min(3).max(320).includes('@'),
  private_key: z.string().startsWith('-----BEGIN').max(10_000),
});

/**
 * Exactly one kind: tokens, or a service account; the demo accepts anything.
 * @throws Fault validation_failed.sheet_credentials, validation_failed.service_account
 */
export function sheetCredentials(secrets: SheetSecrets, isDemo = false): SheetCredentials {
  const { serviceAccount, grant, ...tokens } = secrets;
  if (grant !== undefined) return { grant };
  const { accessToken, ...renewal } = tokens;
  if (isDemo) return { accessToken: accessToken ?? 'demo' };
  if (serviceAccount !== undefined && !hasSheetSecrets(tokens))
    return { serviceAccount: parseServiceAccount(serviceAccount) };
  const hasWholeClient = (renewal.clientId === undefined) === (renewal.clientSecret === undefined);
  if (serviceAccount === undefined && accessToken !== undefined && hasWholeClient)
    return { accessToken, ...renewal };
  throw new Fault('validation_failed.sheet_credentials');
}

export function hasSheetSecrets(secrets: SheetSecrets): boolean {
  return Object.values(secrets).some((value) => value !== undefined);
}

/** The fault does not quote the input: it is a secret even if it is not usable. */
function parseServiceAccount(given: unknown) {
  const parsed = ServiceAccount.safeParse(typeof given === 'string' ? jsonOf(given) : given);
  if (!parsed.success) throw new Fault('validation_failed.service_account');
  return parsed.data;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A pasted access token of Google ends after an hour at the latest. */
const PASTED_TOKEN_MS = 3_600_000;

/** How long a connection works with its credentials, as its row has it. */
export type CredentialLife = {
  readonly grant_id: string | null;
  readonly renewable: boolean;
  readonly expires_at: Date | null;
};

/** A store's token works until it is revoked there; everything else is renewed. */
export function storeCredentialLife(credentials: StoreCredentials): CredentialLife {
  const grant_id = 'grant' in credentials ? credentials.grant : null;
  return { grant_id, renewable: !('token' in credentials), expires_at: null };
}

type Circumstances = {
  /** When they end, where that was recorded before. */
  readonly known: Date | null;
  /** The server has a client that renews tokens. */
  readonly renews: boolean;
  readonly isEndless: boolean;
  readonly now: number;
};

export function sheetCredentialLife(
  credentials: SheetCredentials,
  { known, renews, isEndless, now }: Circumstances,
): CredentialLife {
  const grant_id = 'grant' in credentials ? credentials.grant : null;
  const renewable =
    !('accessToken' in credentials) ||
    (credentials.refreshToken !== undefined && (credentials.clientId !== undefined || renews));
  const end = renewable || isEndless ? null : (known ?? new Date(now + PASTED_TOKEN_MS));
  return { grant_id, renewable, expires_at: end };
}
