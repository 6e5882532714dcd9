import { afterAll, beforeAll, expect, test } from 'vitest';
import { openServedApp, type ServedApp } from '../support/served-app.ts';
import { newKey, startTestServer, useRest } from '../support/server.ts';

let app: ServedApp;
let rest: ReturnType<typeof useRest>;

beforeAll(async () => {
  app = await openServedApp();
  rest = useRest(app.url, (await newKey(app)).key);
  await rest('POST', '/v1/templates', { body: { name: 'hello', html: '<p>Hello {{name}}</p>' } });
});
afterAll(() => app.close());

test('creating answers 201, everything else that succeeds 200', async () => {
  expect((await rest('POST', '/v1/templates', { body: { name: 'created', html: 'x' } })).status).toBe(201);
  expect((await rest('POST', '/v1/templates/created/branches', { body: { name: 'b' } })).status).toBe(201);
  expect((await rest('PATCH', '/v1/templates/created', { body: { html: 'y' } })).status).toBe(200);
  const deleted = await rest('DELETE', '/v1/templates/created');
  expect([deleted.status, deleted.body]).toEqual([200, { deleted: true }]);
});

test('a render answers JSON, or the bare html to a client that asks for it', async () => {
  const body = { template: 'hello', data: { name: 'Ana' } };
  const json = await rest('POST', '/v1/render', { body });
  expect([json.status, json.body]).toMatchObject([200, { html: '<p>Hello Ana</p>', version: 'v1.0.0' }]);
  const html = await rest('POST', '/v1/render', { body, headers: { accept: 'text/html' } });
  expect([html.headers.get('content-type'), html.body]).toEqual([
    'text/html; charset=utf-8',
    { text: '<p>Hello Ana</p>' },
  ]);
  expect([html.headers.get('content-security-policy'), html.headers.get('x-content-type-options')]).toEqual([
    "sandbox; frame-ancestors 'self'",
    'nosniff',
  ]);
  const any = await rest('POST', '/v1/render', { body, headers: { accept: 'text/html;q=0.5, */*' } });
  expect(any.body).toMatchObject({ html: '<p>Hello Ana</p>' });
});

test.each(['/v1/render', '/v1/render/', '/V1/Render', '/v1/render?'])('%s is one route', async (path) => {
  const { status, body } = await rest('POST', path, { body: { template: 'hello', data: { name: 'Ana' } } });
  expect([status, body]).toMatchObject([200, { html: '<p>Hello Ana</p>' }]);
});

test('a template has an entity tag: reading it again costs nothing, writing on an old one is refused', async () => {
  const first = await rest('GET', '/v1/templates/hello');
  const etag = first.headers.get('etag') ?? '';
  expect(etag).toMatch(/^"tpl_.+\.\d+"$/);
  expect((await rest('GET', '/v1/templates/hello', { headers: { 'if-none-match': etag } })).status).toBe(304);
  const write = { body: { subject: 'Hi' }, headers: { 'if-match': etag } };
  const written = await rest('PATCH', '/v1/templates/hello', write);
  expect([written.status, written.headers.get('etag') === etag]).toEqual([200, false]);
  const again = await rest('PATCH', '/v1/templates/hello', { ...write, body: { subject: 'Ho' } });
  expect([again.status, again.body['code']]).toEqual([412, 'precondition_failed']);
});

test('a repeated POST with an idempotency key has one effect and one answer', async () => {
  const send = (body: object) =>
    rest('POST', '/v1/templates', { body, headers: { 'idempotency-key': 'once' } });
  const first = await send({ name: 'once', html: 'x' });
  const second = await send({ name: 'once', html: 'x' });
  expect([second.status, second.body]).toEqual([201, first.body]);
  expect([first, second].map(({ headers }) => headers.get('idempotency-replayed'))).toEqual([null, 'true']);
  const other = await send({ name: 'other', html: 'x' });
  expect([other.status, other.body['code']]).toEqual([422, 'idempotency_mismatch']);
});

test('numbers and booleans of the query are read as what they are', async () => {
  const page = await rest('GET', '/v1/templates?limit=2&kind=template');
  expect(page.body['items']).toHaveLength(2);
  const next = await rest('GET', `/v1/templates?limit=2&kind=template&cursor=${page.body['next_cursor']}`);
  expect(next.status).toBe(200);
  await rest('POST', '/v1/templates/hello/branches', { body: { name: 'doomed' } });
  await rest('PATCH', '/v1/templates/hello', { body: { branch: 'doomed', html: 'z' } });
  expect((await rest('DELETE', '/v1/templates/hello/branches/doomed?force=true')).body).toEqual({
    deleted: true,
  });
});

test.each([
  ['POST', '/v1/templates?name=other&html=x', undefined, 'name'],
  ['POST', '/v1/templates?html=x', { name: 'other' }, 'html'],
  ['POST', '/v1/templates/hello/promote?to=production', undefined, 'to'],
  ['POST', '/api/v1/generate?api_key=sk-secret', { topic: 'bread' }, 'api_key'],
  ['PATCH', '/v1/templates/hello?subject=Hi', {}, 'subject'],
  ['PUT', '/v1/templates/hello/fixtures/one?note=x', { data: {} }, 'note'],
])('%s %s is refused: its fields are in the body', async (method, path, body, field) => {
  const answer = await rest(method, path, body && { body });
  expect([answer.status, answer.body['code']]).toEqual([422, 'validation_failed']);
  expect(answer.body['detail']).toBe(
    `${field} is in the query, but ${method} takes its fields from the body. Send ${field} in the JSON body.`,
  );
  expect(answer.body['errors']).toMatchObject([
    { loc: ['query', field] },
    ...(path.includes('&') ? [{}] : []),
  ]);
  expect(JSON.stringify(answer.body)).not.toContain('sk-secret');
});

test('a video ignores what it does not know, in the query too, but not its fields', async () => {
  const body = { title: 'Bread', duration: 3 };
  expect((await rest('POST', '/videos?utm_source=x', { body })).status).toBe(200);
  const misplaced = await rest('POST', '/videos?title=Bread', { body });
  expect([misplaced.status, misplaced.body['detail']]).toMatchObject([422, [{ loc: ['query', 'title'] }]]);
});

test('a key without the scope learns nothing of what the operation takes', async () => {
  const reader = useRest(app.url, (await newKey(app, ['templates:read'])).key);
  for (const body of [{}, { name: 1 }, { nonsense: true }]) {
    const { status, body: said } = await reader('POST', '/v1/templates', { body });
    expect([status, said['code']]).toEqual([403, 'insufficient_scope']);
  }
});

test('a branch with a slash is one segment of the path', async () => {
  await rest('POST', '/v1/templates/hello/branches', { body: { name: 'feature/footer' } });
  const branch = await rest('GET', '/v1/templates/hello/branches/feature%2Ffooter');
  expect([branch.status, branch.body['name']]).toEqual([200, 'feature/footer']);
});

test('10,000 rows stream through a batch while they are being sent', async () => {
  const rows = Array.from({ length: 10_000 }, (_, i) =>
    JSON.stringify({ id: `r${i}`, data: { name: `n${i}` } }),
  ).join('\n');
  const answer = await rest('POST', '/v1/render/batch?template=hello', {
    body: rows,
    headers: { 'content-type': 'application/x-ndjson' },
  });
  const lines = String(answer.body['text'] ?? '')
    .trim()
    .split('\n');
  expect([answer.status, answer.headers.get('content-type'), lines.length]).toEqual([
    200,
    'application/x-ndjson; charset=utf-8',
    10_000,
  ]);
  expect(JSON.parse(lines[9_999] ?? '')).toMatchObject({
    index: 9_999,
    id: 'r9999',
    html: '<p>Hello n9999</p>',
  });
});

test('a line of a batch that is not JSON fails alone; a row too many ends the batch', async () => {
  const send = (body: string) =>
    rest('POST', '/v1/render/batch?template=hello', {
      body,
      headers: { 'content-type': 'application/x-ndjson' },
    });
  const lines = (await send('{"data":{"name":"a"}}\n{oops\n{"rows":1}\n{"data":{"name":"b"}}')).body[
    'text'
  ] as string;
  expect(
    lines
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as unknown),
  ).toMatchObject([
    { index: 0, html: '<p>Hello a</p>' },
    { index: 1, error: { code: 'invalid_json', status: 400 } },
    { index: 2, error: { code: 'validation_failed', status: 422 } },
    { index: 3, html: '<p>Hello b</p>' },
  ]);
  const tooMany = (await send('{}\n'.repeat(10_001))).body['text'] as string;
  expect(JSON.parse(tooMany.trim().split('\n').at(-1) ?? '')).toMatchObject({
    error: { code: 'validation_failed' },
  });
});

test('the probes and documents need no key; everything else does, known or not', async () => {
  const anyone = useRest(app.url);
  for (const path of ['/', '/health', '/openapi.json', '/docs/api', '/llms.txt']) {
    expect([path, (await anyone('GET', path)).status]).toEqual([path, 200]);
  }
  // This test never starts the queue.
  expect((await anyone('GET', '/ready')).status).toBe(503);
  for (const path of ['/v1/templates', '/v1/nothing', '/mcp', '/metrics']) {
    const answer = await anyone('GET', path);
    expect([path, answer.status, answer.headers.get('www-authenticate')]).toEqual([
      path,
      401,
      expect.stringMatching(/^Bearer/),
    ]);
  }
});

test.each([
  ['PUT', '/v1/templates/welcome', 'DELETE, GET, HEAD, PATCH'],
  ['DELETE', '/v1/render', 'POST'],
  ['POST', '/api/v1/blog', 'GET, HEAD'],
])('%s %s answers 405 with the methods the path takes', async (method, path, allowed) => {
  const answer = await rest(method, path);
  expect([answer.status, answer.headers.get('allow'), answer.body]).toEqual([
    405,
    allowed,
    expect.objectContaining({
      code: 'method_not_allowed',
      detail: `${path} does not accept ${method}. Use one of: ${allowed}. See /openapi.json for all operations.`,
    }),
  ]);
});

test('bytes that are not UTF-8 are refused, in a body and in a line of one, and nothing is rendered of them', async () => {
  const bytes = Buffer.from('{"html":"<p>caf\xe9</p>"}\n', 'latin1');
  const { key } = await newKey(app);
  const post = async (path: string, type: string) => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': type };
    const answer = await fetch(`${app.url}${path}`, { method: 'POST', headers, body: bytes });
    return [answer.status, await answer.text()];
  };
  expect(await post('/v1/render', 'application/json')).toEqual([
    400,
    expect.stringContaining('The body is not valid UTF-8. Send it encoded as UTF-8.'),
  ]);
  expect(await post('/v1/render/batch?template=welcome', 'application/x-ndjson')).toEqual([
    200,
    expect.stringContaining('not valid UTF-8'),
  ]);
});

test('the request id comes back, in the header and in errors', async () => {
  const answer = await rest('GET', '/v1/templates/nobody', { headers: { 'x-request-id': 'shop-42' } });
  expect([answer.headers.get('x-request-id'), answer.body['request_id']]).toEqual(['shop-42', 'shop-42']);
  const own = await rest('GET', '/health', { headers: { 'x-request-id': 'bad id\u00e9' } });
  expect(own.headers.get('x-request-id')).toMatch(/^req_/);
});

test('with MCP off, its paths say how to turn it on', async () => {
  const plain = await startTestServer(app, { MCP_ENABLED: 'false' });
  const answer = await useRest(plain.url)('POST', '/mcp', { body: {} });
  expect([answer.status, answer.body['detail']]).toEqual([404, expect.stringContaining('MCP_ENABLED=true')]);
  await plain.close();
});

test('in open mode a call without a key acts as the local owner, and a wrong key is still refused', async () => {
  const open = await startTestServer(app, { AUTH_MODE: 'open' });
  expect((await useRest(open.url)('GET', '/v1/templates')).status).toBe(200);
  expect((await useRest(open.url, 'sh_live_nonsense')('GET', '/v1/templates')).status).toBe(401);
  await open.close();
});

test('a key without the scope is refused, by the name of the scope', async () => {
  const { key } = await newKey(app, ['templates:render']);
  const answer = await useRest(app.url, key)('GET', '/v1/templates');
  expect([answer.status, answer.body['code'], answer.body['detail']]).toEqual([
    403,
    'insufficient_scope',
    'GET /v1/templates requires the scope templates:read, which your key or role lacks. Use a key that has it, or ask an account owner.',
  ]);
});
