import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { dropUnread } from '../../http/drop-unread.ts';
import { defineTool } from '../../tools/contract/define.ts';
import { createRegistry } from '../../tools/contract/registry.ts';
import { aborted } from '../jobs/workshop.ts';
import { openTestApp, type TestApp } from '../support/app.ts';
import { newBareKey, startTestServer, type TestServer } from '../support/server.ts';

const lines: string[] = [];
const log = pino({ level: 'info' }, { write: (line) => void lines.push(line) });
let begun = Promise.withResolvers<void>();
let ended = Promise.withResolvers<void>();
let said = 0;

const spec = {
  toolset: 'plugins',
  effect: 'read',
  scope: 'any',
  job: true,
  input: z.object({}),
  output: z.object({}),
  examples: [{ title: 'one', input: {} }],
} as const;
const waitEver = defineTool({
  ...spec,
  name: 'wait_ever',
  title: 'Wait',
  description: 'Wait until told to end.',
  rest: { route: 'POST /v1/waits' },
  async run(_input, { signal }) {
    begun.resolve();
    return aborted(signal).finally(() => ended.resolve());
  },
});
const talkEver = defineTool({
  ...spec,
  name: 'talk_ever',
  title: 'Talk',
  description: 'Talk until told to end.',
  rest: { route: 'POST /v1/talks' },
  async run(_input, { signal, text }) {
    const piece = 'x'.repeat(10_000);
    while (!signal.aborted) {
      text(piece);
      said += piece.length;
      await new Promise(setImmediate);
    }
    ended.resolve();
    return {};
  },
});

let app: TestApp;
let server: TestServer;
let key: string;

beforeAll(async () => {
  app = await openTestApp();
  server = await startTestServer(app, {}, { registry: createRegistry([waitEver, talkEver]), log });
  ({ key } = await newBareKey(app));
});
afterAll(async () => {
  await server.close();
  await app.close();
});

test('a client that leaves ends its call, which is no error of the server', async () => {
  begun = Promise.withResolvers();
  ended = Promise.withResolvers();
  const leaving = new AbortController();
  const headers = { authorization: `Bearer ${key}` };
  const call = fetch(`${server.url}/v1/waits`, { method: 'POST', headers, signal: leaving.signal });
  await begun.promise;
  leaving.abort();
  await expect(call).rejects.toThrow();
  await ended.promise;
  await fetch(`${server.url}/health`);
  expect(lines.filter((line) => JSON.parse(line).level >= 50)).toEqual([]);
});

test('a call whose client left during admission is still ended', async () => {
  begun = Promise.withResolvers();
  ended = Promise.withResolvers();
  const asked = Promise.withResolvers<void>();
  const left = Promise.withResolvers<void>();
  const resolve: typeof app.credentials.resolve = async (...args) => {
    asked.resolve();
    await left.promise;
    return app.credentials.resolve(...args);
  };
  const other = await startTestServer(
    { ...app, credentials: { ...app.credentials, resolve } },
    {},
    { registry: createRegistry([waitEver]) },
  );
  const leaving = new AbortController();
  const headers = { authorization: `Bearer ${key}` };
  const call = fetch(`${other.url}/v1/waits`, { method: 'POST', headers, signal: leaving.signal });
  await asked.promise;
  leaving.abort();
  await expect(call).rejects.toThrow();
  // Two rounds: by then the server has heard of it.
  for (let round = 0; round < 2; round++) await fetch(`${other.url}/health`);
  left.resolve();
  await ended.promise;
  await other.close();
});

test('a client that takes nothing of its answer is left, and one that waits for its answer is not', async () => {
  const server = createServer((req, res) => {
    if (req.url === '/large') res.end(Buffer.alloc(64 * 1024 * 1024));
    else setTimeout(() => res.end('late'), 600);
  }).listen(0, '127.0.0.1');
  dropUnread(server, 100);
  await once(server, 'listening');
  // A TCP server that listens has an address with a port.
  const { port } = server.address() as AddressInfo;
  const socket = connect(port, '127.0.0.1').pause();
  socket.write('GET /large HTTP/1.1\r\nHost: a\r\n\r\n');
  const [held] = (await once(server, 'connection')) as [Socket];
  const answer = fetch(`http://127.0.0.1:${port}/slow`).then((response) => response.text());
  await once(held, 'close');
  expect(await answer).toBe('late');
  socket.destroy();
  server.closeAllConnections();
  server.close();
});

test('a client that does not read its events is left, and its call ends', async () => {
  ended = Promise.withResolvers();
  const { hostname, port } = new URL(server.url);
  const socket = connect(Number(port), hostname).pause();
  await once(socket, 'connect');
  socket.write(
    [
      'POST /v1/talks HTTP/1.1',
      `Host: ${hostname}:${port}`,
      `Authorization: Bearer ${key}`,
      'Accept: text/event-stream',
      'Content-Length: 0',
      '\r\n',
    ].join('\r\n'),
  );
  await ended.promise;
  // What the system's own buffers take comes on top of the bound.
  expect(said).toBeLessThan(32 * 1024 * 1024);
  socket.destroy();
});
