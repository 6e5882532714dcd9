import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Fault } from '../../src/errors.ts';
import { localizeFault, plainReader } from '../../src/language.ts';
import { noteTools } from './support/notes.ts';
import { type Running, registryOf, startServer } from './support/server.ts';

const JSON_TYPES = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' };
const ANA = { Authorization: 'Bearer key-of-ana', ...JSON_TYPES };

const INITIALIZE = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
};

describe('MCP over HTTP', () => {
  let server: Running;
  beforeAll(async () => {
    server = await startServer({ registry: registryOf(noteTools()) });
  });
  afterAll(() => server.close());

  const send = (path: string, init: RequestInit) => fetch(`${server.url}${path}`, init);
  const post = (path: string, body: unknown, headers: Record<string, string> = ANA) =>
    send(path, { method: 'POST', headers, body: typeof body === 'string' ? body : JSON.stringify(body) });
  const problemOf = async (response: Response) => ({
    status: response.status,
    type: response.headers.get('Content-Type'),
    problem: await response.json(),
  });

  test.each([
    ['POST', '/mcp'],
    ['GET', '/mcp'],
    ['DELETE', '/mcp'],
    ['GET', '/sse'],
    ['POST', '/messages?sessionId=x'],
  ])('%s %s without a key is 401 before the body is looked at', async (method, path) => {
    const body = method === 'POST' ? 'not json' : undefined;
    const response = await send(path, { method, ...(body ? { body } : {}) });
    expect(response.headers.get('WWW-Authenticate')).toMatch(/^Bearer/);
    expect(await problemOf(response)).toMatchObject({
      status: 401,
      type: 'application/problem+json; charset=utf-8',
      problem: { code: 'unauthenticated', status: 401, request_id: response.headers.get('X-Request-Id') },
    });
  });

  test('a wrong key is 401', async () => {
    const response = await post('/mcp', INITIALIZE, { ...JSON_TYPES, Authorization: 'Bearer nobody' });
    expect(response.status).toBe(401);
    expect(response.headers.get('WWW-Authenticate')).toMatch(/^Bearer/);
    await response.body?.cancel();
  });

  test('a body over 4 MiB is 413', async () => {
    const response = await post('/mcp', JSON.stringify({ filler: 'x'.repeat(4 * 1024 * 1024) }));
    expect(await problemOf(response)).toMatchObject({ status: 413, problem: { code: 'too_large' } });
  });

  test('a body of another type is 415', async () => {
    const response = await post('/mcp', INITIALIZE, { ...ANA, 'Content-Type': 'text/plain' });
    expect(await problemOf(response)).toMatchObject({
      status: 415,
      problem: { code: 'unsupported_media_type' },
    });
  });

  test('a body that is not JSON is 400', async () => {
    expect(await problemOf(await post('/mcp', '{"jsonrpc":'))).toMatchObject({
      status: 400,
      problem: { code: 'invalid_json' },
    });
  });

  test.each(['null', '7', '', '{}', '[]'])('a body that is no message (%j) is 400', async (body) => {
    const response = await post('/mcp', body);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ jsonrpc: '2.0', id: null, error: {} });
  });

  test.each([
    ['a name that is not ours', { Host: 'evil.example' }],
    ['a page of another site', { Origin: 'https://evil.example' }],
  ])('a request by way of %s is 403', async (_what, headers) => {
    // fetch sets Host itself, so this goes by way of the HTTP client below it.
    const status = await new Promise((resolve, reject) => {
      request(`${server.url}/mcp`, { method: 'POST', headers: { ...ANA, ...headers } }, (response) => {
        response.resume();
        resolve(response.statusCode);
      })
        .on('error', reject)
        .end(JSON.stringify(INITIALIZE));
    });
    expect(status).toBe(403);
  });

  test('a toolset that does not exist is refused with the names of those that do', async () => {
    const response = await post('/mcp?toolsets=templates,videos', INITIALIZE);
    expect((await problemOf(response)).problem).toMatchObject({
      status: 400,
      code: 'bad_request',
      detail: expect.stringMatching(/'videos'.*templates, meta, all/),
    });
  });

  test('a refusal is worded in the language of the client', async () => {
    const response = await post('/mcp?toolsets=videos', INITIALIZE, { ...ANA, 'Accept-Language': 'es' });
    const fault = new Fault('bad_request.toolset', { name: 'videos', known: 'templates, meta, all' });
    expect((await problemOf(response)).problem).toMatchObject({
      detail: localizeFault(fault, plainReader('es')).detail,
    });
  });

  test.each([
    ['PUT', '/mcp', 'GET, POST, DELETE'],
    ['POST', '/sse', 'GET'],
    ['GET', '/messages', 'POST'],
  ])('%s %s is 405', async (method, path, allow) => {
    const response = await send(path, { method, headers: ANA });
    expect([response.status, response.headers.get('Allow')]).toEqual([405, allow]);
    await response.body?.cancel();
  });

  test('a request of an older revision that begins no session and names none is 400', async () => {
    const response = await post('/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/list' });
    expect(response.status).toBe(400);
    await response.body?.cancel();
  });

  test('the id a client gives a request comes back with the answer and in the error', async () => {
    const call = {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: {
        name: 'get_note',
        arguments: {},
        _meta: {
          'io.modelcontextprotocol/protocolVersion': '2026-07-28',
          'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
          'io.modelcontextprotocol/clientCapabilities': {},
        },
      },
    };
    const response = await post('/mcp', call, {
      ...ANA,
      'X-Request-Id': 'my-request-7',
      'MCP-Protocol-Version': '2026-07-28',
      'Mcp-Method': 'tools/call',
      'Mcp-Name': 'get_note',
    });
    expect(response.headers.get('X-Request-Id')).toBe('my-request-7');
    expect(await response.json()).toMatchObject({ result: { _meta: { request_id: 'my-request-7' } } });
  });

  test.each(['/mcp', '/mcp?toolsets=meta'])(
    'JSON nested 5,000 levels deep is refused by %s in the words of the protocol',
    async (path) => {
      const args = `${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`;
      const body = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_note","arguments":${args}}}`;
      const headers = {
        ...ANA,
        'Content-Type': 'application/json',
        Accept: 'application/json, text/event-stream',
      };
      const response = await fetch(`${server.url}${path}`, { method: 'POST', headers, body });
      expect(response.status).toBe(400);
      expect(await response.json()).toEqual({
        jsonrpc: '2.0',
        id: null,
        error: { code: -32600, message: 'Invalid Request: send JSON nested at most 200 levels deep' },
      });
    },
  );

  test('closing the server closes every open stream', async () => {
    const own = await startServer({ registry: registryOf(noteTools()) });
    const stream = await fetch(`${own.url}/sse`, { headers: ANA });
    const reader = stream.body?.getReader();
    await reader?.read();
    await own.close();
    await expect(reader?.read()).resolves.toMatchObject({ done: true });
  });
});
