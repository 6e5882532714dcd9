import { auth, type OAuthClientProvider } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newBrowser, newPkce, type Person, signInAs } from '../../support/oauth-person.ts';
import { openServedApp, type ServedApp } from '../../support/served-app.ts';
import { useRest } from '../../support/server.ts';

let app: ServedApp;
let ana: Person;
const GENEROUS = '{"connect":{"perSecond":1000,"burst":10000},"sign_in":{"perSecond":1000,"burst":10000}}';

beforeAll(async () => {
  app = await openServedApp({ RATE_LIMITS: GENEROUS });
  ana = { email: 'ana@shop.example', password: 'correct horse battery staple 7' };
  const { status } = await useRest(app.url)('POST', '/auth/register', { body: ana });
  expect(status).toBe(201);
});
afterAll(() => app.close());

const REDIRECT = 'http://127.0.0.1:53682/callback';

async function register(more: object = {}) {
  const { status, body } = await useRest(app.url)('POST', '/oauth/register', {
    body: {
      client_name: 'Claude Test',
      redirect_uris: [REDIRECT],
      token_endpoint_auth_method: 'none',
      ...more,
    },
  });
  expect([status, body]).toEqual([201, expect.anything()]);
  return String(body['client_id']);
}

function authorizeUrl(clientId: string, challenge: string, more: Record<string, string> = {}) {
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: clientId,
    redirect_uri: REDIRECT,
    code_challenge: challenge,
    code_challenge_method: 'S256',
    scope: 'templates:read templates:write templates:promote',
    state: 'a state',
    resource: app.url,
    ...more,
  });
  return `${app.url}/oauth/authorize?${query}`;
}

async function token(body: Record<string, string>) {
  const response = await fetch(`${app.url}/oauth/token`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(body).toString(),
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

/** Ana lets a program in. */
async function connect(more: Record<string, string> = {}, choice: Record<string, string | string[]> = {}) {
  const clientId = await register();
  const { verifier, challenge } = newPkce();
  const browser = newBrowser(app.url);
  const page = await browser.open(authorizeUrl(clientId, challenge, more));
  const consent = await signInAs(browser, page, ana);
  const back = await browser.submit(consent, 'action=allow', choice);
  expect(back.url.href).toContain(REDIRECT);
  const code = back.url.searchParams.get('code') ?? '';
  const request = { grant_type: 'authorization_code', code, client_id: clientId, redirect_uri: REDIRECT };
  return { clientId, back, request: { ...request, code_verifier: verifier } };
}

test('a person lets a program in, and it works with what it was given', async () => {
  const { back, request } = await connect();
  expect([...back.url.searchParams.keys()].sort()).toEqual(['code', 'iss', 'state']);
  expect(back.url.searchParams.get('iss')).toBe(app.url);
  const { status, body } = await token(request);
  expect([status, body]).toEqual([
    200,
    {
      access_token: expect.stringMatching(/^oat_[\w-]{43}$/),
      refresh_token: expect.stringMatching(/^ort_[\w-]{43}$/),
      token_type: 'Bearer',
      expires_in: 3600,
      scope: 'templates:read templates:write',
    },
  ]);
  const rest = useRest(app.url, String(body['access_token']));
  expect((await rest('GET', '/v1/templates')).status).toBe(200);
});
