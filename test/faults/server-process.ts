import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { useRest } from '../support/server.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const Manifest = z.object({ scripts: z.object({ start: z.string() }) });
const READY_MS = 60_000;

export type ServerProcess = {
  readonly url: string;
  readonly pid: number;
  readonly rest: ReturnType<typeof useRest>;
  /** What it has written to standard error so far. */
  errors(): string;
  /** kill -9: nothing of the process runs after this. */
  kill(): Promise<void>;
  /** What a supervisor does. Resolves with the exit code. */
  terminate(): Promise<number | null>;
};

/**
 * The product as its own process, on the embedded database in `dataDir` unless a setting says otherwise.
 * @param root The checkout to start: this one, unless another is named.
 */
export async function startProcess(
  dataDir: string,
  settings: Readonly<Record<string, string>> = {},
  root = ROOT,
): Promise<ServerProcess> {
  const child = launch(dataDir, settings, root);
  let errors = '';
  child.stderr?.on('data', (chunk) => {
    errors += String(chunk);
  });
  const url = await addressOf(child);
  return {
    url,
    pid: pidOf(child),
    rest: useRest(url),
    errors: () => errors,
    async kill() {
      child.kill('SIGKILL');
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    },
    async terminate() {
      child.kill('SIGTERM');
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
      return child.exitCode;
    },
  };
}

/** Starts the product and kills it after `ms`, wherever it is by then. */
export async function startAndKill(dataDir: string, ms: number): Promise<void> {
  const child = launch(dataDir);
  await new Promise((resolve) => setTimeout(resolve, ms));
  child.kill('SIGKILL');
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
}

/** Starts the product where it cannot start, and answers what it says. */
export async function startRefused(
  dataDir: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<{ exitCode: number | null; says: string }> {
  const child = launch(dataDir, settings);
  let says = '';
  child.stderr?.on('data', (chunk) => {
    says += String(chunk);
  });
  await once(child, 'exit');
  return { exitCode: child.exitCode, says };
}

/** An empty folder for one test. */
export async function newFolder(): Promise<{ path: string; remove(): Promise<void> }> {
  const path = await mkdtemp(join(tmpdir(), 'stallhand-fault-'));
  return { path, remove: () => rm(path, { recursive: true, force: true }) };
}

function launch(dataDir: string, settings: Readonly<Record<string, string>> = {}, root = ROOT): ChildProcess {
  const env = {
    ...process.env,
    DATABASE_URL: '',
    DATA_DIR: dataDir,
    PORT: '0',
    HOST: '127.0.0.1',
    LOG_LEVEL: 'error',
    ...settings,
  };
  const { scripts } = Manifest.parse(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')));
  // What `npm start` runs, without `node`.
  const args = scripts.start.split(' ').slice(1);
  return spawn(process.execPath, args, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] });
}

async function addressOf(child: ChildProcess): Promise<string> {
  let said = '';
  const late = setTimeout(() => child.kill('SIGKILL'), READY_MS);
  child.stderr?.on('data', (chunk) => {
    said += String(chunk);
  });
  try {
    for await (const chunk of child.stdout ?? []) {
      said += String(chunk);
      const [, url] = /serves (http:\S+)/.exec(said) ?? [];
      if (url) return url;
    }
  } finally {
    clearTimeout(late);
  }
  throw new Error(`the server did not start:\n${said}`);
}

function pidOf({ pid }: ChildProcess): number {
  if (pid === undefined) throw new Error('the process was never started');
  return pid;
}
