import { readdirSync, readFileSync } from 'node:fs';

/** What a process and all its descendants have used so far. */
export type TreeUse = {
  readonly cpuSeconds: number;
  readonly peakMebibytes: number;
  readonly lastMebibytes: number;
};

/** Resident memory, or the proportional set size, in which pages that processes share count once. */
type Memory = 'Rss' | 'Pss';

const EVERY_MS = 200;
const TICKS = 100;

/**
 * Looks at a process and its descendants until told to stop. Processor time is that last seen of each process, so up to
 * a look's length of each is missing. Linux only.
 */
export function watchTree(root: number, memory: Memory = 'Pss'): { stop(): TreeUse } {
  const ticks = new Map<number, number>();
  let peak = 0;
  let last = 0;
  const look = () => {
    const family = familyOf(root);
    for (const { pid, used } of family) ticks.set(pid, used);
    last = family.reduce((sum, { pid }) => sum + kilobytesOf(pid, memory), 0);
    peak = Math.max(peak, last);
  };
  const timer = setInterval(look, EVERY_MS);
  return {
    stop() {
      clearInterval(timer);
      const sum = [...ticks.values()].reduce((all, one) => all + one, 0);
      return {
        cpuSeconds: sum / TICKS,
        peakMebibytes: Math.round(peak / 1024),
        lastMebibytes: Math.round(last / 1024),
      };
    },
  };
}

type Process = { readonly pid: number; readonly parent: number; readonly used: number };

/** A process and all its descendants. */
export function familyOf(root: number): Process[] {
  const all = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => readProcess(Number(name)));
  const family = new Set([root]);
  // A child's pid can be below its parent's after a wrap-around, so repeat until no process joins.
  for (let size = 0; size !== family.size; ) {
    size = family.size;
    for (const { pid, parent } of all) if (family.has(parent)) family.add(pid);
  }
  return all.filter(({ pid }) => family.has(pid));
}

function readProcess(pid: number): Process[] {
  try {
    // The second field is a name that may hold spaces; parent, user and system ticks are the 2nd, 12th and 13th after it.
    const fields = readFileSync(`/proc/${pid}/stat`, 'latin1')
      .replace(/^.*\) /s, '')
      .split(' ');
    return [{ pid, parent: Number(fields[1]), used: Number(fields[11]) + Number(fields[12]) }];
  } catch {
    // It has ended since the listing.
    return [];
  }
}

export function kilobytesOf(pid: number, memory: Memory): number {
  try {
    const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, 'latin1');
    return Number(new RegExp(`^${memory}:\\s+(\\d+)`, 'm').exec(rollup)?.[1] ?? 0);
  } catch {
    return 0;
  }
}
