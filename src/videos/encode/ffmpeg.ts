import { type ChildProcess, spawn } from 'node:child_process';
import { access, constants } from 'node:fs/promises';
import { delimiter, isAbsolute, join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { machineEnvironment } from '../../platform/machine-environment.ts';
import { withTimeout } from '../../platform/with-timeout.ts';

/** An ffmpeg installed on this machine. */
export type Ffmpeg = {
  /** Such as `5.1.9-0+deb12u1`. */
  readonly version: string;
  /** Names of its encoders, such as `libx264`. */
  readonly encoders: ReadonlySet<string>;
  /** Starts it; aborting the signal kills it. @throws the signal's reason */
  start(args: readonly string[], signal: AbortSignal): FfmpegProcess;
  /** Runs it to its end, within `ms` milliseconds. @throws Error when it fails or times out; the signal's reason */
  run(args: readonly string[], ends: RunLimits): Promise<void>;
};

type RunLimits = { readonly signal: AbortSignal; readonly ms: number };

const PROBE_TIMEOUT_MS = 10_000;

/** Finds ffmpeg on the PATH; undefined when none works. */
export async function findFfmpeg(path = machineEnvironment()['PATH'] ?? ''): Promise<Ffmpeg | undefined> {
  const executable = await findExecutable(path);
  if (!executable) return undefined;
  try {
    const [banner, table] = await Promise.all([
      readOutput(executable, '-version'),
      readOutput(executable, '-encoders'),
    ]);
    const version = /^ffmpeg version (\S+)/.exec(banner)?.[1];
    if (!version) return undefined;
    const encoders = encodersIn(table);
    return {
      version,
      encoders,
      start: (args, signal) => startFfmpeg(executable, args, signal),
      run: (args, ends) => runToEnd(startFfmpeg(executable, args, ends.signal), ends),
    };
  } catch {
    // An ffmpeg that cannot print its version counts as missing.
    return undefined;
  }
}

async function runToEnd(running: FfmpegProcess, { signal, ms }: RunLimits): Promise<void> {
  running.stdin.end();
  running.stdout.resume();
  try {
    await withTimeout(running.ended, {
      signal,
      timeoutMs: ms,
      timeoutError: () => new Error(`ffmpeg took over ${ms} ms`),
    });
  } finally {
    running.kill();
  }
}

async function findExecutable(path: string): Promise<string | undefined> {
  const name = process.platform === 'win32' ? 'ffmpeg.exe' : 'ffmpeg';
  for (const folder of path.split(delimiter).filter(isAbsolute)) {
    const file = join(folder, name);
    if (await canRun(file)) return file;
  }
  return undefined;
}

async function canRun(file: string): Promise<boolean> {
  try {
    await access(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

async function readOutput(executable: string, question: string): Promise<string> {
  const signal = AbortSignal.timeout(PROBE_TIMEOUT_MS);
  const running = startFfmpeg(executable, [question], signal);
  running.stdin.end();
  const [answer] = await Promise.all([text(running.stdout), running.ended]);
  return answer;
}

// The table has lines such as ` V....D libx264   libx264 H.264 / AVC …`.
function encodersIn(table: string): Set<string> {
  return new Set(table.matchAll(/^ [VAS][A-Z.]{5} (\S+)/gm).map(([, name = '']) => name));
}

/** A running ffmpeg. */
export type FfmpegProcess = {
  readonly stdin: Writable;
  readonly stdout: Readable;
  /** Resolves on exit code 0. @throws Error with the end of stderr; the signal's reason when it was aborted */
  readonly ended: Promise<void>;
  /** Kills its process group; does nothing after it ended. */
  kill(): void;
};

const STDERR_TAIL_CHARS = 2_000;

/** Starts ffmpeg without a shell. Aborting the signal kills it. */
function startFfmpeg(executable: string, args: readonly string[], signal: AbortSignal): FfmpegProcess {
  signal.throwIfAborted();
  const child = spawn(executable, ['-hide_banner', '-v', 'error', ...args], {
    env: machineEnvironment(),
    // Leader of its own process group, so that the group can be killed as a whole.
    detached: process.platform !== 'win32',
    windowsHide: true,
  });
  const kill = () => killGroup(child);
  signal.addEventListener('abort', kill, { once: true });
  // It may exit before it has read everything; the writer gets the error from its write.
  child.stdin.on('error', () => {});
  const ended = exitOf(child, signal).finally(() => signal.removeEventListener('abort', kill));
  // A caller that got the error from a write may never await this.
  ended.catch(() => {});
  return { stdin: child.stdin, stdout: child.stdout, ended, kill };
}

function exitOf(child: ChildProcess, signal: AbortSignal): Promise<void> {
  let tail = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    tail = (tail + text).slice(-STDERR_TAIL_CHARS);
  });
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  child.once('error', reject);
  child.once('close', (code, how) => {
    if (code === 0) resolve();
    else if (signal.aborted) reject(signal.reason);
    else reject(new Error(`ffmpeg ended with ${code ?? how}: ${tail.trim()}`));
  });
  return promise;
}

function killGroup(child: ChildProcess): void {
  if (!child.pid || child.exitCode !== null || child.signalCode !== null) return;
  try {
    process.kill(process.platform === 'win32' ? child.pid : -child.pid, 'SIGKILL');
  } catch {
    child.kill('SIGKILL');
  }
}
