import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { availableParallelism } from 'node:os';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SCOPES } from '../../src/identity/caller.ts';
import { createRegistry } from '../../tools/contract/registry.ts';
import { jobTools } from '../../tools/jobs/index.ts';
import { createRunJob } from '../../tools/jobs/run-job.ts';
import { openTestApp, silentLog, type TestApp } from '../support/app.ts';
import { newBareKey, startTestServer, type TestServer, useRest } from '../support/server.ts';
import { readEvents, type SentEvent } from './event-reader.ts';
import { createSlowTools } from './slow-tools.ts';

const slow = createSlowTools();
const registry = createRegistry([...jobTools, ...slow.tools]);
const later = { prefer: 'respond-async' };

let app: TestApp;
let server: TestServer;
let key: string;
let rest: ReturnType<typeof useRest>;

beforeAll(async () => {
  app = await openTestApp();
  server = await startTestServer(app, {}, { registry });
  ({ key } = await newBareKey(app));
  rest = useRest(server.url, key);
  await app.jobs.start({ run: createRunJob({ app, registry, log: silentLog }) });
});
afterAll(async () => {
  await server.close();
  await app.close();
});

function follow(location: string, { lastEventId, as = key }: { lastEventId?: number; as?: string } = {}) {
  return fetch(`${server.url}${location}/events`, {
    headers: {
      authorization: `Bearer ${as}`,
      ...(lastEventId !== undefined && { 'last-event-id': String(lastEventId) }),
    },
  });
}

async function eventsOf(location: string, lastEventId?: number): Promise<SentEvent[]> {
  return Array.fromAsync(
    readEvents(await follow(location, lastEventId === undefined ? {} : { lastEventId })),
  );
}

async function connected(port: number, host: string): Promise<Socket> {
  const socket = connect(port, host).on('error', () => {});
  await once(socket, 'connect');
  return socket;
}

/** Takes a call in as a job and answers where it is. */
async function begin(path: string, body: object = {}): Promise<string> {
  const { headers } = await rest('POST', path, { body, headers: later });
  return headers.get('location') ?? '';
}

describe('Prefer: respond-async', () => {
  test('answers 202 with a job, which the work then completes as the same caller', async () => {
    const answer = await rest('POST', '/v1/counts', { body: { to: 2 }, headers: later });
    expect(answer.status).toBe(202);
    expect(answer.headers.get('preference-applied')).toBe('respond-async');
    expect(answer.headers.get('location')).toBe(`/v1/jobs/${answer.body['id']}`);
    expect(answer.body).toEqual({
      id: expect.stringMatching(/^job_/),
      tool: 'count_things',
      status: 'queued',
      created_at: expect.any(String),
    });
    slow.step(2);
    const location = answer.headers.get('location') ?? '';
    await eventsOf(location);
    expect((await rest('GET', location)).body).toEqual({
      ...answer.body,
      status: 'completed',
      progress: { done: 2, total: 2, message: '2 of 2' },
      result: { counted: 2, by: expect.any(String) },
      finished_at: expect.any(String),
    });
  });

  test.each(['respond-async', 'wait=10, Respond-Async', 'respond-async; wait=5'])(
    'may be %s',
    async (prefer) => {
      const { status } = await rest('POST', '/v1/failures', { body: {}, headers: { prefer } });
      expect(status).toBe(202);
    },
  );

  test.each(['return=minimal', 'not-respond-async', 'respond-asynchronously'])(
    'is not %s',
    async (prefer) => {
      const { status } = await rest('POST', '/v1/failures', { body: {}, headers: { prefer } });
      expect(status).toBe(404);
    },
  );

  test('refuses at once what is wrong with the call', async () => {
    const wrong = await rest('POST', '/v1/counts', { body: { to: 'many' }, headers: later });
    expect([wrong.status, wrong.body['code']]).toEqual([422, 'validation_failed']);
    const reader = useRest(server.url, (await newBareKey(app, ['templates:read'])).key);
    const denied = await reader('POST', '/v1/counts', { body: {}, headers: later });
    expect([denied.status, denied.body['code']]).toEqual([403, 'insufficient_scope']);
    const unknown = await useRest(server.url)('POST', '/v1/counts', { body: {}, headers: later });
    expect(unknown.status).toBe(401);
  });

  test('is not run for a key that was revoked while it waited', async () => {
    const revoked = await newBareKey(app);
    // Its turn comes after a job that is held up for each core.
    const others = await Promise.all(
      Array.from({ length: availableParallelism() }, () => begin('/v1/waits')),
    );
    const asked = useRest(server.url, revoked.key);
    const { headers } = await asked('POST', '/v1/counts', { body: {}, headers: later });
    const { items } = await app.accountKeys.list(revoked.accountId, { limit: 10 });
    for (const { id } of items) await app.keys.revoke(revoked.accountId, id);
    for (const other of others) await rest('DELETE', other);
    const other = await app.keys.create(revoked.accountId, 'other', SCOPES, null);
    const location = headers.get('location') ?? '';
    await Array.fromAsync(readEvents(await follow(location, { as: other.key })));
    expect((await useRest(server.url, other.key)('GET', location)).body).toMatchObject({
      status: 'failed',
      error: { code: 'unauthenticated', message: expect.stringContaining('no longer valid') },
    });
  });

  test('means nothing to a tool whose work is short', async () => {
    const { status, headers } = await rest('GET', '/v1/jobs', { headers: later });
    expect([status, headers.get('preference-applied')]).toEqual([200, null]);
  });

  test('with an idempotency key makes one job of many requests, and another request is refused', async () => {
    const headers = { ...later, 'idempotency-key': 'one-count' };
    const first = await rest('POST', '/v1/counts', { body: { to: 1 }, headers });
    const again = await rest('POST', '/v1/counts', { body: { to: 1 }, headers });
    expect([again.status, again.body['id'], again.headers.get('idempotency-replayed')]).toEqual([
      202,
      first.body['id'],
      'true',
    ]);
    slow.step();
    await eventsOf(first.headers.get('location') ?? '');
    const late = await rest('POST', '/v1/counts', { body: { to: 1 }, headers });
    expect(late.body).toEqual(first.body);
    const job = await rest('GET', late.headers.get('location') ?? '');
    expect([job.body['id'], job.body['status']]).toEqual([first.body['id'], 'completed']);
    const other = await rest('POST', '/v1/counts', { body: { to: 2 }, headers });
    expect([other.status, other.body['code']]).toEqual([422, 'idempotency_mismatch']);
  });

  test('with one key sent many times at once: one job', async () => {
    const headers = { ...later, 'idempotency-key': 'many-at-once' };
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => rest('POST', '/v1/failures', { body: {}, headers })),
    );
    const ids = answers.filter(({ status }) => status === 202).map(({ body }) => body['id']);
    expect(new Set(ids).size).toBe(1);
    expect(answers.map(({ status }) => [202, 409].includes(status))).not.toContain(false);
  });
});

describe('a job over REST', () => {
  test('that failed tells the problem the call would have been answered with, in the language of who asks', async () => {
    const location = await begin('/v1/failures');
    await eventsOf(location);
    const { body } = await rest('GET', location);
    expect(body).toMatchObject({
      status: 'failed',
      error: {
        status: 404,
        code: 'not_found',
        // These tools are all that this server has.
        message: "Template 'gone' not found. List templates with list_templates.",
      },
    });
    const spanish = await rest('GET', location, { headers: { 'accept-language': 'es' } });
    expect(spanish.body['error']).not.toEqual(body['error']);
    expect(body).not.toHaveProperty('result');
  });

  test('is canceled with DELETE', async () => {
    const location = await begin('/v1/waits');
    for await (const { data } of readEvents(await follow(location))) if (data['status'] === 'running') break;
    const { status, body } = await rest('DELETE', location);
    expect([status, body['status'], body['cancel_requested']]).toEqual([200, 'running', true]);
    const last = (await eventsOf(location)).at(-1);
    expect([last?.event, last?.data['status']]).toEqual(['canceled', 'canceled']);
    const { id } = last?.data ?? {};
    const canceled = await rest('GET', '/v1/jobs?status=canceled');
    expect(canceled.body['items']).toContainEqual(expect.objectContaining({ id, cancel_requested: true }));
  });

  test('of another account is not there, neither are its events', async () => {
    const location = await begin('/v1/failures');
    const stranger = (await newBareKey(app)).key;
    const asked = useRest(server.url, stranger);
    const answers = [await asked('GET', location), await asked('DELETE', location)];
    expect(answers.map(({ status, body }) => [status, body['code']])).toEqual([
      [404, 'not_found'],
      [404, 'not_found'],
    ]);
    expect((await follow(location, { as: stranger })).status).toBe(404);
    expect((await asked('GET', '/v1/jobs')).body).toEqual({ items: [], next_cursor: null });
  });
});

describe('events of a job', () => {
  test('begin with the job as it is, tell its progress, and end with its end', async () => {
    const location = await begin('/v1/counts', { to: 2 });
    const response = await follow(location);
    expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    const events: SentEvent[] = [];
    let steps = 0;
    for await (const event of readEvents(response)) {
      events.push(event);
      // One more would be left over for the next job.
      if (event.data['status'] === 'running' && steps++ < 2) slow.step();
    }
    expect(events[0]?.event).toBe('progress');
    expect(events.at(-1)).toMatchObject({
      event: 'completed',
      data: { status: 'completed', result: { counted: 2 }, progress: { done: 2, total: 2 } },
    });
    const ids = events.map(({ id }) => id);
    expect(ids).toEqual([...new Set(ids)].sort((a, b) => a - b));
  });

  test('are not waited for by a HEAD', async () => {
    const location = await begin('/v1/waits');
    const headers = { authorization: `Bearer ${key}` };
    const { status } = await fetch(`${server.url}${location}/events`, { method: 'HEAD', headers });
    expect(status).toBe(200);
    await rest('DELETE', location);
  });

  test('go on after Last-Event-ID without repeating, and answer 204 once the end was seen', async () => {
    const location = await begin('/v1/counts', { to: 1 });
    let seen = 0;
    for await (const { id, data } of readEvents(await follow(location))) {
      seen = id;
      if (data['status'] === 'running') break;
    }
    slow.step();
    const news = await eventsOf(location, seen);
    expect(news.every(({ id }) => id > seen)).toBe(true);
    expect(news.at(-1)?.event).toBe('completed');
    expect((await follow(location, { lastEventId: news.at(-1)?.id ?? 0 })).status).toBe(204);
  });

  test('are open 20 at a time for an account; one that is closed makes room', async () => {
    const { key: own } = await newBareKey(app);
    const asked = useRest(server.url, own);
    const { headers } = await asked('POST', '/v1/waits', { body: {}, headers: later });
    const location = headers.get('location') ?? '';
    const open = await Promise.all(Array.from({ length: 20 }, () => follow(location, { as: own })));
    expect(open.map(({ status }) => status)).toEqual(open.map(() => 200));
    const refused = await follow(location, { as: own });
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5']);
    await open[0]?.body?.cancel();
    let admitted = await follow(location, { as: own });
    while (admitted.status === 503) admitted = await follow(location, { as: own });
    expect(admitted.status).toBe(200);
    await asked('DELETE', location);
    const ends = await Promise.all(
      [...open.slice(1), admitted].map((one) => Array.fromAsync(readEvents(one))),
    );
    expect(ends.map((events) => events.at(-1)?.event)).toEqual(ends.map(() => 'canceled'));
  });

  test('a client that disconnects before it is admitted takes no place', async () => {
    const { key: own } = await newBareKey(app);
    const asked = useRest(server.url, own);
    const { headers } = await asked('POST', '/v1/waits', { body: {}, headers: later });
    const location = headers.get('location') ?? '';
    let left = 0;
    const slow = { ...app, jobs: { ...app.jobs, read: readOnceGone } };
    const other = await startTestServer(slow, {}, { registry });
    async function readOnceGone(...args: Parameters<typeof app.jobs.read>) {
      await gone.promise;
      left++;
      return app.jobs.read(...args);
    }
    const gone = Promise.withResolvers<void>();
    const { hostname, port } = new URL(other.url);
    const sockets = await Promise.all(Array.from({ length: 20 }, () => connected(Number(port), hostname)));
    const request = `GET ${location}/events HTTP/1.1\r\nHost: ${hostname}:${port}\r\nAuthorization: Bearer ${own}\r\n\r\n`;
    for (const socket of sockets) socket.write(request);
    // Answered after them: all have been read by then.
    await fetch(`${other.url}/health`);
    for (const socket of sockets) socket.resetAndDestroy();
    await fetch(`${other.url}/health`);
    gone.resolve();
    while (left < 20) await new Promise(setImmediate);
    const answer = await fetch(`${other.url}${location}/events`, {
      headers: { authorization: `Bearer ${own}` },
    });
    expect(answer.status).toBe(200);
    await answer.body?.cancel();
    await other.close();
    await asked('DELETE', location);
  });

  test('end when the server closes, without an end of the job', async () => {
    const other = await startTestServer(app, {}, { registry });
    const location = await begin('/v1/waits');
    const response = await fetch(`${other.url}${location}/events`, {
      headers: { authorization: `Bearer ${key}` },
    });
    const first = await readEvents(response).next();
    expect(first.value).toMatchObject({ event: 'progress' });
    await other.close();
    await rest('DELETE', location);
    expect((await eventsOf(location)).at(-1)?.event).toBe('canceled');
  });
});

test('a job shows to its own caller and to those who may do all that its caller may', async () => {
  const { accountId, key: full } = await newBareKey(app);
  const reader = (await app.keys.create(accountId, 'reader', ['templates:read'], null)).key;
  const asFull = useRest(server.url, full);
  const asReader = useRest(server.url, reader);
  const { headers } = await asFull('POST', '/v1/waits', { body: {}, headers: later });
  const location = headers.get('location') ?? '';
  const seen = async (rest: typeof asFull) => [
    (await rest('GET', location)).status,
    (await rest('GET', '/v1/jobs')).body['items'],
    (await rest('GET', `${location}/events`)).status,
    (await rest('DELETE', location)).status,
  ];
  expect(await seen(asReader)).toEqual([404, [], 404, 404]);
  expect((await asFull('GET', '/v1/jobs')).body['items']).toHaveLength(1);
  expect((await asFull('DELETE', location)).status).toBe(200);
});
