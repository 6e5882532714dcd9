import { z } from 'zod';
import { ROLES } from '../../src/identity/caller.ts';
import { EmailAddress } from '../../src/identity/email-address.ts';
import { PASSWORD_LENGTH } from '../../src/identity/passwords.ts';
import type { InputKey } from '../../src/language.ts';
import type { DescribedRoute } from '../openapi/described-route.ts';

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

export const Logout = z.object({ everywhere: z.boolean().default(false) }).strict();
export const Nothing = z.object({}).strict();

const Me = z.object({
  id: z.string(),
  name: z.string(),
  email: z.string().nullable(),
  avatar: z.string().nullable(),
  plan: z.string().meta({ description: 'Hooks plan: free, pro or enterprise' }),
  created_at: z.iso.datetime(),
  role: z.enum(ROLES).nullable().meta({ description: 'Role; null for an API key, which has scopes instead' }),
  account_id: z.string(),
});
const SignedIn = z.object({ token: z.string(), user: Me, expires_at: z.iso.datetime() });
const CodeSent = z.object({ status: z.literal('code_sent') });
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
      'Sign in with email and password, or with a code: send the email alone to receive one, then email and code. Not available where an identity provider signs people in. Also at /auth/login.',
    tag,
    credential: 'none',
    body: Login,
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
    route: 'GET /api/v1/auth/me',
    id: 'get_me',
    title: 'Get the signed-in person',
    description: 'Get the person who calls and the account they act in. Also at /auth/me.',
    tag,
    credential: 'needed',
    answers: { 200: { about: 'The person; for an API key, the account', schema: Me } },
  },
];
