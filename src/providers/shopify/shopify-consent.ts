import { createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { Fault } from '../../errors.ts';
import type { Consent, ConsentProvider, ConsentVisit, GrantedTokens } from '../../sync/ports/consent.ts';
import { isDomain } from '../../sync/ports/store-client.ts';
import { lackingScopes, STORE_WRITES, scopesFor } from '../../sync/ports/store-scopes.ts';
import { frozen, missing } from './read-reply.ts';
import { createShopFetch, type Reach } from './shop-fetch.ts';

type ShopifyConsentOptions = Pick<Reach, 'baseUrl'> & {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly now?: () => number;
};

const REASON = /^[\w .:'-]{1,200}$/;

const Tokens = z.object({
  access_token: z.string().min(1),
  scope: z.string(),
  expires_in: z.number().positive().optional(),
  refresh_token: z.string().min(1).optional(),
  refresh_token_expires_in: z.number().positive().optional(),
});
type Tokens = z.output<typeof Tokens>;

const Refusal = z.object({ error: z.string() }).catch({ error: '' });

/** Installing an app in a store by authorization code, for offline tokens that expire and are renewed. */
export function createShopifyConsent(options: ShopifyConsentOptions): ConsentProvider {
  const { clientId, clientSecret, baseUrl, now = Date.now } = options;
  const client = { client_id: clientId, client_secret: clientSecret };

  return {
    pageUrl({ redirectUri, state, target = '', writes = STORE_WRITES }) {
      const page = new URL('/admin/oauth/authorize', baseUrl ?? `https://${storeOf(target)}`);
      const scope = scopesFor(writes).join(',');
      page.search = new URLSearchParams({
        client_id: clientId,
        scope,
        redirect_uri: redirectUri,
        state,
      }).toString();
      return page.href;
    },

    async exchange(
      answer: URLSearchParams,
      { target = '', writes = STORE_WRITES }: ConsentVisit,
      signal,
    ): Promise<Consent> {
      const domain = storeOf(target);
      if (answer.get('error') === 'access_denied')
        throw new Fault('consent_failed.denied', { provider: 'Shopify' });
      if (!isSigned(answer, clientSecret)) throw new Fault('consent_failed.signature');
      if (answer.get('shop') !== domain) throw new Fault('consent_failed.other_store', { domain });
      const code = answer.get('code') ?? '';
      const { status, body } = await post(domain, { ...client, code, expiring: '1' }, signal);
      const tokens = Tokens.safeParse(body);
      if (status !== 200 || !tokens.success) throw failed(Refusal.parse(body).error || `HTTP ${status}`);
      const lacking = lackingScopes(scopesFor(writes), tokens.data.scope.split(','));
      if (lacking.length > 0)
        throw new Fault('consent_failed.store_scopes', { domain, scopes: lacking.join(', ') });
      return { tokens: granted(tokens.data), subject: domain, label: domain, picked: [] };
    },

    async renew(domain, { refreshToken }, signal) {
      const form = { grant_type: 'refresh_token', refresh_token: refreshToken, ...client };
      const { status, body } = await post(domain, form, signal);
      const { error } = Refusal.parse(body);
      if (error === 'invalid_grant') throw ended(domain);
      if (error === 'invalid_client' || error === 'application_cannot_be_found')
        throw new Fault('store_unavailable.client', { domain });
      if (status === 402 || status === 423) throw frozen(domain);
      if (status === 404) throw missing(domain);
      const tokens = Tokens.safeParse(body);
      if (status !== 200 || !tokens.success) throw new Fault('store_unavailable.no_answer', { domain });
      return granted(tokens.data);
    },

    ended,
  };

  async function post(domain: string, form: Record<string, string>, signal: AbortSignal) {
    const headers = { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' };
    const body = new URLSearchParams(form).toString();
    const url = `https://${domain}/admin/oauth/access_token`;
    try {
      const response = await createShopFetch(domain, { baseUrl })(url, {
        method: 'POST',
        headers,
        body,
        signal,
      });
      const answered: unknown = await response.json().catch(() => undefined);
      return { status: response.status, body: answered };
    } catch {
      signal.throwIfAborted();
      throw new Fault('store_unavailable.unreached', { domain });
    }
  }

  function granted(tokens: Tokens): GrantedTokens {
    const inSeconds = (seconds: number | undefined) =>
      seconds === undefined ? null : new Date(now() + seconds * 1000);
    return {
      accessToken: tokens.access_token,
      expiresAt: inSeconds(tokens.expires_in),
      refreshToken: tokens.refresh_token ?? null,
      refreshExpiresAt: inSeconds(tokens.refresh_token_expires_in),
      scopes: tokens.scope.split(','),
    };
  }
}

/** No other host is ever an address of a store. */
function storeOf(domain: string): string {
  if (!isDomain(domain)) throw new Fault('validation_failed.store_domain', { domain });
  return domain;
}

/**
 * Whether Shopify wrote the query: HMAC-SHA256 of all other parameters, in order and encoded, by the app's secret. A
 * parameter that is there twice could be read in two ways.
 */
function isSigned(query: URLSearchParams, secret: string): boolean {
  const signed = new URLSearchParams([...query].filter(([name]) => name !== 'hmac'));
  if (new Set(signed.keys()).size !== signed.size) return false;
  signed.sort();
  const expected = createHmac('sha256', secret).update(signed.toString()).digest();
  const given = Buffer.from(query.get('hmac') ?? '', 'hex');
  return given.length === expected.length && timingSafeEqual(given, expected);
}

function ended(domain: string): Fault {
  return new Fault('store_unauthorized.grant', { domain });
}

function failed(reason: string): Fault {
  return new Fault('consent_failed.provider', {
    provider: 'Shopify',
    reason: REASON.test(reason) ? reason : '–',
  });
}
