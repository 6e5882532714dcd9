import express, { type Request, type Response, Router } from 'express';
import type Provider from 'oidc-provider';
import { errors } from 'oidc-provider';
import { z } from 'zod';
import type { App } from '../../src/app.ts';
import type { Config } from '../../src/config.ts';
import { Fault } from '../../src/errors.ts';
import type { Scope } from '../../src/identity/caller.ts';
import type { SignInAnswer } from '../../src/identity/sign-in/sign-in.ts';
import { EmailAddress } from '../../src/identity/users/email-address.ts';
import { type Locale, localizeFault, localizeOauth, plainReader } from '../../src/language.ts';
import { deviceOf, rememberDevice } from '../auth/device-cookie.ts';
import { takeArrival } from '../auth/providers.ts';
import { setRateLimitHeaders } from '../rate-limit.ts';
import { baseUrlOf, localeOf } from '../request.ts';
import { PATHS } from './metadata.ts';
import { html, renderPage } from './page.ts';
import { pathOf } from './provider.ts';
import {
  codePage,
  consentPage,
  factorPage,
  type PageRequest,
  PRODUCTION_SCOPE,
  signInPage,
} from './sign-in-pages.ts';
import { csrfOf, isOwnForm, openVisit, type Visit } from './visit.ts';

type Deps = {
  readonly app: Pick<
    App,
    | 'signIn'
    | 'browserSignIn'
    | 'credentials'
    | 'sessions'
    | 'memberAccounts'
    | 'connectedApps'
    | 'oauthStore'
    | 'rateLimits'
    | 'anonymousCallers'
  >;
  readonly config: Pick<Config, 'publicUrl' | 'defaultLanguage'>;
  readonly providerAt: (base: string) => Promise<Provider>;
};

const FORM_LIMIT = 16 * 1024;
const MAX_PASSWORD = 1000;

const one = (max: number) => z.string().max(max).default('');
const Form = z.object({
  csrf: one(100),
  action: z.enum(['enter', 'code', 'factor', 'allow', 'deny', 'restart']),
  email: one(320),
  password: one(MAX_PASSWORD),
  code: one(40),
  totp: one(40),
  account: one(100),
  scope: z
    .union([z.string(), z.array(z.string())])
    .transform((scopes) => [scopes].flat())
    .default([]),
  production: one(10),
});
type Form = z.output<typeof Form>;

/** The pages on which a person signs in and decides what a program may do. Forms only: they work without scripts. */
export function createSignInPages({ app, config, providerAt }: Deps): Router {
  const router = Router();
  const path = `${PATHS.signIn}/:uid`;
  const readForm = express.urlencoded({ extended: false, limit: FORM_LIMIT, parameterLimit: 100 });

  router.get(path, (req, res) =>
    visiting(req, res, async (visit) => {
      const { error } = req.query;
      const isExisting = error === 'account_exists';
      await show(
        req,
        res,
        visit,
        error === undefined ? undefined : isExisting ? 'provider_account_exists' : 'provider_failed',
      );
    }),
  );

  // Back from an identity provider; see http/auth/providers.ts.
  router.get(`${path}/arrive`, (req, res) =>
    visiting(req, res, async (visit) => {
      await signingIn(req, res, visit, async () => {
        const userId = await takeArrival(app, req);
        return app.signIn.identified(userId, 'provider', personAt(req));
      });
      if (!res.headersSent) res.redirect(303, addressOf(req, visit));
    }),
  );

  router.post(path, readForm, (req, res) =>
    visiting(req, res, async (visit) => {
      const form = Form.parse(req.body ?? {});
      if (!(await isOwnForm(app.oauthStore, visit.uid, form.csrf))) throw new errors.SessionNotFound('csrf');
      await act(req, res, visit, form);
    }),
  );

  return router;

  async function act(req: Request, res: Response, visit: Visit, form: Form): Promise<void> {
    const { progress } = visit;
    switch (form.action) {
      case 'deny':
        return res.redirect(303, await visit.deny());
      case 'restart':
        await visit.save({ step: 'start', email: '' });
        break;
      case 'enter':
        await signingIn(req, res, visit, () => enter(req, visit, form));
        break;
      case 'code':
        if (progress.step !== 'code') break;
        await signingIn(req, res, visit, () =>
          app.signIn.byCode({ email: progress.email, code: form.code.replace(/\s/g, '') }, personAt(req)),
        );
        break;
      case 'factor':
        if (progress.step !== 'factor') break;
        await signingIn(req, res, visit, () =>
          app.signIn.bySecondFactor(progress.challenge, proofOf(form.totp), personAt(req)),
        );
        break;
      case 'allow':
        if (progress.step !== 'consent') break;
        return allow(req, res, visit, progress, form);
    }
    // A page that was made by a form would be sent again by going back.
    if (!res.headersSent) res.redirect(303, addressOf(req, visit));
  }

  async function enter(req: Request, visit: Visit, form: Form): Promise<SignInAnswer> {
    const email = EmailAddress.safeParse(form.email);
    if (!email.success) throw new Fault('unauthenticated.sign_in');
    await visit.save({ step: 'start', email: email.data });
    const person = personAt(req);
    if (form.password !== '') return app.signIn.byPassword(email.data, form.password, person);
    const sent = await app.signIn.sendCode(email.data, person);
    await visit.save({ step: 'code', email: email.data });
    return sent;
  }

  /** Goes on with who has signed in; a refusal is shown where it happened. */
  async function signingIn(req: Request, res: Response, visit: Visit, by: () => Promise<SignInAnswer>) {
    try {
      await countAttempt(req, res);
      const answer = await by();
      if (answer.state === 'code_sent') return;
      const { token, user, device } = answer;
      rememberDevice(res, device, baseUrlOf(req, config.publicUrl).startsWith('https:'));
      await endSession(token);
      await visit.save({ step: 'consent', userId: user.id, email: user.email ?? user.name });
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      const challenge = error.data['challenge'];
      if (error.code === 'second_factor_required' && typeof challenge === 'string')
        return visit.save({ step: 'factor', challenge });
      if (error.key === 'unauthenticated.challenge') await visit.save({ step: 'start', email: '' });
      await show(req, res, await again(req, res), error);
    }
  }

  /** The sign-in was for this decision alone: what the program gets is its own. */
  async function endSession(token: string): Promise<void> {
    const { userId, sessionId } = await app.credentials.resolve(token, { whileDeleted: true });
    if (userId !== undefined && sessionId !== undefined) await app.sessions.end(userId, sessionId);
  }

  async function allow(
    req: Request,
    res: Response,
    visit: Visit,
    { userId, email }: { userId: string; email: string },
    form: Form,
  ): Promise<void> {
    const ticked = (scope: Scope) =>
      scope === PRODUCTION_SCOPE ? form.production === 'yes' : form.scope.includes(scope);
    const scopes = visit.asked.filter(ticked);
    if (scopes.length === 0) return show(req, res, visit, 'choose_scope');
    const accounts = await app.memberAccounts(userId);
    const account = accounts.find(({ id }) => id === form.account);
    if (!account) return show(req, res, visit, new Fault('not_found.account', { id: form.account }));
    const grantId = await visit.grant(userId, scopes);
    const { clientId, client } = visit;
    await app.connectedApps.connect({
      ...{ grantId, userId, clientId, scopes },
      accountId: account.id,
      actor: email,
      name: client.name,
    });
    await app.oauthStore.markClientUsed(clientId);
    res.redirect(303, await visit.agree(userId, grantId));
  }

  async function show(req: Request, res: Response, visit: Visit, error?: Fault | PageError) {
    const locale = localeOf(req, config.defaultLanguage);
    const request: PageRequest = {
      locale,
      client: visit.client,
      action: addressOf(req, visit),
      csrf: await csrfOf(app.oauthStore, visit.uid),
      error: error && localizeError(error, locale),
    };
    const { markup, headers } = await pageOf(request, visit);
    const status = error instanceof Fault ? error.status : error ? 422 : 200;
    // A browser answers a 401 without a challenge that it knows like any page.
    res.status(status).set(headers).send(markup);
  }

  async function pageOf(request: PageRequest, { progress, asked }: Visit) {
    switch (progress.step) {
      case 'start':
        return signInPage(request, progress.email, providersFor(request));
      case 'code':
        return codePage(request, progress.email);
      case 'factor':
        return factorPage(request);
      case 'consent': {
        const { email, userId } = progress;
        return consentPage(request, { email, asked, accounts: await app.memberAccounts(userId) });
      }
    }
  }

  function providersFor({ action }: PageRequest) {
    // Paths of the product begin after that of PUBLIC_URL.
    const at = action.indexOf(PATHS.signIn);
    const query = new URLSearchParams({ return_to: action.slice(at) });
    return app.browserSignIn.list().map(({ id, label }) => ({
      label,
      href: `${action.slice(0, at)}/auth/${encodeURIComponent(id)}/start?${query}`,
    }));
  }

  async function again(req: Request, res: Response): Promise<Visit> {
    return openVisit(await providerAt(baseUrlOf(req, config.publicUrl)), req, res);
  }

  /** Runs with the request of the program; without one, says that the form is over. */
  async function visiting(req: Request, res: Response, run: (visit: Visit) => Promise<void>) {
    try {
      await run(await again(req, res));
    } catch (error) {
      if (!(error instanceof errors.SessionNotFound) && !(error instanceof z.ZodError)) throw error;
      const locale = localeOf(req, config.defaultLanguage);
      const { markup, headers } = renderPage({
        locale,
        title: localizeOauth('title_failed', locale),
        body: html`<p role="alert">${localizeOauth('form_expired', locale)}</p>`,
      });
      res.status(400).set(headers).send(markup);
    }
  }

  async function countAttempt({ ip }: Request, res: Response): Promise<void> {
    const { visitor = '' } = await app.anonymousCallers.callerAt(ip);
    await app.rateLimits.requireWithin('sign_in', visitor, (state) => setRateLimitHeaders(res, state));
  }

  function addressOf(req: Request, { uid }: Visit): string {
    return `${pathOf(baseUrlOf(req, config.publicUrl))}${PATHS.signIn}/${uid}`;
  }

  function personAt(req: Request) {
    const locale = localeOf(req, config.defaultLanguage);
    return { address: req.ip, userAgent: req.get('user-agent'), device: deviceOf(req), locale };
  }
}

type PageError = 'choose_scope' | 'provider_account_exists' | 'provider_failed';

function localizeError(error: Fault | PageError, locale: Locale): string {
  return error instanceof Fault
    ? localizeFault(error, plainReader(locale)).detail
    : localizeOauth(error, locale);
}

/** Six digits are a code of the app, anything else a recovery code. */
function proofOf(typed: string) {
  const text = typed.replace(/\s/g, '');
  return /^\d{6}$/.test(text) ? { totp: text } : { recovery_code: text };
}
