import { afterAll, beforeAll, expect, test } from 'vitest';
import { openServedApp, type ServedApp } from '../support/served-app.ts';
import { newKey, useRest } from '../support/server.ts';

let app: ServedApp;
let rest: ReturnType<typeof useRest>;

beforeAll(async () => {
  app = await openServedApp();
  rest = useRest(app.url, (await newKey(app)).key);
});
afterAll(() => app.close());

const html = { name: 'bad', html: '' };

const CASES: readonly [
  string,
  string,
  string,
  { body?: unknown; headers?: Record<string, string> },
  number,
  string,
  RegExp,
][] = [
  ['malformed JSON', 'POST', '/v1/render', { body: '{"template": "welcome",}' }, 400, 'invalid_json', /JSON/],
  ['a body that is a list', 'POST', '/v1/render', { body: [] }, 422, 'validation_failed', /braces|llaves/],
  ['a body that is null', 'POST', '/v1/render', { body: 'null' }, 422, 'validation_failed', /braces|llaves/],
  ['no body', 'POST', '/v1/templates', {}, 422, 'validation_failed', /name: /],
  [
    'a field of another name',
    'POST',
    '/v1/render',
    { body: { template: 'welcome', datta: {} } },
    422,
    'validation_failed',
    /datta/,
  ],
  [
    'a field of another type',
    'POST',
    '/v1/render',
    { body: { template: 7 } },
    422,
    'validation_failed',
    /template: /,
  ],
  [
    'a body of another type',
    'POST',
    '/v1/render',
    { body: 'a=b', headers: { 'content-type': 'application/x-www-form-urlencoded' } },
    415,
    'unsupported_media_type',
    /application\/json/,
  ],
  [
    'a body of 5 MB',
    'POST',
    '/v1/render',
    { body: { html: 'x'.repeat(5_000_000) } },
    413,
    'too_large',
    /4194304/,
  ],
  [
    'source over 256 KB',
    'POST',
    '/v1/templates',
    { body: { ...html, html: 'x'.repeat(262_145) } },
    422,
    'validation_failed',
    /html: /,
  ],
  [
    'a block that does not end',
    'POST',
    '/v1/templates',
    { body: { ...html, html: '<p>\n  {{#if a}}</p>' } },
    422,
    'template_invalid',
    /2/,
  ],
  [
    'an unknown helper',
    'POST',
    '/v1/templates',
    { body: { ...html, html: '{{uper name}}' } },
    422,
    'template_invalid',
    /upper/,
  ],
  [
    'a variable in a script',
    'POST',
    '/v1/templates',
    { body: { ...html, html: '<script>{{a}}</script>' } },
    422,
    'unsafe_context',
    /script/,
  ],
  [
    'a name with a slash',
    'POST',
    '/v1/templates',
    { body: { name: 'a/b', html: '' } },
    422,
    'validation_failed',
    /name: /,
  ],
  [
    'a name with a slash in the path',
    'GET',
    '/v1/templates/a%2Fb',
    {},
    422,
    'validation_failed',
    /template: /,
  ],
  ['a path with broken encoding', 'GET', '/v1/templates/%E0%A4%A', {}, 422, 'validation_failed', /%|percent/],
  ['an unknown template', 'GET', '/v1/templates/welcom', {}, 404, 'not_found', /['«]welcome['»]/],
  ['an unknown version', 'GET', '/v1/templates/welcome/versions/v9.9', {}, 404, 'not_found', /v9\.9/],
  ['an unknown branch', 'GET', '/v1/templates/welcome/branches/nope', {}, 404, 'not_found', /nope/],
  [
    'an unknown environment',
    'GET',
    '/v1/templates/welcome/environments/qa/history',
    {},
    422,
    'validation_failed',
    /environment: /,
  ],
  ['an unknown path', 'GET', '/v1/nothing', {}, 404, 'not_found', /\/v1\/nothing/],
  [
    'a taken name',
    'POST',
    '/v1/templates',
    { body: { name: 'welcome', html: '' } },
    409,
    'name_taken',
    /welcome/,
  ],
  [
    'a stale head',
    'PATCH',
    '/v1/templates/welcome',
    { body: { html: 'x', expected_head: 'v0.9' } },
    409,
    'head_moved',
    /v1\.0\.0/,
  ],
  ['a cursor of another list', 'GET', '/v1/audit?cursor=bm9wZQ', {}, 422, 'validation_failed', /cursor/],
  ['a limit over 200', 'GET', '/v1/templates?limit=201', {}, 422, 'validation_failed', /limit: /],
  ['a NUL in the query', 'GET', '/v1/templates?q=%00', {}, 422, 'validation_failed', /NUL/],
  [
    'half a character',
    'POST',
    '/v1/validate',
    { body: '{"html":"\\ud800"}' },
    422,
    'validation_failed',
    /NUL/,
  ],
  ['a cursor that is nothing', 'GET', '/v1/audit?cursor=', {}, 422, 'validation_failed', /cursor/],
  [
    'another name in the body than in the path',
    'PATCH',
    '/v1/templates/welcome',
    { body: { name: 'other' } },
    422,
    'validation_failed',
    /name/,
  ],
  [
    'bytes that are not gzip',
    'POST',
    '/v1/render',
    { body: 'x', headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' } },
    415,
    'unsupported_media_type',
    /UTF-8/,
  ],
  [
    'a page of another site',
    'GET',
    '/v1/templates',
    { headers: { origin: 'https://evil.example' } },
    403,
    'forbidden',
    /evil\.example/,
  ],
];

const languages = ['en', 'es'] as const;

for (const [name, method, path, request, status, code, says] of CASES) {
  test(`${name}: ${status} ${code}, in English and in Spanish`, async () => {
    const answers = [];
    for (const language of languages) {
      const headers = { ...request.headers, 'accept-language': language };
      answers.push(await rest(method, path, { ...request, headers }));
    }
    for (const [index, answer] of answers.entries()) {
      expect(answer.status).toBe(status);
      expect(answer.headers.get('content-type')).toBe('application/problem+json; charset=utf-8');
      expect(answer.headers.get('content-language')).toBe(languages[index]);
      expect(answer.body).toEqual({
        ...answer.body,
        type: `urn:problem:${code.replaceAll('_', '-')}`,
        title: expect.any(String),
        status,
        code,
        detail: expect.stringMatching(says),
        message: answer.body['detail'],
        errors: expect.any(Array),
        request_id: expect.stringMatching(/^req_/),
      });
    }
    const [english, spanish] = answers;
    expect(spanish?.body['title']).not.toBe(english?.body['title']);
    expect(spanish?.body['detail']).not.toBe(english?.body['detail']);
  });
}

test.each([
  ['data', '/v1/render', { template: 'welcome', data: 0 }],
  ['a schema', '/v1/validate', { html: 'x', schema: 0 }],
  ['a fixture', '/v1/templates', { name: 'deep', html: 'x', fixtures: { one: 0 } }],
])('%s nested a million levels deep is refused', async (_case, path, shape) => {
  const deep = `${'{"a":'.repeat(500_000)}1${'}'.repeat(500_000)}`;
  const answer = await rest('POST', path, { body: JSON.stringify(shape).replace(/0/, deep) });
  expect([answer.status, answer.body['code']]).toEqual([422, 'validation_failed']);
});

test('data over 1 MB is refused', async () => {
  const answer = await rest('POST', '/v1/render', {
    body: { template: 'welcome', data: { name: 'x'.repeat(1_048_577) } },
  });
  expect([answer.status, answer.body['code']]).toEqual([413, 'too_large']);
});

test('a template that does not parse says in which field, line and column', async () => {
  const { body } = await rest('POST', '/v1/templates', {
    body: { ...html, html: '<p>\n  {{#if a}}</p>', subject: '{{' },
  });
  expect(body['errors']).toMatchObject([
    { loc: ['body', 'html'], line: 2, msg: expect.any(String), type: expect.any(String) },
    { loc: ['body', 'subject'], line: 1, msg: expect.any(String), type: expect.any(String) },
  ]);
});

test('nothing of a refused template is written', async () => {
  expect((await rest('GET', '/v1/templates/bad')).status).toBe(404);
  const { rows } = {
    rows: await app.database.sql`select count(*)::int as count from templates where name = 'bad'`,
  };
  expect(rows[0]).toEqual({ count: 0 });
});

test('every validation error says where the value came from', async () => {
  const query = await rest('GET', '/v1/templates?limit=0');
  expect(query.body['errors']).toMatchObject([{ loc: ['query', 'limit'] }]);
  const path = await rest('GET', '/v1/templates/a%2Fb');
  expect(path.body['errors']).toMatchObject([{ loc: ['path', 'template'] }]);
  const body = await rest('POST', '/v1/templates', { body: { ...html, tags: ['ok', 7] } });
  expect(body.body['errors']).toMatchObject([{ loc: ['body', 'tags', 1] }]);
});

test('a text in place of a list is one mistake, however short it is', async () => {
  const body = { html: 'x', devices: '' };
  const { status, body: problem } = await rest('POST', '/v1/preview', { body });
  expect([status, problem['errors']]).toEqual([
    422,
    [{ loc: ['body', 'devices'], msg: 'must be a list', type: 'invalid_type' }],
  ]);
  const data = { stats: '' };
  const video = await rest('POST', '/videos', { body: { title: 'x', duration: 6, template: 'stats', data } });
  expect(video.body).toEqual({
    detail: [{ loc: ['body', 'data', 'stats'], msg: 'must be a list', type: 'invalid_type', input: '' }],
  });
});

test('texts in place of the objects of a list are one mistake, which shows what an object has', async () => {
  const hooks = ['a', 'b', 'c', 'd', 'e'];
  const { body } = await rest('POST', '/api/v1/hooks/submit', { body: { topic: 'bread', hooks } });
  const msg = 'must be an object: {"text": …, "style": …}';
  expect(body['errors']).toEqual([{ loc: ['body', 'hooks', 0], msg, type: 'invalid_type' }]);
});

test('a list of captions says which one is wrong and what a caption has, and another value what captions may be', async () => {
  const captions = (value: unknown) =>
    rest('POST', '/videos', { body: { title: 'x', duration: 1, captions: value } });
  const shape = 'must be an object: {"start": …, "end": …, "text": …}';
  expect((await captions([1])).body['detail']).toEqual([
    { loc: ['body', 'captions', 0], msg: shape, type: 'invalid_type', input: 1 },
  ]);
  expect((await captions([{ start: 0, end: 1, text: '' }])).body['detail']).toMatchObject([
    { loc: ['body', 'captions', 0, 'text'], msg: 'must not be empty' },
  ]);
  expect((await captions(5)).body['detail']).toMatchObject([
    { loc: ['body', 'captions'], msg: 'must be a list, or must be text' },
  ]);
});

test.for([
  ['GET', '/videos/%00', undefined, ['path', 'video_id']],
  ['GET', '/videos?status=%00', undefined, ['query', 'status']],
  ['POST', '/videos', { title: 'a\u0000', duration: 3 }, ['body', 'title']],
  ['POST', '/videos', { 'a\u0000': 1 }, ['body']],
] as const)('%s %s with a NUL says where it is', async ([method, path, body, loc]) => {
  const { status, body: said } = await rest(method, path, body && { body });
  expect([status, said['detail']]).toEqual([
    422,
    [expect.objectContaining({ loc, type: 'validation_failed.not_text' })],
  ]);
});
