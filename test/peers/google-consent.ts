import { hash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { createSheetsEmulator, type SheetsEmulatorOptions } from '../../src/emulators/sheets/sheets.ts';
import { consentPage, escaped, formOf, sendJson, sendTo } from './consent-page.ts';

const SCOPE = 'https://www.googleapis.com/auth/';
const SECONDS = 3599;
const CODE_MS = 60_000;

type Code = { readonly query: URLSearchParams; readonly scopes: readonly string[]; readonly until: number };
/** What one person gave the app: its tokens end together. */
type Grant = { readonly user: string; readonly scopes: readonly string[]; readonly files: Set<string> };

type Options = SheetsEmulatorOptions & {
  readonly clientId: string;
  readonly clientSecret: string;
  /** Registered for the client; any other is refused, to a character. */
  readonly redirectUris: string[];
  readonly now?: () => number;
};

export type GoogleConsentPeer = Awaited<ReturnType<typeof startGoogleConsentPeer>>;

/**
 * Google's consent page, token, revocation and Drive endpoints before the Sheets emulator, as its documents have them: exact
 * redirect URIs, PKCE, codes that work once and for a minute, refresh tokens only with `access_type=offline` and
 * `prompt=consent`, the file picker only with `drive.file` alone, and with that scope no spreadsheet that was not picked.
 */
export async function startGoogleConsentPeer({ now = Date.now, ...options }: Options) {
  const emulator = createSheetsEmulator(options);
  const codes = new Map<string, Code>();
  const grants = new Set<Grant>();
  const access = new Map<string, { readonly grant: Grant; readonly until: number }>();
  const refresh = new Map<string, Grant>();
  const requests: string[] = [];
  const state = {
    user: 'ana@gmail.test',
    /** Scopes that the person unticks. */
    unticked: [] as string[],
    driveDisabled: false,
    down: false,
  };
  /** Files that may be picked, by title. */
  const files = new Map<string, string>();

  const server = createServer((req, res) => {
    serve(req, res).catch(() => res.destroy());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  // A TCP server that listens has an address with a port.
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  async function serve(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(req.url ?? '/', url);
    requests.push(`${req.method} ${pathname}`);
    if (state.down) return void res.writeHead(503, { 'content-type': 'text/html' }).end('down');
    if (pathname === '/o/oauth2/v2/auth') return ask(searchParams, res);
    if (pathname === '/o/oauth2/v2/decide') return decide(await formOf(req), res);
    if (pathname === '/token') return token(await formOf(req), res);
    if (pathname === '/revoke') return revoke(await formOf(req), res);
    if (pathname === '/drive/v3/about') return about(req, res);
    return sheets(req, res);
  }

  /** An error that Google shows itself, since it knows no place to go back to. */
  function ask(query: URLSearchParams, res: ServerResponse): void {
    const wrong = wrongRequest(query);
    if (wrong) return void res.writeHead(400, { 'content-type': 'text/html' }).end(`Error 400: ${wrong}`);
    const offered = [...files].filter(([, id]) => (query.get('file_ids') ?? id).split(',').includes(id));
    const picker = offered.map(
      ([title, id]) =>
        `<label><input type="radio" name="file" value="${escaped(id)}">${escaped(title)}</label>`,
    );
    const isPicking = query.get('trigger_onepick') === 'true';
    consentPage(res, 'Sign in with Google', { query: query.toString() }, isPicking ? picker.join('') : '');
  }

  function wrongRequest(query: URLSearchParams): string | undefined {
    const scopes = (query.get('scope') ?? '').split(' ');
    if (query.get('client_id') !== options.clientId) return 'invalid_client';
    if (!options.redirectUris.includes(query.get('redirect_uri') ?? '')) return 'redirect_uri_mismatch';
    if (query.get('response_type') !== 'code' || !query.get('state')) return 'invalid_request';
    if (
      query.get('code_challenge_method') !== 'S256' ||
      !/^[\w-]{43}$/.test(query.get('code_challenge') ?? '')
    )
      return 'invalid_request';
    if (!scopes.every((scope) => [`${SCOPE}drive.file`, `${SCOPE}spreadsheets`].includes(scope)))
      return 'invalid_scope';
    const isPicking = query.get('trigger_onepick') === 'true';
    if (isPicking && (scopes.length !== 1 || scopes[0] !== `${SCOPE}drive.file`)) return 'invalid_scope';
    if (isPicking && query.get('prompt') !== 'consent') return 'invalid_request';
    return undefined;
  }

  function decide(form: URLSearchParams, res: ServerResponse): void {
    const query = new URLSearchParams(form.get('query') ?? '');
    const to = query.get('redirect_uri') ?? '';
    const answered = { state: query.get('state') ?? '' };
    if (form.get('answer') !== 'allow') return void sendTo(res, to, { ...answered, error: 'access_denied' });
    const code = `4/${randomUUID()}`;
    const scopes = (query.get('scope') ?? '').split(' ').filter((scope) => !state.unticked.includes(scope));
    const file = form.get('file');
    const picked = query.get('trigger_onepick') === 'true' && file ? { picked_file_ids: file } : {};
    if (file) query.set('picked', file);
    codes.set(code, { query, scopes, until: now() + CODE_MS });
    sendTo(res, to, { ...answered, code, scope: scopes.join(' '), ...picked });
  }

  function token(form: URLSearchParams, res: ServerResponse): void {
    if (form.get('client_id') !== options.clientId || form.get('client_secret') !== options.clientSecret)
      return void sendJson(res, 401, { error: 'invalid_client', error_description: 'Unauthorized' });
    if (form.get('grant_type') === 'refresh_token') {
      const grant = refresh.get(form.get('refresh_token') ?? '');
      if (!grant || !grants.has(grant))
        return void sendJson(res, 400, {
          error: 'invalid_grant',
          error_description: 'Token has been expired or revoked.',
        });
      return void sendJson(res, 200, issued(grant));
    }
    const code = codes.get(form.get('code') ?? '');
    codes.delete(form.get('code') ?? '');
    const { query } = code ?? {};
    const isRight =
      form.get('grant_type') === 'authorization_code' &&
      query?.get('redirect_uri') === form.get('redirect_uri') &&
      query.get('code_challenge') === hash('sha256', form.get('code_verifier') ?? '', 'base64url');
    if (!code || !isRight || code.until < now())
      return void sendJson(res, 400, { error: 'invalid_grant', error_description: 'Bad Request' });
    const picked = code.query.get('picked');
    const grant = { user: state.user, scopes: code.scopes, files: new Set(picked ? [picked] : []) };
    grants.add(grant);
    const isOffline = code.query.get('access_type') === 'offline' && code.query.get('prompt') === 'consent';
    if (!isOffline) return void sendJson(res, 200, issued(grant));
    const refresh_token = `1//${randomUUID()}`;
    refresh.set(refresh_token, grant);
    sendJson(res, 200, { ...issued(grant), refresh_token });
  }

  function issued(grant: Grant) {
    const access_token = `ya29.${randomUUID()}`;
    access.set(access_token, { grant, until: now() + SECONDS * 1000 });
    return { access_token, expires_in: SECONDS, token_type: 'Bearer', scope: grant.scopes.join(' ') };
  }

  /** Ends everything that the person has given the app, whichever token is named. */
  function revoke(form: URLSearchParams, res: ServerResponse): void {
    const token = form.get('token') ?? '';
    const grant = refresh.get(token) ?? access.get(token)?.grant;
    if (!grant || !grants.has(grant)) return void sendJson(res, 400, { error: 'invalid_token' });
    removeAccess(grant.user);
    sendJson(res, 200, {});
  }

  function removeAccess(user: string): void {
    for (const grant of grants) if (grant.user === user) grants.delete(grant);
  }

  function grantOf({ headers: { authorization = '' } }: IncomingMessage): Grant | undefined {
    const found = access.get(authorization.replace(/^Bearer /, ''));
    return found && found.until > now() && grants.has(found.grant) ? found.grant : undefined;
  }

  function about(req: IncomingMessage, res: ServerResponse): void {
    const grant = grantOf(req);
    if (!grant)
      return void sendJson(res, 401, {
        error: { code: 401, message: 'Invalid Credentials', status: 'UNAUTHENTICATED' },
      });
    if (state.driveDisabled)
      return void sendJson(res, 403, {
        error: { code: 403, message: 'Drive API is disabled', status: 'PERMISSION_DENIED' },
      });
    sendJson(res, 200, {
      user: { permissionId: hash('sha256', grant.user).slice(0, 20), emailAddress: grant.user },
    });
  }

  /** The Sheets API, for a token with the right to that spreadsheet. */
  async function sheets(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const grant = grantOf(req);
    const [, id = ''] = /^\/v4\/spreadsheets\/([^/:?]+)/.exec(req.url ?? '') ?? [];
    const mayOpen = grant?.scopes.includes(`${SCOPE}spreadsheets`) || grant?.files.has(id);
    if (grant && !mayOpen)
      return void sendJson(res, 404, {
        error: { code: 404, message: 'Requested entity was not found.', status: 'NOT_FOUND' },
      });
    const body = await text(req);
    const answer = await emulator.fetch(new URL(req.url ?? '/', 'https://sheets.googleapis.com'), {
      method: req.method ?? 'GET',
      headers: { authorization: grant ? 'Bearer ya29.test' : 'Bearer none' },
      ...(body !== '' && { body }),
    });
    res.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' });
    res.end(await answer.text());
  }

  return {
    url,
    emulator,
    files,
    /** What was asked for, in order: method and path. */
    requests,
    /** Who is signed in at Google, and what they do there. */
    state,
    /** The person removes the app in their Google account. */
    removeAccess,
    /** Every access token is spent; refresh tokens stay. */
    expireAccess: () => access.clear(),
    /** Whether the app still has anything of the person. */
    hasAccess: (user: string) => [...grants].some((grant) => grant.user === user),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
