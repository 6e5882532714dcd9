import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

// Entry: does what the README tells a newcomer to do, on an empty folder, and prints how long the starts took.

const root = fileURLToPath(new URL('../../', import.meta.url));
const dataDir = await mkdtemp(join(tmpdir(), 'stallhand-newcomer-'));
const port = await freePort();
const env = { ...process.env, PORT: String(port), DATA_DIR: dataDir, DATABASE_URL: '', LOG_LEVEL: 'warn' };

try {
  const cold = await start();
  await runExamples();
  await stop(cold.server);
  const warm = await start();
  await stop(warm.server);
  process.stdout.write(`first start ${cold.ms} ms, warm start to the first 200 ${warm.ms} ms\n`);
} finally {
  await rm(dataDir, { recursive: true, force: true });
}

/** `npm start` until it answers. */
async function start(): Promise<{ server: ChildProcess; ms: number }> {
  const begin = performance.now();
  const server = spawn('npm', ['--silent', 'start'], {
    cwd: root,
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
    detached: true,
  });
  while (!(await answers())) {
    if (server.exitCode !== null) throw new Error('npm start ended');
    if (performance.now() - begin > 120_000) throw new Error('npm start does not answer');
  }
  return { server, ms: Math.round(performance.now() - begin) };
}

async function answers(): Promise<boolean> {
  const response = await fetch(`http://127.0.0.1:${port}/v1/templates`).catch(() => undefined);
  if (!response) await new Promise((resolve) => setTimeout(resolve, 10));
  return response?.ok ?? false;
}

/** Every shell example of the README that calls the server; a call that answers an error ends the run. */
async function runExamples(): Promise<void> {
  const readme = await readFile(join(root, 'README.md'), 'utf8');
  const blocks = [...readme.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, text = '']) => text);
  const examples = blocks.filter((text) => text.includes('curl') && !text.includes('<API_KEY>'));
  if (examples.length < 2) throw new Error('the README has lost its examples');
  for (const example of examples) {
    const script = example.replaceAll(':8080', `:${port}`).replaceAll('curl -s', 'curl -sS --fail-with-body');
    const { stdout } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', script], {
      cwd: dataDir,
    });
    process.stdout.write(`${stdout.slice(0, 200)}…\n`);
  }
}

async function stop(server: ChildProcess): Promise<void> {
  // npm does not hand signals on to what it started, so the whole group of this run is told.
  const group = -(server.pid ?? 0);
  process.kill(group, 'SIGTERM');
  await once(server, 'exit');
  // What it is at work on, it finishes or gives back.
  while (isAlive(group)) await new Promise((resolve) => setTimeout(resolve, 50));
}

function isAlive(group: number): boolean {
  try {
    return process.kill(group, 0);
  } catch {
    return false;
  }
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  await new Promise((resolve) => probe.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}
