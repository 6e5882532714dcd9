import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type OidcIssuer, startOidcIssuer } from '../peers/oidc-issuer.ts';
import { openTestApp } from '../support/app.ts';
import { openServedApp, type ServedApp } from '../support/served-app.ts';
import { newBareKey, startTestServer, useRest } from '../support/server.ts';

let issuer: OidcIssuer;
let app: ServedApp;
let key: string;

beforeAll(async () => {
  issuer = await startOidcIssuer();
  const settings = { OIDC_ISSUER: issuer.url, OIDC_AUDIENCE: issuer.audience };
  app = await openServedApp(settings);
  ({ key } = await newBareKey(app));
});
afterAll(async () => {
  await app.close();
  await issuer.close();
});

/** What is sent byte for byte: no client would repeat the header. */
async function raw(...headers: readonly string[]): Promise<string> {
  const { hostname, port } = new URL(app.url);
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  const lines = ['GET /v1/templates HTTP/1.1', `Host: ${hostname}`, 'Connection: close', ...headers];
  socket.write(`${lines.join('\r\n')}\r\n\r\n`);
  return text(socket);
}

const seconds = () => Math.floor(Date.now() / 1000);

describe('a credential that is not good is answered with 401 and how to sign in', () => {
  test.each<[string, string, () => string | Promise<string>]>([
    ['none at all', 'unauthenticated', () => ''],
    ['another scheme', 'unauthenticated', () => `Authorization: Basic ${key}`],
    ['a scheme alone', 'unauthenticated', () => 'Authorization: Bearer'],
    ['an empty header', 'unauthenticated', () => 'Authorization:'],
    ['two tokens', 'unauthenticated', () => `Authorization: Bearer ${key} ${key}`],
    ['two tokens by comma', 'unauthenticated', () => `Authorization: Bearer ${key}, Bearer ${key}`],
    [
      'two headers, both good',
      'unauthenticated',
      () => `Authorization: Bearer ${key}\r\nAuthorization: Bearer ${key}`,
    ],
    ['a key with a letter changed', 'unauthenticated', () => `Authorization: Bearer ${key.slice(0, -1)}g`],
    ['a session nobody has', 'unauthenticated', () => `Authorization: Bearer ses_${'a'.repeat(43)}`],
    ['a token that is none', 'unauthenticated', () => 'Authorization: Bearer a.b.c'],
    [
      'a token that has expired',
      'token_expired',
      async () => `Authorization: Bearer ${await issuer.sign({ exp: seconds() - 60 })}`,
    ],
    [
      'a token for another service',
      'unauthenticated',
      async () => `Authorization: Bearer ${await issuer.sign({ aud: 'other' })}`,
    ],
  ])('%s', async (_what, code, header) => {
    const answer = await raw(...[await header()].filter(Boolean));
    expect(answer).toMatch(/^HTTP\/1\.1 401 /);
    expect(answer).toMatch(/^WWW-Authenticate: Bearer realm="stallhand"/m);
    expect(answer).toContain(`"code":"${code}"`);
    expect(answer).not.toContain(key.slice(16, -8));
  });

  test('it tells how to make a key only to the owner of this machine', async () => {
    const detail = async (url: string, token?: string) =>
      (await useRest(url, token)('GET', '/v1/templates', { headers: { 'accept-language': 'en' } })).body[
        'detail'
      ];
    expect([await detail(app.url), await detail(app.url, 'sh_live_x')]).toEqual([
      'No credentials were sent. Sign in, or send an API key as Authorization: Bearer <API_KEY>.',
      'The key or token is wrong, expired or revoked. Sign in again, or use another key.',
    ]);
    const open = await startTestServer(app, { AUTH_MODE: 'open' });
    expect(await detail(open.url, 'sh_live_x')).toContain('npm run keys -- create NAME');
    await open.close();
  });

  test('the same over every transport', async () => {
    const wrong = useRest(app.url, `${key}x`);
    const answers = await Promise.all([
      wrong('POST', '/mcp', { body: {} }),
      wrong('GET', '/sse'),
      wrong('GET', '/auth/me'),
      wrong('POST', '/api/v1/auth/logout', { body: {} }),
      wrong('POST', '/api/v1/generate', { body: { topic: 'bread', count: 3, provider: 'builtin' } }),
      wrong('GET', '/v1/jobs/job_1/events'),
      wrong('GET', '/v1/files/file_1'),
      wrong('GET', '/nowhere'),
    ]);
    for (const { status, headers } of answers)
      expect([status, headers.get('www-authenticate')]).toEqual([
        401,
        expect.stringMatching(/^Bearer realm="stallhand"/),
      ]);
  });
});

describe('the address a call comes from', () => {
  const WHITELISTED = '203.0.113.7';
  const statusFrom = async (env: Record<string, string>, forwarded: string) => {
    const { accountId } = await newBareKey(app);
    const made = await app.keys.create(accountId, 'x', ['templates:read'], null);
    await app.database.sql`update api_keys set ip_whitelist = ${[`${WHITELISTED}/32`]} where id = ${made.id}`;
    const door = await startTestServer(app, env);
    const headers = { 'x-forwarded-for': forwarded };
    const { status } = await useRest(door.url, made.key)('GET', '/v1/templates', { headers });
    await door.close();
    return status;
  };

  test.each<[string, Record<string, string>, string, number]>([
    ['no proxy is trusted', {}, WHITELISTED, 403],
    ['another proxy is trusted', { TRUSTED_PROXIES: '10.0.0.0/8' }, WHITELISTED, 403],
    ['the proxy is trusted', { TRUSTED_PROXIES: '127.0.0.1' }, WHITELISTED, 200],
    [
      'the client made up the first of two',
      { TRUSTED_PROXIES: 'loopback' },
      `${WHITELISTED}, 198.51.100.9`,
      403,
    ],
    [
      'it came through two trusted proxies',
      { TRUSTED_PROXIES: 'loopback, 10.0.0.0/8' },
      `${WHITELISTED}, 10.1.2.3`,
      200,
    ],
    ['it is no address', { TRUSTED_PROXIES: 'loopback' }, 'unknown', 403],
  ])('is judged against a whitelist when %s', async (_when, env, forwarded, status) => {
    expect(await statusFrom(env, forwarded)).toBe(status);
  });

  test.each([
    ['an address made up is not counted apart', {}, [401, 401, 429]],
    ['behind a trusted proxy each client is', { TRUSTED_PROXIES: 'loopback' }, [401, 401, 401]],
  ])('counts for the limit of signing in: %s', async (_what, env, statuses) => {
    const limited = await openTestApp({ RATE_LIMITS: '{"sign_in":{"perSecond":0.001,"burst":2}}' });
    const door = await startTestServer(limited, env);
    const answers: number[] = [];
    for (const client of ['203.0.113.1', '203.0.113.2', '203.0.113.3']) {
      const body = { email: 'a@shop.example', password: 'a wrong password' };
      const headers = { 'x-forwarded-for': client };
      answers.push((await useRest(door.url)('POST', '/auth/login', { body, headers })).status);
    }
    await door.close();
    await limited.close();
    expect(answers).toEqual(statuses);
  });
});
