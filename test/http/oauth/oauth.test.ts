import {
  Client,
  type OAuthClientInformation,
  type OAuthClientProvider,
  type OAuthTokens,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  newBrowser,
  newPerson,
  newPkce,
  newProgram,
  type Person,
  REDIRECT,
  signInAs,
  WIDE_LIMITS,
} from '../../support/oauth-person.ts';
import { openServedApp, type ServedApp } from '../../support/served-app.ts';
import { useRest } from '../../support/server.ts';

let app: ServedApp;
let ana: Person & { readonly token: string };
let program: ReturnType<typeof newProgram>;

beforeAll(async () => {
  app = await openServedApp({ RATE_LIMITS: WIDE_LIMITS });
  ana = await newPerson(app.url, 'ana');
  program = newProgram(app.url);
});
afterAll(() => app.close());

test('a person lets a program in, and it works with what it was given', async () => {
  const { back, exchange } = await program.askCode(ana);
  expect([...back.searchParams.keys()].sort()).toEqual(['code', 'iss', 'state']);
  expect(back.searchParams.get('iss')).toBe(app.url);
  const { status, body } = await program.post('/oauth/token', exchange);
  expect([status, body]).toEqual([
    200,
    {
      access_token: expect.stringMatching(/^oat_[\w-]{43}$/),
      refresh_token: expect.stringMatching(/^ort_[\w-]{43}$/),
      token_type: 'Bearer',
      expires_in: 3600,
      // Production is a box of its own, which is not ticked.
      scope: 'templates:read templates:write',
    },
  ]);
  const rest = useRest(app.url, String(body['access_token']));
  expect((await rest('GET', '/v1/templates')).status).toBe(200);
  expect((await rest('GET', '/videos')).status).toBe(403);
});

test('a program that names no way to authenticate registers without a secret, and one that names one gets a secret', async () => {
  const register = async (more: object) => {
    const body = { client_name: 'Test assistant', redirect_uris: [REDIRECT], ...more };
    const { status, body: client } = await useRest(app.url)('POST', '/oauth/register', { body });
    return [status, client['token_endpoint_auth_method'], 'client_secret' in client];
  };
  expect(await register({})).toEqual([201, 'none', false]);
  expect(await register({ token_endpoint_auth_method: 'none' })).toEqual([201, 'none', false]);
  expect(await register({ token_endpoint_auth_method: 'client_secret_basic' })).toEqual([
    201,
    'client_secret_basic',
    true,
  ]);
});

test('the metadata says where to sign in, and what there is', async () => {
  const rest = useRest(app.url);
  const { body: resource } = await rest('GET', '/.well-known/oauth-protected-resource');
  const { body: mcp } = await rest('GET', '/.well-known/oauth-protected-resource/mcp');
  const { body: server } = await rest('GET', '/.well-known/oauth-authorization-server');
  expect(resource).toMatchObject({
    resource: app.url,
    authorization_servers: [app.url],
    scopes_supported: expect.arrayContaining(['templates:read']),
    bearer_methods_supported: ['header'],
  });
  expect(mcp['resource']).toBe(`${app.url}/mcp`);
  expect(server).toMatchObject({
    issuer: app.url,
    authorization_endpoint: `${app.url}/oauth/authorize`,
    token_endpoint: `${app.url}/oauth/token`,
    code_challenge_methods_supported: ['S256'],
    client_id_metadata_document_supported: true,
    authorization_response_iss_parameter_supported: true,
  });
  const scopes = server['scopes_supported'] as string[];
  expect(scopes.filter((scope) => /admin|manage|connections|keys|members|billing:write/.test(scope))).toEqual(
    [],
  );
});

test('who comes without a credential learns how to get one', async () => {
  const challenge = async (path: string, headers = {}) =>
    (await useRest(app.url)('GET', path, { headers })).headers.get('www-authenticate');
  const metadata = `${app.url}/.well-known/oauth-protected-resource`;
  expect(await challenge('/mcp')).toMatch(
    new RegExp(`^Bearer realm="stallhand", resource_metadata="${metadata}/mcp", scope="templates:read `),
  );
  expect(await challenge('/v1/templates')).toContain(`resource_metadata="${metadata}", scope="`);
  expect(await challenge('/v1/templates', { authorization: 'Bearer oat_x' })).toContain(
    'error="invalid_token"',
  );
});

test('a missing scope is a 403 that says what to ask for, over REST and MCP', async () => {
  const { access, rest } = await program.connect(ana);
  const wanted = 'error="insufficient_scope", scope="templates:read templates:write videos:read"';
  const refused = await rest('GET', '/videos');
  expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([
    403,
    expect.stringContaining(wanted),
  ]);
  let said = '';
  const call = async (name: string, args: object) => {
    const response = await fetch(`${app.url}/mcp`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${access}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2026-07-28',
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name, arguments: args, _meta: {} },
      }),
    });
    said = String((JSON.parse(await response.text()) as { detail?: unknown }).detail);
    return [response.status, response.headers.get('www-authenticate')];
  };
  expect(await call('get_video', { video_id: 'vid_1' })).toEqual([403, expect.stringContaining(wanted)]);
  const inner = { name: 'get_video', arguments: { video_id: 'vid_1' } };
  expect(await call('run_tool', inner)).toEqual([403, expect.stringContaining(wanted)]);
  // A model has tools, not addresses.
  expect(said).toMatch(/^get_video requires the scope videos:read/);
  // Nothing a program could be given helps here.
  const { status, headers } = await rest('GET', '/api/v1/api-keys');
  expect([status, headers.get('www-authenticate')]).toEqual([
    403,
    expect.not.stringContaining('scope="keys'),
  ]);
});

test('what only a person may do stays closed to programs', async () => {
  const everything = 'templates:read account:read account:admin keys:write environments:manage';
  const { rest } = await program.connect(ana, { scope: everything });
  expect((await rest('GET', '/api/v1/user/profile')).status).toBe(200);
  const made = await rest('POST', '/api/v1/api-keys', { body: { name: 'mine' } });
  expect([made.status, made.body['code']]).toEqual([403, 'insufficient_scope']);
});

describe('a client of the official SDK', () => {
  /** A program that keeps what it gets in memory, and whose person is Ana. */
  function newProvider(chosen: Record<string, string> = {}) {
    const kept: { client?: OAuthClientInformation; tokens?: OAuthTokens; verifier?: string; code?: string } =
      {};
    let back: URL | undefined;
    const provider: OAuthClientProvider = {
      redirectUrl: REDIRECT,
      clientMetadata: { client_name: 'SDK', redirect_uris: [REDIRECT], token_endpoint_auth_method: 'none' },
      clientInformation: () => kept.client,
      saveClientInformation: (client) => {
        kept.client = client;
      },
      tokens: () => kept.tokens,
      saveTokens: (tokens) => {
        kept.tokens = tokens;
      },
      saveCodeVerifier: (verifier) => {
        kept.verifier = verifier;
      },
      codeVerifier: () => kept.verifier ?? '',
      async redirectToAuthorization(url) {
        const browser = newBrowser(app.url);
        const consent = await signInAs(browser, await browser.open(url), ana);
        ({ url: back } = await browser.submit(consent, 'action=allow', chosen));
      },
    };
    return { provider, kept, callback: () => back?.searchParams ?? new URLSearchParams() };
  }

  test('signs in by what the server says of itself, works, and refreshes', async () => {
    const { provider, kept, callback } = newProvider();
    const url = new URL(`${app.url}/mcp`);
    const first = new StreamableHTTPClientTransport(url, { authProvider: provider });
    const client = new Client({ name: 'test', version: '1' });
    await expect(client.connect(first)).rejects.toThrow(UnauthorizedError);
    await first.finishAuth(callback());
    const again = new Client({ name: 'test', version: '1' });
    await again.connect(new StreamableHTTPClientTransport(url, { authProvider: provider }));
    const { tools } = await again.listTools();
    expect(tools.map(({ name }) => name)).toContain('list_templates');
    const { isError } = await again.callTool({ name: 'list_templates', arguments: {} });
    expect(isError ?? false).toBe(false);
    await again.close();
    // The access token is no longer good: the client gets another one without the person.
    const { access_token: old } = kept.tokens ?? { access_token: '' };
    await expireAccessTokens();
    const headers = { authorization: `Bearer ${old}`, 'content-type': 'application/json' };
    // The server hears of it a moment later.
    await expect
      .poll(async () => (await fetch(url, { method: 'POST', headers, body: '{}' })).status)
      .toBe(401);
    const later = new Client({ name: 'test', version: '1' });
    await later.connect(new StreamableHTTPClientTransport(url, { authProvider: provider }));
    expect((await later.listTools()).tools.length).toBeGreaterThan(0);
    expect(kept.tokens?.access_token).not.toBe(old);
    await later.close();
  });
});

async function expireAccessTokens(): Promise<void> {
  await app.database.sql`update oauth_rows set expires_at = now() where kind = 'AccessToken'`;
  await app.database.sql`select pg_notify('connected_apps', '')`;
}

describe('a request that is not right', () => {
  const failure = async (more: Record<string, string>, drop: readonly string[] = []) => {
    const clientId = await program.register();
    const url = new URL(program.authorizeUrl(clientId, newPkce().challenge, more));
    for (const name of drop) url.searchParams.delete(name);
    const { status, url: at, text } = await newBrowser(app.url).open(url);
    return status === 0 ? at.searchParams.get('error') : `${status} ${/<code>(\w+)/.exec(text)?.[1]}`;
  };

  test.each<[string, Record<string, string>, readonly string[], string]>([
    ['without PKCE', {}, ['code_challenge', 'code_challenge_method'], 'invalid_request'],
    ['with PKCE as plain text', { code_challenge_method: 'plain' }, [], 'invalid_request'],
    ['for another resource', { resource: 'https://other.example' }, [], 'invalid_target'],
    // The browser is not sent to an address that the client did not register.
    ['to another address', { redirect_uri: 'https://evil.example/' }, [], '400 invalid_redirect_uri'],
    ['to another path', { redirect_uri: 'http://127.0.0.1:53682/evil' }, [], '400 invalid_redirect_uri'],
    ['of an unknown client', { client_id: 'nobody' }, [], '400 invalid_client'],
  ])('%s is refused', async (_what, more, drop, error) => {
    expect(await failure(more, drop)).toBe(error);
  });

  test('a program on this machine may listen on any port', async () => {
    const redirect = 'http://127.0.0.1:61999/callback';
    const { url } = await newBrowser(app.url).open(
      program.authorizeUrl(await program.register(), newPkce().challenge, { redirect_uri: redirect }),
    );
    expect(url.pathname).toMatch(/^\/oauth\/sign-in\//);
  });
});

describe('a code', () => {
  test('works once; a second use ends what came of the first', async () => {
    const { exchange } = await program.askCode(ana);
    const { body } = await program.post('/oauth/token', exchange);
    const rest = useRest(app.url, String(body['access_token']));
    expect((await rest('GET', '/v1/templates')).status).toBe(200);
    const replay = await program.post('/oauth/token', exchange);
    expect([replay.status, replay.body['error']]).toEqual([400, 'invalid_grant']);
    expect((await rest('GET', '/v1/templates')).status).toBe(401);
  });

  test.each([
    ['with another verifier', { code_verifier: newPkce().verifier }],
    ['with another address', { redirect_uri: 'http://127.0.0.1:53682/other' }],
    ['for another resource', { resource: 'https://other.example' }],
  ])('%s is refused', async (_what, more) => {
    const { exchange } = await program.askCode(ana);
    const { status, body } = await program.post('/oauth/token', { ...exchange, ...more });
    expect([status, body['error']]).toEqual([400, expect.stringMatching(/^invalid_(grant|target)$/)]);
  });
});

describe('a refresh token', () => {
  test('is replaced when used, and a second use ends the connection', async () => {
    const { refresh, refreshWith, rest } = await program.connect(ana);
    const { status, body } = await refreshWith(refresh);
    expect([status, body['refresh_token']]).toEqual([200, expect.not.stringContaining(refresh)]);
    const reused = await refreshWith(refresh);
    expect([reused.status, reused.body['error']]).toEqual([400, 'invalid_grant']);
    const next = await refreshWith(String(body['refresh_token']));
    expect([next.status, next.body['error']]).toEqual([400, 'invalid_grant']);
    expect((await rest('GET', '/v1/templates')).status).toBe(401);
  });

  test('used twice at the same moment gives one answer', async () => {
    const { refresh, refreshWith } = await program.connect(ana);
    const answers = await Promise.all([refreshWith(refresh), refreshWith(refresh), refreshWith(refresh)]);
    expect(answers.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1);
  });

  test('of another client is refused', async () => {
    const { refresh, refreshWith } = await program.connect(ana);
    const { status } = await refreshWith(refresh, { client_id: await program.register() });
    expect(status).toBe(400);
  });
});

describe('an access token', () => {
  test('for MCP works there and nowhere else', async () => {
    const { rest } = await program.connect(ana, { resource: `${app.url}/mcp` });
    const { status, body } = await rest('GET', '/v1/templates');
    expect([status, body['code'], body['detail']]).toEqual([
      401,
      'unauthenticated',
      expect.stringContaining('another resource'),
    ]);
    expect((await rest('GET', '/mcp')).status).not.toBe(401);
  });

  test('is kept only as a hash, as are codes and refresh tokens', async () => {
    const { access, refresh } = await program.connect(ana);
    const rows = await app.database.sql`select * from oauth_rows`;
    const text = JSON.stringify(rows);
    expect([text.includes(access), text.includes(refresh), text.includes(access.slice(4))]).toEqual([
      false,
      false,
      false,
    ]);
  });

  test('that its program gives up ends the connection', async () => {
    const { clientId, access, rest, refresh, refreshWith } = await program.connect(ana);
    const other = await program.register();
    await program.post('/oauth/revoke', { token: access, client_id: other });
    expect((await rest('GET', '/v1/templates')).status).toBe(200);
    const { status } = await program.post('/oauth/revoke', { token: access, client_id: clientId });
    expect([status, (await rest('GET', '/v1/templates')).status]).toEqual([200, 401]);
    expect((await refreshWith(refresh)).status).toBe(400);
  });

  test('ends with the membership of the person', async () => {
    const bea = await newPerson(app.url, 'bea');
    const { rest } = await program.connect(bea);
    expect((await rest('GET', '/v1/templates')).status).toBe(200);
    await app.database.sql`
      delete from memberships where user_id = (select id from users where email = ${bea.email})`;
    await app.database.sql`select pg_notify('sessions', '')`;
    await expect.poll(async () => (await rest('GET', '/v1/templates')).status, { timeout: 10_000 }).toBe(401);
  });

  test('never does more than the role of the person allows', async () => {
    const cid = await newPerson(app.url, 'cid');
    const { rest } = await program.connect(cid);
    await app.database.sql`
      update memberships set role = 'viewer' where user_id = (select id from users where email = ${cid.email})`;
    await app.database.sql`select pg_notify('sessions', '')`;
    const create = () => rest('POST', '/v1/templates', { body: { name: 'x', html: '<p>x</p>' } });
    await expect.poll(async () => (await create()).status, { timeout: 10_000 }).toBe(403);
  });
});
