import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createSessions, type SessionLimits } from '../../http/mcp/sessions.ts';
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

  test('that was never opened is 404, so that the client starts a new one', async () => {
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

  test('is closed when it has not been used for a while', async () => {
    const own = await startServer({ registry: registryOf(noteTools()), limits: { idleMs: 1 } });
    const session = await begin(own.url);
    await expect
      .poll(async () => (await send(own.url, 'key-of-ana', session, 'POST', LIST)).status)
      .toBe(404);
    await own.close();
  });

  test('gives way to a new one of the same account when there is no room', async () => {
    const limits = { sessionsPerAccount: 2 };
    const own = await startServer({ registry: registryOf(noteTools()), limits });
    const sessions = [await begin(own.url), await begin(own.url), await begin(own.url)];
    const statuses = [];
    for (const session of sessions)
      statuses.push((await send(own.url, 'key-of-ana', session, 'POST', LIST)).status);
    expect(statuses).toEqual([404, 200, 200]);
    await own.close();
  });

  test('counts for its account, however its credential is written and whichever key it is', async () => {
    const own = await startServer({
      registry: registryOf(noteTools()),
      limits: { sessionsPerAccount: 2 },
      authenticate: async (req) => {
        req.headers.authorization = req.headers.authorization?.replace(/^bearer +/i, 'Bearer ');
        const caller = await authenticate(req);
        req.headers.authorization = String(req.headersDistinct['authorization']);
        return caller;
      },
    });
    const open = async (authorization: string) => {
      const headers = { ...headersOf(''), Authorization: authorization };
      const body = JSON.stringify(INITIALIZE);
      const response = await fetch(`${own.url}/mcp`, { method: 'POST', headers, body });
      await response.text();
      const session = response.headers.get('Mcp-Session-Id') ?? '';
      // Its open stream keeps it from being closed for a new one.
      return response.status === 200
        ? fetch(`${own.url}/mcp`, { headers: { ...headers, 'Mcp-Session-Id': session } })
        : response;
    };
    const ways = ['Bearer key-of-ana', 'bEARER  key-of-ana', 'Bearer other-key-of-ana', 'Bearer key-of-ben'];
    const answers = [];
    for (const way of ways) answers.push(await open(way));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 503, 200]);
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

test('an HTTP+SSE session whose client reads nothing ends before its answers fill the memory', async () => {
  const server = await startServer({ registry: registryOf(noteTools()) });
  const { hostname, port } = new URL(server.url);
  const socket = connect(Number(port), hostname);
  socket.write(
    `GET /sse HTTP/1.1\r\nHost: ${hostname}:${port}\r\nAuthorization: Bearer key-of-ana\r\nAccept: text/event-stream\r\n\r\n`,
  );
  const [head] = await once(socket, 'data');
  socket.pause();
  const address = /data: (.*)/.exec(String(head))?.[1]?.trim() ?? '';
  const post = async (body: unknown) => {
    const init = { method: 'POST', headers: headersOf('key-of-ana'), body: JSON.stringify(body) };
    const response = await fetch(`${server.url}${address}`, init);
    await response.text();
    return response.status;
  };
  await post(INITIALIZE);
  await post({ jsonrpc: '2.0', method: 'notifications/initialized' });
  const id = 'x'.repeat(1_000_000);
  let answers = 0;
  // Each answer holds the id of its request.
  while ((await post({ jsonrpc: '2.0', id, method: 'ping' })) === 202) answers++;
  // What the system's own buffers take comes on top of the bound.
  expect(answers).toBeLessThan(40);
  socket.destroy();
  await server.close();
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
  const ownerOf = (accountId: string) => ({ accountId, credential: `key of ${accountId}` });
  const limits: SessionLimits = { sessions: 3, sessionsPerAccount: 2, idleMs: 60_000 };
  const transport = (name: string, closed: string[]) => ({
    close: async () => {
      closed.push(name);
    },
  });

  test('closes the session longest idle, of the same account if that one has too many', () => {
    const closed: string[] = [];
    const sessions = createSessions(limits);
    for (const [id, owner] of [
      ['a1', 'ana'],
      ['b1', 'ben'],
      ['a2', 'ana'],
    ] as const)
      sessions.open(id, ownerOf(owner), transport(id, closed));
    sessions.find('a1', ownerOf('ana'))?.enter()();
    sessions.open('a3', ownerOf('ana'), transport('a3', closed));
    sessions.open('c1', ownerOf('cleo'), transport('c1', closed));
    expect(closed).toEqual(['a2', 'b1']);
  });

  test('closes no session with an open request', () => {
    const closed: string[] = [];
    const sessions = createSessions(limits);
    sessions.open('a1', ownerOf('ana'), transport('a1', closed)).enter();
    sessions.open('a2', ownerOf('ana'), transport('a2', closed));
    sessions.open('a3', ownerOf('ana'), transport('a3', closed)).enter();
    expect(closed).toEqual(['a2']);
    expect(() => sessions.open('a4', ownerOf('ana'), transport('a4', closed))).toThrow(
      'unavailable.sessions',
    );
  });

  test('closes all at the end, once', async () => {
    const closed: string[] = [];
    const sessions = createSessions(limits);
    sessions.open('a1', ownerOf('ana'), transport('a1', closed)).end();
    sessions.open('b1', ownerOf('ben'), transport('b1', closed));
    await sessions.close();
    await sessions.close();
    expect(closed).toEqual(['a1', 'b1']);
  });
});
