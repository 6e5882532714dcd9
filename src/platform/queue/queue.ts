import { setTimeout as delay } from 'node:timers/promises';
import type { PgBoss } from 'pg-boss';
import { z } from 'zod';
import type { Database, Tx } from '../database/database.ts';
import type { Log } from '../log.ts';
import { bossDatabase, bossTransaction } from './boss-database.ts';
import { createPlaces, type Place } from './places.ts';

/**
 * What a job carries: the work item it is for, how many attempts the item had seen when the job was added, and the trace that
 * goes on in it.
 */
export const QueuedJob = z.object({
  accountId: z.string(),
  id: z.string(),
  priorAttempts: z.number(),
  traceparent: z.string().exactOptional(),
});
export type QueuedJob = z.output<typeof QueuedJob>;

export type Delivery = {
  /** How many workers took the job before this one and did not finish it. */
  readonly retryCount: number;
  /** Aborts when the lease is lost: another worker may have the job. */
  readonly signal: AbortSignal;
  /** Runs work that only waits, such as for another service; this process handles another job until it is done. */
  readonly away: Place['away'];
};

type JobWorker = {
  /** How many jobs this process handles at the same time, beside those that are away. */
  readonly concurrency: number;
  /** The job is done when this resolves. It is delivered again when this rejects and when the process dies. */
  readonly handle: (job: QueuedJob, delivery: Delivery) => Promise<void>;
  /** Called for a job that was delivered `MAX_DELIVERIES` times and never done. Called again until it resolves. */
  readonly abandoned: (job: QueuedJob) => Promise<void>;
};

export type Queue = {
  /** Creates the schema `pgboss` and the named queue when they are missing. Idempotent. */
  open(name: string): Promise<void>;
  isOpen(name: string): boolean;
  /**
   * Adds jobs in the caller's transaction; `open` comes before that transaction.
   * `ahead`: delivered before those without it. `onceInSeconds`: at most one job of the queue in each such span of time,
   * whichever process adds it.
   */
  add(
    tx: Tx,
    name: string,
    jobs: readonly QueuedJob[],
    options?: { readonly ahead?: boolean; readonly onceInSeconds?: number },
  ): Promise<void>;
  /** Handles the jobs of a queue in this process until `pause`. */
  work(name: string, worker: JobWorker): Promise<void>;
  /** Takes no more jobs of a queue; running ones continue. */
  pause(name: string): Promise<void>;
  /** Takes no more jobs of any queue, waits up to `CLOSE_MS` for those in hand and returns the rest to their queues. */
  close(): Promise<void>;
};

type QueueDeps = {
  readonly database: Pick<Database, 'sql' | 'engine'>;
  readonly log: Log;
};

/** How often one job is delivered at most. */
export const MAX_DELIVERIES = 3;

const CLOSE_MS = 2_000;
const SECOND = 1;
const MINUTE = 60 * SECOND;
const DAY = 24 * 60 * MINUTE;

/**
 * The job queue of a process: one pg-boss over the product's own connections, whatever the number of named queues.
 *
 * In: jobs, added in the transaction that creates the work they stand for. Out: each job, to one worker of all processes at a time,
 * at least once. pg-boss alone owns delivery, order, lease, retries and abandoned jobs (its dead letters).
 *
 * A NOTIFY of the insert wakes one idle worker. pg-boss itself would poll for each worker and supervise each queue all day
 * long (14 statements a second for three queues); instead one statement every `CHECK_MS` looks for expired leases, which
 * only then are supervised, and for jobs whose NOTIFY woke no worker.
 * Invariant: a job is in the queue exactly when the transaction that added it was committed.
 */
export function createQueue({ database: { sql, engine }, log }: QueueDeps): Queue {
  const db = bossDatabase(sql);
  const opened = new Set<string>();
  const openings = new Map<string, Promise<void>>();
  const paused = new Set<string>();
  const crews = new Map<string, Crew>();
  let starting: Promise<PgBoss> | undefined;
  let started: PgBoss | undefined;
  let checks: NodeJS.Timeout | undefined;
  let isClosed = false;

  return {
    open,

    isOpen: (name) => opened.has(name),

    async add(tx, name, jobs, { ahead = false, onceInSeconds } = {}) {
      if (!started || !opened.has(name)) throw new Error(`the queue ${name} is not open`);
      const priority = ahead ? 1 : 0;
      // A finished job has to be there until its span is over.
      const once = onceInSeconds && { singletonSeconds: onceInSeconds, deleteAfterSeconds: onceInSeconds };
      const added = jobs.map((data) => ({ data, priority, ...once }));
      await started.insert(name, added, { db: bossTransaction(tx) });
    },

    async work(name, { concurrency, handle, abandoned }) {
      await open(name);
      if (paused.has(name)) return;
      await startWorkers(name, concurrency, handle);
      await startWorkers(abandonedName(name), 1, abandoned);
      checks ??= setTimeout(check, CHECK_MS).unref();
    },

    async pause(name) {
      paused.add(name);
      await started?.offWork(name, { wait: false });
    },

    async close() {
      isClosed = true;
      clearTimeout(checks);
      const boss = await starting?.catch(() => undefined);
      if (!boss) return;
      const finished = Promise.all([...crews.keys()].map((name) => boss.offWork(name)));
      await Promise.race([finished, delay(CLOSE_MS, undefined, { ref: false })]);
      await boss.stop({ graceful: false, close: false });
    },
  };

  function open(name: string): Promise<void> {
    const opening = openings.get(name) ?? openQueue(name);
    openings.set(name, opening);
    opening.then(
      () => opened.add(name),
      () => openings.delete(name),
    );
    return opening;
  }

  async function openQueue(name: string): Promise<void> {
    starting ??= start();
    const boss = await starting.catch((error: unknown) => {
      starting = undefined;
      throw error;
    });
    await boss.createQueue(abandonedName(name), ABANDONED_JOBS);
    await boss.createQueue(name, { ...JOBS, deadLetter: abandonedName(name) });
    // Fills pg-boss's cache of queues now. It would otherwise query the pool within the first transaction of `add`, which
    // on the embedded database waits for that transaction to end.
    await boss.findJobs(name, { id: NO_JOB });
  }

  async function start(): Promise<PgBoss> {
    if (isClosed) throw new Error('the job queue is closed');
    const { PgBoss } = await import('pg-boss');
    const boss = new PgBoss({
      db: { ...db, listen: (channel, _wakeAll, onReconnect) => db.listen(channel, wakeOne, onReconnect) },
      backend: engine === 'embedded' ? 'pglite' : 'postgres',
      ...BOSS,
    });
    boss.on('error', (error) => log.warn({ err: error }, 'the job queue failed and will retry'));
    boss.on('warning', (warning) => log.warn(warning, 'a warning from the job queue'));
    try {
      await boss.start();
      started = boss;
      return boss;
    } catch (error) {
      // The next start creates another one; what this one has begun would go on beside it.
      await boss.stop({ graceful: false, close: false }).catch(() => {});
      throw error;
    }
  }

  async function startWorkers(name: string, count: number, handle: Crew['handle']): Promise<void> {
    const crew: Crew = { idle: new Set(), places: createPlaces(count, () => relieve(name)), size: 0, handle };
    crews.set(name, crew);
    for (let worker = 0; worker < count; worker++) await startWorker(name, crew);
  }

  async function startWorker(name: string, crew: Crew): Promise<void> {
    const boss = started;
    if (!boss) throw new Error('the job queue is not started');
    const { idle, places, handle } = crew;
    crew.size++;
    const id = await boss.work(name, WORKERS, async ([job]) => {
      if (!job) return;
      idle.delete(id);
      const place = await places.take();
      // One NOTIFY stands for all jobs of a transaction.
      wakeOne(name);
      const { retryCount, signal } = job;
      try {
        await handle(QueuedJob.parse(job.data), { retryCount, signal, away: place.away });
      } finally {
        place.leave();
        idle.add(id);
        // Jobs may have arrived while it was busy.
        if (places.free() > 0) boss.notifyWorker(id);
      }
    });
    idle.add(id);
  }

  /** A job waits: a worker looks for another one, an additional one where all are busy. */
  function relieve(name: string): void {
    const crew = crews.get(name);
    if (!crew || crew.places.free() === 0 || paused.has(name) || isClosed) return;
    if (crew.idle.size > 0) wakeOne(name);
    else if (crew.size < MAX_WORKERS) addWorker(name, crew);
  }

  function addWorker(name: string, crew: Crew): void {
    startWorker(name, crew).catch((error: unknown) => {
      crew.size--;
      if (!isClosed) log.warn({ err: error, queue: name }, 'no worker takes the place of one that waits');
    });
  }

  /** Each call wakes another worker, if there is a place for its job: other processes may have one. */
  function wakeOne(name: string): void {
    const { idle, places } = crews.get(name) ?? {};
    const [id] = idle ?? [];
    if (!idle || id === undefined || places?.free() === 0) return;
    idle.delete(id);
    idle.add(id);
    started?.notifyWorker(id);
  }

  function wakeAll(name: string): void {
    const { idle, places } = crews.get(name) ?? {};
    for (const id of [...(idle ?? [])].slice(0, places?.free())) started?.notifyWorker(id);
  }

  async function check(): Promise<void> {
    try {
      const { rows } = await db.executeSql(DUE_QUEUES);
      const due = z.array(DueQueue).parse(rows);
      const expired = due.filter(({ has_expired }) => has_expired).map(({ name }) => name);
      for (const name of expired) await started?.supervise(name);
      for (const { name } of due) wakeAll(name);
      for (const name of expired) wakeAll(abandonedName(name));
    } catch (error) {
      if (!isClosed) log.warn({ err: error }, 'the job queue could not be checked');
    }
    if (!isClosed) checks = setTimeout(check, CHECK_MS).unref();
  }
}

/** The workers of a queue in this process. */
type Crew = {
  readonly idle: Set<string>;
  readonly places: ReturnType<typeof createPlaces>;
  readonly handle: (job: QueuedJob, delivery: Delivery) => Promise<void>;
  size: number;
};

/** Of one queue, with those whose jobs are away. Each refreshes its lease every 3 s. */
const MAX_WORKERS = 32;

/** Ends the name of the queue that has the jobs of another one that were given up. */
export const ABANDONED = '_abandoned';

const abandonedName = (name: string) => `${name}${ABANDONED}`;

/** A dead process is noticed at most this long after its lease has expired. */
const CHECK_MS = 2_000;

const DueQueue = z.object({ name: z.string(), has_expired: z.boolean() });

/** Queues that have jobs to deliver, or jobs whose lease has expired. */
const DUE_QUEUES = `
  select name, bool_or(state = 'active') as has_expired from pgboss.job
  where (state < 'active' and not blocked and start_after <= now())
    or (state = 'active' and heartbeat_on + heartbeat_seconds * interval '1 second' < now())
  group by name`;

/** A finished job says nothing that its work item does not: it is kept for minutes. A waiting one is never dropped. */
const RETENTION = { deleteAfterSeconds: 10 * MINUTE, retentionSeconds: 3_650 * DAY };

/** 10 s is the shortest lease pg-boss has. */
const LEASE = { heartbeatSeconds: 10 * SECOND, notify: true };

const JOBS = { ...LEASE, ...RETENTION, retryLimit: MAX_DELIVERIES - 1, expireInSeconds: DAY };

/** Giving up is retried until the database takes it. */
const ABANDONED_JOBS = {
  ...LEASE,
  ...RETENTION,
  ...{ retryLimit: 1_000, retryDelay: SECOND, retryBackoff: true, retryDelayMax: 5 * MINUTE },
};

/** They wait for `notifyWorker`; a process can miss two refreshes of its leases before one expires. */
const WORKERS = {
  pollingIntervalSeconds: DAY,
  notifyPollingIntervalSeconds: DAY,
  heartbeatRefreshSeconds: 3 * SECOND,
};

const BOSS = {
  useListenNotify: true,
  // For deleting finished jobs, and those that run for longer than a day.
  superviseIntervalSeconds: 5 * MINUTE,
  maintenanceIntervalSeconds: 5 * MINUTE,
  // The least: `check` supervises between the intervals.
  monitorIntervalSeconds: SECOND,
  // What it caches, the settings above, does not change while a process runs.
  queueCacheIntervalSeconds: DAY,
  bamIntervalSeconds: 10 * MINUTE,
  // No timetables, chains of jobs or watch over the server's vacuum.
  schedule: false,
  flowIntervalSeconds: DAY,
  monitorVacuum: false,
  reindex: false,
} as const;

const NO_JOB = '00000000-0000-0000-0000-000000000000';
