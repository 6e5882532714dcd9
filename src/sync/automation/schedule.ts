import { FAULTS, Fault } from '../../errors.ts';
import type { Locale } from '../../language.ts';
import { databaseFault } from '../../platform/database/database.ts';
import type { Log } from '../../platform/log.ts';
import type { Runs } from '../runs/runs.ts';

/** A configuration whose moment has come. */
type DueConfig = {
  readonly id: string;
  readonly accountId: string;
  readonly trigger: 'schedule' | 'webhook';
};

type Parts = {
  /** Takes some that are due, so that no other process has them, and settles when each is due next. */
  readonly due: (now: Date, limit: number) => Promise<readonly DueConfig[]>;
  readonly again: (id: string, at: Date) => Promise<void>;
  readonly runs: Pick<Runs, 'create'>;
  readonly locale: Locale;
  readonly log: Log;
  readonly now?: () => number;
};

export type Schedule = {
  /** Begins the runs that are due; a call while one does so adds another round. */
  work(): Promise<void>;
  /** A notice on the channel `sync_due`: the moment, in milliseconds, at which something is due. */
  onDue(notice: string): void;
  /** Waits for what is being begun. */
  stop(): Promise<void>;
};

const AT_ONCE = 20;
/** When one comes again that cannot begin right now, such as while its store and sheet are being synced. */
const AGAIN_MS = 30_000;
const LONGEST_MS = 60_000;

/** Runs that nobody asks for: at their pace, and soon after a store told of changes. */
export function createSchedule({ due, again, runs, locale, log, now = Date.now }: Parts): Schedule {
  const timers = new Set<NodeJS.Timeout>();
  let running: Promise<void> | undefined;
  let asked = false;

  return {
    work,

    onDue(notice) {
      const wait = Math.min(Math.max(Number(notice) - now(), 0), LONGEST_MS);
      if (!Number.isFinite(wait)) return;
      const timer = setTimeout(() => {
        timers.delete(timer);
        work().catch((error: unknown) => log.warn({ err: error }, 'due syncs were not begun'));
      }, wait);
      timers.add(timer.unref());
    },

    async stop() {
      for (const timer of timers) clearTimeout(timer);
      await running?.catch(() => {});
    },
  };

  function work(): Promise<void> {
    asked = true;
    running ??= rounds().finally(() => {
      running = undefined;
    });
    return running;
  }

  async function rounds(): Promise<void> {
    while (asked) {
      asked = false;
      const configs = await due(new Date(now()), AT_ONCE);
      for (const config of configs) await begin(config);
      asked ||= configs.length === AT_ONCE;
    }
  }

  async function begin({ id, accountId, trigger }: DueConfig): Promise<void> {
    try {
      await runs.create({ accountId, actor: trigger, locale }, { config_id: id, trigger });
    } catch (error) {
      const fault = error instanceof Fault ? error : databaseFault(error);
      if (fault && FAULTS[fault.code].retry) return again(id, new Date(now() + AGAIN_MS));
      // The others are due all the same; this one is again at its pace.
      log.warn({ err: error, config: id }, 'an automatic sync did not begin');
    }
  }
}
