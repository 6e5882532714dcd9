import type { Log } from './log.ts';

/** Periodic work by name. Each job must be safe to run on several nodes at the same time. */
export type PeriodicJobs = Readonly<Record<string, () => Promise<unknown>>>;

type SchedulerDeps = {
  readonly log: Log;
  /** Run every hour, first a minute after the start, for processes that live less than an hour. */
  readonly hourly: PeriodicJobs;
  /** Run at the start, to recover what a crashed process left, and every 30 seconds. */
  readonly frequent: PeriodicJobs;
};

const HOURLY_INTERVAL_MS = 60 * 60 * 1000;
const FIRST_HOURLY_DELAY_MS = 60 * 1000;
const FREQUENT_INTERVAL_MS = 30 * 1000;

/** Starts the periodic jobs. A failure is logged; the next interval tries again. */
export function startScheduler({ log, hourly, frequent }: SchedulerDeps) {
  let stopped = false;

  function run(jobs: PeriodicJobs): void {
    for (const [name, job] of Object.entries(jobs)) {
      job().catch((error: unknown) => {
        // Closing the database interrupts running jobs; the next start repeats them.
        if (!stopped) log.warn({ err: error, sweep: name }, 'a sweep failed');
      });
    }
  }

  run(frequent);
  const timers = [
    setTimeout(run, FIRST_HOURLY_DELAY_MS, hourly).unref(),
    setInterval(run, HOURLY_INTERVAL_MS, hourly).unref(),
    setInterval(run, FREQUENT_INTERVAL_MS, frequent).unref(),
  ];
  return {
    stop(): void {
      stopped = true;
      for (const timer of timers) clearTimeout(timer);
    },
  };
}
