import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

const START_MS = 60_000;
const STOP_MS = 10_000;
const ADDRESS = /http:\/\/127\.0\.0\.1:\d+/;

type Environment = Readonly<Record<string, string>>;

/** A server in a process of its own. */
export type Child = { readonly url: string; readonly pid: number };

export type Children = ReturnType<typeof createChildren>;

/** Servers started for a benchmark; what they write is kept in `folder`, and they end with it. */
export function createChildren(folder: string, signal: AbortSignal) {
  const running: ChildProcess[] = [];
  const launch = (name: string, args: readonly string[], environment: Environment, cwd?: string) => {
    const words = join(folder, `${name}.log`);
    const out = openSync(words, 'w');
    const child = spawn(process.execPath, args, {
      cwd,
      stdio: ['ignore', out, out],
      // What a server leaves behind is found by the folder of its temporary files.
      env: childEnvironment({ TMPDIR: folder, ...environment }),
    });
    closeSync(out);
    running.push(child);
    return { child, words, pid: child.pid ?? 0 };
  };
  return {
    /** Starts a Node script in a folder and does not wait for it; what it writes is in the file `words`. */
    launch,

    /** Starts a Node script that prints the address it listens on. @throws Error with its last words if it does not. */
    async start(name: string, args: readonly string[], environment: Environment = {}): Promise<Child> {
      const { child, words, pid } = launch(name, args, environment);
      return { url: await addressOf(child, words, signal), pid };
    },

    /** Ends one of them before the others. */
    async stop({ pid }: Pick<Child, 'pid'>): Promise<void> {
      await Promise.all(running.filter((child) => child.pid === pid).map(end));
    },

    async [Symbol.asyncDispose](): Promise<void> {
      await Promise.all(running.map(end));
      endOrphans(folder);
    },
  };
}

/** Runs a command to its end and returns what it printed. @throws Error with what it said on standard error */
export async function run(
  command: string,
  args: readonly string[],
  environment: Environment,
  signal: AbortSignal,
): Promise<string> {
  const options = { env: childEnvironment(environment), signal, maxBuffer: 64 * 1024 * 1024 };
  const { stdout } = await promisify(execFile)(command, args, options);
  return stdout;
}

/** Processor seconds a process has used, all its threads together; nothing where there is no /proc. */
export function processorSeconds(pid: number): number | undefined {
  if (process.platform !== 'linux') return undefined;
  // The second field is a name that may hold spaces; user and system ticks are the 12th and 13th after it.
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ');
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

/** Ends browsers that a server has started and lost: their profiles are in the folder. Linux only. */
function endOrphans(folder: string): void {
  if (process.platform !== 'linux') return;
  for (const pid of readdirSync('/proc').map(Number).filter(Boolean)) {
    try {
      if (readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(`${folder}/`)) process.kill(pid, 'SIGKILL');
    } catch {
      // It has already ended.
    }
  }
}

// Nothing of the caller's own settings may reach a server that is measured.
function childEnvironment(environment: Environment): NodeJS.ProcessEnv {
  const { PATH, HOME, TMPDIR } = process.env;
  return { PATH, HOME, TMPDIR, NODE_ENV: 'production', ...environment };
}

async function addressOf(child: ChildProcess, words: string, signal: AbortSignal): Promise<string> {
  const deadline = Date.now() + START_MS;
  while (child.exitCode === null && child.signalCode === null && Date.now() < deadline) {
    const address = ADDRESS.exec(readFileSync(words, 'utf8'))?.[0];
    if (address) return address;
    await sleep(50, undefined, { signal });
  }
  throw new Error(`${child.spawnargs.join(' ')} did not start:\n${readFileSync(words, 'utf8').slice(-2000)}`);
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  const late = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
  await ended;
  clearTimeout(late);
}
