import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openapi } from '../../http/openapi/openapi.ts';
import { productRegistry } from '../../tools/index.ts';
import { openServedApp, type ServedApp } from '../support/served-app.ts';
import { newBareKey, useRest } from '../support/server.ts';

// Nothing is made here: what is asked for waits.
let app: ServedApp;
let rest: ReturnType<typeof useRest>;

beforeAll(async () => {
  app = await openServedApp();
  rest = await account();
});
afterAll(() => app.close());

async function account() {
  return useRest(app.url, (await newBareKey(app)).key);
}

const SMALL = { title: 'Opening day', duration: 0.5, width: 64, height: 64 };

describe('POST /videos', () => {
  test('answers 200 with the video at once: the documented fields, then ours', async () => {
    const { status, headers, body } = await rest('POST', '/videos', {
      body: { title: 'Opening day', duration: 2 },
    });
    expect([status, headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8']);
    expect(body).toEqual({
      id: expect.stringMatching(/^vid_/),
      title: 'Opening day',
      duration: 2,
      template: 'default',
      template_version: null,
      brand: null,
      status: 'pending',
      url: null,
      progress: 0,
      frames: { done: 0, total: 60 },
      eta_s: null,
      poster_url: null,
      captions_url: null,
      error: null,
      warnings: [],
      attempt: 1,
      width: 1080,
      height: 1920,
      fps: 30,
      format: 'mp4',
      quality: 'standard',
      size_bytes: null,
      created_at: expect.any(String),
      started_at: null,
      completed_at: null,
      engine: null,
    });
  });

  test('ignores fields it does not know, and those a client does not send: id, status and url', async () => {
    const sent = { ...SMALL, id: 'mine', status: 'completed', url: 'https://x.example/', colour: 'red' };
    const { status, body } = await rest('POST', '/videos', { body: sent });
    expect([status, body['status'], body['url']]).toEqual([200, 'pending', null]);
    expect(body['id']).not.toBe('mine');
    expect(body).not.toHaveProperty('colour');
  });

  test('with webhook_url answers the secret its calls are signed with; a repeat of the request does not', async () => {
    const headers = { 'idempotency-key': 'one-video' };
    const body = { ...SMALL, webhook_url: 'https://shop.example/hook' };
    const first = await rest('POST', '/videos', { body, headers });
    expect(first.body['webhook_secret']).toMatch(/^whsec_[\w+/]+=*$/);
    const again = await rest('POST', '/videos', { body, headers });
    expect([again.body['id'], again.headers.get('idempotency-replayed')]).toEqual([first.body['id'], 'true']);
    expect(again.body).not.toHaveProperty('webhook_secret');
    expect((await rest('POST', '/videos', { body: SMALL })).body).not.toHaveProperty('webhook_secret');
  });
});

describe('422 of the video routes is the documented one', () => {
  test.each<[string, unknown, object[]]>([
    [
      'a field is missing',
      { title: 'x' },
      [{ loc: ['body', 'duration'], msg: 'is required', type: 'invalid_type' }],
    ],
    [
      'nothing was sent',
      undefined,
      [
        { loc: ['body', 'title'], msg: 'is required', type: 'invalid_type' },
        { loc: ['body', 'duration'], msg: 'is required', type: 'invalid_type' },
      ],
    ],
    [
      'a field has another type',
      { title: 7, duration: 1 },
      [{ loc: ['body', 'title'], msg: expect.any(String), type: 'invalid_type', input: 7 }],
    ],
    [
      'a number is too large',
      { title: 'x', duration: 601 },
      [{ loc: ['body', 'duration'], msg: expect.stringContaining('600'), type: 'too_big', input: 601 }],
    ],
    [
      'a place within the body is wrong',
      { ...SMALL, captions: [{ start: 0, end: -1, text: 'a' }] },
      [{ loc: ['body', 'captions', 0, 'end'], msg: 'must be at least 0', type: 'too_small', input: -1 }],
    ],
    [
      'there is no such template',
      { ...SMALL, template: 'defualt' },
      [
        {
          loc: ['body', 'template'],
          msg: "Video template 'defualt' not found. Did you mean 'default'?",
          type: 'validation_failed.video_template_close',
          input: 'defualt',
        },
      ],
    ],
    [
      'fields contradict each other',
      { ...SMALL, aspect: '1:1' },
      [
        {
          loc: ['body', 'aspect'],
          msg: expect.stringContaining('width'),
          type: 'validation_failed.video_size_both',
          input: '1:1',
        },
      ],
    ],
    [
      'the body is a list',
      [],
      [{ loc: ['body'], msg: expect.stringContaining('braces'), type: 'validation_failed.body' }],
    ],
    [
      'the body is not JSON',
      '{"title":',
      [{ loc: ['body'], msg: expect.stringContaining('JSON'), type: 'invalid_json.body' }],
    ],
  ])('when %s', async (_when, body, detail) => {
    const answer = await rest('POST', '/videos', body === undefined ? {} : { body });
    expect(answer.status).toBe(422);
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(answer.body).toEqual({ detail });
  });

  test('for a path parameter that cannot be an id', async () => {
    const { status, body } = await rest('GET', `/videos/${'x'.repeat(101)}`);
    expect([status, body]).toEqual([
      422,
      { detail: [{ loc: ['path', 'video_id'], msg: expect.stringContaining('100'), type: 'too_big' }] },
    ]);
  });

  test('for a cursor, a filter and an idempotency key', async () => {
    const place = async (asked: ReturnType<typeof rest>) =>
      (await asked).body['detail'] as { loc: unknown }[] | undefined;
    expect(await place(rest('GET', '/videos?cursor=%7B'))).toMatchObject([{ loc: ['query', 'cursor'] }]);
    expect(await place(rest('GET', '/videos?status=gone'))).toMatchObject([{ loc: ['query', 'status'] }]);
    expect(await place(rest('GET', '/videos?colour=red'))).toMatchObject([{ loc: ['query', 'colour'] }]);
    const headers = { 'idempotency-key': 'x'.repeat(256) };
    expect(await place(rest('POST', '/videos', { body: SMALL, headers }))).toMatchObject([
      { loc: ['header', 'idempotency-key'] },
    ]);
  });

  test('in the language of the reader', async () => {
    const { headers, body } = await rest('POST', '/videos', {
      body: { title: 'x', duration: 601 },
      headers: { 'accept-language': 'es' },
    });
    expect(headers.get('content-language')).toBe('es');
    expect(body).toEqual({
      detail: [{ loc: ['body', 'duration'], msg: 'debe ser como máximo 600', type: 'too_big', input: 601 }],
    });
  });

  test('and as the OpenAPI document tells of it', async () => {
    const document = openapi(productRegistry(), '1.2.3');
    // The document's type leaves operations open.
    const { responses } = (document.paths['/videos']?.['post'] ?? { responses: {} }) as {
      responses: Record<string, { content: Record<string, { schema: object }> }>;
    };
    expect(Object.keys(responses)).toEqual(['200', '422', 'default']);
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    ajv.addSchema({ $id: 'openapi', components: document.components });
    const schema = responses['422']?.content['application/json']?.schema;
    const fits = ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"openapi#/')));
    const { body } = await rest('POST', '/videos', { body: { title: 7 } });
    expect([fits(body), fits({ detail: [{ msg: 'no place' }] })]).toEqual([true, false]);
  });

  test('other errors, and other services, keep to the problem', async () => {
    const unknown = await rest('GET', '/videos/vid_nobody');
    expect([unknown.status, unknown.headers.get('content-type')]).toEqual([
      404,
      'application/problem+json; charset=utf-8',
    ]);
    expect(unknown.body).toMatchObject({
      code: 'not_found',
      detail: "Video 'vid_nobody' not found. List videos with GET /videos.",
    });
    const other = await rest('POST', '/v1/render', { body: [] });
    expect(other.body).toMatchObject({ code: 'validation_failed', detail: expect.any(String) });
    expect((await useRest(app.url)('GET', '/videos')).status).toBe(401);
  });
});

describe('the videos of an account', () => {
  test('are a plain array, newest first, whose next page a Link header names', async () => {
    const own = await account();
    const ids: unknown[] = [];
    for (const title of ['one', 'two', 'three'])
      ids.unshift((await own('POST', '/videos', { body: { ...SMALL, title } })).body['id']);
    const first = await own('GET', '/videos?limit=2');
    expect(idsOf(first.body)).toEqual(ids.slice(0, 2));
    const [, next = ''] = /^<(.*)>; rel="next"$/.exec(first.headers.get('link') ?? '') ?? [];
    const second = await own('GET', next.replace(app.url, ''));
    expect([idsOf(second.body), second.headers.get('link')]).toEqual([ids.slice(2), null]);
  });

  test('may be asked for by status and by template', async () => {
    const own = await account();
    const { body } = await own('POST', '/videos', { body: SMALL });
    await own('POST', `/videos/${body['id']}/cancel`);
    expect(idsOf((await own('GET', '/videos?status=canceled&template=default')).body)).toEqual([body['id']]);
    expect((await own('GET', '/videos?status=pending')).body).toEqual([]);
    expect((await own('GET', '/videos?template=other')).body).toEqual([]);
  });

  test('are canceled, taken up again and deleted; a second time each is a conflict or not there', async () => {
    const { body: made } = await rest('POST', '/videos', { body: SMALL });
    const at = (part: string) => `/videos/${made['id']}${part}`;
    const unended = await rest('POST', at('/retry'));
    expect([unended.status, unended.body['code']]).toEqual([409, 'conflict']);
    const states = [await rest('POST', at('/cancel')), await rest('POST', at('/cancel'))];
    expect(states.map(({ status, body }) => [status, body['status']])).toEqual([
      [200, 'canceled'],
      [200, 'canceled'],
    ]);
    expect((await rest('POST', at('/retry'))).body).toMatchObject({ status: 'pending', attempt: 2 });
    const deleted = await rest('DELETE', at(''));
    expect([deleted.status, deleted.body]).toEqual([200, { deleted: true }]);
    expect((await rest('DELETE', at(''))).status).toBe(404);
  });

  test('are jobs too, under the same id', async () => {
    const { body: made } = await rest('POST', '/videos', { body: SMALL });
    const job = await rest('GET', `/v1/jobs/${made['id']}`);
    expect([job.status, job.body]).toEqual([
      200,
      {
        id: made['id'],
        tool: 'create_video',
        status: 'queued',
        progress: { done: 0, total: 15, message: 'pending' },
        created_at: made['created_at'],
      },
    ]);
    const canceled = await rest('DELETE', `/v1/jobs/${made['id']}`);
    expect(canceled.body).toMatchObject({ status: 'canceled', finished_at: expect.any(String) });
    expect((await rest('GET', `/videos/${made['id']}`)).body).toMatchObject({ status: 'canceled' });
  });

  test('need the scope of videos, also as jobs', async () => {
    const { accountId, key } = await newBareKey(app, ['videos:read']);
    const reader = useRest(app.url, key);
    const owner = useRest(app.url, (await app.keys.create(accountId, 'owner', ['videos:write'], null)).key);
    const { body: made } = await owner('POST', '/videos', { body: SMALL });
    const refused = [
      await reader('POST', '/videos', { body: SMALL }),
      await reader('DELETE', `/v1/jobs/${made['id']}`),
      await owner('GET', `/videos/${made['id']}`),
      await owner('GET', `/v1/jobs/${made['id']}`),
      await owner('GET', `/videos/${made['id']}/events`),
      await owner('GET', `/videos/${made['id']}/file`),
      await owner('GET', `/videos/${made['id']}/frame?t=0`),
      await owner('GET', '/video-templates/default/preview'),
    ];
    expect(refused.map(({ status, body }) => [status, body['code']])).toEqual(
      refused.map(() => [403, 'insufficient_scope']),
    );
    expect((await reader('GET', `/videos/${made['id']}`)).status).toBe(200);
  });

  test('not changed since are not sent again', async () => {
    const { body: made } = await rest('POST', '/videos', { body: SMALL });
    const path = `/videos/${made['id']}`;
    const etag = (await rest('GET', path)).headers.get('etag') ?? '';
    expect((await rest('GET', path, { headers: { 'if-none-match': etag } })).status).toBe(304);
    await rest('POST', `${path}/cancel`);
    expect((await rest('GET', path, { headers: { 'if-none-match': etag } })).status).toBe(200);
  });
});

// A list is an array here, whatever the type of an answer says.
const idsOf = (body: unknown) => (body as { id: unknown }[]).map(({ id }) => id);
