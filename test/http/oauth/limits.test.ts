import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { MAX_UNUSED_CLIENTS } from '../../../src/identity/connected-apps/oauth-store.ts';
import { AssetBlocked } from '../../../src/platform/guarded-fetch/asset-blocked.ts';
import { type OidcIssuer, startOidcIssuer } from '../../peers/oidc-issuer.ts';
import {
  type Browser,
  formsOf,
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
import { startTestServer, useRest } from '../../support/server.ts';

let app: ServedApp;
let ana: Person & { readonly token: string };
let program: ReturnType<typeof newProgram>;

beforeAll(async () => {
  app = await openServedApp({ RATE_LIMITS: WIDE_LIMITS });
  ana = await newPerson(app.url, 'ana');
  program = newProgram(app.url);
});
afterAll(() => app.close());

describe('connected apps', () => {
  const appsOf = async (token: string) => {
    const { body } = await useRest(app.url, token)('GET', '/api/v1/connected-apps');
    return body as unknown as { id: string; name: string; connected_by: string; scopes: string[] }[];
  };

  test('are listed, and revoked at once on every node', async () => {
    const other = await startTestServer(app, { RATE_LIMITS: WIDE_LIMITS, PUBLIC_URL: app.url });
    const { access, rest } = await program.connect(ana);
    const there = useRest(other.url, access);
    expect([
      (await rest('GET', '/v1/templates')).status,
      (await there('GET', '/v1/templates')).status,
    ]).toEqual([200, 200]);
    const [listed] = await appsOf(ana.token);
    expect(listed).toMatchObject({
      name: 'Test assistant',
      connected_by: ana.email,
      scopes: ['templates:read', 'templates:write'],
    });
    const revoked = await useRest(app.url, ana.token)('DELETE', `/api/v1/connected-apps/${listed?.id}`);
    expect([revoked.status, (await rest('GET', '/v1/templates')).status]).toEqual([200, 401]);
    await expect
      .poll(async () => (await there('GET', '/v1/templates')).status, { timeout: 10_000 })
      .toBe(401);
    await other.close();
  });

  test('are not revoked by an app, nor by someone else', async () => {
    const scope = 'templates:read account:read';
    const { rest } = await program.connect(ana, { scope });
    const [own] = await appsOf(ana.token);
    const byApp = await rest('DELETE', `/api/v1/connected-apps/${own?.id}`);
    expect([byApp.status, byApp.body['code']]).toEqual([403, 'person_required']);
    const bob = await newPerson(app.url, 'bob');
    const byBob = await useRest(app.url, bob.token)('DELETE', `/api/v1/connected-apps/${own?.id}`);
    expect([byBob.status, await appsOf(bob.token)]).toEqual([404, []]);
  });
});

describe('production', () => {
  test('is only touched by an app whose person has ticked it', async () => {
    const draft = { name: 'from-an-app', html: '<p>x</p>' };
    const { rest } = await program.connect(ana);
    const live = await rest('POST', '/v1/templates', { body: { ...draft, environments: ['production'] } });
    expect([live.status, live.body['code']]).toEqual([403, 'insufficient_scope']);
    const made = await rest('POST', '/v1/templates', { body: draft });
    expect([made.status, made.body['environments']]).toEqual([201, {}]);
    const promote = { to: 'production', version: 'v1.0.0' };
    expect((await rest('POST', '/v1/templates/from-an-app/promote', { body: promote })).status).toBe(403);
    const trusted = await program.connect(ana, {}, { production: 'yes' });
    const answer = await trusted.rest('POST', '/v1/templates/from-an-app/promote', { body: promote });
    expect(answer.status).toBe(200);
  });

  test('scopes that are not ticked are not given', async () => {
    const { rest } = await program.connect(ana, {}, { scope: ['templates:read'] });
    const made = await rest('POST', '/v1/templates', { body: { name: 'not-given', html: 'x' } });
    expect([made.status, made.body['code']]).toEqual([403, 'insufficient_scope']);
  });
});

describe('the form of the decision', () => {
  async function askAna() {
    const browser = newBrowser(app.url);
    const clientId = await program.register();
    const page = await browser.open(program.authorizeUrl(clientId, newPkce().challenge));
    return { browser, consent: await signInAs(browser, page, ana) };
  }
  const isRefused = ({ status, text }: Awaited<ReturnType<Browser['open']>>) =>
    status === 400 && text.includes('This form has expired');

  test.each<[string, Record<string, string>]>([
    ['without its secret', { csrf: '' }],
    ['with a wrong secret', { csrf: 'a'.repeat(64) }],
  ])('%s is refused', async (_what, typed) => {
    const { browser, consent } = await askAna();
    expect(isRefused(await browser.submit(consent, 'action=allow', typed))).toBe(true);
  });

  test('sent by a page of another site is refused', async () => {
    const { browser, consent } = await askAna();
    const { status } = await browser.submit(consent, 'action=allow', {}, { origin: 'https://evil.example' });
    expect(status).toBe(403);
  });

  test('of another browser is refused, even with its secret', async () => {
    const { consent } = await askAna();
    expect(isRefused(await newBrowser(app.url).submit(consent, 'action=allow'))).toBe(true);
    expect(isRefused(await newBrowser(app.url).open(consent.url))).toBe(true);
  });

  test('works only once a person has signed in', async () => {
    const browser = newBrowser(app.url);
    const page = await browser.open(program.authorizeUrl(await program.register(), newPkce().challenge));
    const [form] = formsOf(page);
    const csrf = form?.fields.find(([name]) => name === 'csrf')?.[1] ?? '';
    const forged = { csrf, action: 'allow', scope: 'templates:read', account: 'acc_1' };
    const after = await browser.submit(page, 'action=enter', forged);
    expect([after.url.origin, after.text.includes('name="password"')]).toEqual([app.url, true]);
  });

  test('takes no account that the person does not belong to', async () => {
    const { browser, consent } = await askAna();
    const after = await browser.submit(consent, 'action=allow', { account: 'acc_someone_else' });
    expect([after.status, after.url.origin]).toEqual([404, app.url]);
  });

  test('tells the program when the person says no', async () => {
    const { browser, consent } = await askAna();
    const { url } = await browser.submit(consent, 'action=deny');
    expect([url.href.startsWith(REDIRECT), url.searchParams.get('error')]).toEqual([true, 'access_denied']);
  });

  test('is in Spanish for who reads Spanish', async () => {
    const response = await fetch(program.authorizeUrl(await program.register(), newPkce().challenge), {
      redirect: 'manual',
    });
    const cookie = response.headers
      .getSetCookie()
      .map((one) => one.split(';')[0])
      .join('; ');
    const headers = { cookie, 'accept-language': 'es' };
    const page = await fetch(new URL(response.headers.get('location') ?? '', app.url), { headers });
    expect(await page.text()).toContain('Inicia sesión para conectar una aplicación');
    expect(page.headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'sha256-/);
  });
});

describe('a client that publishes who it is', () => {
  const CLIENT = 'https://assistant.example/client.json';

  async function shownFor(clientId: string, documents: Readonly<Record<string, unknown>> = {}) {
    const asked: string[] = [];
    const env = { RATE_LIMITS: WIDE_LIMITS, PUBLIC_URL: app.url };
    const site = await startTestServer(app, env, {
      async fetchClientMetadata(url) {
        asked.push(url);
        if (!(url in documents)) throw new AssetBlocked('not_public');
        return documents[url];
      },
    });
    const path = program.authorizeUrl(clientId, newPkce().challenge).slice(app.url.length);
    const open = () => fetch(`${site.url}${path}`, { redirect: 'manual' });
    const [first, second] = [await open(), await open()];
    await site.close();
    return { status: second.status, text: await first.text(), asked };
  }

  test('is let in by its document, which is fetched once', async () => {
    const document = {
      client_id: CLIENT,
      client_name: 'Assistant',
      redirect_uris: [REDIRECT],
      scope: 'anything',
    };
    const { status, asked } = await shownFor(CLIENT, { [CLIENT]: document });
    expect([status, asked]).toEqual([303, [CLIENT]]);
  });

  test.each<[string, string, Readonly<Record<string, unknown>>]>([
    [
      'that is about another client',
      CLIENT,
      { [CLIENT]: { client_id: 'https://other.example/', redirect_uris: [REDIRECT] } },
    ],
    ['that is no object', CLIENT, { [CLIENT]: [] }],
    ['that is not there', CLIENT, {}],
    [
      'with a secret',
      CLIENT,
      { [CLIENT]: { client_id: CLIENT, redirect_uris: [REDIRECT], client_secret: 'x' } },
    ],
  ])('with a document %s is refused', async (_what, clientId, documents) => {
    const { status, text } = await shownFor(clientId, documents);
    expect([status, text.includes('invalid_client')]).toEqual([400, true]);
  });

  test.each([
    'https://127.0.0.1/c.json',
    'https://169.254.169.254/c',
    'https://[::1]/c',
    'https://10.0.0.1/c',
  ])('at the private address %s is refused by the product itself', async (clientId) => {
    const { status, text } = await newBrowser(app.url).open(
      program.authorizeUrl(clientId, newPkce().challenge),
    );
    expect([status, text.includes('client_id metadata document fetch failed')]).toEqual([400, true]);
  });
});

describe('strangers', () => {
  let tight: ServedApp;
  beforeEach(async () => {
    tight = await openServedApp({ RATE_LIMITS: '{"connect":{"perSecond":0.001,"burst":6}}' });
  });
  afterEach(() => tight.close());

  test('register few clients from one address', async () => {
    const body = { redirect_uris: [REDIRECT] };
    const answers: number[] = [];
    for (let count = 0; count < 8; count++)
      answers.push((await useRest(tight.url)('POST', '/oauth/register', { body })).status);
    expect(answers).toEqual([201, 201, 201, 201, 201, 201, 429, 429]);
  });

  test('who opens the sign-in of a program too often reads a page that says when to come back', async () => {
    const address = `${tight.url}/oauth/authorize`;
    const open = (headers: Record<string, string>) => fetch(address, { headers, redirect: 'manual' });
    for (let count = 0; count < 6; count++) await open({ accept: 'text/html' });
    const page = await open({ accept: 'text/html', 'accept-language': 'es' });
    const text = await page.text();
    expect([
      page.status,
      page.headers.get('content-type'),
      Number(page.headers.get('retry-after')) > 0,
    ]).toEqual([429, 'text/html; charset=utf-8', true]);
    expect(text).toMatch(
      /<html lang="es">[\s\S]*<h1>No se pudo completar<\/h1>[\s\S]*role="alert">[^<]+\d+ s/,
    );
    expect(await (await open({ accept: 'application/json' })).json()).toMatchObject({ code: 'rate_limited' });
  });

  test('register at most so many clients from all addresses together', async () => {
    // Rows made as ten thousand addresses would make them.
    await app.database.sql`
      insert into oauth_clients (id, metadata, created_at)
      select 'stranger' || n, '{}', now() - interval '1 hour' from generate_series(1, 10000) n`;
    const fresh = await program.register();
    const [row] = await app.database.sql`
      select count(*)::int as count, bool_or(id = ${fresh}) as fresh from oauth_clients where used_at is null`;
    expect(row).toEqual({ count: MAX_UNUSED_CLIENTS, fresh: true });
  });

  test('guess codes of devices only a few times, and a wrong one is not told from an expired one', async () => {
    const browser = newBrowser(tight.url);
    const said: string[] = [];
    const page = await browser.open('/oauth/device');
    for (let guess = 0; guess < 8; guess++) {
      const user_code = `BCDF-GHJ${'KLMNPQRS'[guess]}`;
      const { status, text } = await browser.submit(page, '=', { user_code });
      said.push(status === 429 ? 'limited' : (/role="alert">([^<.]*)/.exec(text)?.[1] ?? String(status)));
    }
    expect(said.slice(-2)).toEqual(['limited', 'limited']);
    expect(new Set(said.slice(0, 6))).toEqual(new Set(['The code is wrong or has expired']));
  });
});

describe('the character U+0000, which the database cannot store,', () => {
  const code = (more: Record<string, string>) =>
    newBrowser(app.url).open(program.authorizeUrl('x', newPkce().challenge, more));

  test('in what a client says of itself is refused', async () => {
    const body = { client_name: 'a\u0000b', redirect_uris: [REDIRECT] };
    const { status, body: said } = await useRest(app.url)('POST', '/oauth/register', { body });
    expect([status, said['error']]).toEqual([400, 'invalid_client_metadata']);
  });

  test('in a client ID is one that no client has', async () => {
    const { status, text } = await code({ client_id: 'a\u0000b' });
    expect([status, text.includes('invalid_client')]).toEqual([400, true]);
  });

  test('in a request for a code is refused', async () => {
    const { url } = await code({ client_id: await program.register(), state: 'a\u0000b' });
    expect([url.href.startsWith(REDIRECT), url.searchParams.get('error')]).toEqual([true, 'invalid_request']);
  });

  test('in a token is one that was never issued', async () => {
    const fields = {
      grant_type: 'refresh_token',
      refresh_token: 'a\u0000b',
      client_id: await program.register(),
    };
    const { status, body } = await program.post('/oauth/token', fields);
    expect([status, body['error']]).toEqual([400, 'invalid_grant']);
  });
});

test('behind a proxy, every address is that of PUBLIC_URL, and cookies only go over https', async () => {
  const base = 'https://stall.example/shop';
  const proxied = await startTestServer(app, { PUBLIC_URL: base });
  const { body } = await useRest(proxied.url)('GET', '/.well-known/oauth-authorization-server');
  expect(body).toMatchObject({ issuer: base, token_endpoint: `${base}/oauth/token` });
  const asked = program.authorizeUrl(await program.register(), newPkce().challenge, { resource: base });
  const response = await fetch(`${proxied.url}${asked.slice(app.url.length)}`, {
    redirect: 'manual',
    headers: { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'http' },
  });
  const cookies = response.headers.getSetCookie();
  await proxied.close();
  expect(response.headers.get('location')).toMatch(/^\/shop\/oauth\/sign-in\/[\w-]+$/);
  expect(cookies.length).toBeGreaterThanOrEqual(2);
  expect(cookies.filter((cookie) => !/path=\/shop\/oauth\/.*secure/i.test(cookie))).toEqual([]);
});

describe('where there is nothing to sign in to', () => {
  const WELL_KNOWN = ['/.well-known/oauth-protected-resource', '/.well-known/oauth-authorization-server'];
  const statuses = async (url: string) =>
    Promise.all(WELL_KNOWN.map(async (path) => (await useRest(url)('GET', path)).status));

  test('an open server has no metadata, and works without', async () => {
    const open = await startTestServer(app, { AUTH_MODE: 'open' });
    expect(await statuses(open.url)).toEqual([404, 404]);
    expect((await useRest(open.url)('GET', '/v1/templates')).status).toBe(200);
    expect((await useRest(open.url)('POST', '/oauth/register', { body: {} })).status).toBe(404);
    await open.close();
  });

  test('with an outside identity provider, the metadata points there', async () => {
    const issuer: OidcIssuer = await startOidcIssuer();
    const outside = await startTestServer(app, { OIDC_ISSUER: issuer.url, OIDC_AUDIENCE: issuer.audience });
    expect(await statuses(outside.url)).toEqual([200, 404]);
    const { body } = await useRest(outside.url)('GET', '/.well-known/oauth-protected-resource/mcp');
    expect(body).toMatchObject({ resource: `${outside.url}/mcp`, authorization_servers: [issuer.url] });
    await outside.close();
    await issuer.close();
  });
});
