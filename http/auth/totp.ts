import { Router } from 'express';
import { z } from 'zod';
import type { App } from '../../src/app.ts';
import type { InputKey } from '../../src/language.ts';
import type { DescribedRoute } from '../openapi/described-route.ts';
import type { SignInTools } from './signed-in.ts';

const say = (key: InputKey) => key;

const Code = z
  .string()
  .transform((code) => code.replace(/\s/g, ''))
  .pipe(z.string().regex(/^\d{6}$/, say('totp_code')));
const RecoveryCode = z.string().trim().min(1).max(40);

const onlyOne = { error: say('one_code') };

/** The proof of a second factor, beside another proof. */
export const secondFactor = {
  totp: Code.optional().meta({ description: 'Code of the authenticator app' }),
  recovery_code: RecoveryCode.optional(),
};

/** Finishes a sign-in that was answered with second_factor_required. */
export const SecondFactorLogin = z
  .object({
    challenge: z.string().max(100).meta({ description: 'The challenge of the 401 second_factor_required' }),
    ...secondFactor,
  })
  .strict()
  .refine(({ totp, recovery_code }) => (totp === undefined) !== (recovery_code === undefined), onlyOne);

const Confirmation = z.object({ code: Code }).strict();
const Disabling = z
  .object({ code: Code.optional(), recovery_code: RecoveryCode.optional() })
  .strict()
  .refine(({ code, recovery_code }) => (code === undefined) !== (recovery_code === undefined), onlyOne);
const Nothing = z.object({}).strict();

type Deps = { readonly app: Pick<App, 'signIn' | 'secondFactor'>; readonly tools: SignInTools };

/** The second factor: an authenticator app with recovery codes. */
export function createTotpRoutes({ app: { signIn, secondFactor }, tools }: Deps): Router {
  const { read, ownSignIn, parse, visitOf, person, freshPerson, sendAnswer } = tools;
  const routes = Router();

  routes.post('/login', ownSignIn, read, async (req, res, next) => {
    if (!z.looseObject({ challenge: z.unknown() }).safeParse(req.body).data?.challenge) return next();
    const { challenge, ...proof } = parse(SecondFactorLogin, req);
    sendAnswer(req, res, await signIn.bySecondFactor(challenge, proof, visitOf(req)));
  });

  routes.get('/totp', ownSignIn, async (req, res) => {
    res.json(await secondFactor.status((await person(req)).userId));
  });

  routes.post('/totp/enable', ownSignIn, read, async (req, res) => {
    parse(Nothing, req);
    res.json(await secondFactor.enable(await freshPerson(req)));
  });

  routes.post('/totp/confirm', ownSignIn, read, async (req, res) => {
    const { code } = parse(Confirmation, req);
    res.json(await secondFactor.confirm(await freshPerson(req), code, req.ip));
  });

  routes.post('/totp/disable', ownSignIn, read, async (req, res) => {
    const { code: totp, recovery_code } = parse(Disabling, req);
    await secondFactor.disable(await freshPerson(req), { totp, recovery_code }, req.ip);
    res.json({ enabled: false });
  });

  return routes;
}

const tag = 'auth';
const credential = 'needed';

/** What OpenAPI says of the second factor. */
export const TOTP_ROUTES: readonly DescribedRoute[] = [
  {
    route: 'GET /api/v1/auth/totp',
    id: 'get_totp',
    title: 'Get the second factor',
    description:
      'Get whether sign-in requires an authenticator app, and how many recovery codes are left. Also at /auth/totp.',
    ...{ tag, credential },
    answers: {
      200: {
        about: 'The second factor',
        schema: z.object({ enabled: z.boolean(), recovery_codes_left: z.int() }),
      },
    },
  },
  {
    route: 'POST /api/v1/auth/totp/enable',
    id: 'enable_totp',
    title: 'Set up an authenticator app',
    description:
      'Get a secret for an authenticator app, also as an otpauth URI for a QR code. It is required at sign-in once you confirm it. Requires a sign-in from the last 10 minutes. Also at /auth/totp/enable.',
    ...{ tag, credential },
    body: Nothing,
    answers: {
      200: { about: 'The secret', schema: z.object({ secret: z.string(), uri: z.string() }) },
    },
  },
  {
    route: 'POST /api/v1/auth/totp/confirm',
    id: 'confirm_totp',
    title: 'Confirm an authenticator app',
    description:
      'Turn the second factor on with a code of the app. Returns ten recovery codes, which are shown only once. Requires a sign-in from the last 10 minutes. Also at /auth/totp/confirm.',
    ...{ tag, credential },
    body: Confirmation,
    answers: {
      200: { about: 'The recovery codes', schema: z.object({ recovery_codes: z.array(z.string()) }) },
    },
  },
  {
    route: 'POST /api/v1/auth/totp/disable',
    id: 'disable_totp',
    title: 'Stop using an authenticator app',
    description:
      'Turn the second factor off with a code of the app or a recovery code. Requires a sign-in from the last 10 minutes. Also at /auth/totp/disable.',
    ...{ tag, credential },
    body: Disabling,
    answers: { 200: { about: 'It is off', schema: z.object({ enabled: z.literal(false) }) } },
  },
];
