import type { TokenSource } from '../../sync/ports/consent.ts';
import type { RenewedTokens, SheetCredentials } from '../../sync/ports/sheet-client.ts';
import type { SheetsSdk } from './api.ts';
import { SheetsApiFault } from './faults.ts';
import type { Clock } from './retry.ts';
import type { Wire } from './wire.ts';

export type Access = TokenSource & { readonly isRenewable: boolean };

/** Tokens of a person or the key of a service account; what was granted by consent is renewed elsewhere. */
export type OwnCredentials = Exclude<SheetCredentials, { readonly grant: string }>;

type Options = {
  readonly credentials: OwnCredentials;
  readonly sdk: SheetsSdk;
  readonly wire: Wire;
  readonly clock: Clock;
  readonly onRefresh: ((tokens: RenewedTokens) => Promise<void>) | undefined;
};

const SCOPE = 'https://www.googleapis.com/auth/spreadsheets';
/** A token this close to its end is renewed before it is used. */
const MARGIN_MS = 60_000;
const USUAL_LIFE_MS = 3_600_000;

/** The access token to call with: renewed when its time is over, where the credentials allow that. */
export function createAccess({ credentials, sdk, wire, clock, onRefresh }: Options): Access {
  let token = 'accessToken' in credentials ? credentials.accessToken : undefined;
  // When a pasted token ends is not known: the service says so.
  let expiresAt = Infinity;

  return {
    isRenewable: isRenewable(credentials),

    async current(signal: AbortSignal): Promise<string> {
      if (token !== undefined && (clock.now() < expiresAt - MARGIN_MS || !isRenewable(credentials)))
        return token;
      return renew(signal);
    },

    /** A token in place of one that was refused. */
    instead: async (spent: string, signal: AbortSignal): Promise<string> =>
      token !== undefined && token !== spent ? token : renew(signal),
  };

  /** @throws SheetsApiFault unauthorized where the grant is refused */
  async function renew(signal: AbortSignal): Promise<string> {
    const { access_token: accessToken, expiry_date: expiry } = await grant(signal);
    if (!accessToken) throw new SheetsApiFault('unauthorized', 'no token was granted');
    token = accessToken;
    // The SDK reckons by the machine's clock, not by ours.
    expiresAt = clock.now() + (expiry ? expiry - Date.now() : USUAL_LIFE_MS);
    await onRefresh?.({ accessToken, expiresAt: new Date(expiresAt) });
    return accessToken;
  }

  async function grant(signal: AbortSignal) {
    const options = {
      // With these the SDK would log tokens where its own switch for logging is on.
      useAuthRequestParameters: false,
      transporterOptions: {
        fetchImplementation: wire(signal),
        // Waiting and trying again is ours: the SDK would do it without the signal.
        retryConfig: { retry: 0, noResponseRetries: 0 },
      },
    };
    try {
      if ('serviceAccount' in credentials) {
        const { client_email: email, private_key: key } = credentials.serviceAccount;
        return await new sdk.auth.JWT({ email, key, scopes: [SCOPE], ...options }).authorize();
      }
      const { clientId = '', clientSecret = '', refreshToken = '' } = credentials;
      const client = new sdk.auth.OAuth2({ clientId, clientSecret, ...options });
      client.setCredentials({ refresh_token: refreshToken });
      return (await client.refreshAccessToken()).credentials;
    } catch (error) {
      throw grantFault(error);
    }
  }
}

function isRenewable(credentials: OwnCredentials): boolean {
  if ('serviceAccount' in credentials) return true;
  return Boolean(credentials.refreshToken && credentials.clientId && credentials.clientSecret);
}

/** The SDK's errors have the grant in them. A key that is none fails before anything is sent. */
function grantFault(error: unknown): SheetsApiFault {
  const cause = error instanceof Error ? error.cause : undefined;
  const passes = cause instanceof SheetsApiFault && (cause.kind === 'lost' || cause.kind === 'busy');
  return passes ? cause : new SheetsApiFault('unauthorized', 'the grant was refused');
}
