import { once } from 'node:events';
import { createServer, get, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { sender } from '../../http/mcp/listening.ts';

test('a listener that is waited for a hundred times leaves no handler behind', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  // A TCP server that listens has an address with a port.
  const { port } = server.address() as AddressInfo;
  const asked = once(server, 'request') as Promise<[IncomingMessage, ServerResponse]>;
  get({ port, host: '127.0.0.1' }, (answer) => answer.resume());
  const [, res] = await asked;
  const handlers = () => ['drain', 'close', 'error'].map((event) => res.listenerCount(event));
  const send = sender(res);
  const before = handlers();
  // More than the response takes at once, so each message is waited for.
  const text = 'x'.repeat(200_000);
  for (let sent = 0; sent < 100; sent++) await send({ jsonrpc: '2.0', text });
  expect(handlers()).toEqual(before);
  res.end();
  await once(server.close(), 'close');
});
