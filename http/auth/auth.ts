import { type Request, Router } from 'express';
import type { z } from 'zod';
import type { App } from '../../src/app.ts';
import type { Config } from '../../src/config.ts';
import { Fault } from '../../src/errors.ts';
import type { SignInAnswer, Visit } from '../../src/identity/sign-in/sign-in.ts';
import type { SignedIn } from '../../src/identity/users/own-credentials.ts';
import { type Authenticate, bearerToken } from './authentication.ts';
import { createPasskeyRoutes } from './passkeys.ts';
import { createProviderRoutes } from './providers.ts';
import {
  Login,
  Logout,
  NewEmail,
  NewPassword,
  Nothing,
  Reauthentication,
  Registration,
  TakeoverAnswer,
} from './requests.ts';
import { createSignInTools, userAt } from './signed-in.ts';
import { createTotpRoutes } from './totp.ts';

type AuthParts = {
  readonly app: Pick<
    App,
    'signIn' | 'sessions' | 'ownCredentials' | 'secondFactor' | 'passkeys' | 'browserSignIn' | 'takeovers'
  >;
  readonly authenticate: Authenticate;
  readonly config: Pick<Config, 'oidcIssuer' | 'defaultLanguage' | 'publicUrl' | 'loopback'>;
};

/**
 * Signing in and out, at `/auth` and `/api/v1/auth`.
 *
 * In: proofs of who someone is. Out: a session, or the next step to it. Invariant: a proof is judged by `src/identity`,
 * never here.
 */
export function createAuthRoutes({ app, authenticate, config }: AuthParts): Router {
  const { signIn, sessions, ownCredentials, takeovers } = app;
  const router = Router();
  const routes = Router();
  router.use(['/auth', '/api/v1/auth'], routes);
  const tools = createSignInTools({ authenticate, config });
  const { read, ownSignIn, parse, visitOf, sendAnswer, remember } = tools;
  routes.use(createTotpRoutes({ app, tools }), createPasskeyRoutes({ app, config, tools }));
  routes.use(createProviderRoutes({ app, config, tools }));

  routes.post('/register', ownSignIn, read, async (req, res) => {
    const answer = await signIn.register(parse(Registration, req), visitOf(req));
    sendAnswer(req, res, answer, 201);
  });

  routes.post('/login', ownSignIn, read, async (req, res) => {
    sendAnswer(req, res, await logIn(parse(Login, req), visitOf(req)), 200);
  });

  routes.post('/logout', read, async (req, res) => {
    const { everywhere } = parse(Logout, req);
    await ownCredentials.signOut(await authenticate(req, false, true), everywhere, visitOf(req));
    res.json({ signed_out: true });
  });

  routes.post('/refresh', read, async (req, res) => {
    parse(Nothing, req);
    const { authorization } = req.headers;
    const caller = await authenticate(req);
    if (authorization === undefined || caller.sessionId === undefined)
      throw new Fault('unauthenticated.no_session');
    const { token, expiresAt } = await sessions.refresh(bearerToken(authorization));
    res.json({ token, user: userAt(req, await signIn.me(caller)), expires_at: expiresAt.toISOString() });
  });

  routes.post('/takeover', read, async (req, res) => {
    const { keep } = parse(TakeoverAnswer, req);
    res.json(await takeovers.answer(await authenticate(req), keep));
  });

  routes.get('/me', async (req, res) => {
    res.json(userAt(req, await signIn.me(await authenticate(req))));
  });

  routes.post('/reauthenticate', read, async (req, res) => {
    const proof = parse(Reauthentication, req);
    const { state, ...answer } = await ownCredentials.reauthenticate(
      await signedIn(req),
      proof,
      visitOf(req),
    );
    if (state === 'code_sent') res.status(202).json({ status: state });
    else res.json(answer);
  });

  routes.put('/password', ownSignIn, read, async (req, res) => {
    const { password } = parse(NewPassword, req);
    const { device } = await ownCredentials.setPassword(await signedIn(req), password, visitOf(req));
    remember(req, res, device);
    res.json({ changed: true });
  });

  routes.post('/email', ownSignIn, read, async (req, res) => {
    const { email, code } = parse(NewEmail, req);
    const person = await signedIn(req);
    if (code === undefined) {
      const { state } = await ownCredentials.requestEmail(person, email, visitOf(req));
      res.status(202).json({ status: state });
      return;
    }
    await ownCredentials.changeEmail(person, { email, code }, visitOf(req));
    res.json(userAt(req, await signIn.me(person.caller)));
  });

  routes.get('/sessions', async (req, res) => {
    res.json({ items: await ownCredentials.listSessions(await authenticate(req)) });
  });

  routes.delete('/sessions/:id', async (req, res) => {
    await ownCredentials.endSession(await authenticate(req), req.params.id, visitOf(req));
    res.json({ signed_out: true });
  });

  return router;

  async function signedIn(req: Request): Promise<SignedIn> {
    const { authorization } = req.headers;
    const caller = await authenticate(req);
    if (authorization === undefined) throw new Fault('unauthenticated.no_session');
    return { caller, token: bearerToken(authorization) };
  }

  function logIn({ email, password, code }: z.output<typeof Login>, visit: Visit): Promise<SignInAnswer> {
    if (code !== undefined) return signIn.byCode({ email, code, password }, visit);
    return password === undefined ? signIn.sendCode(email, visit) : signIn.byPassword(email, password, visit);
  }
}
