import { type NextFunction, type Request, type Response, Router } from 'express';
import { LRUCache } from 'lru-cache';
import type Provider from 'oidc-provider';
import type { App } from '../../src/app.ts';
import type { Config } from '../../src/config.ts';
import { Fault } from '../../src/errors.ts';
import { localizeFault, localizeOauth, plainReader } from '../../src/language.ts';
import { createGuardedFetch, type FetchJson } from '../../src/platform/guarded-fetch/guarded-fetch.ts';
import type { Log } from '../../src/platform/log.ts';
import { createAddressLimit } from '../rate-limit.ts';
import { baseUrlOf, localeOf } from '../request.ts';
import { createDevicePages } from './device-pages.ts';
import { PATHS, RESOURCE_METADATA, resourceMetadata, SERVER_METADATA, serverMetadata } from './metadata.ts';
import { html, renderPage } from './page.ts';
import { createProvider, pathOf } from './provider.ts';
import { createSignInPages } from './sign-in.ts';

export type OauthParts = {
  readonly app: App;
  readonly config: Pick<Config, 'authMode' | 'oidcIssuer' | 'publicUrl' | 'defaultLanguage'>;
  readonly log: Log;
  /** Gets what clients publish about themselves; by default from public addresses only. */
  readonly fetchClientMetadata?: FetchJson | undefined;
};

/** What a client publishes about itself, in bytes. */
const MAX_METADATA = 16 * 1024;
/** Names under which one server is reached. */
const MAX_BASES = 20;

/**
 * Signing programs in: metadata, and OAuth 2.1 by code, by a device's code and by refresh token. An outside identity provider
 * does all of that itself, so only the metadata points there. An open server needs no sign-in and has none of it.
 * In: requests of programs and of people's browsers. Out: metadata, codes and tokens. Invariant: a program gets a
 * token only after a person agreed, with no more scopes than they saw.
 */
export function createOauthRoutes({ app, config, log, fetchClientMetadata }: OauthParts): Router {
  const { authMode, oidcIssuer, publicUrl } = config;
  const router = Router();
  const baseOf = (req: Request) => baseUrlOf(req, publicUrl);
  const isOwn = authMode === 'required' && oidcIssuer === undefined;

  for (const resource of ['', '/mcp'])
    router.get(`${RESOURCE_METADATA}${resource}`, (req, res) => {
      requireSignIn(req, authMode === 'required');
      const base = baseOf(req);
      sendPublic(res, resourceMetadata(`${base}${resource}`, oidcIssuer ?? base));
    });
  router.get(SERVER_METADATA, (req, res) => {
    requireSignIn(req, isOwn);
    sendPublic(res, serverMetadata(baseOf(req)));
  });
  if (!isOwn) return router;

  const limit = createAddressLimit(app);
  const asPublic = limit(() => 'public');
  const asConnecting = limit(() => 'connect');
  const providers = createProviders();
  // One may make the server fetch a document, one writes a row, and one takes a guess.
  router.get(PATHS.authorize, asConnecting, hand);
  router.post(PATHS.register, asConnecting, hand);
  router.post(PATHS.device, asConnecting, hand);
  router.post(PATHS.deviceAuthorization, asConnecting, hand);
  router.get(`${PATHS.authorize}/:uid`, asPublic, hand);
  router.get(`${PATHS.device}/:uid`, asPublic, hand);
  router.get(PATHS.device, asPublic, (req, res) => {
    // The provider would send a code in the address at once, by a script; a person is to see it first.
    const { user_code: userCode } = req.query;
    Reflect.set(req, 'userCode', userCode);
    req.url = PATHS.device;
    req.originalUrl = PATHS.device;
    return hand(req, res);
  });
  router.post([PATHS.token, PATHS.revoke], asPublic, hand);
  router.use(PATHS.signIn, asPublic);
  router.use(
    createSignInPages({ app, config, providerAt: async (base) => (await providers.at(base)).provider }),
  );
  router.use([PATHS.authorize, PATHS.device, PATHS.signIn], showRefusal);
  return router;

  /** A person looks at these addresses, so a refusal is a page; a program that asks for JSON gets the problem document. */
  function showRefusal(error: unknown, req: Request, res: Response, next: NextFunction): void {
    const isPage = error instanceof Fault && !res.headersSent && req.accepts(['json', 'html']) === 'html';
    if (!isPage) return void next(error);
    const locale = localeOf(req, config.defaultLanguage);
    const { detail } = localizeFault(error, plainReader(locale));
    const { markup, headers } = renderPage({
      locale,
      title: localizeOauth('title_failed', locale),
      body: html`<p role="alert">${detail}</p>`,
    });
    if (error.retryAfterSeconds !== undefined) res.set('Retry-After', String(error.retryAfterSeconds));
    res.status(error.status).set(headers).send(markup);
  }

  async function hand(req: Request, res: Response): Promise<void> {
    const base = baseOf(req);
    const { host, protocol } = new URL(base);
    // What the provider says of its own address is `base`, whatever a proxy or a client has sent.
    req.headers['x-forwarded-host'] = host;
    req.headers['x-forwarded-proto'] = protocol.slice(0, -1);
    req.originalUrl = `${pathOf(base)}${req.originalUrl}`;
    const { handle } = await providers.at(base);
    await handle(req, res);
  }

  function createProviders() {
    const fetchJson =
      fetchClientMetadata ??
      createGuardedFetch({ maxBytes: MAX_METADATA, maxRedirects: 0, purpose: 'sign-in of a program' })
        .fetchJson;
    const parts = { store: app.oauthStore, fetchJson, log, pages: createDevicePages(config.defaultLanguage) };
    const opened = new LRUCache<
      string,
      Promise<{ provider: Provider; handle: ReturnType<Provider['callback']> }>
    >({
      max: MAX_BASES,
    });
    return {
      at(base: string) {
        const known = opened.get(base);
        if (known) return known;
        const opening = createProvider(base, parts).then((provider) => ({
          provider,
          handle: provider.callback(),
        }));
        opened.set(base, opening);
        opening.catch(() => opened.delete(base));
        return opening;
      },
    };
  }
}

/** @throws Fault not_found.route where there is nothing to sign in to */
function requireSignIn({ method, path }: Request, isThere: boolean): void {
  if (!isThere) throw new Fault('not_found.route', { method, path });
}

function sendPublic(res: Response, document: object): void {
  // Any page may read it: it is the same for everyone, and no secret.
  res.set({ 'Access-Control-Allow-Origin': '*', 'Cross-Origin-Resource-Policy': 'cross-origin' });
  res.set('Cache-Control', 'public, max-age=300').json(document);
}
