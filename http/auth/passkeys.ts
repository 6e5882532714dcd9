import { type Request, Router } from 'express';
import { z } from 'zod';
import type { App } from '../../src/app.ts';
import type { Config } from '../../src/config.ts';
import { Fault } from '../../src/errors.ts';
import type { PasskeySite } from '../../src/identity/passkeys/passkeys.ts';
import type { InputKey } from '../../src/language.ts';
import type { DescribedRoute } from '../openapi/described-route.ts';
import type { SignInTools } from './signed-in.ts';

const say = (key: InputKey) => key;

const Bytes = z
  .string()
  .max(12_000)
  .regex(/^[\w-]+$/);
/** The parts of a PublicKeyCredential that `toJSON()` of the browser has. */
const credential = <Shape extends z.ZodRawShape>(response: Shape) =>
  z.object({
    id: Bytes,
    rawId: Bytes,
    type: z.literal('public-key'),
    response: z.object({ clientDataJSON: Bytes, ...response }),
    clientExtensionResults: z.object({}).default({}),
  });

const Options = z.object({ for: z.enum(['register', 'login']) }).strict();
const Registration = z
  .object({
    response: credential({
      attestationObject: Bytes,
      transports: z.array(z.string().max(30)).max(10).default([]),
    }),
    name: z
      .string()
      .trim()
      .max(100)
      .regex(/^[^\p{Cc}\p{Zl}\p{Zp}]*$/u, say('one_line'))
      .optional()
      .meta({ description: 'Name of the device' }),
  })
  .strict();
const Login = z
  .object({
    response: credential({
      authenticatorData: Bytes,
      signature: Bytes,
      userHandle: Bytes.nullish().transform((handle) => handle ?? ''),
    }),
  })
  .strict();

type Deps = {
  readonly app: Pick<App, 'signIn' | 'passkeys'>;
  readonly config: Pick<Config, 'publicUrl' | 'loopback'>;
  readonly tools: SignInTools;
};

/** Passkeys: adding, using, listing and deleting them. */
export function createPasskeyRoutes({ app: { signIn, passkeys }, config, tools }: Deps): Router {
  const { read, ownSignIn, parse, visitOf, person, freshPerson, sendAnswer } = tools;
  const routes = Router();

  routes.post('/passkeys/options', ownSignIn, read, async (req, res) => {
    const { for: purpose } = parse(Options, req);
    const site = siteOf(req, config);
    if (purpose === 'login') res.json(await passkeys.loginOptions(site));
    else res.json(await passkeys.registrationOptions(await freshPerson(req), site));
  });

  routes.post('/passkeys/register', ownSignIn, read, async (req, res) => {
    const { response, name } = parse(Registration, req);
    const site = siteOf(req, config);
    res.status(201).json(await passkeys.register(await freshPerson(req), { response, name }, site));
  });

  routes.post('/passkeys/login', ownSignIn, read, async (req, res) => {
    const { response } = parse(Login, req);
    const userId = await passkeys.verify(response, siteOf(req, config));
    sendAnswer(req, res, await signIn.identified(userId, 'passkey', visitOf(req)));
  });

  routes.get('/passkeys', ownSignIn, async (req, res) => {
    res.json({ items: await passkeys.list((await person(req)).userId) });
  });

  routes.delete('/passkeys/:id', ownSignIn, async (req, res) => {
    const { id = '' } = req.params;
    await passkeys.remove(await freshPerson(req), String(id));
    res.json({ deleted: true });
  });

  return routes;
}

/**
 * The site of PUBLIC_URL; without one, localhost with the port that the call came in at. What the request says of its host
 * plays no part: pages of other ports of this machine share the name localhost. @throws Fault not_configured.passkeys
 */
function siteOf(req: Request, { publicUrl, loopback }: Deps['config']): PasskeySite {
  if (publicUrl !== undefined) {
    const { hostname: rpId, origin } = new URL(publicUrl);
    return { rpId, origin };
  }
  if (!loopback) throw new Fault('not_configured.passkeys');
  const { localPort = 80 } = req.socket;
  return { rpId: 'localhost', origin: new URL(`http://localhost:${localPort}`).origin };
}

const tag = 'auth';
const Passkey = z.object({
  id: z.string(),
  name: z.string(),
  created_at: z.iso.datetime(),
  last_used_at: z.iso.datetime().nullable(),
});
const options = z.looseObject({ challenge: z.string() });
const signedIn = z.object({ token: z.string(), user: z.looseObject({}), expires_at: z.iso.datetime() });

/** What OpenAPI says of passkeys. */
export const PASSKEY_ROUTES: readonly DescribedRoute[] = [
  {
    route: 'POST /api/v1/auth/passkeys/options',
    id: 'get_passkey_options',
    title: 'Get options for a passkey',
    description:
      'Get options for navigator.credentials.create (register) or navigator.credentials.get (login). Their challenge works once, for 5 minutes. Registering requires a sign-in from the last 10 minutes. Also at /auth/passkeys/options.',
    tag,
    credential: 'optional',
    body: Options,
    answers: { 200: { about: 'Options in the JSON form of WebAuthn', schema: options } },
  },
  {
    route: 'POST /api/v1/auth/passkeys/register',
    id: 'register_passkey',
    title: 'Add a passkey',
    description:
      'Add the passkey that navigator.credentials.create returned. Requires a sign-in from the last 10 minutes. Also at /auth/passkeys/register.',
    tag,
    credential: 'needed',
    body: Registration,
    answers: { 201: { about: 'The passkey', schema: Passkey } },
  },
  {
    route: 'POST /api/v1/auth/passkeys/login',
    id: 'log_in_with_passkey',
    title: 'Sign in with a passkey',
    description:
      'Sign in with the result of navigator.credentials.get. Needs no second factor, because the device verifies the person. Also at /auth/passkeys/login.',
    tag,
    credential: 'none',
    body: Login,
    answers: { 200: { about: 'Signed in', schema: signedIn } },
  },
  {
    route: 'GET /api/v1/auth/passkeys',
    id: 'list_passkeys',
    title: 'List passkeys',
    description: "List the signed-in person's passkeys, at most 20. Also at /auth/passkeys.",
    tag,
    credential: 'needed',
    answers: { 200: { about: 'The passkeys', schema: z.object({ items: z.array(Passkey) }) } },
  },
  {
    route: 'DELETE /api/v1/auth/passkeys/{id}',
    id: 'delete_passkey',
    title: 'Delete a passkey',
    description:
      'Delete a passkey; it no longer signs in. Requires a sign-in from the last 10 minutes. Also at /auth/passkeys/{id}.',
    tag,
    credential: 'needed',
    answers: { 200: { about: 'Deleted', schema: z.object({ deleted: z.literal(true) }) } },
  },
];
