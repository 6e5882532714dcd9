import { hash } from 'node:crypto';
import { z } from 'zod';
import { Fault } from '../../errors.ts';
import type { Consent, ConsentProvider, ConsentVisit, GrantedTokens } from '../../sync/ports/consent.ts';

type GoogleConsentOptions = {
  readonly clientId: string;
  readonly clientSecret: string;
  /** True: access to picked spreadsheets alone. False: to all spreadsheets of the person. */
  readonly picks: boolean;
  /** In place of all addresses of Google. */
  readonly baseUrl?: string | undefined;
  readonly now?: () => number;
};

const SCOPE = 'https://www.googleapis.com/auth/';
const SPREADSHEET = 'application/vnd.google-apps.spreadsheet';
const REQUEST_MS = 20_000;
const REASON = /^[\w .:'-]{1,200}$/;

const Tokens = z.object({
  access_token: z.string().min(1),
  expires_in: z.number().positive().catch(3600),
  refresh_token: z.string().min(1).optional(),
  scope: z.string().default(''),
});
type Tokens = z.output<typeof Tokens>;

const Refusal = z.object({ error: z.string() }).catch({ error: '' });

const About = z.object({
  user: z.object({ permissionId: z.string().min(1), emailAddress: z.string().default('').catch('') }),
});

/**
 * Consent at Google by authorization code with PKCE. With `drive.file`, Google shows its file picker as a part of the
 * consent (`trigger_onepick`), and the app gets only what is picked there.
 */
export function createGoogleConsent(options: GoogleConsentOptions): ConsentProvider {
  const { clientId, clientSecret, picks, baseUrl, now = Date.now } = options;
  const client = { client_id: clientId, client_secret: clientSecret };
  const scopes = (picks ? ['drive.file'] : ['spreadsheets', 'drive.file']).map((name) => SCOPE + name);

  return {
    pageUrl({ redirectUri, state, codeVerifier, target }) {
      const url = addressOf('https://accounts.google.com/o/oauth2/v2/auth');
      url.search = new URLSearchParams({
        client_id: clientId,
        redirect_uri: redirectUri,
        response_type: 'code',
        scope: scopes.join(' '),
        state,
        code_challenge: hash('sha256', codeVerifier, 'base64url'),
        code_challenge_method: 'S256',
        // Google gives a refresh token only where it asks the person.
        access_type: 'offline',
        prompt: 'consent',
        include_granted_scopes: 'false',
        ...(picks && { trigger_onepick: 'true', mimetypes: SPREADSHEET }),
        ...(picks && target !== undefined && { file_ids: target }),
      }).toString();
      return url.href;
    },

    async exchange(answer: URLSearchParams, visit: ConsentVisit, signal): Promise<Consent> {
      const tokens = await codeTokens(answer, visit, signal);
      const given = tokens.scope.split(' ');
      const lacking = scopes.filter((scope) => !given.includes(scope));
      if (lacking.length > 0) throw new Fault('consent_failed.google_scopes', { scopes: lacking.join(', ') });
      const { permissionId, emailAddress } = await personOf(tokens.access_token, signal);
      const picked = (answer.get('picked_file_ids') ?? '').split(/[, ]/).filter((id) => id !== '');
      return { tokens: granted(tokens, null), subject: permissionId, label: emailAddress, picked };
    },

    async renew(_subject, { refreshToken, label }, signal) {
      const form = { grant_type: 'refresh_token', refresh_token: refreshToken, ...client };
      const { status, body } = await post('https://oauth2.googleapis.com/token', form, signal);
      const { error } = Refusal.parse(body);
      if (error === 'invalid_grant') throw ended(label);
      if (error === 'invalid_client' || error === 'unauthorized_client')
        throw new Fault('sheet_unavailable.client');
      const tokens = Tokens.safeParse(body);
      if (status !== 200 || !tokens.success) throw new Fault('sheet_unavailable.no_answer');
      return granted(tokens.data, refreshToken);
    },

    async revoke(token, signal) {
      const { status, body } = await post('https://oauth2.googleapis.com/revoke', { token }, signal);
      if (status !== 200 && Refusal.parse(body).error !== 'invalid_token')
        throw new Fault('sheet_unavailable.no_answer');
    },

    ended,
  };

  async function codeTokens(
    answer: URLSearchParams,
    { redirectUri, codeVerifier }: ConsentVisit,
    signal: AbortSignal,
  ) {
    const error = answer.get('error');
    if (error === 'access_denied') throw new Fault('consent_failed.denied', { provider: 'Google' });
    const code = answer.get('code');
    if (error !== null || code === null) throw failed(error ?? 'no code');
    const form = {
      grant_type: 'authorization_code',
      code,
      redirect_uri: redirectUri,
      code_verifier: codeVerifier,
    };
    const { status, body } = await post(
      'https://oauth2.googleapis.com/token',
      { ...form, ...client },
      signal,
    );
    const tokens = Tokens.safeParse(body);
    if (status !== 200 || !tokens.success) throw failed(Refusal.parse(body).error || `HTTP ${status}`);
    if (tokens.data.refresh_token === undefined) throw failed('no refresh token');
    return tokens.data;
  }

  async function personOf(token: string, signal: AbortSignal) {
    const url = addressOf('https://www.googleapis.com/drive/v3/about?fields=user(permissionId,emailAddress)');
    const { status, body } = await send(url, { headers: { authorization: `Bearer ${token}` } }, signal);
    if (status === 403) throw new Fault('consent_failed.drive_disabled');
    const about = About.safeParse(body);
    if (status !== 200 || !about.success) throw failed(`Drive: HTTP ${status}`);
    return about.data.user;
  }

  function granted(tokens: Tokens, previous: string | null): GrantedTokens {
    return {
      accessToken: tokens.access_token,
      expiresAt: new Date(now() + tokens.expires_in * 1000),
      refreshToken: tokens.refresh_token ?? previous,
      refreshExpiresAt: null,
      scopes: tokens.scope.split(' '),
    };
  }

  function post(address: string, form: Record<string, string>, signal: AbortSignal) {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const body = new URLSearchParams(form).toString();
    return send(addressOf(address), { method: 'POST', headers, body }, signal);
  }

  function addressOf(address: string): URL {
    const url = new URL(address);
    return baseUrl === undefined ? url : new URL(url.pathname + url.search, baseUrl);
  }
}

/** @throws Fault sheet_unavailable.unreached; what it throws quotes nothing of the request */
async function send(
  url: URL,
  init: RequestInit,
  signal: AbortSignal,
): Promise<{ status: number; body: unknown }> {
  try {
    const ending = AbortSignal.any([signal, AbortSignal.timeout(REQUEST_MS)]);
    const response = await fetch(url, { ...init, signal: ending, redirect: 'error' });
    return { status: response.status, body: await response.json().catch(() => undefined) };
  } catch {
    signal.throwIfAborted();
    throw new Fault('sheet_unavailable.unreached');
  }
}

function ended(account: string): Fault {
  return new Fault('sheet_unauthorized.grant', { account });
}

/** What a service says of its refusal may be in an address that anyone can write: only plain words are quoted. */
function failed(reason: string): Fault {
  return new Fault('consent_failed.provider', {
    provider: 'Google',
    reason: REASON.test(reason) ? reason : '–',
  });
}
