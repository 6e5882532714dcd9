import { availableParallelism } from 'node:os';
import { Fault } from '../errors.ts';
import type { Caller } from '../identity/caller.ts';
import type { Also, Sql, Tx } from '../platform/database/database.ts';
import { newId } from '../platform/ids.ts';
import { inBatches } from '../platform/in-batches.ts';
import type { Log } from '../platform/log.ts';
import type { Metrics } from '../platform/metrics/metrics.ts';
import { byNumber, type Page, type PageRequest, pageOf } from '../platform/paging.ts';
import type { Queue } from '../platform/queue/queue.ts';
import { storeFault } from '../platform/stored-fault.ts';
import type { Tracing } from '../platform/tracing/tracing.ts';
import { createWorkQueue } from '../platform/work/work.ts';
import type { WorkLimits } from '../platform/work/worker.ts';
import { createAdoption } from './adoption.ts';
import {
  hasAsked,
  isFinished,
  isOpen,
  type Job,
  type JobStatus,
  type Json,
  maySee,
  type NewJob,
} from './job.ts';
import { createJobHandler, type RunJob } from './job-handler.ts';
import * as jobRepo from './job-repo.ts';

type JobsDeps = {
  readonly sql: Sql;
  /** Of the process; closed by the caller. */
  readonly queue: Queue;
  readonly log: Log;
  readonly metrics?: Metrics;
  readonly tracing?: Tracing;
  readonly limits?: Partial<WorkLimits>;
};

/** Of an account. */
const MAX_UNFINISHED_JOBS = 1_000;
/** Of an account, besides those; no more are taken that ask. */
const MAX_WAITING_JOBS = 50;
/** No call takes longer. */
const ADOPTED_HOURS = 2;
/** How long a job waits for a person. */
const ANSWER_HOURS = 24;

export type Jobs = ReturnType<typeof createJobs>;

/**
 * Tool calls that run after their response.
 *
 * In: calls, stored and queued in one transaction. Out: jobs with status, progress, and in the end a result or a stored fault,
 * announced on the channel `jobs`. A job runs at least once, in any process, and has one outcome.
 * Invariant: a job and its entry in the queue are stored together or not at all.
 */
export function createJobs({ sql, queue: processQueue, log, metrics, tracing, limits }: JobsDeps) {
  const queue = createWorkQueue({
    sql,
    queue: processQueue,
    repo: {
      claim: jobRepo.claimJob,
      check: jobRepo.checkJob,
      advance: jobRepo.advanceJob,
      release: jobRepo.releaseJob,
    },
    name: 'jobs',
    noun: 'job',
    log,
    metrics,
    tracing,
    limits,
  });

  const adoption = createAdoption({ sql, log, limit: MAX_UNFINISHED_JOBS });

  return {
    /** Makes a job of a call that runs in this process. @throws Fault unavailable.jobs_full */
    adopt: adoption.adopt,

    /**
     * Stores the job and queues it: both happen, or neither.
     * @throws Fault unavailable.jobs_full, unavailable.jobs_wait, unavailable.queue
     */
    async create(caller: Caller, job: NewJob): Promise<Job> {
      await queue.open();
      return sql.begin(async (tx) => {
        await jobRepo.lockAccount(tx, caller.accountId);
        if (job.asks) await requireFewWaiting(tx, caller.accountId);
        const limit = MAX_UNFINISHED_JOBS;
        const created = await jobRepo.insertJob(tx, newId('job'), { caller, job, limit });
        if (!created) throw new Fault('unavailable.jobs_full', { limit }, { retryAfterSeconds: 30 });
        await queue.add(tx, [created]);
        return created;
      });
    },

    get,

    read,

    /** Those that the caller may see, newest first. Without `withResults`, the result of each is null. */
    async list(
      { accountId, ...reader }: Caller,
      {
        status,
        withResults = true,
        ...request
      }: PageRequest & { status?: JobStatus | undefined; withResults?: boolean },
    ): Promise<Page<Job>> {
      const { before, limit } = byNumber(request);
      const rows = await jobRepo.listJobs(sql, accountId, {
        status: status ?? null,
        before,
        limit: limit + 1,
        withResults,
        reader,
      });
      return pageOf(
        rows,
        limit,
        ({ seq }) => seq,
        (job) => job,
      );
    },

    /**
     * Takes answers to what a job asks, by the keys of the questions: those that are not open are left aside. Once all are
     * answered, the job goes on, in any process. A job that does not wait stays as it is.
     * @throws Fault not_found.job, forbidden.job_answer for anyone but who asked for the job
     */
    async answer(caller: Caller, id: string, answers: Readonly<Record<string, Json>>): Promise<void> {
      const job = await read(caller, id);
      if (!hasAsked(job, caller)) throw new Fault('forbidden.job_answer', { id });
      await queue.open();
      await sql.begin(async (tx) => {
        const waiting = await jobRepo.lockWaitingJob(tx, caller.accountId, id);
        if (!waiting) return;
        const questions = answered(waiting, answers);
        const status = Object.values(questions).some(isOpen) ? 'waiting' : 'queued';
        await jobRepo.answerJob(tx, waiting, { questions, status });
        if (status === 'queued') await queue.add(tx, [waiting]);
      });
    },

    /**
     * Ends a queued or waiting job immediately and a running one within about a second. Idempotent.
     * @throws Fault not_found.job, conflict.job_finished
     */
    async cancel(accountId: string, id: string, also?: Also): Promise<Job> {
      const canceled = await (also ? sql.begin(cancelAlso) : jobRepo.cancelJob(sql, accountId, id));
      if (canceled) return canceled;
      const job = await get(accountId, id);
      if (job.status === 'completed' || job.status === 'failed')
        throw new Fault('conflict.job_finished', { status: job.status });
      return job;

      async function cancelAlso(tx: Tx): Promise<Job | undefined> {
        const job = await jobRepo.cancelJob(tx, accountId, id);
        if (job) await also?.(tx, id);
        return job;
      }
    },

    /** Cancels all jobs of an account that have not finished. */
    cancelAll: (accountId: string) => jobRepo.cancelJobs(sql, accountId),

    /**
     * Yields the job if its revision is above `after`, then again with every change, until it is finished or the signal
     * aborts. Changes that come faster than they are read are merged.
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

    /** Runs jobs in this process, one for each core at the same time. Retries while the database is not responding. */
    start: ({ run }: { run: RunJob }): Promise<void> =>
      queue.start({ concurrency: availableParallelism(), ...createJobHandler({ sql, run, log }) }),

    /** A notice on the channel `jobs`: the ID of a job that changed, followed by ` cancel` when it has to end. */
    onNotify(notice: string): void {
      const [id = '', request] = notice.split(' ');
      if (request === 'cancel') adoption.cancel(id);
      queue.onNotify(notice);
    },

    /** Notices may have been missed. */
    onReconnect: queue.onReconnect,

    /** Removes jobs that were finished more than a week ago, and fails those whose process is gone. */
    async sweep(): Promise<void> {
      await jobRepo.abandonAdopted(sql, ADOPTED_HOURS, storeFault(new Fault('internal.job_stopped')));
      await jobRepo.cancelUnanswered(sql, ANSWER_HOURS);
      await inBatches((limit) => jobRepo.deleteOldJobs(sql, limit));
    },

    /** True once jobs can be added. */
    isReady: queue.isOpen,

    /** Finishes what it can in a few seconds and returns the rest to the queue, for another process or the next start. */
    async close(): Promise<void> {
      await Promise.all([adoption.close(), queue.close()]);
    },
  };

  /** What the caller may see of it. @throws Fault not_found.job */
  async function read(caller: Caller, id: string): Promise<Job> {
    const job = await get(caller.accountId, id);
    if (!maySee(job, caller)) throw new Fault('not_found.job', { id });
    return job;
  }

  async function get(accountId: string, id: string): Promise<Job> {
    const job = await jobRepo.findJob(sql, accountId, id);
    if (!job) throw new Fault('not_found.job', { id });
    return job;
  }
}

/** @throws Fault unavailable.jobs_wait */
async function requireFewWaiting(tx: Tx, accountId: string): Promise<void> {
  const limit = MAX_WAITING_JOBS;
  if ((await jobRepo.countWaiting(tx, accountId)) >= limit)
    throw new Fault('unavailable.jobs_wait', { limit }, { retryAfterSeconds: 30 });
}

/** The questions of a job with these answers; the first answer to a question stays. */
function answered({ questions }: Job, answers: Readonly<Record<string, Json>>): Job['questions'] {
  return Object.fromEntries(
    Object.entries(questions).map(([key, question]) => {
      const answer = isOpen(question) && Object.hasOwn(answers, key) ? answers[key] : undefined;
      return [key, answer === undefined ? question : { ...question, answer }];
    }),
  );
}
