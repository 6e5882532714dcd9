import { setTimeout as delay } from 'node:timers/promises';
import { Fault } from '../errors.ts';
import type { Caller } from '../identity/caller.ts';
import type { Sql } from '../platform/database/database.ts';
import { newId } from '../platform/ids.ts';
import type { Log } from '../platform/log.ts';
import { storeFault } from '../platform/stored-fault.ts';
import type { FencingToken } from '../platform/work/attempt.ts';
import { createProgressWriter, type ReportProgress } from '../platform/work/progress-writer.ts';
import type { Job, NewJob } from './job.ts';
import { createOutcomes } from './job-handler.ts';
import { abandonJob, advanceJob, insertJob, lockAccount } from './job-repo.ts';

/** A call that this process has begun, and that its caller no longer waits for. */
export type BegunCall = {
  /** Settles when the call ends. */
  readonly outcome: Promise<unknown>;
  readonly cancel: () => void;
};

export type Adopted = {
  readonly job: Job;
  /** Shown by the job from now on. */
  readonly progress: ReportProgress;
};

type AdoptionDeps = {
  readonly sql: Sql;
  readonly log: Log;
  /** Unfinished jobs of an account. */
  readonly limit: number;
};

const PROGRESS_INTERVAL_MS = 250;
/** How long a stop waits for calls to end. */
const GRACE_MS = 4_000;

/**
 * Makes jobs of calls that already run, so that what takes long is not lost with the request. Such a job runs once and in
 * this process: it has begun, and may have cost something. If the process ends first, it fails.
 */
export function createAdoption({ sql, log, limit }: AdoptionDeps) {
  const { store, asJson } = createOutcomes({ sql, log });
  const running = new Map<
    string,
    { cancel(): void; readonly fence: FencingToken; readonly ended: Promise<void> }
  >();

  return {
    /** @throws Fault unavailable.jobs_full */
    async adopt(caller: Caller, wanted: NewJob, call: BegunCall): Promise<Adopted> {
      const job = await sql.begin(async (tx) => {
        await lockAccount(tx, caller.accountId);
        return insertJob(tx, newId('job'), { caller, job: wanted, limit, adopted: true });
      });
      if (!job) throw new Fault('unavailable.jobs_full', { limit }, { retryAfterSeconds: 30 });
      const { id, attempt } = job;
      const fence = { accountId: caller.accountId, id, attempt };
      const progress = createProgressWriter(async (state) => {
        await advanceJob(sql, fence, state);
      }, PROGRESS_INTERVAL_MS);
      let isCanceled = false;
      const cancel = () => {
        isCanceled = true;
        call.cancel();
      };
      const ended = call.outcome
        .then(
          (result) => ({ status: 'completed', result: asJson(result) }) as const,
          (error: unknown) =>
            isCanceled
              ? ({ status: 'canceled' } as const)
              : ({ status: 'failed', error: storeFault(error) } as const),
        )
        .then(async (end) => {
          await progress.settle();
          await store(fence, end);
        })
        .catch((error: unknown) => log.error({ err: error, job: id }, 'the end of a job could not be stored'))
        .finally(() => running.delete(id));
      running.set(id, { cancel, fence, ended });
      return { job, progress: progress.report };
    },

    cancel: (id: string): void => running.get(id)?.cancel(),

    /** Waits for running calls, then fails their jobs. */
    async close(): Promise<void> {
      const ended = Promise.all([...running.values()].map((call) => call.ended));
      await Promise.race([ended, delay(GRACE_MS, undefined, { ref: false })]);
      for (const { fence, cancel } of running.values()) {
        await abandonJob(sql, fence, storeFault(new Fault('internal.job_stopped')));
        cancel();
      }
    },
  };
}
