import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openServedApp, type ServedApp } from '../support/served-app.ts';
import { newBareKey, useRest } from '../support/server.ts';

const FRONTEND = 'http://localhost:5173';

let app: ServedApp;
let key: string;

beforeAll(async () => {
  app = await openServedApp({ ALLOWED_ORIGINS: FRONTEND });
  ({ key } = await newBareKey(app));
});
afterAll(() => app.close());

test.each([
  ['POST', '/v1/templates'],
  ['GET', '/v1/templates'],
  ['OPTIONS', '/v1/templates'],
  ['POST', '/mcp'],
  ['GET', '/sse'],
  ['POST', '/messages'],
  ['POST', '/auth/login'],
  ['POST', '/webhooks/stripe'],
  ['GET', '/openapi.json'],
])('%s %s from a page on another port is a 403 that says what to set', async (method, path) => {
  const headers = { origin: 'http://localhost:47850' };
  const { status, body, headers: said } = await useRest(app.url, key)(method, path, { headers });
  expect([status, body['code'], said.get('access-control-allow-origin')]).toEqual([403, 'forbidden', null]);
  expect(body['detail']).toBe(
    "Pages on http://localhost:47850 can't call this server. The operator can allow that origin with ALLOWED_ORIGINS or, if it is this server's own address, with PUBLIC_URL.",
  );
});

test('a page of an allowed origin asks first, then writes and reads, faults too', async () => {
  const asked = await fetch(`${app.url}/v1/templates`, {
    method: 'OPTIONS',
    headers: { origin: FRONTEND, 'access-control-request-method': 'POST' },
  });
  expect([asked.status, await asked.text()]).toEqual([204, '']);
  expect(Object.fromEntries(asked.headers)).toMatchObject({
    'access-control-allow-origin': FRONTEND,
    'access-control-allow-methods': 'GET, HEAD, POST, PUT, PATCH, DELETE',
    'access-control-allow-headers': 'Authorization, *',
    vary: 'Origin',
  });
  const headers = { origin: FRONTEND };
  const body = { name: 'from-elsewhere', html: 'x' };
  for (const [as, status] of [
    [key, 201],
    ['wrong', 401],
  ] as const) {
    const answer = await useRest(app.url, as)('POST', '/v1/templates', { headers, body });
    expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([status, FRONTEND]);
  }
});

test('a page of our own needs no leave, and gets none', async () => {
  const { status, headers } = await useRest(app.url, key)('GET', '/v1/templates', {
    headers: { origin: app.url },
  });
  expect([status, headers.get('access-control-allow-origin')]).toEqual([200, null]);
});

test('two Host headers are a 400, whichever comes first', async () => {
  const { port } = new URL(app.url) as URL & Pick<AddressInfo, 'port'>;
  for (const hosts of [
    [`127.0.0.1:${port}`, 'evil.example'],
    ['evil.example', `127.0.0.1:${port}`],
  ]) {
    const socket = connect(Number(port), '127.0.0.1');
    const lines = hosts.map((host) => `Host: ${host}\r\n`).join('');
    socket.end(`GET /openapi.json HTTP/1.1\r\n${lines}Connection: close\r\n\r\n`);
    let said = '';
    socket.on('data', (chunk) => {
      said += String(chunk);
    });
    await once(socket, 'close');
    expect([said.slice(0, 12), said.includes('"code":"bad_request"')]).toEqual(['HTTP/1.1 400', true]);
  }
});
