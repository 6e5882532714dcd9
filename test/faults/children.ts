import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { kill } from '../support/processes.ts';

export type Child = {
  readonly process: ChildProcess;
  readonly pid: number;
  /** What it has said so far, line by line. */
  readonly lines: string[];
  /** Waits for a line that passes; rejects when the child ends without. */
  line(passes: (line: string) => boolean): Promise<string>;
  kill(): Promise<void>;
  /** Ends its stdin and waits until it exits. Returns the exit code. */
  stop(): Promise<number | null>;
};

type Program = 'writer' | 'opener' | 'job-worker' | 'quota-worker' | 'video-worker' | 'webhook-worker';

/** Starts one of the programs of the folder `children`. */
export function startChild(program: Program, ...args: string[]): Child {
  const file = fileURLToPath(new URL(`./children/${program}.ts`, import.meta.url));
  const child = spawn(process.execPath, [file, ...args], { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines: string[] = [];
  const reader = createInterface(child.stdout);
  reader.on('line', (line) => lines.push(line));
  // A killed one does not read any more.
  child.stdin.on('error', () => {});
  const closed = once(reader, 'close');
  return {
    process: child,
    pid: child.pid ?? 0,
    lines,
    line: (passes) => lineOf(lines, passes, reader),
    async kill() {
      await kill(child);
      await closed;
    },
    async stop() {
      child.stdin.end();
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
      await closed;
      return child.exitCode;
    },
  };
}

async function lineOf(lines: string[], passes: (line: string) => boolean, reader: NodeJS.EventEmitter) {
  const ended = once(reader, 'close').then(() => 'ended');
  for (;;) {
    const found = lines.find(passes);
    if (found !== undefined) return found;
    const event = await Promise.race([once(reader, 'line'), ended]);
    if (event === 'ended' && !lines.some(passes))
      throw new Error(`the child ended after: ${lines.join(', ')}`);
  }
}
