import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createDeadline } from '../../src/platform/deadline.ts';

const open = () => new AbortController().signal;

test('a deadline aborts with its reason once its time is over, and not after it has ended', async () => {
  const reason = new Error('too late');
  const late = createDeadline(open(), 5, () => reason);
  const ended = createDeadline(open(), 5);
  ended.end();
  await once(late.signal, 'abort');
  await sleep(20);
  expect([late.signal.reason, ended.signal.aborted]).toEqual([reason, false]);
});

test('it follows another signal', () => {
  const followed = new AbortController();
  const deadline = createDeadline(followed.signal, 60_000);
  followed.abort('left');
  expect(deadline.signal.reason).toBe('left');
  expect(createDeadline(followed.signal, 60_000).signal.reason).toBe('left');
});

test('a process that got no processor reads what came in time before it counts as late', async () => {
  const server = createServer((socket) => setTimeout(() => socket.write('a piece'), 20)).listen(
    0,
    '127.0.0.1',
  );
  await once(server, 'listening');
  const accepted = once(server, 'connection');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  await Promise.all([accepted, once(socket, 'connect')]);
  const deadline = createDeadline(open(), 40);
  const read = once(socket, 'data');
  socket.on('data', deadline.refresh);

  const until = performance.now() + 200;
  while (performance.now() < until);
  await read;

  expect(deadline.signal.aborted).toBe(false);
  await once(deadline.signal, 'abort');
  socket.destroy();
  server.close();
});
