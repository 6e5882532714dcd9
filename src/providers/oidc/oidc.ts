import type { errors, JWTPayload } from 'jose';
import { z } from 'zod';
import { Fault } from '../../errors.ts';
import type { IdentityProvider, VerifiedIdentity } from '../../identity/users/external-users.ts';
import { createKeySet, type ProviderKeys } from './key-set.ts';
import { createUserinfo } from './userinfo.ts';

type Options = {
  readonly issuer: string;
  /** Required `aud` of tokens, or the client they were issued to (`azp`). */
  readonly audience: string;
  readonly now?: () => number;
  readonly timeoutMs?: number;
};

// No symmetric algorithms: anyone with the public key could sign with it.
const ALGORITHMS = ['RS256', 'PS256', 'ES256', 'EdDSA'];
const SKEW_SECONDS = 5;
// Other signed tokens, such as a logout token, do not authenticate a caller.
const TYPES = ['jwt', 'at+jwt'];
const MOST_CHARS = 16_384;

/**
 * Verifies tokens of an OpenID Connect issuer with its published keys: the port `IdentityProvider` of identity. In: a
 * token. Out: who it is for. Always: only signed tokens of this issuer, for this audience, by an asymmetric algorithm.
 */
export function createOidcProvider({
  issuer,
  audience,
  now = Date.now,
  ...options
}: Options): IdentityProvider {
  const keySet = createKeySet({ issuer, now, ...options });
  const userinfo = createUserinfo({ now, ...options });

  return {
    async verify(token) {
      if (token.length > MOST_CHARS) throw wrong();
      const payload = await verified(token, await keySet.current(), async () => {
        const newer = await keySet.newer();
        return newer && verified(token, newer);
      });
      if (!isFor(audience, payload)) throw wrong();
      return identityOf({ ...(await missingClaims(token, payload)), ...payload }, now());
    },
  };

  /** Some issuers' tokens leave the address out: then it is asked for. */
  async function missingClaims(token: string, { email, sub = '' }: JWTPayload): Promise<object> {
    const { userinfoUrl } = await keySet.current();
    return email === undefined && userinfoUrl ? userinfo.claimsOf(userinfoUrl, token, sub) : {};
  }

  async function verified(
    token: string,
    keys: ProviderKeys,
    withNewer: () => Promise<JWTPayload | undefined> = async () => undefined,
  ): Promise<JWTPayload> {
    const { jwtVerify, errors } = await import('jose');
    try {
      const { payload, protectedHeader } = await jwtVerify(token, keys.keyOf, {
        issuer: keys.issuer,
        algorithms: ALGORITHMS,
        clockTolerance: SKEW_SECONDS,
        currentDate: new Date(now()),
        requiredClaims: ['exp', 'sub'],
      });
      if (!TYPES.includes(typeOf(protectedHeader.typ))) throw wrong();
      return payload;
    } catch (error) {
      if (error instanceof errors.JWKSNoMatchingKey) {
        const found = await withNewer();
        if (found) return found;
      }
      throw faultOf(error, errors);
    }
  }
}

function typeOf(typ: string | undefined): string {
  return (typ ?? 'jwt').toLowerCase().replace(/^application\//, '');
}

/** Rejects every token that cannot be verified. Only an expired one is reported as such. */
function faultOf(error: unknown, { JWTExpired }: typeof errors): unknown {
  if (error instanceof Fault) return error;
  return error instanceof JWTExpired ? new Fault('token_expired.token') : wrong(error);
}

function wrong(cause?: unknown): Fault {
  return new Fault('unauthenticated.token', {}, { cause });
}

/** A token that was issued to another client for itself is not ours, even if it names us as one more audience. */
function isFor(audience: string, { aud, azp }: JWTPayload): boolean {
  if (azp === audience) return true;
  const audiences = [aud].flat();
  return audiences.includes(audience) && !(typeof azp === 'string' && audiences.includes(azp));
}

const Claims = z.object({
  iss: z.string(),
  sub: z.string().min(1).max(255).refine(isStorable),
  exp: z.number(),
  email: z.email().max(254).optional().catch(undefined),
  // Some providers send it as a string.
  email_verified: z
    .union([z.boolean(), z.literal('true')])
    .optional()
    .catch(undefined),
  auth_time: z.number().positive().optional().catch(undefined),
  name: z
    .string()
    .refine(isStorable)
    // Line breaks, control characters and marks that turn the direction of what follows.
    .transform((name) => name.replace(/[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]+/gu, ' ').trim())
    .pipe(z.string().min(1).max(200))
    .optional()
    .catch(undefined),
  picture: z
    .url({ protocol: /^https$/ })
    .max(2_000)
    .refine(isStorable)
    .optional()
    .catch(undefined),
});

/** The person of verified claims; `now` in milliseconds. @throws Fault unauthenticated.token */
export function identityOf(payload: JWTPayload, now: number): VerifiedIdentity {
  const parsed = Claims.safeParse(payload);
  if (!parsed.success) throw wrong(parsed.error);
  const { iss, sub, exp, auth_time, email, email_verified, name, picture } = parsed.data;
  return {
    issuer: iss,
    subject: sub,
    email: email_verified && email ? email.toLowerCase() : null,
    name: name ?? null,
    avatar: picture ?? null,
    authenticatedAt: auth_time === undefined ? null : Math.min(auth_time * 1000, now),
    expiresAt: exp * 1000,
  };
}

/** PostgreSQL stores no NUL and no lone surrogates. */
function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0');
}
