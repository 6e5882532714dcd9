import { Fault } from '../errors.ts';
import type { Sql } from '../platform/database/database.ts';
import { databaseFault } from '../platform/database/database-fault.ts';
import type { Log } from '../platform/log.ts';
import { storeFault } from '../platform/stored-fault.ts';
import type { FencingToken } from '../platform/work/attempt.ts';
import type { ReportProgress } from '../platform/work/progress-writer.ts';
import type { WorkHandler, WorkOutcome } from '../platform/work/work-handler.ts';
import { type Job, JobWaits, type Json } from './job.ts';
import { abandonJob, finishJob, type JobEnd, parkJob } from './job-repo.ts';

/** Executes a job and returns its result. Throws a Fault for what the caller may know of a failure. */
export type RunJob = (job: Job, tools: RunTools) => Promise<unknown>;

type RunTools = {
  /** Aborts when the job is canceled, times out or has to continue in another process. */
  readonly signal: AbortSignal;
  readonly progress: ReportProgress;
};

type JobHandlerDeps = {
  readonly sql: Sql;
  readonly run: RunJob;
  readonly log: Log;
};

/** Runs jobs and stores their outcomes. */
export function createJobHandler({ sql, run, log }: JobHandlerDeps): WorkHandler<Job, Json> {
  const { store, asJson } = createOutcomes({ sql, log });
  return {
    begin(job, { fence, signal, progress }) {
      // A run that waits for a person has done its part.
      let waits: JobWaits | undefined;
      return {
        run: async () => {
          try {
            return asJson(await run(job, { signal, progress }));
          } catch (error) {
            if (!(error instanceof JobWaits)) throw error;
            waits = error;
            return null;
          }
        },
        async finish(outcome) {
          if (waits) await parkJob(sql, fence, waits.asked);
          else await store(fence, endOf(outcome, job));
        },
      };
    },
    abandoned: (fence, fault) => abandonJob(sql, fence, storeFault(fault)),
  };

  function endOf(outcome: WorkOutcome<Json>, { id }: Job): JobEnd {
    switch (outcome.by) {
      case 'done':
        return { status: 'completed', result: outcome.result };
      case 'canceled':
        return { status: 'canceled' };
      case 'error':
        if (!(outcome.cause instanceof Fault)) log.error({ err: outcome.cause, job: id }, 'a job failed');
        return { status: 'failed', error: storeFault(outcome.cause) };
    }
  }
}

/** How the outcome of a job is stored. */
export function createOutcomes({ sql, log }: Pick<JobHandlerDeps, 'sql' | 'log'>) {
  return { store, asJson };

  async function store(fence: FencingToken, end: JobEnd): Promise<void> {
    const owned = await finishJob(sql, fence, end).catch((error: unknown) => {
      // Without the database the job is delivered again; a result it cannot hold never will be stored.
      if (databaseFault(error)) throw error;
      log.error({ err: error, job: fence.id }, 'the result of a job could not be stored');
      return finishJob(sql, fence, { status: 'failed', error: storeFault(error) });
    });
    if (!owned) log.warn({ job: fence.id, attempt: fence.attempt }, 'a job was finished by another attempt');
  }
}

/** What JSON keeps of a result: members without a value are dropped. */
function asJson(result: unknown): Json {
  return JSON.parse(JSON.stringify(result ?? null));
}
