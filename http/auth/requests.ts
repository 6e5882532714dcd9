import { z } from 'zod';
import { ROLES } from '../../src/identity/caller.ts';
import { PASSWORD_LENGTH } from '../../src/identity/sign-in/passwords.ts';
import { EmailAddress } from '../../src/identity/users/email-address.ts';
import type { InputKey } from '../../src/language.ts';
import type { DescribedRoute } from '../openapi/described-route.ts';
import { SecondFactorLogin, secondFactor } from './totp.ts';

const say = (key: InputKey) => key;

const Password = z.string().min(1).max(PASSWORD_LENGTH.max, say('password_length'));
const Name = z
  .string()
  .trim()
  .max(100)
  .regex(/^[^\p{Cc}\p{Zl}\p{Zp}]*$/u, say('one_line'));
const Code = z
  .string()
  .trim()
  .regex(/^\d{6}$/, say('sign_in_code'));

type Chosen = { readonly email: string; readonly password?: string | undefined };

const isLongEnough = ({ password }: Chosen) =>
  password === undefined || [...password].length >= PASSWORD_LENGTH.min;
const isNotEmail = ({ email, password }: Chosen) => password?.trim().toLowerCase() !== email;
const long = { path: ['password'], error: say('password_length') };
const other = { path: ['password'], error: say('password_is_email') };

export const Registration = z
  .object({ email: EmailAddress, name: Name.optional(), password: Password.optional() })
  .strict()
  .refine(isLongEnough, long)
  .refine(isNotEmail, other);

export const Login = z
  .object({ email: EmailAddress, password: Password.optional(), code: Code.optional() })
  .strict()
  // Beside a code it is a password chosen now; alone, whatever it is, it is right or wrong.
  .refine((login) => login.code === undefined || isLongEnough(login), long)
  .refine((login) => login.code === undefined || isNotEmail(login), other);

const newPassword = (given: { readonly password: string }) =>
  [...given.password].length >= PASSWORD_LENGTH.min;

export const Reauthentication = z
  .object({ password: Password.optional(), code: Code.optional(), ...secondFactor })
  .strict()
  .refine(({ password, code }) => password === undefined || code === undefined, {
    path: ['code'],
    error: say('password_or_code'),
  });
export const NewPassword = z.object({ password: Password }).strict().refine(newPassword, long);
export const NewEmail = z.object({ email: EmailAddress, code: Code.optional() }).strict();

export const Logout = z.object({ everywhere: z.boolean().default(false) }).strict();
export const TakeoverAnswer = z.object({ keep: z.boolean() }).strict();
export const Nothing = z.object({}).strict();

const Me = z.object({
  id: z.string(),
  name: z.string(),
  email: z.string().nullable(),
  avatar: z.string().nullable(),
  plan: z.string().meta({ description: 'Hooks plan; at /auth, the sync plan' }),
  plans: z.object({ hooks: z.string(), sync: z.string() }),
  payment_customer_id: z
    .string()
    .nullable()
    .meta({ description: 'Customer at Stripe; set while billing is active' }),
  created_at: z.iso.datetime(),
  role: z.enum(ROLES).nullable().meta({ description: 'Role; null for an API key, which has scopes instead' }),
  account_id: z.string(),
});
const Takeover = z.object({
  account: z.object({ id: z.string(), name: z.string() }),
  has: z
    .record(z.string(), z.int())
    .meta({ description: 'Number of templates, videos, stores … in the account' }),
});
const SignedIn = z.object({
  token: z.string(),
  user: Me,
  expires_at: z.iso.datetime(),
  takeover: Takeover.optional().meta({
    description:
      'Set after someone else had registered the address: ask the person, then call answer_takeover',
  }),
});
const CodeSent = z.object({ status: z.literal('code_sent') });
const Fresh = z.object({ fresh_until: z.iso.datetime() });
const Changed = z.object({ changed: z.literal(true) });
const Sessions = z.object({
  items: z.array(
    z.object({
      id: z.string(),
      created_at: z.iso.datetime(),
      last_used_at: z.iso.datetime(),
      expires_at: z.iso.datetime(),
      address: z.string().nullable(),
      device: z.string().meta({ description: 'Browser and system, such as Firefox, Windows' }),
      current: z.boolean().meta({ description: 'True for the session of this call' }),
    }),
  ),
});
const SignedOut = z.object({ signed_out: z.literal(true) });

const sent = { about: 'A code was sent to the email address', schema: CodeSent };
const tag = 'auth';

/** What OpenAPI says of signing in. */
export const AUTH_ROUTES: readonly DescribedRoute[] = [
  {
    route: 'POST /api/v1/auth/register',
    id: 'register',
    title: 'Register',
    description:
      'Sign up with a password, or with a code sent by email. Not available where an identity provider signs people in. Also at /auth/register.',
    tag,
    credential: 'none',
    body: Registration,
    answers: { 201: { about: 'Signed in', schema: SignedIn }, 202: sent },
  },
  {
    route: 'POST /api/v1/auth/login',
    id: 'log_in',
    title: 'Sign in',
    description:
      'Sign in with email and password, or with a code: send the email alone to receive one, then email and code. Where the second factor is on, the response is 401 second_factor_required with a challenge: send it within 5 minutes with totp or recovery_code. Not available where an identity provider signs people in. Also at /auth/login.',
    tag,
    credential: 'none',
    body: z.union([Login, SecondFactorLogin]),
    answers: { 200: { about: 'Signed in', schema: SignedIn }, 202: sent },
  },
  {
    route: 'POST /api/v1/auth/logout',
    id: 'log_out',
    title: 'Sign out',
    description: "End the session; `everywhere` ends all of the person's sessions. Also at /auth/logout.",
    tag,
    credential: 'needed',
    body: Logout,
    answers: { 200: { about: 'Signed out', schema: SignedOut } },
  },
  {
    route: 'POST /api/v1/auth/refresh',
    id: 'refresh_session',
    title: 'Refresh a session',
    description:
      'Get a new token for the session. The old token stops working immediately. Also at /auth/refresh.',
    tag,
    credential: 'needed',
    body: Nothing,
    answers: { 200: { about: 'The new token', schema: SignedIn } },
  },
  {
    route: 'POST /api/v1/auth/takeover',
    id: 'answer_takeover',
    title: 'Keep or delete what someone else created',
    description:
      'Answer the question in `takeover` of a sign-in: keep the contents of the account, or delete them permanently and continue with an empty account. Until then, connected stores and sheets are not used. Deleting requires a sign-in from the last 10 minutes. Also at /auth/takeover.',
    tag,
    credential: 'needed',
    body: TakeoverAnswer,
    answers: {
      200: {
        about: 'Done; the session continues in this account',
        schema: z.object({ kept: z.boolean(), account_id: z.string() }),
      },
    },
  },
  {
    route: 'GET /api/v1/auth/me',
    id: 'get_me',
    title: 'Get the signed-in person',
    description: 'Get the signed-in person and the account they work in. Also at /auth/me.',
    tag,
    credential: 'needed',
    answers: { 200: { about: 'The person; for an API key, the account', schema: Me } },
  },
  {
    route: 'POST /api/v1/auth/reauthenticate',
    id: 'reauthenticate',
    title: 'Confirm that it is you',
    description:
      'Make the sign-in fresh for 10 minutes, which dangerous operations require: with the password, or with a code. An empty body emails a code to the signed-in person. Also for tokens of an identity provider. Also at /auth/reauthenticate.',
    tag,
    credential: 'needed',
    body: Reauthentication,
    answers: { 200: { about: 'The sign-in is fresh', schema: Fresh }, 202: sent },
  },
  {
    route: 'PUT /api/v1/auth/password',
    id: 'set_password',
    title: 'Set the password',
    description:
      'Set or change the password of the signed-in person and end their other sessions. Needs a sign-in from the last 10 minutes: see POST /auth/reauthenticate. Without a session, send email, code and the new password to POST /auth/login. Also at /auth/password.',
    tag,
    credential: 'needed',
    body: NewPassword,
    answers: { 200: { about: 'The password is changed', schema: Changed } },
  },
  {
    route: 'POST /api/v1/auth/email',
    id: 'change_email',
    title: 'Change the email address',
    description:
      'Send the new address to receive a code there, then the address with the code. The old address is notified. Needs a sign-in from the last 10 minutes: see POST /auth/reauthenticate. Also at /auth/email.',
    tag,
    credential: 'needed',
    body: NewEmail,
    answers: { 200: { about: 'The address is changed', schema: Me }, 202: sent },
  },
  {
    route: 'GET /api/v1/auth/sessions',
    id: 'list_sessions',
    title: 'List sessions',
    description: "List the signed-in person's sessions, last used first. Also at /auth/sessions.",
    tag,
    credential: 'needed',
    answers: { 200: { about: 'The sessions', schema: Sessions } },
  },
  {
    route: 'DELETE /api/v1/auth/sessions/{id}',
    id: 'end_session',
    title: 'End a session',
    description: "End one of the signed-in person's sessions immediately. Also at /auth/sessions/{id}.",
    tag,
    credential: 'needed',
    answers: { 200: { about: 'The session has ended', schema: SignedOut } },
  },
];
