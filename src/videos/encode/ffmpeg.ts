import { access, constants } from 'node:fs/promises';
import { delimiter, isAbsolute, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { machineEnvironment } from '../../platform/machine-environment.ts';
import { withTimeout } from '../../platform/with-timeout.ts';
import { type Running, startFfmpeg } from './ffmpeg-process.ts';

/** An ffmpeg of this machine. */
export type Ffmpeg = {
  /** Such as `5.1.9-0+deb12u1`. */
  readonly version: string;
  /** The names of its encoders, such as `libx264`. */
  readonly encoders: ReadonlySet<string>;
  /** Starts it with the arguments; it is killed when the signal is aborted. @throws the signal's reason */
  start(args: readonly string[], signal: AbortSignal): Running;
  /** Runs it to its end, within `ms` milliseconds. @throws Error when it fails or is late; the signal's reason */
  run(args: readonly string[], ends: RunEnds): Promise<void>;
};

type RunEnds = { readonly signal: AbortSignal; readonly ms: number };

const ASK_MS = 10_000;

/** Finds ffmpeg in the folders of the PATH; undefined when there is none that answers. */
export async function findFfmpeg(path = machineEnvironment()['PATH'] ?? ''): Promise<Ffmpeg | undefined> {
  const executable = await findExecutable(path);
  if (!executable) return undefined;
  try {
    const [banner, table] = await Promise.all([ask(executable, '-version'), ask(executable, '-encoders')]);
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
    // One that cannot even say what it is, is none.
    return undefined;
  }
}

async function runToEnd(running: Running, { signal, ms }: RunEnds): Promise<void> {
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

async function ask(executable: string, question: string): Promise<string> {
  const signal = AbortSignal.timeout(ASK_MS);
  const running = startFfmpeg(executable, [question], signal);
  running.stdin.end();
  const [answer] = await Promise.all([text(running.stdout), running.ended]);
  return answer;
}

// Its table has lines such as ` V....D libx264   libx264 H.264 / AVC …`.
function encodersIn(table: string): Set<string> {
  return new Set(table.matchAll(/^ [VAS][A-Z.]{5} (\S+)/gm).map(([, name = '']) => name));
}
