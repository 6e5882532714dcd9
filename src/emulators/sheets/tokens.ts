import { createVerify } from 'node:crypto';
import { z } from 'zod';
import { Refusal } from './faults.ts';

export type TokenSettings = {
  readonly accessToken?: string;
  readonly refreshToken?: string;
  readonly clientId?: string;
  readonly clientSecret?: string;
  /** Its private key or its public one, as PEM: either tells whether a signature is its own. */
  readonly serviceAccount?: { readonly client_email: string; readonly key: string };
  /** How long a renewed token is good for. */
  readonly lifetimeSeconds?: number;
  /** Any token will do. */
  readonly open?: boolean;
};

const TOKEN_URL = 'https://oauth2.googleapis.com/token';
const Claims = z.object({
  iss: z.string(),
  aud: z.literal(TOKEN_URL),
  scope: z.string(),
  iat: z.number(),
  exp: z.number(),
});

type Answer = { readonly status: number; readonly body: unknown };

/** The token endpoint, and who may call. */
export function createTokens(settings: TokenSettings, now: () => number) {
  const {
    accessToken = 'ya29.test',
    refreshToken = '1//test',
    clientId = 'client',
    clientSecret = 'secret',
  } = settings;
  const { lifetimeSeconds = 3599, serviceAccount, open = false } = settings;
  const expiries = new Map<string, number>([[accessToken, Infinity]]);
  let revoked = false;
  let issued = 0;

  return {
    /** Every token that was given out so far is spent. */
    expire: () => expiries.clear(),
    /** None is given out any more. */
    revoke: () => {
      revoked = true;
      expiries.clear();
    },
    /** Who calls. @throws Refusal 401 */
    userOf(authorization: string | null): string {
      const [scheme, token = ''] = (authorization ?? '').split(' ');
      const known = scheme === 'Bearer' && (open || (expiries.get(token) ?? 0) > now());
      if (known) return 'user';
      throw new Refusal(
        401,
        'Request had invalid authentication credentials. Expected OAuth 2 access token.',
      );
    },
    answer(form: URLSearchParams): Answer {
      const error = form.get('grant_type') === 'refresh_token' ? refreshFault(form) : assertionFault(form);
      if (error) return error;
      issued += 1;
      const token = `${accessToken}-${issued}`;
      expiries.set(token, now() + lifetimeSeconds * 1000);
      const scope = 'https://www.googleapis.com/auth/spreadsheets';
      return {
        status: 200,
        body: { access_token: token, expires_in: lifetimeSeconds, scope, token_type: 'Bearer' },
      };
    },
  };

  function refreshFault(form: URLSearchParams): Answer | undefined {
    if (form.get('client_id') !== clientId || form.get('client_secret') !== clientSecret) {
      return { status: 401, body: { error: 'invalid_client', error_description: 'Unauthorized' } };
    }
    if (!revoked && form.get('refresh_token') === refreshToken) return undefined;
    return invalidGrant('Token has been expired or revoked.');
  }

  function assertionFault(form: URLSearchParams): Answer | undefined {
    if (form.get('grant_type') !== 'urn:ietf:params:oauth:grant-type:jwt-bearer') {
      return {
        status: 400,
        body: { error: 'unsupported_grant_type', error_description: 'Invalid grant_type.' },
      };
    }
    const [head = '', payload = '', signature = ''] = (form.get('assertion') ?? '').split('.');
    const claims = claimsOf(payload);
    if (revoked || !claims || claims.iss !== serviceAccount?.client_email) {
      return invalidGrant('Invalid grant: account not found');
    }
    const verify = createVerify('RSA-SHA256').update(`${head}.${payload}`);
    if (!verify.verify(serviceAccount.key, signature, 'base64url'))
      return invalidGrant('Invalid JWT Signature.');
    const seconds = now() / 1000;
    if (claims.exp >= seconds && claims.iat <= seconds + 300) return undefined;
    return invalidGrant(
      'Invalid JWT: Token must be a short-lived token (60 minutes) and in a reasonable timeframe.',
    );
  }
}

function claimsOf(payload: string): z.output<typeof Claims> | undefined {
  try {
    return Claims.safeParse(JSON.parse(Buffer.from(payload, 'base64url').toString())).data;
  } catch {
    return undefined;
  }
}

function invalidGrant(description: string): Answer {
  return { status: 400, body: { error: 'invalid_grant', error_description: description } };
}
