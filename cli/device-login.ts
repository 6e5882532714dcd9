import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import type { Login, Logins } from './login.ts';
import { printed } from './print.ts';
import type { Terminal } from './terminal.ts';
import { SignInError } from './usage-error.ts';

/** The command line at the server, which knows it. */
const CLIENT_ID = 'stallhand-cli';
const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code';
/** A token is replaced this long before it ends. */
const EARLY_MS = 60_000;

const Metadata = z.object({
  issuer: z.string(),
  device_authorization_endpoint: z.string(),
  token_endpoint: z.string(),
  scopes_supported: z.array(z.string()),
});
type Metadata = z.output<typeof Metadata>;

const Started = z.object({
  device_code: z.string(),
  user_code: z.string(),
  verification_uri: z.string(),
  verification_uri_complete: z.string().optional(),
  interval: z.number().default(5),
  expires_in: z.number(),
});

const Tokens = z.object({
  access_token: z.string(),
  refresh_token: z.string(),
  expires_in: z.number(),
});

/** How a server signs devices in; undefined where it does not. */
export async function findDeviceSignIn(url: string): Promise<Metadata | undefined> {
  const answer = await fetch(`${url}/.well-known/oauth-authorization-server`, {
    headers: { accept: 'application/json' },
  }).catch(() => undefined);
  const parsed = Metadata.safeParse(answer?.ok ? await answer.json().catch(() => undefined) : undefined);
  // Tokens of a server elsewhere are not for this one, and a password is typed only where the person meant to go.
  const isOwn = (address: string) => URL.parse(address)?.origin === new URL(url).origin;
  if (!parsed.success) return undefined;
  const { token_endpoint, device_authorization_endpoint } = parsed.data;
  return isOwn(token_endpoint) && isOwn(device_authorization_endpoint) ? parsed.data : undefined;
}

/**
 * Shows an address and a code, and waits until the person has decided there. @throws SignInError when they do not agree, the code
 * expires, or the server refuses
 */
export async function signInByDevice(
  url: string,
  server: Metadata,
  terminal: Pick<Terminal, 'err'>,
): Promise<Login> {
  const begun = await post(server.device_authorization_endpoint, {
    client_id: CLIENT_ID,
    scope: server.scopes_supported.join(' '),
    resource: server.issuer,
  });
  const { data: started } = Started.safeParse(begun.body);
  if (!started) throw notSignedIn(begun);
  const at = printed(started.verification_uri_complete ?? started.verification_uri);
  terminal.err(`Open ${at}\nand check that it shows the code ${printed(started.user_code)}\n`);
  const deadline = Date.now() + started.expires_in * 1000;
  let seconds = started.interval;
  while (Date.now() < deadline) {
    await delay(seconds * 1000);
    const answer = await post(server.token_endpoint, {
      grant_type: DEVICE_GRANT,
      device_code: started.device_code,
      client_id: CLIENT_ID,
    }).catch(() => undefined);
    if (answer?.ok) return loginOf(url, answer.body);
    // A server that restarts, or a network that is gone for a moment, ends no sign-in.
    if (!answer || answer.status >= 500 || answer.status === 429) continue;
    const { error } = saidIn(answer.body);
    if (error === 'slow_down') seconds += 5;
    else if (error === 'expired_token') break;
    else if (error !== 'authorization_pending') throw notSignedIn(answer);
  }
  throw new SignInError("The code has expired. Run 'stallhand login' again.");
}

/** The login with a token that still works for a while. @throws SignInError when the person has to sign in again */
export async function freshLogin(logins: Logins): Promise<Login | undefined> {
  const login = await logins.read();
  if (!isDue(login)) return login;
  // A refresh token works once: two commands at the same moment take turns, and the second finds the new one.
  return logins.alone(async () => {
    const current = await logins.read();
    if (!isDue(current)) return current;
    const { ok, body } = await post(`${current.url}/oauth/token`, {
      grant_type: 'refresh_token',
      refresh_token: current.refresh.token,
      client_id: CLIENT_ID,
    });
    if (!ok) throw new SignInError(`Your sign-in to ${current.url} has ended. Run 'stallhand login' again.`);
    const next = loginOf(current.url, body);
    await logins.write(next);
    return next;
  });
}

/** How long a server may take to end a connection, in milliseconds: the person wants to be signed out now. */
const ENDING_MS = 5_000;

/**
 * Ends at the server what a login is, beside the file of it: the connection (RFC 7009), or the session. An API key stays, since it
 * is not the login's own. @returns whether it has ended, or why that is not known
 */
export async function endLogin({ url, token, refresh }: Login): Promise<'ended' | 'refused' | 'unreachable'> {
  const ended = refresh
    ? post(
        `${url}/oauth/revoke`,
        { token: refresh.token, token_type_hint: 'refresh_token', client_id: CLIENT_ID },
        ENDING_MS,
      )
    : fetch(`${url}/auth/logout`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: '{}',
        redirect: 'error',
        signal: AbortSignal.timeout(ENDING_MS),
      });
  const answer = await ended.catch(() => undefined);
  if (!answer) return 'unreachable';
  // A session that is no longer known has ended.
  return answer.ok || (!refresh && answer.status === 401) ? 'ended' : 'refused';
}

type Due = Login & { readonly refresh: NonNullable<Login['refresh']> };

function isDue(login: Login | undefined): login is Due {
  return login?.refresh !== undefined && Date.now() >= login.refresh.at;
}

function loginOf(url: string, body: unknown): Login {
  const { access_token, refresh_token, expires_in } = Tokens.parse(body);
  const at = Date.now() + expires_in * 1000 - EARLY_MS;
  return { url, token: access_token, refresh: { token: refresh_token, at } };
}

async function post(address: string, fields: Readonly<Record<string, string>>, maxMs?: number) {
  const response = await fetch(address, {
    method: 'POST',
    headers: { accept: 'application/json' },
    body: new URLSearchParams(fields),
    redirect: 'error',
    ...(maxMs !== undefined && { signal: AbortSignal.timeout(maxMs) }),
  });
  const body: unknown = await response.json().catch(() => undefined);
  return { ok: response.ok, status: response.status, body };
}

type Answer = Awaited<ReturnType<typeof post>>;

function notSignedIn({ status, body }: Answer): SignInError {
  const { detail, error_description, error } = saidIn(body);
  if (error === 'access_denied')
    return new SignInError("The sign-in was canceled in the browser. To try again, run 'stallhand login'.");
  const cause = detail ?? error_description ?? error ?? `it answered ${status}`;
  return new SignInError(`The server did not sign you in: ${printed(cause)}`);
}

/** What a refusal of the protocol, or a problem document, says. */
function saidIn(body: unknown) {
  const Said = z.object({ error: z.string(), error_description: z.string(), detail: z.string() }).partial();
  return Said.safeParse(body).data ?? {};
}
