import express, { type CookieOptions, type Request, type Response, Router } from 'express';
import { z } from 'zod';
import type { App } from '../../src/app.ts';
import type { Config } from '../../src/config.ts';
import { Fault } from '../../src/errors.ts';
import { localizeFault, localizeOauth, plainReader } from '../../src/language.ts';
import { CONSENT_MINUTES } from '../../src/sync/consents/consents.ts';
import { CONSENT_PROVIDERS, type ConsentProviderName } from '../../src/sync/ports/consent.ts';
import { isDomain } from '../../src/sync/ports/store-client.ts';
import type { Authenticate } from '../auth/authentication.ts';
import { readCookie } from '../cookies.ts';
import type { DescribedRoute } from '../openapi/described-route.ts';
import { createAddressLimit } from '../rate-limit.ts';
import { baseUrlOf, localeOf } from '../request.ts';
import { type Asked, askPage, donePage, failedPage, leavingPage, textPage } from './pages.ts';
import { createPeople, SignInForm, type Step } from './person.ts';

type Deps = {
  readonly app: App;
  readonly authenticate: Authenticate;
  readonly config: Pick<Config, 'publicUrl' | 'defaultLanguage' | 'authMode' | 'oidcIssuer'>;
};

const FORM_LIMIT = 16 * 1024;
/** A code works once: what has begun ends, whether the person waits for it or not. */
const FINISH_MS = 60_000;
const BROWSER = 'stallhand_connect';
const START: Step = { step: 'start', email: '' };
const LOCAL = { step: 'in', userId: null } as const;

/** Where a person is, and what for. */
type Place = {
  readonly base: string;
  readonly provider: ConsentProviderName;
  readonly redirectUri: string;
};

/**
 * The pages on which a person connects a spreadsheet or a store: a one-time link, a sign-in, the page of the provider, and
 * back. They work without scripts. The answer of the provider counts only in the browser in which its person began.
 * In: a link, and the provider's answer. Out: pages, and a store or sheet that is connected. Invariant: a link leads
 * its own person to the provider, and no one else.
 */
export function createConnectRoutes({ app, authenticate, config }: Deps): Router {
  const { consents } = app.sync;
  const people = createPeople({ app, config });
  const { requireRight } = people;
  const router = Router();
  const readForm = express.urlencoded({ extended: false, limit: FORM_LIMIT, parameterLimit: 20 });
  const isLocal = config.authMode === 'open';
  const limit = createAddressLimit(app);

  router.use(
    '/connect',
    limit((method) => (method === 'POST' ? 'connect' : 'public')),
  );

  router.get('/connect/:provider/callback', (req, res) => showing(req, res, () => arrive(req, res)));

  // The address that Shopify opens when the app is installed from its side, or opened there.
  router.get('/connect/shopify', (req, res) => {
    const { shop } = req.query;
    const domain = typeof shop === 'string' && isDomain(shop) ? shop : '';
    const locale = localeOf(req, config.defaultLanguage);
    const text = localizeOauth('connect_from_stallhand', locale, { domain });
    send(res, textPage({ locale }, 'title_connect_shopify', text));
  });

  router.get('/connect/:provider/:link', (req, res) =>
    showing(req, res, async () => {
      const { asked } = await askedAt(req);
      const { oidcIssuer } = config;
      if (oidcIssuer === undefined || isLocal) return send(res, askPage(asked, START, { local: isLocal }));
      const text = localizeOauth('connect_no_sign_in', asked.locale, { issuer: oidcIssuer });
      send(res, textPage(asked, `title_connect_${asked.provider}`, text));
    }),
  );

  router.post('/connect/:provider/:link', readForm, async (req, res) => {
    if (req.get('authorization') !== undefined) return beginSignedIn(req, res);
    await showing(req, res, () => act(req, res));
  });

  return router;

  /** For the web client, where the person is signed in already: it opens the address in the same browser. */
  async function beginSignedIn(req: Request, res: Response): Promise<void> {
    const { userId, actor, fresh, via } = await authenticate(req);
    if (userId === undefined || via === 'api_key' || via === 'oauth')
      throw new Fault('forbidden.consent_person');
    const tool = `POST /connect/${req.params['provider']}`;
    if (!fresh) throw new Fault('reauthentication_required.session', { tool });
    res.json({ url: await begin(req, res, { userId, actor }) });
  }

  async function act(req: Request, res: Response): Promise<void> {
    const { asked, accountId } = await askedAt(req);
    const parsed = SignInForm.safeParse(req.body ?? {});
    if (!parsed.success || !isOffered(parsed.data)) throw new Fault('not_found.consent_link');
    const form = parsed.data;
    try {
      const step = isLocal ? LOCAL : await people.signIn(req, res, form, isSecure(placeOf(req)));
      if (step.step !== 'in') send(res, askPage(asked, step, { local: false }));
      else
        send(
          res,
          leavingPage(asked, { url: await begin(req, res, step), account: await nameOfAccount(accountId) }),
        );
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      const { detail } = localizeFault(error, plainReader(asked.locale));
      send(res, askPage({ ...asked, error: detail }, again(form, error), { local: isLocal }), error.status);
    }
  }

  /** An open server asks no one who they are; another server's people sign in where it says. */
  function isOffered({ action }: SignInForm): boolean {
    return isLocal ? action === 'go' : action !== 'go' && config.oidcIssuer === undefined;
  }

  async function begin(req: Request, res: Response, person: { userId: string | null; actor?: string }) {
    const place = placeOf(req);
    const departure = { person, redirectUri: place.redirectUri, requireRight };
    const { url, browser } = await consents.begin(place.provider, linkOf(req), departure);
    res.cookie(nameOf(place), browser, { ...cookieOf(place), maxAge: CONSENT_MINUTES * 60_000 });
    return url;
  }

  async function arrive(req: Request, res: Response): Promise<void> {
    const place = placeOf(req);
    const browser = readCookie(req, nameOf(place)) ?? '';
    const answer = new URLSearchParams(req.originalUrl.slice(req.originalUrl.indexOf('?') + 1));
    const { provider, redirectUri } = place;
    const arrival = { provider, answer, browser, redirectUri, requireRight };
    const connected = await consents.finish(arrival, AbortSignal.timeout(FINISH_MS));
    res.clearCookie(nameOf(place), cookieOf(place));
    const { returnTo, id } = connected;
    if (returnTo !== undefined)
      return res.redirect(303, `${pathOf(place)}${returnTo}#${new URLSearchParams({ connected: id })}`);
    const account = await nameOfAccount(connected.accountId);
    send(res, donePage({ locale: localeOf(req, config.defaultLanguage) }, { ...connected, account }));
  }

  /** Runs for a person who looks at a page: a refusal is one, too. */
  async function showing(req: Request, res: Response, run: () => Promise<void>): Promise<void> {
    try {
      await run();
    } catch (error) {
      if (!(error instanceof Fault) || error.code === 'internal') throw error;
      const locale = localeOf(req, config.defaultLanguage);
      const { detail } = localizeFault(error, plainReader(locale));
      send(res, failedPage({ locale }, detail), error.status);
    }
  }

  async function askedAt(req: Request): Promise<{ accountId: string; asked: Asked }> {
    const place = placeOf(req);
    const link = linkOf(req);
    const { accountId, request } = await consents.look(place.provider, link);
    const locale = localeOf(req, config.defaultLanguage);
    const action = `${pathOf(place)}/connect/${place.provider}/${link}`;
    return { accountId, asked: { locale, provider: place.provider, domain: request.domain, action } };
  }

  /** A person may belong to several. Only who has signed in is told. */
  async function nameOfAccount(id: string): Promise<string> {
    return (await app.accounts.get(id)).name;
  }

  /** @throws Fault not_found.route for another provider */
  function placeOf(req: Request): Place {
    const { method, path } = req;
    const provider = CONSENT_PROVIDERS.find((one) => one === req.params['provider']);
    if (provider === undefined) throw new Fault('not_found.route', { method, path });
    const base = baseUrlOf(req, config.publicUrl);
    return { base, provider, redirectUri: `${base}/connect/${provider}/callback` };
  }
}

/** A code can be typed again; all else begins again. */
function again({ action, email }: SignInForm, { code }: Fault): Step {
  return { step: action === 'code' && code === 'unauthenticated' ? 'code' : 'start', email };
}

function linkOf({ params }: Request): string {
  const link = String(params['link'] ?? '');
  return /^[\w-]{43}$/.test(link) ? link : '';
}

function send(res: Response, { markup, headers }: { markup: string; headers: object }, status = 200): void {
  res.status(status).set(headers).send(markup);
}

/** Path at which people reach the server, without a slash at the end. */
function pathOf({ base }: Pick<Place, 'base'>): string {
  return new URL(base).pathname.replace(/\/$/, '');
}

function isSecure({ base }: Place): boolean {
  return base.startsWith('https:');
}

/** Over https with the prefix that keeps other hosts of the domain from setting the cookie; it asks for the path /. */
function nameOf(place: Place): string {
  const name = `${BROWSER}_${place.provider}`;
  return isSecure(place) ? `__Host-${name}` : name;
}

// Lax, because the provider's page leads back here.
function cookieOf(place: Place): CookieOptions {
  const path = isSecure(place) ? '/' : new URL(place.redirectUri).pathname;
  return { httpOnly: true, sameSite: 'lax', secure: isSecure(place), path };
}

const tag = 'sync';

/** What OpenAPI says of connecting by consent. */
export const CONNECT_ROUTES: readonly DescribedRoute[] = [
  {
    route: 'GET /connect/{provider}/{link}',
    id: 'open_connect_link',
    title: 'Open a connect link',
    description:
      'The page of a link from connect_google or connect_shopify, for the person who requested it. They sign in there and continue at the provider.',
    tag,
    credential: 'none',
    answers: { 200: { about: 'The page, as HTML', schema: z.string() } },
  },
  {
    route: 'POST /connect/{provider}/{link}',
    id: 'begin_connecting',
    title: 'Start connecting',
    description:
      "For a client in which the person is signed in: get the URL of the provider's page, then open it in the same browser. Requires a sign-in from the last 10 minutes.",
    tag,
    credential: 'needed',
    answers: { 200: { about: 'The URL to open', schema: z.object({ url: z.string() }) } },
  },
  {
    route: 'GET /connect/{provider}/callback',
    id: 'finish_connecting',
    title: 'Return from Google or Shopify',
    description: 'The provider redirects here; register this address there as the redirect URI.',
    tag,
    credential: 'none',
    answers: { 200: { about: 'What was connected, as HTML', schema: z.string() } },
  },
];
