import { type Request, type RequestHandler, type Response, Router } from 'express';
import type { z } from 'zod';
import type { App } from '../../src/app.ts';
import type { Config } from '../../src/config.ts';
import { Fault } from '../../src/errors.ts';
import type { SignInAnswer, Visit } from '../../src/identity/sign-in.ts';
import { parseInput } from '../../tools/contract/parse-input.ts';
import { jsonReader } from '../body.ts';
import { localeOf } from '../request.ts';
import { type Authenticate, bearerToken } from './authentication.ts';
import { Login, Logout, Nothing, Registration } from './requests.ts';

type AuthParts = {
  readonly app: Pick<App, 'signIn' | 'sessions'>;
  readonly authenticate: Authenticate;
  readonly config: Pick<Config, 'oidcIssuer' | 'defaultLanguage'>;
};

const BODY_LIMIT = 16 * 1024;

/** Signing in and out, at `/auth` and `/api/v1/auth`. Answers are for the one who asked: nothing keeps them. */
export function createAuthRoutes({ app, authenticate, config }: AuthParts): Router {
  const { signIn, sessions } = app;
  const { oidcIssuer: issuer, defaultLanguage: language } = config;
  const router = Router();
  const routes = Router();
  router.use(['/auth', '/api/v1/auth'], keepNowhere, routes);
  const read = jsonReader(BODY_LIMIT);

  routes.post('/register', fallbackOnly, read, async (req, res) => {
    const answer = await signIn.register(bodyOf(Registration, req), visitOf(req));
    sendAnswer(res, answer, 201);
  });

  routes.post('/login', fallbackOnly, read, async (req, res) => {
    sendAnswer(res, await logIn(bodyOf(Login, req), visitOf(req)), 200);
  });

  routes.post('/logout', read, async (req, res) => {
    const { everywhere } = bodyOf(Logout, req);
    const { userId, sessionId } = await authenticate(req);
    if (userId === undefined || sessionId === undefined) throw new Fault('unauthenticated.no_session');
    await (everywhere ? sessions.endAll(userId) : sessions.end(userId, sessionId));
    res.json({ signed_out: true });
  });

  routes.post('/refresh', read, async (req, res) => {
    bodyOf(Nothing, req);
    const { authorization } = req.headers;
    const caller = await authenticate(req);
    if (authorization === undefined || caller.sessionId === undefined)
      throw new Fault('unauthenticated.no_session');
    const { token, expiresAt } = await sessions.refresh(bearerToken(authorization));
    res.json({ token, user: await signIn.me(caller), expires_at: expiresAt.toISOString() });
  });

  routes.get('/me', async (req, res) => {
    res.json(await signIn.me(await authenticate(req)));
  });

  return router;

  function fallbackOnly(...[, , next]: Parameters<RequestHandler>): void {
    if (issuer) throw new Fault('not_found.password_sign_in', { issuer });
    next();
  }

  function logIn({ email, password, code }: z.output<typeof Login>, visit: Visit): Promise<SignInAnswer> {
    if (code !== undefined) return signIn.byCode({ email, code, password }, visit);
    return password === undefined ? signIn.sendCode(email, visit) : signIn.byPassword(email, password, visit);
  }

  function bodyOf<Schema extends z.ZodType>(schema: Schema, req: Request): z.output<Schema> {
    const where = { locale: localeOf(req, language), sourceOf: () => 'body' as const };
    return parseInput(schema, req.body ?? {}, where);
  }

  function visitOf(req: Request): Visit {
    return { address: req.ip, userAgent: req.get('user-agent'), locale: localeOf(req, language) };
  }
}

const keepNowhere: RequestHandler = (_req, res, next) => {
  res.set('Cache-Control', 'no-store');
  next();
};

function sendAnswer(res: Response, answer: SignInAnswer, status: number): void {
  const { state, ...rest } = answer;
  if (state === 'code_sent') res.status(202).json({ status: state });
  else res.status(status).json(rest);
}
