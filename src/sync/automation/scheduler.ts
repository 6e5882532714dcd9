import { FAULTS, Fault } from '../../errors.ts';
import { databaseFault } from '../../platform/database/database-fault.ts';
import type { Log } from '../../platform/log.ts';
import type { DueConfig } from '../configs/config-access.ts';
import type { Runs } from '../runs/runs.ts';

type SchedulerDeps = {
  /** Claims due configurations, so that no other process has them, and sets when each is due next. */
  readonly due: (now: Date, limit: number) => Promise<readonly DueConfig[]>;
  readonly makeDue: (id: string, at: Date | null, items?: readonly string[]) => Promise<void>;
  readonly runs: Pick<Runs, 'create'>;
  readonly log: Log;
  /** What is due is decided by this clock, in milliseconds since 1970: one that all nodes share. */
  readonly now: () => number;
};

export type Scheduler = {
  /** Starts the runs that are due; a call during another one adds a round to it. */
  work(): Promise<void>;
  /** A notification on the channel `sync_due`: in how many milliseconds something is due. */
  onDue(payload: string): void;
  /** Waits for the runs that are being started. */
  stop(): Promise<void>;
};

const BATCH_SIZE = 20;
/** When to retry a run that can't start now, such as while its store and sheet are syncing, or after a webhook. */
const RETRY_MS = 30_000;
const WEBHOOK_RETRY_MS = 5_000;
const MAX_WAIT_MS = 60_000;

/** Starts automatic runs: by their schedule, and soon after a webhook. */
export function createScheduler({ due, makeDue, runs, log, now }: SchedulerDeps): Scheduler {
  const timers = new Set<NodeJS.Timeout>();
  let running: Promise<void> | undefined;
  let requested = false;

  return {
    work,

    onDue(payload) {
      const wait = Math.min(Math.max(Number(payload), 0), MAX_WAIT_MS);
      if (Number.isFinite(wait)) workIn(wait);
    },

    async stop() {
      for (const timer of timers) clearTimeout(timer);
      await running?.catch(() => {});
    },
  };

  function workIn(wait: number): void {
    const timer = setTimeout(() => {
      timers.delete(timer);
      work().catch((error: unknown) => log.warn({ err: error }, 'due syncs were not started'));
    }, wait);
    timers.add(timer.unref());
  }

  function work(): Promise<void> {
    requested = true;
    running ??= rounds().finally(() => {
      running = undefined;
    });
    return running;
  }

  async function rounds(): Promise<void> {
    while (requested) {
      requested = false;
      const configs = await due(new Date(now()), BATCH_SIZE);
      for (const config of configs) await start(config);
      requested ||= configs.length === BATCH_SIZE;
    }
  }

  async function start(config: DueConfig): Promise<void> {
    const { id, accountId, trigger, items } = config;
    const request = items && { items: [...items] };
    const order = { config_id: id, trigger, ...(request && { request }) };
    try {
      await runs.create({ accountId, actor: trigger }, order);
    } catch (error) {
      await postpone(config, error);
    }
  }

  async function postpone({ id, trigger, items }: DueConfig, error: unknown): Promise<void> {
    const fault = error instanceof Fault ? error : databaseFault(error);
    if (fault && FAULTS[fault.code].retry) {
      const wait = trigger === 'webhook' ? WEBHOOK_RETRY_MS : RETRY_MS;
      await makeDue(id, new Date(now() + wait), items);
      return workIn(wait);
    }
    // This one is due again by its schedule; the others still start.
    log.warn({ err: error, config: id }, 'an automatic sync was not started');
    await makeDue(id, null, items);
  }
}
