import type { Log } from './log.ts';

/** Work that comes back, by name; each is harmless on several nodes at once. */
type Sweeps = Readonly<Record<string, () => Promise<unknown>>>;

type Parts = {
  readonly log: Log;
  /** Every hour, the first time a minute after the start, for processes that never live an hour. */
  readonly hourly: Sweeps;
  /** At the start, for what a process that crashed has left, and every half minute. */
  readonly often: Sweeps;
};

const HOUR_MS = 60 * 60 * 1000;
const FIRST_MS = 60 * 1000;
const OFTEN_MS = 30 * 1000;

export function startSweeps({ log, hourly, often }: Parts) {
  let stopped = false;

  function run(sweeps: Sweeps): void {
    for (const [name, sweep] of Object.entries(sweeps)) {
      sweep().catch((error: unknown) => {
        // What is under way when the database closes is cut off, and comes again.
        if (!stopped) log.warn({ err: error, sweep: name }, 'a sweep failed');
      });
    }
  }

  run(often);
  const timers = [
    setTimeout(run, FIRST_MS, hourly).unref(),
    setInterval(run, HOUR_MS, hourly).unref(),
    setInterval(run, OFTEN_MS, often).unref(),
  ];
  return {
    stop(): void {
      stopped = true;
      for (const timer of timers) clearTimeout(timer);
    },
  };
}
