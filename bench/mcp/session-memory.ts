import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { type Ring, startOurServer } from '../contestants.ts';
import { openSession } from './contestants.ts';

const SESSIONS = 100;
const NAME = 'stallhand-inspected';

/** What an open session of revision 2025-11-25 keeps in memory, in kB: the heap after a collection, with 100 and with none. */
export async function sessionKilobytes(ring: Ring): Promise<number> {
  const settings = { MCP_ENABLED: 'true', NODE_OPTIONS: '--inspect=127.0.0.1:0' };
  const { url, pid, authorization } = await startOurServer(ring, NAME, settings);
  const server = { name: NAME, url, pid, key: authorization };
  await openSession(server);
  const heap = await inspect(join(ring.folder, `${NAME}.log`));
  const before = await heap.bytes();
  for (let n = 0; n < SESSIONS - 1; n++) await openSession(server);
  const after = await heap.bytes();
  heap.close();
  return (after - before) / (SESSIONS - 1) / 1000;
}

const Reply = z.object({ id: z.number(), result: z.object({ usedSize: z.number().optional() }) });

/** Asks a process for its heap, by the address of its debugger in what it printed. */
async function inspect(log: string) {
  const address = /ws:\/\/\S+/.exec(readFileSync(log, 'utf8'))?.[0];
  if (!address) throw new Error('The server printed no address of its debugger.');
  const socket = new WebSocket(address);
  await new Promise((resolve) => socket.addEventListener('open', resolve, { once: true }));
  let last = 0;
  const send = (method: string) =>
    new Promise<number>((resolve) => {
      last += 1;
      const id = last;
      socket.addEventListener('message', function read({ data }) {
        const reply = Reply.safeParse(JSON.parse(String(data)));
        if (reply.data?.id !== id) return;
        socket.removeEventListener('message', read);
        resolve(reply.data.result.usedSize ?? 0);
      });
      socket.send(JSON.stringify({ id, method }));
    });
  return {
    bytes: async () => {
      await send('HeapProfiler.collectGarbage');
      return send('Runtime.getHeapUsage');
    },
    close: () => socket.close(),
  };
}
