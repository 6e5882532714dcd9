import type { JWTVerifyGetKey } from 'jose';
import { z } from 'zod';
import { Fault } from '../../errors.ts';
import { fetchJson } from './fetch-json.ts';

export type ProviderKeys = {
  /** The issuer's URL, as in its discovery document. */
  readonly issuer: string;
  readonly keyOf: JWTVerifyGetKey;
  /** Where a token tells more of its person; undefined if the issuer has none. */
  readonly userinfoUrl: string | undefined;
};

export type KeySet = {
  /** The current keys. @throws Fault unavailable.identity_provider when none are cached and none can be fetched */
  current(): Promise<ProviderKeys>;
  /**
   * Fetches the keys again, for a token with an unknown key; undefined when the last fetch was too recent.
   * @throws Fault unavailable.identity_provider
   */
  newer(): Promise<ProviderKeys | undefined>;
};

type Options = { readonly issuer: string; readonly now?: () => number; readonly timeoutMs?: number };

const FRESH_MS = 10 * 60_000;
// Long enough to survive an outage of the provider; a revoked key is trusted no longer than this.
const KEYS_TTL_MS = 60 * 60_000;
const REST_MS = 30_000;
const REST_AFTER_FAILURE_MS = 2_000;

const Discovery = z.object({
  issuer: z.string(),
  jwks_uri: z.url({ protocol: /^https?$/ }),
  userinfo_endpoint: z
    .url({ protocol: /^https?$/ })
    .optional()
    .catch(undefined),
});
const Jwks = z.object({ keys: z.array(z.looseObject({ kty: z.string() })).max(200) });

/** The signing keys of an issuer, found by discovery and cached. Unknown key ids cannot cause frequent fetches. */
export function createKeySet({ issuer, now = Date.now, timeoutMs = 5_000 }: Options): KeySet {
  let kept: { readonly keys: ProviderKeys; readonly at: number } | undefined;
  let lastTry = { at: Number.NEGATIVE_INFINITY, failed: false };
  let fetching: Promise<ProviderKeys> | undefined;

  const age = () => (kept ? now() - kept.at : Number.POSITIVE_INFINITY);
  const rests = () => now() - lastTry.at < (lastTry.failed ? REST_AFTER_FAILURE_MS : REST_MS);

  return {
    async current() {
      if (kept && age() < FRESH_MS) return kept.keys;
      if (!kept || age() >= KEYS_TTL_MS) return fetched();
      const { keys } = kept;
      return fetched().catch(() => keys);
    },

    async newer() {
      if (!fetching && rests() && !lastTry.failed) return undefined;
      return fetched();
    },
  };

  function fetched(): Promise<ProviderKeys> {
    if (fetching) return fetching;
    if (lastTry.failed && rests()) return Promise.reject(unavailable());
    fetching = fetchKeys().finally(() => {
      fetching = undefined;
    });
    return fetching;
  }

  async function fetchKeys(): Promise<ProviderKeys> {
    try {
      const keys = await ask();
      kept = { keys, at: now() };
      lastTry = { at: now(), failed: false };
      return keys;
    } catch (error) {
      lastTry = { at: now(), failed: true };
      throw unavailable(error);
    }
  }

  async function ask(): Promise<ProviderKeys> {
    const signal = AbortSignal.timeout(timeoutMs);
    const base = withoutSlash(issuer);
    const found = Discovery.parse(await fetchJson(`${base}/.well-known/openid-configuration`, signal));
    if (withoutSlash(found.issuer) !== base) throw new Error('the discovery document is of another issuer');
    if (issuer.startsWith('https:') && !found.jwks_uri.startsWith('https:'))
      throw new Error('the keys of an https issuer are not to come over http');
    const jwks = Jwks.parse(await fetchJson(found.jwks_uri, signal));
    const { createLocalJWKSet } = await import('jose');
    const { userinfo_endpoint: userinfo } = found;
    // A token is sent only over a connection that no one else reads.
    const userinfoUrl = issuer.startsWith('https:') && userinfo?.startsWith('http:') ? undefined : userinfo;
    return { issuer: found.issuer, keyOf: createLocalJWKSet(jwks), userinfoUrl };
  }
}

function withoutSlash(url: string): string {
  return url.endsWith('/') ? url.slice(0, -1) : url;
}

function unavailable(cause?: unknown): Fault {
  return new Fault('unavailable.identity_provider', {}, { retryAfterSeconds: 5, cause });
}
