import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { useRest } from '../support/server.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

export type StartedServer = {
  readonly port: number;
  readonly rest: ReturnType<typeof useRest>;
  stop(): Promise<void>;
};

/** What `npm start` gives a newcomer: open mode, and an embedded database in a folder of its own. */
export async function startServer(settings: Readonly<Record<string, string>>): Promise<StartedServer> {
  const folder = await mkdtemp(join(tmpdir(), 'stallhand-attack-'));
  const port = await freePort();
  const env = {
    ...process.env,
    PORT: String(port),
    DATABASE_URL: '',
    DATA_DIR: join(folder, 'data'),
    LOG_LEVEL: 'error',
    ...settings,
  };
  const child = spawn('npm', ['--silent', 'start'], {
    cwd: ROOT,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  });
  await untilServing(child);
  return {
    port,
    rest: useRest(`http://127.0.0.1:${port}`),
    async stop() {
      // npm does not hand signals on to what it started, so the whole group is killed.
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
      await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
    },
  };
}

async function untilServing(child: ChildProcess): Promise<void> {
  let said = '';
  for await (const chunk of child.stdout?.iterator({ destroyOnReturn: false }) ?? []) {
    said += String(chunk);
    if (said.includes('serves http')) break;
  }
  if (!said.includes('serves http')) throw new Error(`npm start ended:\n${said}`);
  // What it says later is not read, and must not block it.
  child.stdout?.resume();
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  await new Promise((resolve) => probe.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}
