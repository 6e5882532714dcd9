import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import { BREAD, hooksAnswer, raw } from '../hooks/hooks-answer.ts';
import { HTTP_CLIENTS } from '../mcp/support/clients.ts';
import { type ModelApp, openModelApp } from '../support/model-app.ts';
import { newBareKey, startTestServer, type TestServer, useRest } from '../support/server.ts';
import { readEvents } from './event-reader.ts';

let hooks: ModelApp;
let server: TestServer;
let key: string;
let accountId: string;

beforeAll(async () => {
  hooks = await openModelApp({ ANONYMOUS_HOOKS: '3' });
  server = await startTestServer(hooks.app);
});
beforeEach(async () => {
  ({ key, accountId } = await newBareKey(hooks.app));
});
afterAll(async () => {
  await server.close();
  await hooks.close();
});

const [one, two, three, four, five] = BREAD;
const asked = { topic: 'sourdough', count: 3, language: 'en', provider: 'provider_a' };
const generate = (body: unknown, headers: Record<string, string> = {}, as: string | undefined = key) =>
  useRest(server.url, as)('POST', '/api/v1/generate', { body, headers });
const used = async () => (await hooks.app.quota.usage(accountId)).hooks_used;

test('the documented request has the documented answer', async () => {
  hooks.server.script(hooksAnswer(one, two, three));
  const { status, body } = await generate({
    topic: ' sourdough ',
    count: 3,
    provider: 'provider_a',
    model: '',
    api_key: '',
  });
  expect(status).toBe(200);
  expect(body).toMatchObject({
    success: true,
    topic: 'sourdough',
    hooks: [one[0], two[0], three[0]],
    count: 3,
    styles_used: ['curiosity', 'question', 'storytelling'],
  });
});

test.each([
  ['en', 'Topic is required'],
  ['es', 'El tema es obligatorio'],
])('in %s, a topic that is not there is asked for', async (language, said) => {
  for (const topic of [undefined, null, '', ' \n ', '\u200b\u2060\u00ad']) {
    const answer = await generate({ ...asked, topic }, { 'accept-language': language });
    expect(answer).toMatchObject({
      status: 422,
      body: {
        code: 'topic_required',
        detail: said,
        message: said,
        errors: [{ loc: ['body', 'topic'], msg: said }],
      },
    });
  }
});

test.each([
  ['a count of 4', { ...asked, count: 4 }, 'count'],
  ['a count that is text', { ...asked, count: '5' }, 'count'],
  ['a topic of 10,000 characters', { ...asked, topic: 'x'.repeat(10_000) }, 'topic'],
  ['a topic that is a list', { ...asked, topic: ['sourdough'] }, 'topic'],
  ['an unknown provider', { ...asked, provider: 'provider_c' }, 'provider'],
  ['an unknown style', { ...asked, styles: ['viral'] }, 'styles'],
  ['no language', { ...asked, language: 'not a language' }, 'language'],
  ['a field nobody knows', { ...asked, prompt: 'x' }, 'prompt'],
])('%s is refused before anybody is asked', async (_what, body, field) => {
  const before = hooks.server.requests.length;
  const answer = await generate(body);
  expect(answer).toMatchObject({ status: 422, body: { code: 'validation_failed' } });
  expect((answer.body['errors'] as { loc: string[] }[])[0]?.loc.slice(0, 2)).toEqual(['body', field]);
  expect([hooks.server.requests.length, await used()]).toEqual([before, 0]);
});

test('an api_key has no place in MCP', async () => {
  const [, connect] = HTTP_CLIENTS[0] ?? [];
  if (!connect) throw new Error('no client');
  const client = await connect(server.url, key);
  const answer = await client.callTool('generate_hooks', { ...asked, api_key: 'sk-own' });
  await client.close();
  expect(answer).toMatchObject({ isError: true });
  expect(JSON.stringify(answer)).toContain('api_key');
});

test('with one Idempotency-Key 50 times at once, one is asked, charged and answered', async () => {
  hooks.server.script(hooksAnswer(one, two, three));
  const before = hooks.server.requests.length;
  const once = () => generate(asked, { 'idempotency-key': 'the-same' });
  const answers = await Promise.all(Array.from({ length: 50 }, once));
  const done = answers.filter(({ status }) => status === 200);
  expect(done.length).toBeGreaterThan(0);
  expect(new Set(answers.map(({ status }) => status)).difference(new Set([200, 409])).size).toBe(0);
  const last = await once();
  expect(last.headers.get('idempotency-replayed')).toBe('true');
  for (const { body } of done) expect(body).toEqual(last.body);
  expect([hooks.server.requests.length - before, await used()]).toEqual([1, 3]);
  expect((await generate({ ...asked, count: 5 }, { 'idempotency-key': 'the-same' })).body).toMatchObject({
    code: 'idempotency_mismatch',
  });
});

test('a visitor gets three hooks a day, of which nothing is kept', async () => {
  hooks.server.script(hooksAnswer(one, two, three));
  const first = await generate({ ...asked, count: 5 }, {}, '');
  expect(first).toMatchObject({
    status: 200,
    body: { count: 3, requested: 5, quota_limited: true, generation_id: null, quota: null },
  });
  const second = await generate(asked, { 'accept-language': 'es' }, '');
  expect(second).toMatchObject({ status: 429, body: { code: 'anonymous_limit' } });
  expect(Number(second.headers.get('retry-after'))).toBeGreaterThan(0);
  const { sql } = hooks.app.database;
  expect(await sql`select id from generations where account_id = 'acc_anonymous'`).toHaveLength(0);
});

test('a wrong credential is no visitor', async () => {
  expect((await generate(asked, {}, 'sh_live_wrong')).status).toBe(401);
});

/** Generates as a client that reads a stream. */
function stream(body: object, headers: Record<string, string> = {}) {
  return fetch(`${server.url}/api/v1/generate`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      accept: 'text/event-stream',
      ...headers,
    },
    body: JSON.stringify(body),
  });
}

test('a stream brings each hook while the model still writes, then usage and the whole answer', async () => {
  hooks.server.script({ drips: JSON.stringify({ hooks: BREAD.map(raw) }), everyMs: 1 });
  const before = hooks.server.requests.length;
  const response = await stream({ ...asked, count: 5 });
  expect(response.headers.get('content-type')).toMatch(/^text\/event-stream/);
  const events: { event: string; data: Record<string, unknown> }[] = [];
  let finished = false;
  void hooks.server.requests[before]?.outcome.then(() => {
    finished = true;
  });
  for await (const { event, data } of readEvents(response)) {
    if (events.length === 0) expect(finished).toBe(false);
    events.push({ event, data });
  }
  const done = events.at(-1)?.data ?? {};
  expect(done).toMatchObject({ success: true, hooks: BREAD.map(([text]) => text), quota: { hooks_used: 5 } });
  expect(events).toEqual([
    ...(done['details'] as Record<string, unknown>[]).map((data) => ({ event: 'hook', data })),
    { event: 'usage', data: done['usage'] },
    { event: 'done', data: done },
  ]);
});

test('a stream that cannot begin is an ordinary problem', async () => {
  const response = await stream({ ...asked, topic: ' ' });
  expect(response.status).toBe(422);
  expect(await response.json()).toMatchObject({ code: 'topic_required' });
});

test('a stream is replayed as its end', async () => {
  hooks.server.script(hooksAnswer(four, five, one));
  const body = { ...asked, topic: 'bread' };
  for await (const _ of readEvents(await stream(body, { 'idempotency-key': 's' })));
  const events = [];
  for await (const { event } of readEvents(await stream(body, { 'idempotency-key': 's' })))
    events.push(event);
  expect([events, await used()]).toEqual([['done'], 3]);
});

const Content = z.record(
  z.string(),
  z.object({
    schema: z.object({
      properties: z.record(z.string(), z.unknown()).optional(),
      required: z.array(z.string()).optional(),
      description: z.string().optional(),
    }),
  }),
);
const Operation = z.object({
  requestBody: z.object({ content: Content }).optional(),
  responses: z.record(z.string(), z.object({ content: Content })),
});
const Operations = z.object({ paths: z.record(z.string(), z.object({ post: Operation.optional() })) });

test('the stream and the key of one’s own stand in the document of the API', async () => {
  const document = Operations.parse(await (await fetch(`${server.url}/openapi.json`)).json());
  const operation = document.paths['/api/v1/generate']?.post;
  const { properties, required } = operation?.requestBody?.content['application/json']?.schema ?? {};
  expect(required).toEqual(['topic']);
  expect(properties?.['api_key']).toMatchObject({ type: 'string', maxLength: 500 });
  expect(operation?.responses['200']?.content['text/event-stream']?.schema.description).toContain(
    'hook: one item of details',
  );
});
