import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createSessions, type SessionLimits } from '../../http/mcp-sessions.ts';
import { createWatch, noteTools } from './support/notes.ts';
import { authenticate, type Running, registryOf, startServer } from './support/server.ts';

const headersOf = (key: string, session?: string) => ({
  Authorization: `Bearer ${key}`,
  'Content-Type': 'application/json',
  Accept: 'application/json, text/event-stream',
  'MCP-Protocol-Version': '2025-11-25',
  ...(session ? { 'Mcp-Session-Id': session } : {}),
});

const INITIALIZE = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
};

async function begin(url: string, key = 'key-of-ana'): Promise<string> {
  const response = await fetch(`${url}/mcp`, {
    method: 'POST',
    headers: headersOf(key),
    body: JSON.stringify(INITIALIZE),
  });
  await response.text();
  return response.headers.get('Mcp-Session-Id') ?? '';
}

function send(url: string, key: string, session: string, method: string, body?: unknown): Promise<Response> {
  const init = { method, headers: headersOf(key, session) };
  return fetch(`${url}/mcp`, body === undefined ? init : { ...init, body: JSON.stringify(body) });
}

const LIST = { jsonrpc: '2.0', id: 2, method: 'tools/list' };

describe('a session of an older revision', () => {
  const watch = createWatch();
  let server: Running;
  beforeAll(async () => {
    server = await startServer({ registry: registryOf(noteTools(watch)) });
  });
  afterAll(() => server.close());

  test('is used by its own account and key', async () => {
    const session = await begin(server.url);
    const response = await send(server.url, 'key-of-ana', session, 'POST', LIST);
    expect(response.status).toBe(200);
    expect(await response.text()).toContain('create_note');
  });

  test.each([
    ['another account', 'key-of-ben'],
    ['another key of the account', 'other-key-of-ana'],
  ])('does not exist for %s, whatever it tries', async (_who, key) => {
    const session = await begin(server.url);
    const statuses = [
      await send(server.url, key, session, 'POST', LIST),
      await send(server.url, key, session, 'GET'),
      await send(server.url, key, session, 'DELETE'),
    ].map((response) => response.status);
    expect(statuses).toEqual([404, 404, 404]);
    expect((await send(server.url, 'key-of-ana', session, 'POST', LIST)).status).toBe(200);
  });

  test('that nobody opened is 404, so that the client begins anew', async () => {
    const response = await send(server.url, 'key-of-ana', 'a-guess', 'POST', LIST);
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({ error: { code: -32001 } });
  });

  test('is gone once its client has ended it, and a call in it is aborted', async () => {
    const session = await begin(server.url);
    const call = { jsonrpc: '2.0', id: 3, method: 'tools/call', params: { name: 'watch_notes' } };
    const running = await send(server.url, 'key-of-ana', session, 'POST', call);
    await watch.started.promise;
    expect((await send(server.url, 'key-of-ana', session, 'DELETE')).status).toBe(200);
    await watch.aborted.promise;
    await running.text();
    expect((await send(server.url, 'key-of-ana', session, 'POST', LIST)).status).toBe(404);
  });

  test('is closed when nobody has used it for a while', async () => {
    const own = await startServer({ registry: registryOf(noteTools()), limits: { idleMs: 1 } });
    const session = await begin(own.url);
    await expect
      .poll(async () => (await send(own.url, 'key-of-ana', session, 'POST', LIST)).status)
      .toBe(404);
    await own.close();
  });

  test('gives way to a new one of the same owner when there is no room', async () => {
    const limits = { sessionsPerOwner: 2 };
    const own = await startServer({ registry: registryOf(noteTools()), limits });
    const sessions = [await begin(own.url), await begin(own.url), await begin(own.url)];
    const statuses = [];
    for (const session of sessions)
      statuses.push((await send(own.url, 'key-of-ana', session, 'POST', LIST)).status);
    expect(statuses).toEqual([404, 200, 200]);
    await own.close();
  });

  test('is refused with 503 when every other one is in use', async () => {
    const own = await startServer({ registry: registryOf(noteTools()), limits: { sessions: 1 } });
    const stream = await send(own.url, 'key-of-ana', await begin(own.url), 'GET');
    const response = await fetch(`${own.url}/mcp`, {
      method: 'POST',
      headers: headersOf('key-of-ben'),
      body: JSON.stringify(INITIALIZE),
    });
    expect([response.status, response.headers.get('Retry-After')]).toEqual([503, '60']);
    await Promise.all([stream.body?.cancel(), response.body?.cancel()]);
    await own.close();
  });
});

describe('an HTTP+SSE session', () => {
  test('takes messages only from the account and key that opened it', async () => {
    const server = await startServer({ registry: registryOf(noteTools()) });
    const stream = await fetch(`${server.url}/sse`, { headers: headersOf('key-of-ana') });
    const reader = stream.body?.pipeThrough(new TextDecoderStream()).getReader();
    const first = await reader?.read();
    const address = /data: (.*)/.exec(first?.value ?? '')?.[1] ?? '';
    const post = async (key: string) => {
      const init = { method: 'POST', headers: headersOf(key), body: JSON.stringify(INITIALIZE) };
      return (await fetch(`${server.url}${address}`, init)).status;
    };
    expect(address).toMatch(/^\/messages\?sessionId=/);
    expect([await post('key-of-ben'), await post('other-key-of-ana'), await post('key-of-ana')]).toEqual([
      404, 404, 202,
    ]);
    await server.close();
  });
});

describe('a client that is gone before it is let in', () => {
  test.each(['/sse', '/mcp'])('leaves no session behind at %s', async (path) => {
    const held = Promise.withResolvers<void>();
    const closed = Promise.withResolvers<void>();
    let first = true;
    const own = await startServer({
      registry: registryOf(noteTools()),
      limits: { sessions: 1 },
      authenticate: async (req) => {
        if (first) {
          first = false;
          req.res?.once('close', closed.resolve);
          held.resolve();
          await closed.promise;
        }
        return authenticate(req);
      },
    });
    const send = (init: RequestInit = {}) =>
      fetch(`${own.url}${path}`, {
        ...(path === '/mcp' ? { method: 'POST', body: JSON.stringify(INITIALIZE) } : {}),
        headers: headersOf('key-of-ana'),
        ...init,
      });
    const leave = new AbortController();
    const gone = send({ signal: leave.signal }).catch(() => 'gone');
    await held.promise;
    leave.abort();
    expect(await gone).toBe('gone');
    await closed.promise;
    const next = await send();
    expect(next.status).toBe(200);
    await next.body?.cancel();
    await own.close();
  });
});

describe('the table of sessions', () => {
  const limits: SessionLimits = { sessions: 3, sessionsPerOwner: 2, idleMs: 60_000 };
  const transport = (name: string, closed: string[]) => ({
    close: async () => {
      closed.push(name);
    },
  });

  test('closes the session longest idle, of the same owner if that one has too many', () => {
    const closed: string[] = [];
    const sessions = createSessions(limits);
    for (const [id, owner] of [
      ['a1', 'ana'],
      ['b1', 'ben'],
      ['a2', 'ana'],
    ] as const)
      sessions.open(id, owner, transport(id, closed));
    sessions.find('a1', 'ana')?.enter()();
    sessions.open('a3', 'ana', transport('a3', closed));
    sessions.open('c1', 'cleo', transport('c1', closed));
    expect(closed).toEqual(['a2', 'b1']);
  });

  test('closes no session with an open request', () => {
    const closed: string[] = [];
    const sessions = createSessions(limits);
    sessions.open('a1', 'ana', transport('a1', closed)).enter();
    sessions.open('a2', 'ana', transport('a2', closed));
    sessions.open('a3', 'ana', transport('a3', closed)).enter();
    expect(closed).toEqual(['a2']);
    expect(() => sessions.open('a4', 'ana', transport('a4', closed))).toThrow('unavailable.sessions');
  });

  test('closes all at the end, once', async () => {
    const closed: string[] = [];
    const sessions = createSessions(limits);
    sessions.open('a1', 'ana', transport('a1', closed)).end();
    sessions.open('b1', 'ben', transport('b1', closed));
    await sessions.close();
    await sessions.close();
    expect(closed).toEqual(['a1', 'b1']);
  });
});
