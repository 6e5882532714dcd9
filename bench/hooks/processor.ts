import { readdirSync, readFileSync } from 'node:fs';

/** Milliseconds of processor time that these processes have used; NaN where there is no /proc. */
export function processorOf(pids: readonly number[]): number {
  return pids.reduce((sum, pid) => sum + nanosecondsOf(pid), 0) / 1e6;
}

/** The same of the first thread alone, which runs a Node server's JavaScript. */
export function mainThreadOf(pid: number): number {
  return ranOf(`/proc/${pid}/task/${pid}`) / 1e6;
}

/** Of all threads that still run; unlike /proc/PID/stat not in hundredths of a second. */
function nanosecondsOf(pid: number): number {
  try {
    return readdirSync(`/proc/${pid}/task`).reduce(
      (sum, thread) => sum + ranOf(`/proc/${pid}/task/${thread}`),
      0,
    );
  } catch {
    return Number.NaN;
  }
}

function ranOf(folder: string): number {
  return Number(readFileSync(`${folder}/schedstat`, 'utf8').split(' ')[0]);
}

/** The processes of this machine whose title has all of these words. */
export function processesOf(...words: readonly string[]): number[] {
  if (process.platform !== 'linux') return [];
  const pids = readdirSync('/proc').map(Number).filter(Boolean);
  return pids.filter((pid) => {
    const title = titleOf(pid);
    return words.every((word) => title.includes(word));
  });
}

function titleOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')[0] ?? '';
  } catch {
    // It has ended.
    return '';
  }
}
