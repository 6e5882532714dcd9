import { call, send } from '../../api/call.ts';
import { getProfile } from '../../api/operations.gen.ts';
import { forget, remember, token, type User, user } from '../../session/session.ts';

type SignedIn = { readonly token: string; readonly user: User };
type Answer = SignedIn | { readonly status: 'code_sent' };

export type Provider = { readonly id: string; readonly label: string };

/** What a person enters, in the ways that a server takes it. */
type Proof =
  | { readonly email: string; readonly password?: string; readonly code?: string }
  | { readonly challenge: string; readonly totp: string }
  | { readonly challenge: string; readonly recovery_code: string };

/** Signs in, or has a code sent. @throws ApiFault; second_factor_required carries the challenge */
export async function logIn(proof: Proof): Promise<'signed_in' | 'code_sent'> {
  return keep(await post('/login', proof));
}

export async function register(person: {
  readonly email: string;
  readonly name: string;
  readonly password: string;
}): Promise<'signed_in' | 'code_sent'> {
  return keep(await post('/register', person));
}

/** Asks the device for a passkey of this site. @throws ApiFault, or the browser's own error when the person cancels */
export async function logInWithPasskey(): Promise<'signed_in' | 'code_sent'> {
  const options = await post<PublicKeyCredentialRequestOptionsJSON>('/passkeys/options', { for: 'login' });
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options);
  const credential = await navigator.credentials.get({ publicKey });
  return keep(await post('/passkeys/login', { response: credential }));
}

/** Finishes a sign-in on the page of an identity provider. */
export async function exchange(code: string): Promise<'signed_in' | 'code_sent'> {
  return keep(await post('/exchange', { code }));
}

export async function listProviders(): Promise<readonly Provider[]> {
  const answer = await send('GET', '/api/v1/auth/providers');
  return ((await answer.json()) as { readonly items: readonly Provider[] }).items;
}

async function post<Result = Answer>(path: string, body: unknown): Promise<Result> {
  return (await send('POST', `/api/v1/auth${path}`, body)).json();
}

async function keep(answer: Answer): Promise<'signed_in' | 'code_sent'> {
  if (!('token' in answer)) return 'code_sent';
  // The next person in this browser begins with nothing; who comes back goes on where they were.
  if (user().id !== answer.user.id) forget();
  remember(answer);
  // The profile is a nicety: what the sign-in says of the person is enough without it.
  const profile = await call(getProfile, {}).catch(() => undefined);
  // Who has signed out since stays signed out.
  if (profile && token() === answer.token)
    remember({ token: answer.token, user: { ...answer.user, name: profile.name } });
  return 'signed_in';
}
