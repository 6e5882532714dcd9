import { execFile } from 'node:child_process';
import { readFile, readlink } from 'node:fs/promises';
import { hostname } from 'node:os';
import { promisify } from 'node:util';
import { z } from 'zod';

/** Distinguishes a process from a later one with the same PID. */
export const ProcessIdentity = z.object({
  pid: z.int().positive(),
  /** Clock ticks after the start of the machine on Linux, milliseconds since 1970 elsewhere. */
  started: z.number(),
  /** The boot of the machine and the PID namespace. */
  host: z.string(),
});
export type ProcessIdentity = z.infer<typeof ProcessIdentity>;

/** `elsewhere`: a process of another machine or container, whose state is unknown here. */
export type ProcessState = 'running' | 'gone' | 'elsewhere';

/** Reads the start time of a process. `unknown`: it runs, but the system does not report its start. */
export type StartReader = (pid: number) => Promise<number | 'gone' | 'unknown'>;

/** `ps` gives whole seconds, and the clock may have been set. */
const TOLERANCE_MS = 3_000;

export async function ownIdentity(): Promise<ProcessIdentity> {
  const started = process.platform === 'linux' ? await startFromProc(process.pid) : 'unknown';
  return {
    pid: process.pid,
    started: typeof started === 'number' ? started : Date.now() - process.uptime() * 1000,
    host: await ownHost(),
  };
}

/** Whether exactly this process runs. A zombie counts as gone. */
export async function processState(mark: ProcessIdentity): Promise<ProcessState> {
  if (mark.host !== (await ownHost())) return 'elsewhere';
  const reader = process.platform === 'linux' ? startFromProc : startFromSystem;
  const started = await reader(mark.pid);
  if (started === 'gone') return 'gone';
  const tolerance = reader === startFromProc ? 0 : TOLERANCE_MS;
  return started === 'unknown' || Math.abs(started - mark.started) <= tolerance ? 'running' : 'gone';
}

/** PIDs are unique within one boot of a machine and one PID namespace. */
async function ownHost(): Promise<string> {
  if (process.platform !== 'linux') return hostname();
  const boot = await readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(hostname);
  const space = await readlink('/proc/self/ns/pid').catch(hostname);
  return `${boot.trim()} ${space}`;
}

export const startFromProc: StartReader = async (pid) => {
  const stat = await readFile(`/proc/${pid}/stat`, 'latin1').catch(() => undefined);
  if (stat === undefined) return exists(pid) ? 'unknown' : 'gone';
  // The second field is the program name in parentheses, which may contain spaces and parentheses.
  const [state = '', ...rest] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return 'ZXx'.includes(state) ? 'gone' : Number(rest[18]);
};

/** For systems without /proc. */
export const startFromSystem: StartReader = async (pid) => {
  if (!exists(pid)) return 'gone';
  try {
    return await (process.platform === 'win32' ? startFromPowerShell(pid) : startFromPs(pid));
  } catch {
    return exists(pid) ? 'unknown' : 'gone';
  }
};

async function startFromPs(pid: number): Promise<number | 'gone'> {
  const env = { PATH: '/bin:/usr/bin', LC_ALL: 'C', TZ: 'UTC' };
  const { stdout } = await run('ps', ['-o', 'stat=,lstart=', '-p', String(pid)], { env, timeout: 5_000 });
  const [state = '', ...date] = stdout.trim().split(/\s+/);
  return state.startsWith('Z') ? 'gone' : parsed(`${date.join(' ')} UTC`);
}

async function startFromPowerShell(pid: number): Promise<number> {
  const script = `(Get-Process -Id ${pid}).StartTime.ToUniversalTime().ToString('o')`;
  const { stdout } = await run('powershell', ['-NoProfile', '-Command', script], { timeout: 10_000 });
  return parsed(stdout.trim());
}

function parsed(date: string): number {
  const milliseconds = Date.parse(date);
  if (Number.isNaN(milliseconds)) throw new Error(`not a date: ${date}`);
  return milliseconds;
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

const run = promisify(execFile);
