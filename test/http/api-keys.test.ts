import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Scope } from '../../src/identity/caller.ts';
import { HTTP_CLIENTS } from '../mcp/support/clients.ts';
import { givePlan } from '../support/plans.ts';
import { openServedApp, type ServedApp } from '../support/served-app.ts';
import { newBareKey, useRest } from '../support/server.ts';

const KEYS = '/api/v1/api-keys';
const CLIENT = '203.0.113.7';

let app: ServedApp;
let accountId: string;
let owner: ReturnType<typeof useRest>;

beforeAll(async () => {
  app = await openServedApp({ TRUSTED_PROXIES: 'loopback' });
});
afterAll(() => app.close());
beforeEach(async () => {
  const { key, ...account } = await newBareKey(app);
  accountId = account.accountId;
  await givePlan(app, accountId, 'enterprise');
  owner = useRest(app.url, key);
});

const made = async (body: object = {}) =>
  (await owner('POST', KEYS, { body: { name: 'shop server', ...body } })).body as { id: string; key: string };

const calls = (key: string, address = CLIENT) =>
  useRest(app.url, key)('GET', '/v1/templates', { headers: { 'x-forwarded-for': address } }).then(
    ({ status, body }) => (status === 200 ? 200 : [status, body['code']]),
  );

test('a key is shown once, at its creation, and works at once', async () => {
  const body = {
    name: 'shop server',
    scopes: ['templates:read'],
    ip_whitelist: ['203.0.113.7', '2001:db8::/32'],
  };
  const { status, body: created } = await owner('POST', KEYS, { body });
  expect([status, created]).toEqual([
    201,
    {
      id: expect.stringMatching(/^key_/),
      name: 'shop server',
      key: expect.stringMatching(/^sh_live_[0-9a-f]{8}[\w-]{43}[0-9a-f]{8}$/),
      masked: expect.stringMatching(/^sh_live_[0-9a-f]{4}…[0-9a-f]{4}$/),
      scopes: ['templates:read'],
      ip_whitelist: ['203.0.113.7/32', '2001:db8::/32'],
      origin: 'account',
      made_by: null,
      created_at: expect.any(String),
      expires_at: null,
      last_used_at: null,
      last_used_ip: null,
    },
  ]);
  const { key, ...shown } = created;
  expect(await calls(String(key))).toBe(200);
  const { body: listed } = await owner('GET', KEYS);
  expect(listed).toContainEqual({
    ...shown,
    last_used_at: expect.toSatisfy((moment) => moment === null || typeof moment === 'string'),
    last_used_ip: expect.toSatisfy((address) => address === null || address === CLIENT),
  });
  expect(JSON.stringify(listed)).not.toContain(String(key).slice(16));
});

test('of keys made at the same moment an account gets as many as it may have, and no more', async () => {
  await app.database.sql`
    insert into api_keys (id, account_id, name, origin, public_id, secret_sha256, mask, scopes)
    select ${`key_${accountId}_`} || n, ${accountId}, 'key ' || n, 'account', ${accountId} || n, '', '', '{}'
    from generate_series(1, 95) n`;
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, n) => owner('POST', KEYS, { body: { name: `server ${n}` } })),
  );
  const refused = answers.filter(({ status }) => status !== 201);
  expect(refused.map(({ status, body }) => [status, body['code']])).toEqual(
    Array.from({ length: 15 }, () => [403, 'plan_limit']),
  );
});

test('the list is a plain array, whose Link header leads through all of it', async () => {
  const names = ['three', 'two', 'one'];
  for (const name of [...names].reverse()) await made({ name });
  const seen: unknown[] = [];
  for (let path: string | undefined = `${KEYS}?limit=2`; path; ) {
    const { body, headers } = await owner('GET', path);
    seen.push(...(body as unknown as { name: string }[]).map(({ name }) => name));
    const next = /^<([^>]+)>; rel="next"$/.exec(headers.get('link') ?? '')?.[1];
    expect(next?.startsWith(`${app.url}${KEYS}?limit=2&cursor=`) ?? true).toBe(true);
    path = next?.slice(app.url.length);
  }
  expect(seen).toEqual([...names, 'test']);
});

test('settings are changed one by one, a null takes the expiry away', async () => {
  const { id } = await made({ expires_at: '2100-01-01T00:00:00+02:00' });
  const path = `${KEYS}/${id}`;
  expect((await owner('PATCH', path, { body: { name: 'new name' } })).body).toMatchObject({
    name: 'new name',
    expires_at: '2099-12-31T22:00:00.000Z',
  });
  expect(
    (await owner('PATCH', path, { body: { scopes: ['hooks:read'], expires_at: null } })).body,
  ).toMatchObject({
    name: 'new name',
    scopes: ['hooks:read'],
    expires_at: null,
  });
});

test('a narrower scope holds for the very next call', async () => {
  const { id, key } = await made();
  expect(await calls(key)).toBe(200);
  await owner('PATCH', `${KEYS}/${id}`, { body: { scopes: ['hooks:read'] } });
  expect(await calls(key)).toEqual([403, 'insufficient_scope']);
});

test('rotating gives a new key with the same id and settings; the old one is dead at once', async () => {
  const { id, key } = await made({ scopes: ['templates:read'] });
  expect(await calls(key)).toBe(200);
  const { status, body } = await owner('POST', `${KEYS}/${id}/rotate`);
  expect([status, body]).toMatchObject([200, { id, name: 'shop server', scopes: ['templates:read'] }]);
  expect(await calls(key)).toEqual([401, 'unauthenticated']);
  expect(await calls(String(body['key']))).toBe(200);
});

test('a revoked key is dead at once, and gone', async () => {
  const { id, key } = await made();
  expect(await calls(key)).toBe(200);
  expect((await owner('DELETE', `${KEYS}/${id}`)).body).toEqual({ deleted: true });
  expect(await calls(key)).toEqual([401, 'unauthenticated']);
  expect((await owner('DELETE', `${KEYS}/${id}`)).status).toBe(404);
  expect((await owner('PATCH', `${KEYS}/${id}`, { body: { name: 'x' } })).status).toBe(404);
});

test('a key works from the addresses of its whitelist only, from the next call on', async () => {
  const { id, key } = await made();
  expect(await calls(key)).toBe(200);
  const set = (ip_whitelist: string[]) =>
    owner('PUT', `${KEYS}/${id}/ip-whitelist`, { body: { ip_whitelist } });
  expect((await set(['198.51.100.0/24', '2001:db8::/32'])).body).toMatchObject({
    ip_whitelist: ['198.51.100.0/24', '2001:db8::/32'],
  });
  expect(await calls(key)).toEqual([403, 'ip_not_allowed']);
  expect(await calls(key, '198.51.100.200')).toBe(200);
  expect(await calls(key, '::ffff:198.51.100.200')).toBe(200);
  expect(await calls(key, '2001:db8:7::9')).toBe(200);
  await set([]);
  expect(await calls(key)).toBe(200);
});

test('over stdio, which has no address, a whitelisted key needs a loopback range', async () => {
  const { id, key } = await made({ ip_whitelist: ['198.51.100.0/24'] });
  const fault = { key: 'ip_not_allowed.key', params: { address: 'localhost' } };
  await expect(app.credentials.resolve(key, {})).rejects.toMatchObject(fault);
  await owner('PUT', `${KEYS}/${id}/ip-whitelist`, { body: { ip_whitelist: ['127.0.0.1'] } });
  expect(await app.credentials.resolve(key, {})).toMatchObject({ accountId, keyId: id });
});

describe('the plan', () => {
  test('without Enterprise there are no keys to make or rotate', async () => {
    const { id } = await made();
    await givePlan(app, accountId, 'pro');
    const refused = [
      await owner('POST', KEYS, { body: { name: 'no' } }),
      await owner('POST', `${KEYS}/${id}/rotate`),
    ];
    expect(refused.map(({ status, body }) => [status, body['code']])).toEqual([
      [403, 'plan_required'],
      [403, 'plan_required'],
    ]);
  });

  test('a downgrade freezes keys, an upgrade brings them back; frozen keys can still be managed', async () => {
    const { id, key } = await made();
    expect(await calls(key)).toBe(200);
    await givePlan(app, accountId, 'free');
    expect(await calls(key)).toEqual([403, 'plan_required']);
    expect((await owner('PATCH', `${KEYS}/${id}`, { body: { name: 'frozen' } })).status).toBe(200);
    expect((await owner('GET', KEYS)).body).toMatchObject([{ id, name: 'frozen' }, { name: 'test' }]);
    await givePlan(app, accountId, 'enterprise');
    expect(await calls(key)).toBe(200);
  });

  test("the operator's keys need none; the account can revoke them, not change them", async () => {
    await givePlan(app, accountId, 'free');
    const { id, key } = await app.keys.create(accountId, 'by command', ['templates:read'], null);
    expect(await calls(key)).toBe(200);
    const refused = await owner('PATCH', `${KEYS}/${id}`, { body: { name: 'mine' } });
    expect([refused.status, refused.body['code']]).toEqual([403, 'forbidden']);
    expect((await owner('DELETE', `${KEYS}/${id}`)).status).toBe(200);
  });
});

describe('a key grants no more than its maker has', () => {
  const as = async (scopes: readonly Scope[]) =>
    useRest(app.url, (await app.keys.create(accountId, 'maker', scopes, null)).key);

  test('left out, the scopes are those for work that the maker has', async () => {
    const maker = await as(['keys:write', 'billing:write', 'account:read', 'hooks:read', 'templates:read']);
    const { body } = await maker('POST', KEYS, { body: { name: 'x' } });
    expect(body['scopes']).toEqual(['templates:read', 'hooks:read']);
  });

  test('a scope the maker lacks is refused, at creation, change and rotation', async () => {
    const { id } = await made({ scopes: ['billing:write'] });
    const maker = await as(['keys:write', 'hooks:read']);
    const own = (await maker('POST', KEYS, { body: { name: 'x' } })).body['id'];
    const refused = [
      await maker('POST', KEYS, { body: { name: 'x', scopes: ['billing:write'] } }),
      await maker('PATCH', `${KEYS}/${own}`, { body: { scopes: ['hooks:read', 'billing:write'] } }),
      await maker('POST', `${KEYS}/${id}/rotate`),
    ];
    expect(refused.map(({ status, body }) => [status, body['code']])).toEqual([
      [403, 'forbidden'],
      [403, 'forbidden'],
      [403, 'forbidden'],
    ]);
  });

  test('a key makes keys only if that scope was asked for by name, and they end with it', async () => {
    const { key: plain } = await made();
    const refused = await useRest(app.url, plain)('POST', KEYS, { body: { name: 'x' } });
    expect([refused.status, refused.body['code']]).toEqual([403, 'insufficient_scope']);
    const { key, id } = await made({ scopes: ['keys:write', 'templates:read'] });
    const child = (
      await useRest(app.url, key)('POST', KEYS, {
        body: { name: 'child', scopes: ['keys:write', 'templates:read'] },
      })
    ).body;
    const grandchild = (
      await useRest(app.url, String(child['key']))('POST', KEYS, { body: { name: 'grandchild' } })
    ).body;
    expect(await calls(String(grandchild['key']))).toBe(200);
    expect((await owner('DELETE', `${KEYS}/${id}`)).status).toBe(200);
    expect([await calls(String(child['key'])), await calls(String(grandchild['key']))]).toEqual([
      [401, 'unauthenticated'],
      [401, 'unauthenticated'],
    ]);
  });
});

test.each([
  [{ name: '' }, ['body', 'name']],
  [{ name: 'x', ip_whitelist: ['10.0.0.0/8', '10.0.0.0/40'] }, ['body', 'ip_whitelist', 1]],
  [
    { name: 'x', ip_whitelist: Array.from({ length: 101 }, (_, at) => `10.0.0.${at}`) },
    ['body', 'ip_whitelist'],
  ],
  [{ name: 'x', expires_at: 'tomorrow' }, ['body', 'expires_at']],
  [{ name: 'x', scopes: [] }, ['body', 'scopes']],
  [{ name: 'x', scopes: ['everything'] }, ['body', 'scopes', 0]],
])('%j is refused where it is wrong', async (body, loc) => {
  const answer = await owner('POST', KEYS, { body });
  expect([answer.status, answer.body['errors']]).toMatchObject([422, [{ loc }]]);
});

test('an expiry in the past is refused', async () => {
  const { status, body } = await owner('POST', KEYS, {
    body: { name: 'x', expires_at: '2020-01-01T00:00:00Z' },
  });
  expect([status, body['detail']]).toEqual([
    422,
    'expires_at must be in the future. Send a later time, or null if the key should not expire.',
  ]);
});

test('every change is in the audit log, without a secret', async () => {
  const { id, key } = await made({ ip_whitelist: ['10.0.0.0/8'] });
  await owner('PATCH', `${KEYS}/${id}`, { body: { name: 'new' } });
  const rotated = (await owner('POST', `${KEYS}/${id}/rotate`)).body;
  await owner('DELETE', `${KEYS}/${id}`);
  const { body } = await owner('GET', `/v1/audit?target=${id}`);
  expect((body['items'] as { action: string }[]).map(({ action }) => action)).toEqual([
    'api_key.revoked',
    'api_key.rotated',
    'api_key.updated',
    'api_key.created',
  ]);
  for (const secret of [key, String(rotated['key'])])
    expect(JSON.stringify(body)).not.toContain(secret.slice(16, 59));
});

test('a repeat by idempotency key makes no second key, and the database does not hold the first', async () => {
  const request = { body: { name: 'once' }, headers: { 'idempotency-key': 'k1' } };
  const first = await owner('POST', KEYS, request);
  const { key, ...rest } = first.body;
  const second = await owner('POST', KEYS, request);
  expect([second.status, second.headers.get('idempotency-replayed'), second.body]).toEqual([
    201,
    'true',
    rest,
  ]);
  const rows = await app.database.sql`select i::text as text from idempotency_keys i`;
  expect(rows.map((row) => String(row['text'])).join()).not.toContain(String(key).slice(16, 59));
  expect(rows.length).toBeGreaterThan(0);
});

test("another account's key is not there", async () => {
  const { id } = await made();
  const stranger = await newBareKey(app);
  const asked = useRest(app.url, stranger.key);
  expect((await asked('GET', KEYS)).body).toMatchObject([{ name: 'test' }]);
  expect((await asked('DELETE', `${KEYS}/${id}`)).status).toBe(404);
});

test('what shows a key cannot be reached by a model: it is not listed, and run_tool names the page for people', async () => {
  const { key } = await newBareKey(app);
  const [[, connect]] = HTTP_CLIENTS as [(typeof HTTP_CLIENTS)[number]];
  const model = await connect(`${app.url}?toolsets=account,meta&structured=true`, key);
  const listed = (await model.listTools()).map(({ name }) => name);
  expect(listed).toEqual(expect.arrayContaining(['list_api_keys', 'search_tools', 'run_tool']));
  expect(listed).not.toEqual(expect.arrayContaining(['create_api_key']));
  expect(listed).not.toEqual(expect.arrayContaining(['rotate_api_key']));
  const found = await model.callTool('search_tools', { query: 'rotate or create an API key', limit: 20 });
  const { items } = found.structuredContent as { items: { name: string }[] };
  const names = items.map(({ name }) => name);
  expect(names).toContain('revoke_api_key');
  expect(names.filter((name) => ['create_api_key', 'rotate_api_key'].includes(name))).toEqual([]);
  for (const [name, input] of [
    ['run_tool', { name: 'create_api_key', arguments: { name: 'x' } }],
    ['create_api_key', { name: 'x' }],
  ] as const) {
    expect(await model.callTool(name, input)).toMatchObject({
      isError: true,
      _meta: { code: 'person_required' },
    });
  }
  await model.close();
});
