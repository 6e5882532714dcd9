import { setTimeout as delay } from 'node:timers/promises';
import type { Db, PgBoss } from 'pg-boss';
import type { z } from 'zod';
import type { Database, Tx } from '../database/database.ts';
import type { Log } from '../log.ts';
import { bossDatabase, bossTransaction } from './boss-database.ts';

/** How a ticket came: `retry` counts the workers that took it before and were lost. */
export type Delivery = {
  readonly retry: number;
  /** Aborts when the ticket has been given to another worker, or the queue is closed. */
  readonly signal: AbortSignal;
};

type QueueWork<Ticket> = {
  /** How many tickets this process handles at once. */
  readonly concurrency: number;
  /** A ticket is done when this resolves; it comes again when this rejects, and when the process dies in between. */
  readonly handle: (ticket: Ticket, delivery: Delivery) => Promise<void>;
  /** Told of a ticket that was taken as often as may be, and never done. */
  readonly lost: (ticket: Ticket) => Promise<void>;
};

export type Queue<Ticket> = {
  /** Makes the queue's own tables (schema `pgboss`) at the first start. May be called any number of times. */
  open(): Promise<void>;
  /**
   * Adds a ticket in the transaction of what it stands for. The queue is opened before that transaction begins.
   * `ahead`: it is delivered before those that are not.
   */
  add(tx: Tx, ticket: Ticket, options?: { readonly ahead?: boolean }): Promise<void>;
  isOpen(): boolean;
  /** True while a ticket with these members waits or is being handled. */
  has(members: Partial<Ticket>): Promise<boolean>;
  /** Takes tickets until `pause` or `close`. */
  work(work: QueueWork<Ticket>): Promise<void>;
  /** Takes no more tickets; what is being handled goes on. */
  pause(): Promise<void>;
  /** Waits a short while for what is being handled, then gives it back to be handled elsewhere. */
  close(): Promise<void>;
};

type QueueParts<Ticket extends object> = {
  readonly database: Pick<Database, 'sql' | 'engine'>;
  readonly log: Log;
  readonly name: string;
  readonly ticket: z.ZodType<Ticket>;
};

/** How often the queue delivers one ticket. */
export const DELIVERIES = 3;

const CLOSE_MS = 2_000;

/** A queue in the database: tickets are delivered at least once, to one worker of all processes at a time. */
export function createQueue<Ticket extends object>(parts: QueueParts<Ticket>): Queue<Ticket> {
  const { log, name, ticket } = parts;
  const lostName = `${name}_lost`;
  let opening: Promise<PgBoss> | undefined;
  let opened: PgBoss | undefined;
  let poll: NodeJS.Timeout | undefined;

  return {
    async open() {
      await open();
    },

    async add(tx, added, { ahead = false } = {}) {
      if (!opened) throw new Error(`the queue ${name} is not open`);
      await opened.send(name, added, { db: bossTransaction(tx), priority: ahead ? 1 : 0 });
    },

    isOpen: () => opened !== undefined,

    async has(ticket) {
      const boss = await open();
      const found = await boss.findJobs(name, { data: ticket });
      return found.some(({ state }) => LIVE.has(state));
    },

    async work({ concurrency, handle, lost }) {
      const boss = await open();
      const idle = new Set<string>();
      const wakeOne = () => {
        const [id] = idle;
        if (id !== undefined) boss.notifyWorker(id);
      };
      for (let worker = 0; worker < concurrency; worker++) {
        const id = await boss.work(name, POLLING, async ([job]) => {
          if (!job) return;
          idle.delete(id);
          // Where one ticket waited there may be more.
          wakeOne();
          try {
            await handle(ticket.parse(job.data), { retry: job.retryCount, signal: job.signal });
          } finally {
            idle.add(id);
            boss.notifyWorker(id);
          }
        });
        idle.add(id);
      }
      poll = setInterval(wakeOne, POLL_MS).unref();
      await boss.work(lostName, LOST_POLLING, async ([job]) => job && lost(ticket.parse(job.data)));
    },

    async pause() {
      clearInterval(poll);
      await opened?.offWork(name, { wait: false });
    },

    async close() {
      clearInterval(poll);
      const boss = await opening?.catch(() => undefined);
      if (!boss) return;
      const rested = Promise.all([boss.offWork(name), boss.offWork(lostName)]);
      await Promise.race([rested, delay(CLOSE_MS, undefined, { ref: false })]);
      await boss.stop({ graceful: false, close: false });
    },
  };

  function open(): Promise<PgBoss> {
    opening ??= openBoss(parts, lostName).then(
      (boss) => {
        opened = boss;
        return boss;
      },
      (error: unknown) => {
        opening = undefined;
        throw error;
      },
    );
    return opening;
  }

  async function openBoss({ database: { sql, engine } }: QueueParts<Ticket>, lostQueue: string) {
    const { PgBoss } = await import('pg-boss');
    const db: Db = bossDatabase(sql);
    const boss = new PgBoss({ db, backend: engine === 'embedded' ? 'pglite' : 'postgres', ...BOSS });
    boss.on('error', (error) => log.warn({ err: error }, 'the queue stumbled, and tries again'));
    boss.on('warning', (warning) => log.warn(warning, 'a warning of the queue'));
    try {
      await boss.start();
      await boss.createQueue(lostQueue, RETENTION);
      await boss.createQueue(name, { ...TICKETS, ...RETENTION, deadLetter: lostQueue });
      // Has it learn of the queue now: it would otherwise ask the pool in the midst of the first transaction of `add`,
      // which on the embedded database waits for that transaction to end.
      await boss.findJobs(name, { id: NOBODY });
      return boss;
    } catch (error) {
      // The next try makes another, and what this one has begun would go on beside it.
      await boss.stop({ graceful: false, close: false }).catch(() => {});
      throw error;
    }
  }
}

/**
 * A process that dies stops touching its ticket; after 10 s, the least there is, the next look (2 s) finds it stale and
 * the next poll (1 s) hands it to another.
 */
const TICKETS = {
  heartbeatSeconds: 10,
  retryLimit: DELIVERIES - 1,
  expireInSeconds: 24 * 60 * 60,
  notify: true,
} as const;
const POLL_MS = 1_000;

/** One idle worker of the process polls for all: left to themselves they would all ask, on every core. */
const POLLING = { pollingIntervalSeconds: 30, notifyPollingIntervalSeconds: 30, heartbeatRefreshSeconds: 2 };
const LOST_POLLING = { pollingIntervalSeconds: 5 };

/** A ticket that is done says nothing that its job does not. */
const RETENTION = { deleteAfterSeconds: 60 * 60 };

const DAY = 24 * 60 * 60;
const BOSS = {
  useListenNotify: true,
  superviseIntervalSeconds: 2,
  // Less than the pace of the looks: with as much, a look that comes a moment early would be left out.
  monitorIntervalSeconds: 1,
  maintenanceIntervalSeconds: 60 * 60,
  // No timetables, chains of jobs or watch over the server's vacuum: they would ask the database all day long.
  schedule: false,
  flowIntervalSeconds: DAY,
  monitorVacuum: false,
  reindex: false,
} as const;

/** Of a ticket that is not done yet. */
const LIVE: ReadonlySet<string> = new Set(['created', 'retry', 'active', 'blocked']);

const NOBODY = '00000000-0000-0000-0000-000000000000';
