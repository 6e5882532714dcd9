import type { Request, RequestHandler, Response } from 'express';
import type { z } from 'zod';
import type { Config } from '../../src/config.ts';
import { Fault } from '../../src/errors.ts';
import type { SignedInPerson } from '../../src/identity/second-factor/second-factor.ts';
import type { SignedInUser, SignInAnswer, Visit } from '../../src/identity/sign-in/sign-in.ts';
import { plainReader } from '../../src/language.ts';
import { parseInput } from '../../tools/contract/parse-input.ts';
import { jsonReader } from '../body.ts';
import { localeOf } from '../request.ts';
import type { Authenticate } from './authentication.ts';
import { deviceOf, rememberDevice } from './device-cookie.ts';

type Deps = {
  readonly authenticate: Authenticate;
  readonly config: Pick<Config, 'oidcIssuer' | 'defaultLanguage' | 'publicUrl'>;
};

export type SignInTools = ReturnType<typeof createSignInTools>;

const BODY_LIMIT = 16 * 1024;

/** What the routes of signing in share. */
export function createSignInTools({ authenticate, config }: Deps) {
  const { oidcIssuer, defaultLanguage, publicUrl } = config;

  /** Lets the browser remember that the person has signed in from it. */
  function remember(req: Request, res: Response, device: string): void {
    rememberDevice(res, device, req.secure || publicUrl?.startsWith('https:') === true);
  }

  return {
    remember,

    read: jsonReader(BODY_LIMIT),

    /** @throws Fault not_found.password_sign_in */
    ownSignIn: ((_req, _res, next) => {
      if (oidcIssuer) throw new Fault('not_found.password_sign_in', { issuer: oidcIssuer });
      next();
    }) satisfies RequestHandler,

    parse<Schema extends z.ZodType>(schema: Schema, req: Request, place: 'body' | 'query' = 'body') {
      const where = { ...plainReader(localeOf(req, defaultLanguage)), sourceOf: () => place };
      return parseInput(schema, (place === 'body' ? req.body : req.query) ?? {}, where);
    },

    visitOf: (req: Request): Visit => ({
      address: req.ip,
      userAgent: req.get('user-agent'),
      device: deviceOf(req),
      locale: localeOf(req, defaultLanguage),
    }),

    /** Answers a sign-in: with the session and the device, or that a code was sent. */
    sendAnswer(req: Request, res: Response, answer: SignInAnswer, status = 200): void {
      if (answer.state === 'code_sent') return void res.status(202).json({ status: answer.state });
      const { state: _, device, user, ...rest } = answer;
      remember(req, res, device);
      res.status(status).json({ ...rest, user: userAt(req, user) });
    },

    /** The person of the session. @throws Fault unauthenticated */
    person: (req: Request) => personOf(req),

    /** The same, if they signed in recently. @throws Fault unauthenticated, reauthentication_required */
    async freshPerson(req: Request): Promise<SignedInPerson> {
      const person = await personOf(req);
      if (!person.fresh)
        throw new Fault('reauthentication_required.session', { tool: `${req.method} /auth${req.path}` });
      return person;
    },
  };

  async function personOf(req: Request) {
    const { userId, sessionId, accountId, actor, fresh } = await authenticate(req);
    if (userId === undefined || sessionId === undefined) throw new Fault('unauthenticated.no_session');
    return { userId, accountId, actor, fresh };
  }
}

/** The sync app signs in at `/auth`: there, `plan` is the plan of sync. */
export function userAt({ baseUrl }: Request, user: SignedInUser): SignedInUser {
  return baseUrl === '/auth' ? { ...user, plan: user.plans.sync } : user;
}
