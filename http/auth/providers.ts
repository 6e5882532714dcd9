import { randomBytes } from 'node:crypto';
import { type CookieOptions, type Request, type Response, Router } from 'express';
import { z } from 'zod';
import type { App } from '../../src/app.ts';
import type { Config } from '../../src/config.ts';
import { Fault, type FaultKey } from '../../src/errors.ts';
import { EXCHANGE_TTL_MS, VISIT_TTL_MS } from '../../src/identity/sign-in/browser-sign-in.ts';
import type { InputKey } from '../../src/language.ts';
import { readCookie } from '../cookies.ts';
import type { DescribedRoute } from '../openapi/described-route.ts';
import { baseUrlOf } from '../request.ts';
import type { SignInTools } from './signed-in.ts';

const say = (key: InputKey) => key;

// A place that exists only to see where a path leads.
const NOWHERE = 'http://nowhere.invalid';

/** A path of this site, in the form a browser would make of it. */
const OwnPath = z
  .string()
  .max(2000)
  .transform((path, context) => {
    const url = path.startsWith('/') ? URL.parse(path, NOWHERE) : null;
    const own = url?.origin === NOWHERE ? `${url.pathname}${url.search}${url.hash}` : undefined;
    // After dots are resolved, a path may begin with //, which browsers read as another host.
    if (own !== undefined && !own.startsWith('//')) return own;
    context.addIssue({ code: 'custom', message: say('own_path') });
    return z.NEVER;
  });

const Start = z.object({ return_to: OwnPath.default('/') }).strict();
const Exchange = z.object({ code: z.string().max(100) }).strict();

type Deps = {
  readonly app: Pick<App, 'signIn' | 'browserSignIn'>;
  readonly config: Pick<Config, 'publicUrl'>;
  readonly tools: SignInTools;
};

const VISIT = 'stallhand_visit';
const EXCHANGE = 'stallhand_exchange';
const ARRIVAL = 'stallhand_arrival';
/** The page of a program that a person left for a provider. */
const APP_PAGE = 'stallhand_app_page';

/** A page on which a program signs in, see http/oauth: it runs no scripts, so it cannot go by /login. */
const APP_SIGN_IN = /^\/oauth\/sign-in\/[\w-]{1,100}$/;

/** What /login#error= says of a sign-in that failed. */
const ERRORS: Partial<Record<FaultKey, string>> = {
  'unauthenticated.provider_denied': 'access_denied',
  'unavailable.identity_provider': 'provider_unavailable',
};

/**
 * Sign-in on the pages of identity providers. It ends at /login of this site, with a one-time code in the fragment, which no
 * server or referrer sees. The code works only in the browser that began, so no one is signed in as somebody else by a link.
 */
export function createProviderRoutes({ app: { signIn, browserSignIn }, config, tools }: Deps): Router {
  const { read, ownSignIn, parse, visitOf, freshPerson, sendAnswer } = tools;
  const routes = Router();

  routes.get('/providers', (_req, res) => {
    res.json({ items: browserSignIn.list() });
  });

  routes.get('/:provider/start', ownSignIn, async (req, res) => {
    const { return_to: returnTo } = parse(Start, req, 'query');
    const site = siteOf(req);
    await orLogin(res, site, async () => {
      const { url, browser } = await browserSignIn.start({ ...site, returnTo });
      setVisit(res, site, browser);
      if (APP_SIGN_IN.test(returnTo)) setAppPage(res, site, browser, returnTo);
      return url;
    });
  });

  routes.post('/:provider/link', ownSignIn, read, async (req, res) => {
    const { return_to: returnTo } = parse(Start, req);
    const site = siteOf(req);
    const link = await freshPerson(req);
    const { url, browser } = await browserSignIn.start({ ...site, returnTo, link });
    setVisit(res, site, browser);
    res.json({ url });
  });

  routes.delete('/:provider/link', ownSignIn, async (req, res) => {
    await browserSignIn.unlink(await freshPerson(req), siteOf(req).provider);
    res.json({ unlinked: true });
  });

  routes.get('/:provider/callback', ownSignIn, async (req, res) => {
    const site = siteOf(req);
    const browser = readCookie(req, nameOf(VISIT, site)) ?? '';
    res.clearCookie(nameOf(VISIT, site), visitCookie(site));
    const left = readCookie(req, nameOf(APP_PAGE, site));
    if (left !== undefined) res.clearCookie(nameOf(APP_PAGE, site), visitCookie(site));
    const appPage = left === undefined ? undefined : appPageOf(left, browser);
    const failed = (error: string) =>
      appPage === undefined
        ? loginPage(site, { error })
        : `${pathOf(site)}${appPage}?${new URLSearchParams({ error })}`;
    const work = async () => {
      const query = req.originalUrl.slice(req.originalUrl.indexOf('?') + 1);
      const arrival = await browserSignIn.finish(site.provider, `${site.redirectUri}?${query}`, browser);
      if (arrival.state === 'refused') return failed(arrival.error);
      const { returnTo: return_to } = arrival;
      if (arrival.state === 'linked') return loginPage(site, { linked: site.provider, return_to });
      const secret = randomBytes(32).toString('base64url');
      if (APP_SIGN_IN.test(return_to)) {
        res.cookie(ARRIVAL, secret, { ...arrivalCookie(site, return_to), maxAge: EXCHANGE_TTL_MS });
        const code = await browserSignIn.issueCode(arrival.userId, secret);
        return `${pathOf(site)}${return_to}/arrive?${new URLSearchParams({ code })}`;
      }
      res.cookie(nameOf(EXCHANGE, site), secret, { ...exchangeCookie(site), maxAge: EXCHANGE_TTL_MS });
      return loginPage(site, { code: await browserSignIn.issueCode(arrival.userId, secret), return_to });
    };
    await orLogin(res, site, work, failed);
  });

  routes.post('/exchange', ownSignIn, read, async (req, res) => {
    const { code } = parse(Exchange, req);
    const site = siteOf(req);
    const userId = await browserSignIn.exchange(code, readCookie(req, nameOf(EXCHANGE, site)) ?? '');
    res.clearCookie(nameOf(EXCHANGE, site), exchangeCookie(site));
    sendAnswer(req, res, await signIn.identified(userId, 'provider', visitOf(req)));
  });

  return routes;

  function siteOf(req: Request): Site {
    const base = baseUrlOf(req, config.publicUrl);
    const provider = String(req.params['provider'] ?? '');
    return { base, provider, redirectUri: `${base}/auth/${encodeURIComponent(provider)}/callback` };
  }
}

type Site = { readonly base: string; readonly provider: string; readonly redirectUri: string };

/** Redirects to what `work` returns, or to the sign-in page with the reason. A person is looking, not a program. */
async function orLogin(
  res: Response,
  site: Site,
  work: () => Promise<string>,
  failed = (error: string) => loginPage(site, { error }),
): Promise<void> {
  res.set('Referrer-Policy', 'no-referrer');
  const to = await work().catch((error: unknown) => {
    if (!(error instanceof Fault) || error.code === 'not_found') throw error;
    return failed(ERRORS[error.key] ?? 'sign_in_failed');
  });
  res.redirect(303, to);
}

function loginPage({ base }: Site, said: Readonly<Record<string, string>>): string {
  return `${pathOf({ base })}/login#${new URLSearchParams(said)}`;
}

/** Path at which people reach the server, without a slash at the end. */
function pathOf({ base }: Pick<Site, 'base'>): string {
  return new URL(base).pathname.replace(/\/$/, '');
}

// Lax, because the provider's page leads there; only to the page of one visit, which has a cookie of its own.
function arrivalCookie(site: Site, path: string): CookieOptions {
  return { httpOnly: true, sameSite: 'lax', secure: isSecure(site), path: `${pathOf(site)}${path}` };
}

/**
 * The person whom a provider has identified for a page on which a program signs in: by its one-time code, in the same browser.
 * @throws Fault unauthenticated.exchange
 */
export async function takeArrival(
  { browserSignIn }: Pick<App, 'browserSignIn'>,
  req: Request,
): Promise<string> {
  const { code } = req.query;
  return browserSignIn.exchange(typeof code === 'string' ? code : '', readCookie(req, ARRIVAL) ?? '');
}

function setVisit(res: Response, site: Site, browser: string): void {
  res.cookie(nameOf(VISIT, site), browser, { ...visitCookie(site), maxAge: VISIT_TTL_MS });
}

/** The page of a program is of the visit that left it: a later visit does not come back to it. */
function setAppPage(res: Response, site: Site, browser: string, page: string): void {
  res.cookie(nameOf(APP_PAGE, site), `${browser} ${page}`, { ...visitCookie(site), maxAge: VISIT_TTL_MS });
}

function appPageOf(cookie: string, browser: string): string | undefined {
  const [visit, page = ''] = decodeURIComponent(cookie).split(' ');
  return visit === browser && APP_SIGN_IN.test(page) ? page : undefined;
}

/** Over https with the prefix that keeps other hosts of the domain from setting the cookie; it asks for the path /. */
function nameOf(name: string, site: Site): string {
  return isSecure(site) ? `__Host-${name}` : name;
}

// Lax, because the issuer's page leads back here.
function visitCookie(site: Site): CookieOptions {
  const path = isSecure(site) ? '/' : new URL(site.redirectUri).pathname;
  return { httpOnly: true, sameSite: 'lax', secure: isSecure(site), path };
}

function exchangeCookie(site: Site): CookieOptions {
  return { httpOnly: true, sameSite: 'strict', secure: isSecure(site), path: '/' };
}

function isSecure({ base }: Site): boolean {
  return base.startsWith('https:');
}

const tag = 'auth';
const provider = z.object({ id: z.string(), label: z.string() });
const signedIn = z.object({ token: z.string(), user: z.looseObject({}), expires_at: z.iso.datetime() });
const returnTo = { return_to: 'Path of this site to return to; / by default' };

/** What OpenAPI says of signing in with identity providers. */
export const PROVIDER_ROUTES: readonly DescribedRoute[] = [
  {
    route: 'GET /api/v1/auth/providers',
    id: 'list_sign_in_providers',
    title: 'List identity providers',
    description: 'List the identity providers for the sign-in page. Also at /auth/providers.',
    tag,
    credential: 'none',
    answers: { 200: { about: 'The providers', schema: z.object({ items: z.array(provider) }) } },
  },
  {
    route: 'GET /auth/{provider}/start',
    id: 'start_provider_sign_in',
    title: 'Sign in with an identity provider',
    description:
      "Open this address in the browser. It redirects to the provider's page and back to /login#code=…&return_to=…, or /login#error=…: access_denied, account_exists (sign in another way, then link the provider), provider_unavailable or sign_in_failed.",
    tag,
    credential: 'none',
    query: returnTo,
    answers: { 303: { about: 'To the sign-in page of the provider' } },
  },
  {
    route: 'GET /auth/{provider}/callback',
    id: 'finish_provider_sign_in',
    title: 'Return from an identity provider',
    description: 'The provider redirects here; register this address there as the redirect URI.',
    tag,
    credential: 'none',
    answers: { 303: { about: 'To /login of this site' } },
  },
  {
    route: 'POST /api/v1/auth/exchange',
    id: 'exchange_sign_in_code',
    title: 'Exchange a code for a session',
    description:
      'Exchange the code of /login#code=… for a session: once, within 30 seconds, in the same browser. Also at /auth/exchange.',
    tag,
    credential: 'none',
    body: Exchange,
    answers: { 200: { about: 'Signed in', schema: signedIn } },
  },
  {
    route: 'POST /api/v1/auth/{provider}/link',
    id: 'link_provider',
    title: 'Link an identity provider',
    description:
      "Get the address of the provider's page, where you link it as a way to sign in; open it in the same browser. It ends at /login#linked=… or /login#error=…: identity_taken, email_unverified. Requires a verified address and a sign-in from the last 10 minutes. Also at /auth/{provider}/link.",
    tag,
    credential: 'needed',
    body: Start,
    answers: { 200: { about: 'The address to open', schema: z.object({ url: z.string() }) } },
  },
  {
    route: 'DELETE /api/v1/auth/{provider}/link',
    id: 'unlink_provider',
    title: 'Unlink an identity provider',
    description:
      'Stop signing in with an identity provider that you linked. Requires a sign-in from the last 10 minutes. Also at /auth/{provider}/link.',
    tag,
    credential: 'needed',
    answers: { 200: { about: 'Unlinked', schema: z.object({ unlinked: z.literal(true) }) } },
  },
];
