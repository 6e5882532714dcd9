import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { localCaller } from '../../src/identity/accounts/accounts.ts';
import { productRegistry } from '../../tools/index.ts';
import { createRunJob } from '../../tools/jobs/run-job.ts';
import { HTTP_CLIENTS } from '../mcp/support/clients.ts';
import { silentLog, useTools } from '../support/app.ts';
import { givePlan } from '../support/plans.ts';
import { openServedApp, type ServedApp } from '../support/served-app.ts';
import { newBareKey, startTestServer, type TestServer, useRest } from '../support/server.ts';

const LIMITS = JSON.stringify({
  read: { perSecond: 0.5, burst: 3 },
  write: { perSecond: 0.5, burst: 2 },
  generate: { perSecond: 0.1, burst: 3 },
  sign_in: { perSecond: 0.1, burst: 2 },
  public: { perSecond: 0.1, burst: 3 },
  webhook: { perSecond: 0.1, burst: 2 },
});

let app: ServedApp;
const more: TestServer[] = [];

beforeAll(async () => {
  app = await openServedApp({ RATE_LIMITS: LIMITS, TRUSTED_PROXIES: 'loopback' });
});
afterEach(async () => {
  for (const one of more.splice(0)) await one.close();
});
afterAll(() => app.close());

test('an answer says how the caller stands; over the limit it is 429 with the time to wait', async () => {
  const { key } = await newBareKey(app);
  const list = () => useRest(app.url, key)('GET', '/v1/templates');
  const first = await list();
  expect([first.status, first.headers.get('ratelimit-policy'), first.headers.get('ratelimit')]).toEqual([
    200,
    '"read";q=3;w=6',
    '"read";r=2;t=2',
  ]);
  await list();
  await list();
  const { status, headers, body } = await list();
  expect([status, headers.get('ratelimit')]).toEqual([429, '"read";r=0;t=6']);
  const wait = Number(headers.get('retry-after'));
  expect([1, 2]).toContain(wait);
  expect(body).toMatchObject({
    code: 'rate_limited',
    detail: `Rate limit reached: 3 calls per 6 s. Try again in ${wait} s.`,
  });
});

test('the limit is of the account, whichever key, node or transport it uses; writes have one of their own', async () => {
  const { accountId, key } = await newBareKey(app);
  const { key: second } = await app.keys.create(
    accountId,
    'second',
    ['templates:read', 'templates:write'],
    null,
  );
  const other = await startTestServer(app);
  more.push(other);
  await useRest(app.url, key)('GET', '/v1/templates');
  await useRest(other.url, second)('GET', '/v1/templates');
  const [[, connect]] = HTTP_CLIENTS as [(typeof HTTP_CLIENTS)[number]];
  const model = await connect(other.url, key);
  expect((await model.callTool('list_templates')).isError ?? false).toBe(false);
  expect(await model.callTool('list_templates')).toMatchObject({
    isError: true,
    _meta: { code: 'rate_limited', status: 429, retry_after: expect.any(Number) },
  });
  await model.close();
  const template = { name: 'fresh', html: '<p>x</p>' };
  expect((await useRest(app.url, key)('POST', '/v1/templates', { body: template })).status).toBe(201);
  expect((await useRest(app.url, (await newBareKey(app)).key)('GET', '/v1/templates')).status).toBe(200);
});

test('a call that may not be made counts for nothing', async () => {
  const { key } = await newBareKey(app, ['templates:read']);
  const rest = useRest(app.url, key);
  for (let call = 0; call < 5; call++)
    expect((await rest('POST', '/v1/templates', { body: { name: 'x', html: 'x' } })).status).toBe(403);
  const { headers } = await rest('GET', '/v1/templates');
  expect(headers.get('ratelimit')).toBe('"read";r=2;t=2');
});

test('the local owner and the runs of jobs are not counted', async () => {
  const local = useTools(app, localCaller((await app.accounts.local()).id));
  for (let call = 0; call < 5; call++) await local('list_templates');
  const { accountId } = await newBareKey(app);
  const caller = { accountId, actor: 'x', scopes: ['templates:read'], via: 'api_key' } as const;
  const job = await app.jobs.create(caller, { tool: 'list_templates', input: {}, locale: 'en', baseUrl: '' });
  const runJob = createRunJob({ app, registry: productRegistry(), log: silentLog });
  const tools = { signal: new AbortController().signal, progress: () => {} };
  for (let run = 0; run < 5; run++)
    expect(await runJob(job, tools)).toMatchObject({ items: expect.any(Array) });
});

test('a batch of generations counts as one call for each topic, asked for as a job too', async () => {
  const { accountId, key } = await newBareKey(app);
  await givePlan(app, accountId, 'pro');
  const rest = useRest(app.url, key);
  const topics = ['bread', 'flour', 'water', 'salt'];
  const patterns = { count: 3, provider: 'builtin', language: 'en' };
  const batch = (headers = {}) =>
    rest('POST', '/api/v1/generate/batch', { body: { topics, ...patterns, avoid_history: false }, headers });
  const made = await batch();
  expect([made.status, made.headers.get('ratelimit')]).toEqual([200, '"generate";r=0;t=40']);
  const next = await rest('POST', '/api/v1/generate', { body: { topic: 'yeast', ...patterns } });
  expect(next).toMatchObject({ status: 429, body: { code: 'rate_limited' } });
  expect((await batch({ prefer: 'respond-async' })).status).toBe(429);
});

test('signing in is limited by address', async () => {
  const from = (address: string) =>
    useRest(app.url)('POST', '/api/v1/auth/login', {
      body: { email: 'ana@example.com', password: 'wrong password' },
      headers: { 'x-forwarded-for': address },
    });
  for (let call = 0; call < 2; call++) expect((await from('203.0.113.7')).status).not.toBe(429);
  const { status, body } = await from('203.0.113.7');
  expect([status, body['code']]).toEqual([429, 'rate_limited']);
  expect((await from('203.0.113.8')).status).not.toBe(429);
});

test('a signed-in user may refresh and sign out although their address has no tries left', async () => {
  const post = (path: string, body: object, token?: string) =>
    useRest(app.url, token)('POST', `/api/v1/auth${path}`, {
      body,
      headers: { 'x-forwarded-for': '203.0.113.9' },
    });
  const mia = await post('/register', { email: 'mia@example.com', password: 'green door 7' });
  const guess = { email: 'mia@example.com', password: 'wrong password' };
  await post('/login', guess);
  for (const path of ['/login', '/LOGIN', '/login/']) expect((await post(path, guess)).status).toBe(429);
  const refreshed = await post('/refresh', {}, String(mia.body['token']));
  expect(refreshed.status).toBe(200);
  expect((await post('/logout', {}, String(refreshed.body['token']))).body).toEqual({ signed_out: true });
});

test('wrong tokens are limited by address; a good one is neither counted nor kept out', async () => {
  const { key } = await newBareKey(app);
  const from = (address: string, token: string) =>
    useRest(app.url, token)('GET', '/api/v1/user/profile', { headers: { 'x-forwarded-for': address } });
  for (const wrong of [`${key.slice(0, -1)}x`, `ses_${'x'.repeat(43)}`, 'no token of ours']) {
    expect((await from('203.0.113.10', key)).status).toBe(200);
    expect((await from('203.0.113.10', wrong)).status).toBe(401);
  }
  const { status, headers, body } = await from('203.0.113.10', `ses_${'y'.repeat(43)}`);
  expect([status, body['code'], headers.get('ratelimit-policy')]).toEqual([
    429,
    'rate_limited',
    '"public";q=3;w=30',
  ]);
  expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
  expect((await from('203.0.113.11', `ses_${'y'.repeat(43)}`)).status).toBe(401);
  expect((await from('203.0.113.10', (await newBareKey(app)).key)).status).toBe(200);
});

test.each([
  ['{', 'RATE_LIMITS: must be valid JSON'],
  ['{"reading": {"perSecond": 1, "burst": 1}}', 'RATE_LIMITS: '],
  ['{"read": {"perSecond": 0, "burst": 1}}', 'RATE_LIMITS: '],
])('the setting RATE_LIMITS refuses %s', (value, fault) => {
  expect(() => readConfig({ RATE_LIMITS: value })).toThrow(fault);
});

test('webhooks have a limit by address, before their bodies are read, whichever service they are for', async () => {
  const post = (path: string, address: string) =>
    useRest(app.url)('POST', path, { body: 'x'.repeat(1000), headers: { 'x-forwarded-for': address } });
  const statuses: unknown[] = [];
  for (const path of ['/webhooks/stripe', '/webhooks/shopify', '/api/v1/billing/webhook'])
    statuses.push((await post(path, '203.0.113.80')).status);
  expect(statuses).toEqual([503, 401, 429]);
  expect((await post('/webhooks/shopify', '198.51.100.80')).status).toBe(401);
});
