import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';

export type Ended = { readonly pid: number; end(): Promise<void> };

/** A process that has ended but that its parent never asks about: a zombie. Linux only. */
export async function spawnZombie(): Promise<Ended> {
  // The shell has become `sleep`, which asks about no child, before its child ends.
  const script = 'sleep 0.2 & echo $!; exec sleep 60';
  const parent = spawn('sh', ['-c', script], { stdio: ['ignore', 'pipe', 'ignore'] });
  const pid = Number(await firstLine(parent));
  while (!/\) Z /.test(await readFile(`/proc/${pid}/stat`, 'latin1'))) await new Promise(setImmediate);
  return { pid, end: () => kill(parent) };
}

/** Sends SIGKILL and waits for the end. */
export async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, 'exit');
  child.kill('SIGKILL');
  await exit;
}

export async function firstLine(child: ChildProcess): Promise<string> {
  if (!child.stdout) throw new Error('the child has no stdout');
  for await (const line of createInterface(child.stdout)) return line;
  throw new Error('the child said nothing');
}
