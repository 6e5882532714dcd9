import { type ChildProcess, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { machineEnvironment } from '../../platform/machine-environment.ts';

/** An ffmpeg at work. */
export type Running = {
  readonly stdin: Writable;
  readonly stdout: Readable;
  /** Resolves when it has ended well. @throws Error with the last it said; the signal's reason when it was aborted */
  readonly ended: Promise<void>;
  /** Ends it and its group at once; nothing happens when it has ended. */
  kill(): void;
};

const TAIL_CHARS = 2_000;

/** Starts ffmpeg, never through a shell. It ends with the signal. */
export function startFfmpeg(executable: string, args: readonly string[], signal: AbortSignal): Running {
  signal.throwIfAborted();
  const child = spawn(executable, ['-hide_banner', '-v', 'error', ...args], {
    env: machineEnvironment(),
    // The head of a group of its own, which can be killed as a whole.
    detached: process.platform !== 'win32',
    windowsHide: true,
  });
  const kill = () => killGroup(child);
  signal.addEventListener('abort', kill, { once: true });
  // It may end before it has read everything: whoever writes hears of it by the write.
  child.stdin.on('error', () => {});
  const ended = endOf(child, signal).finally(() => signal.removeEventListener('abort', kill));
  // Whoever was told of the end by a write may never ask for it.
  ended.catch(() => {});
  return { stdin: child.stdin, stdout: child.stdout, ended, kill };
}

function endOf(child: ChildProcess, signal: AbortSignal): Promise<void> {
  let tail = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    tail = (tail + text).slice(-TAIL_CHARS);
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
