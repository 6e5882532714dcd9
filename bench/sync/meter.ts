import type { Cost } from './connection.ts';

const MIB = 1024;

/** Measures this process from now on. */
export function startMeter() {
  const began = performance.now();
  const cpu = process.cpuUsage();
  const ready = peak();
  let waitedMs = 0;

  return {
    /** Has what a clock waits counted apart. */
    async waiting(wait: Promise<void>): Promise<void> {
      const since = performance.now();
      await wait;
      waitedMs += performance.now() - since;
    },
    /** `seconds` in place of the time since the start, where somebody else has measured it. */
    read({ rows, changed, seconds }: Pick<Cost, 'rows' | 'changed'> & { seconds?: number }): Cost {
      const { user, system } = process.cpuUsage(cpu);
      const all = seconds ?? (performance.now() - began) / 1000;
      return {
        rows,
        changed,
        wall_s: all - waitedMs / 1000,
        waited_s: waitedMs / 1000,
        cpu_s: (user + system) / 1e6,
        ready_mib: ready,
        peak_mib: peak(),
      };
    },
  };
}

function peak(): number {
  return process.resourceUsage().maxRSS / MIB;
}
