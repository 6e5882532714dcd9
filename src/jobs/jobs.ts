import { availableParallelism } from 'node:os';
import { Fault } from '../errors.ts';
import type { Caller } from '../identity/caller.ts';
import type { Database } from '../platform/database/database.ts';
import { newId } from '../platform/ids.ts';
import type { Log } from '../platform/log.ts';
import { byNumber, type Page, type PageRequest, pageOf } from '../platform/paging.ts';
import type { WorkLimits } from '../platform/work/limits.ts';
import { createWorkQueue } from '../platform/work/work-queue.ts';
import { isFinished, type Job, type JobStatus, type NewJob } from './job.ts';
import { createJobWork, type RunJob } from './job-work.ts';
import { createJobStore } from './store.ts';

type JobsParts = {
  readonly database: Pick<Database, 'sql' | 'engine'>;
  readonly log: Log;
  readonly limits?: Partial<WorkLimits>;
};

/** Unfinished jobs an account may have. */
const MOST = 1_000;
const SWEPT_AT_ONCE = 100;

export type Jobs = ReturnType<typeof createJobs>;

/** Calls that run after their answer: kept in the database, run at least once by any process, their result written once. */
export function createJobs({ database, log, limits }: JobsParts) {
  const { sql } = database;
  const store = createJobStore(sql);
  const queue = createWorkQueue({
    database,
    storeOf: createJobStore,
    name: 'jobs',
    words: { noun: 'job', queue: 'the queue' },
    log,
    limits,
  });

  return {
    /** Keeps the job and queues it: both happen, or neither. @throws Fault unavailable.jobs_full, unavailable.queue */
    async create(caller: Caller, job: NewJob): Promise<Job> {
      await queue.open();
      return sql.begin(async (tx) => {
        const own = createJobStore(tx);
        await own.lock(caller.accountId);
        const created = await own.insert(newId('job'), caller, job, MOST);
        if (!created) throw new Fault('unavailable.jobs_full', { limit: MOST }, { retryAfterSeconds: 30 });
        await queue.add(tx, { accountId: caller.accountId, id: created.id, from: 0 });
        return created;
      });
    },

    get,

    /** Newest first. */
    async list(
      accountId: string,
      { status, ...request }: PageRequest & { status?: JobStatus | undefined },
    ): Promise<Page<Job>> {
      const { before, limit } = byNumber(request);
      const rows = await store.list(accountId, { status: status ?? null, before, limit: limit + 1 });
      return pageOf(
        rows,
        limit,
        ({ seq }) => seq,
        (job) => job,
      );
    },

    /**
     * Ends a waiting job, and has a running one end within about a second. Canceling twice is canceling once.
     * @throws Fault not_found.job, conflict.job_finished
     */
    async cancel(accountId: string, id: string): Promise<Job> {
      const canceled = await store.cancel(accountId, id);
      if (canceled) return canceled;
      const job = await get(accountId, id);
      if (job.status === 'completed' || job.status === 'failed')
        throw new Fault('conflict.job_finished', { status: job.status });
      return job;
    },

    /**
     * The job as it is, if that is news to one who has seen revision `after`, then every change, until it is finished
     * or the signal aborts. Changes that follow each other faster than they are read become one.
     * @throws Fault not_found.job
     */
    async *follow(accountId: string, id: string, after: number, signal: AbortSignal): AsyncGenerator<Job> {
      const watch = queue.watch(id, signal);
      try {
        for (let seen = after; !signal.aborted; await watch.next()) {
          const job = await get(accountId, id);
          if (job.revision > seen) yield job;
          if (isFinished(job)) return;
          seen = job.revision;
        }
      } finally {
        watch.close();
      }
    },

    /** Runs jobs in this process, as many at once as there are cores. While the database does not answer it tries again. */
    start: ({ run }: { run: RunJob }): Promise<void> =>
      queue.start({ concurrency: availableParallelism(), ...createJobWork({ store, run, log }) }),

    /** A notice on the channel `jobs`: the id of a job that changed, and perhaps what is asked of it. */
    onNotify: queue.heard,

    /** Notices may have been missed. */
    onReconnect: queue.heardAgain,

    /** Removes jobs that were finished more than a week ago, and queues again those that the queue has forgotten. */
    async sweep(): Promise<void> {
      await store.sweep();
      for (const { account_id: accountId, id, attempt } of await store.idle(SWEPT_AT_ONCE))
        if (await queue.restore({ accountId, id, from: attempt }))
          log.warn({ job: id }, 'a job without a ticket was queued again');
    },

    /** True once jobs can be taken in. */
    isReady: queue.isOpen,

    /** Finishes what it can in some seconds; the rest goes back to the queue, for another process or the next start. */
    close: queue.close,
  };

  async function get(accountId: string, id: string): Promise<Job> {
    const job = await store.find(accountId, id);
    if (!job) throw new Fault('not_found.job', { id });
    return job;
  }
}
