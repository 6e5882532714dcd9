import { z } from 'zod';
import type { TokenSource } from '../../sync/ports/consent.ts';
import type { StoreCredentials } from '../../sync/ports/store-client.ts';
import { frozen, missing, refused, unauthorized, unavailable } from './read-reply.ts';
import type { Clock } from './shop-client.ts';
import { persist, type ShopFetch, type Try } from './shop-fetch.ts';

export type AccessToken = {
  /** Throws Fault store_unauthorized where the store gives none. */
  current(signal: AbortSignal): Promise<string>;
  /** Another than the one that was refused; undefined where there is none to be had. */
  renewed(refused: string, signal: AbortSignal): Promise<string | undefined>;
};

type Shop = { readonly domain: string; readonly clock: Clock; readonly fetch: ShopFetch };

const MINT_MS = 60_000;
/** So long before it expires a token is not used any more, or a tenth of its life where that is less. */
const MARGIN_SECONDS = 300;

const Minted = z.object({ access_token: z.string().min(1), expires_in: z.number().positive().catch(3600) });

/** The tokens of what a person has granted by consent. */
export function lentToken({ current, instead }: TokenSource): AccessToken {
  return { current, renewed: async (refusedToken, signal) => instead(refusedToken, signal) };
}

/** The token of a store: the one that was pasted, or the ones an app of the store is given for a day each. */
export function createAccessToken(
  shop: Shop,
  credentials: Exclude<StoreCredentials, { readonly grant: string }>,
): AccessToken {
  if (!('token' in credentials)) return mintedToken(shop, credentials);
  const { token } = credentials;
  return {
    async current() {
      // What no header can hold is no token.
      if (!/^[\x21-\x7e]+$/.test(token)) throw unauthorized(shop.domain);
      return token;
    },
    renewed: async () => undefined,
  };
}

function mintedToken(shop: Shop, app: { clientId: string; clientSecret: string }): AccessToken {
  let kept: { readonly token: string; readonly until: number } | undefined;
  let minting: Promise<string> | undefined;

  /** One for all who wait, so it does not end with the signal of one of them. */
  async function minted(): Promise<string> {
    const deadline = AbortSignal.timeout(MINT_MS);
    const { access_token: token, expires_in: seconds } = await mint(shop, app, deadline).catch((error) => {
      throw deadline.aborted ? unavailable(shop.domain, 'no token in time') : error;
    });
    const margin = Math.min(MARGIN_SECONDS, seconds / 10);
    kept = { token, until: shop.clock.now() + (seconds - margin) * 1000 };
    return token;
  }

  function current(signal: AbortSignal): Promise<string> {
    if (kept && shop.clock.now() < kept.until) return Promise.resolve(kept.token);
    minting ??= minted().finally(() => {
      minting = undefined;
    });
    return unlessAborted(minting, signal);
  }

  return {
    current,
    async renewed(refusedToken, signal) {
      if (kept?.token === refusedToken) kept = undefined;
      return current(signal);
    },
  };
}

/** The client-credentials grant. Nothing of what the store answers is quoted: it may repeat the secret. */
function mint(
  { domain, clock, fetch }: Shop,
  { clientId, clientSecret }: { clientId: string; clientSecret: string },
  signal: AbortSignal,
): Promise<z.output<typeof Minted>> {
  const body = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: clientId,
    client_secret: clientSecret,
  }).toString();
  const headers = { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' };
  const url = `https://${domain}/admin/oauth/access_token`;
  return persist({ domain, clock, signal }, async () => {
    const response = await fetch(url, { method: 'POST', headers, body, signal }).catch(() => undefined);
    if (!response) return { state: 'failed', about: 'no answer to the client credentials' };
    return readMinted(domain, response);
  });
}

async function readMinted(domain: string, response: Response): Promise<Try<z.output<typeof Minted>>> {
  const { status } = response;
  if (status === 402 || status === 423) throw frozen(domain);
  if (status === 404 || (status >= 300 && status < 400)) throw missing(domain);
  if (status === 400 || status === 401 || status === 403) throw unauthorized(domain);
  if (status >= 400 && status < 500 && status !== 408 && status !== 429)
    throw refused(domain, `HTTP ${status} for the client credentials`);
  const minted = Minted.safeParse(await response.json().catch(() => undefined));
  if (!response.ok || !minted.success)
    return { state: 'failed', about: `HTTP ${status} for the credentials` };
  return { state: 'done', value: minted.data };
}

function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
