import { createHmac, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { createShopifyEmulator, type ShopifyEmulatorOptions } from '../../src/emulators/shopify/shopify.ts';
import { consentPage, formOf, sendJson, sendTo } from './consent-page.ts';

const ACCESS_SECONDS = 3600;
const REFRESH_SECONDS = 7_776_000;
const CODE_MS = 60_000;
const ADMIN_TOKEN = 'shpat_of-the-emulator';

type Options = Omit<ShopifyEmulatorOptions, 'domain' | 'token' | 'app'> & {
  readonly domain: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Registered for the app; any other is refused. */
  readonly redirectUris: string[];
  readonly now?: () => number;
};

export type ShopifyConsentPeer = Awaited<ReturnType<typeof startShopifyConsentPeer>>;

/**
 * A store's install page and token endpoint before the store's emulator, as the documents have them: registered redirect
 * URLs, an answer signed over all of its query, codes that work once and for a minute, tokens that expire after an hour
 * where `expiring=1` asks for that, and refresh tokens that work once more after their use, until the new one is used.
 */
export async function startShopifyConsentPeer({ now = Date.now, ...options }: Options) {
  const { domain, clientId, clientSecret, redirectUris } = options;
  const emulator = createShopifyEmulator({
    ...options,
    token: ADMIN_TOKEN,
    app: { clientId, clientSecret },
  });
  const codes = new Map<string, number>();
  /** When each ends. */
  const access = new Map<string, number>();
  const refresh = new Set<string>();
  const state = {
    /** What the app is given in the store. */
    scopes: ['write_products', 'write_inventory', 'read_locations'] as readonly string[],
    down: false,
  };
  const requests: string[] = [];

  const server = createServer((req, res) => {
    serve(req, res).catch(() => res.destroy());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  // A TCP server that listens has an address with a port.
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  async function serve(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(req.url ?? '/', url);
    requests.push(`${req.method} ${pathname}`);
    if (state.down) return void sendJson(res, 503, { errors: 'Service Unavailable' });
    if (pathname === '/admin/oauth/authorize') return ask(searchParams, res);
    if (pathname === '/admin/oauth/decide') return decide(await formOf(req), res);
    if (pathname === '/admin/oauth/access_token') return token(await formOf(req), res);
    return admin(req, res);
  }

  function ask(query: URLSearchParams, res: ServerResponse): void {
    const isKnown =
      query.get('client_id') === clientId && redirectUris.includes(query.get('redirect_uri') ?? '');
    if (!isKnown || !query.get('scope') || !query.get('state'))
      return void res.writeHead(400, { 'content-type': 'text/html' }).end('Oauth error invalid_request');
    consentPage(res, 'Install app', { query: query.toString() });
  }

  function decide(form: URLSearchParams, res: ServerResponse): void {
    const query = new URLSearchParams(form.get('query') ?? '');
    const answered = {
      state: query.get('state') ?? '',
      shop: domain,
      timestamp: String(Math.floor(now() / 1000)),
    };
    if (form.get('answer') !== 'allow')
      return void sendTo(
        res,
        query.get('redirect_uri') ?? '',
        signed({ ...answered, error: 'access_denied' }),
      );
    const code = randomUUID().replaceAll('-', '');
    codes.set(code, now() + CODE_MS);
    const host = Buffer.from(`admin.shopify.com/store/${domain.split('.')[0]}`).toString('base64');
    sendTo(res, query.get('redirect_uri') ?? '', signed({ ...answered, code, host }));
  }

  function signed(query: Record<string, string>): Record<string, string> {
    const all = new URLSearchParams(query);
    all.sort();
    return { ...query, hmac: createHmac('sha256', clientSecret).update(all.toString()).digest('hex') };
  }

  function token(form: URLSearchParams, res: ServerResponse): void {
    if (form.get('client_id') !== clientId)
      return void sendJson(res, 400, { error: 'application_cannot_be_found' });
    if (form.get('client_secret') !== clientSecret)
      return void sendJson(res, 401, { error: 'invalid_client' });
    if (form.get('grant_type') === 'refresh_token') {
      const given = form.get('refresh_token') ?? '';
      if (!refresh.has(given)) return void sendJson(res, 400, { error: 'invalid_grant' });
      for (const one of refresh) if (one !== given) refresh.delete(one);
      return void sendJson(res, 200, issued());
    }
    const until = codes.get(form.get('code') ?? '');
    codes.delete(form.get('code') ?? '');
    if (until === undefined || until < now()) return void sendJson(res, 400, { error: 'invalid_request' });
    if (form.get('expiring') === '1') return void sendJson(res, 200, issued());
    const access_token = `shpat_${randomUUID()}`;
    access.set(access_token, Number.POSITIVE_INFINITY);
    sendJson(res, 200, { access_token, scope: state.scopes.join(',') });
  }

  function issued() {
    const access_token = `shpat_${randomUUID()}`;
    const refresh_token = `shprt_${randomUUID()}`;
    access.set(access_token, now() + ACCESS_SECONDS * 1000);
    refresh.add(refresh_token);
    return {
      access_token,
      scope: state.scopes.join(','),
      expires_in: ACCESS_SECONDS,
      refresh_token,
      refresh_token_expires_in: REFRESH_SECONDS,
    };
  }

  /** The Admin API, for a token that is good. */
  async function admin(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const body = await buffer(req);
    const headers = new Headers({ 'content-type': String(req.headers['content-type'] ?? '') });
    const given = String(req.headers['x-shopify-access-token'] ?? '');
    const isGood = (access.get(given) ?? 0) > now();
    if (given !== '') headers.set('x-shopify-access-token', isGood ? ADMIN_TOKEN : 'none');
    const answer = await emulator.fetch(`https://${domain}${req.url}`, {
      method: req.method ?? 'GET',
      headers,
      ...(body.length > 0 && { body }),
    });
    res.writeHead(answer.status, Object.fromEntries(answer.headers));
    res.end(Buffer.from(await answer.arrayBuffer()));
  }

  return {
    url,
    emulator,
    state,
    /** What was asked for, in order: method and path. */
    requests,
    /** Every access token is spent; refresh tokens stay. */
    expireAccess: () => access.clear(),
    /** The merchant uninstalls the app: no token is good any more. */
    uninstall(): void {
      access.clear();
      refresh.clear();
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
