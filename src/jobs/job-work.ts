import { Fault } from '../errors.ts';
import { databaseFault } from '../platform/database/database.ts';
import type { Log } from '../platform/log.ts';
import { storeFault } from '../platform/stored-fault.ts';
import type { Attempt, Fence } from '../platform/work/attempt.ts';
import type { Craft, End } from '../platform/work/craft.ts';
import type { Report } from '../platform/work/progress-writer.ts';
import type { Job, Json } from './job.ts';
import type { Finish, JobStore } from './store.ts';

/** Does what a job stands for and answers its result. Throws a Fault for what the caller may be told. */
export type RunJob = (job: Job, tools: RunTools) => Promise<unknown>;

type RunTools = {
  /** Aborts when the job is canceled, takes too long, or is to go on elsewhere. */
  readonly signal: AbortSignal;
  readonly progress: Report;
};

type JobWorkParts = {
  readonly store: Pick<JobStore, 'finish' | 'lose'>;
  readonly run: RunJob;
  readonly log: Log;
};

/** Runs jobs, and stores what becomes of them. */
export function createJobWork({ store, run, log }: JobWorkParts): Craft<Job, Json> {
  return {
    begin: (job, { fence, signal, progress }: Attempt) => ({
      run: async () => asJson(await run(job, { signal, progress })),
      finish: (end) => settle(fence, finishOf(end, job)),
    }),
    lost: (fence, fault) => store.lose(fence, storeFault(fault)),
  };

  function finishOf(end: End<Json>, { id }: Job): Finish {
    switch (end.by) {
      case 'done':
        return { status: 'completed', result: end.result };
      case 'canceled':
        return { status: 'canceled' };
      case 'error':
        if (!(end.cause instanceof Fault)) log.error({ err: end.cause, job: id }, 'a job failed');
        return { status: 'failed', error: storeFault(end.cause) };
    }
  }

  async function settle(fence: Fence, finish: Finish): Promise<void> {
    const owned = await store.finish(fence, finish).catch((error: unknown) => {
      // Without the database the ticket comes again; a result that it cannot hold never will be stored.
      if (databaseFault(error)) throw error;
      log.error({ err: error, job: fence.id }, 'the result of a job could not be stored');
      return store.finish(fence, { status: 'failed', error: storeFault(error) });
    });
    if (!owned) log.warn({ job: fence.id, attempt: fence.attempt }, 'a job was finished by another attempt');
  }
}

/** What JSON keeps of a result: members without a value go. */
function asJson(result: unknown): Json {
  return JSON.parse(JSON.stringify(result ?? null));
}
