import { z } from 'zod';
import type { Caller } from '../identity/caller.ts';
import type { Sql, Tx } from '../platform/database/database.ts';
import type { StoredFault } from '../platform/stored-fault.ts';
import type { Fence } from '../platform/work/attempt.ts';
import { Job, type JobProgress, type JobStatus, type Json, type NewJob } from './job.ts';

export type Finish = { readonly result?: Json; readonly error?: StoredFault } & {
  readonly status: Exclude<JobStatus, 'queued' | 'running'>;
};

export type JobStore = ReturnType<typeof createJobStore>;

const Idle = z.object({ account_id: z.string(), id: z.string(), attempt: z.number() });
const Beat = z.object({ cancel_requested: z.boolean() });

/** The SQL of jobs. Every change a reader can see raises `revision` and is announced on the channel `jobs`. */
export function createJobStore(sql: Sql | Tx) {
  return {
    /** Until the end of the transaction nobody else adds a job to the account, so that its jobs can be counted. */
    async lock(accountId: string): Promise<void> {
      await sql`select pg_advisory_xact_lock(7741904, hashtext(${accountId}))`;
    },

    /** Undefined when the account has `limit` unfinished jobs. */
    async insert(id: string, caller: Caller, job: NewJob, limit: number): Promise<Job | undefined> {
      const { accountId, ...stored } = caller;
      const [row] = await sql`
        insert into jobs (id, account_id, tool, input, caller, locale, base_url)
        select ${id}, ${accountId}, ${job.tool}, ${sql.json(job.input)}, ${sql.json(stored)}, ${job.locale}, ${job.baseUrl}
        where (select count(*) from jobs where account_id = ${accountId} and finished_at is null) < ${limit}
        returning seq, id, account_id, tool, input, caller, locale, base_url, status, attempt, revision, progress,
          result, error, cancel_requested, created_at, started_at, finished_at`;
      return row && Job.parse(row);
    },

    async find(accountId: string, id: string): Promise<Job | undefined> {
      const [row] = await sql`
        select seq, id, account_id, tool, input, caller, locale, base_url, status, attempt, revision, progress,
          result, error, cancel_requested, created_at, started_at, finished_at
        from jobs where account_id = ${accountId} and id = ${id}`;
      return row && Job.parse(row);
    },

    async list(
      accountId: string,
      { status, before, limit }: { status: JobStatus | null; before: number; limit: number },
    ): Promise<Job[]> {
      const rows = await sql`
        select seq, id, account_id, tool, input, caller, locale, base_url, status, attempt, revision, progress,
          result, error, cancel_requested, created_at, started_at, finished_at
        from jobs
        where account_id = ${accountId} and seq < ${before} and (${status}::text is null or status = ${status}::text)
        order by seq desc limit ${limit}`;
      return z.array(Job).parse(rows);
    },

    /** Makes the job the attempt's own: undefined when it is finished, or when this or a later attempt has it. */
    async claim({ accountId, id, attempt }: Fence): Promise<Job | undefined> {
      const [row] = await sql`
        with changed as (
          update jobs set status = 'running', attempt = ${attempt}, progress = null, revision = revision + 1,
            started_at = coalesce(started_at, now()), heartbeat_at = now()
          where account_id = ${accountId} and id = ${id} and attempt < ${attempt} and finished_at is null
          returning seq, id, account_id, tool, input, caller, locale, base_url, status, attempt, revision, progress,
            result, error, cancel_requested, created_at, started_at, finished_at)
        select changed.*, pg_notify('jobs', id) from changed`;
      return row && Job.parse(row);
    },

    /** Says that the attempt is alive: undefined when the job is not its own any more. */
    async beat({ accountId, id, attempt }: Fence): Promise<z.output<typeof Beat> | undefined> {
      const [row] = await sql`
        update jobs set heartbeat_at = now()
        where account_id = ${accountId} and id = ${id} and attempt = ${attempt} and status = 'running'
        returning cancel_requested`;
      return row && Beat.parse(row);
    },

    /** False when the job is not the attempt's own any more. */
    async advance({ accountId, id, attempt }: Fence, progress: JobProgress): Promise<boolean> {
      const rows = await sql`
        with changed as (
          update jobs set progress = ${sql.json(progress)}, revision = revision + 1, heartbeat_at = now()
          where account_id = ${accountId} and id = ${id} and attempt = ${attempt} and status = 'running'
          returning id)
        select pg_notify('jobs', id) from changed`;
      return rows.length === 1;
    },

    /** Forgets the input too, which nobody needs again. False when the job is not the attempt's own any more. */
    async finish({ accountId, id, attempt }: Fence, { status, result, error }: Finish): Promise<boolean> {
      const rows = await sql`
        with changed as (
          update jobs set status = ${status}, finished_at = now(), revision = revision + 1, input = '{}',
            result = ${result === undefined ? null : sql.json(result)}, error = ${error ? sql.json(error) : null}
          where account_id = ${accountId} and id = ${id} and attempt = ${attempt} and status = 'running'
          returning id)
        select pg_notify('jobs', id) from changed`;
      return rows.length === 1;
    },

    /** Gives the job back, to be done by a later attempt: false when it is not the attempt's own any more. */
    async release({ accountId, id, attempt }: Fence): Promise<boolean> {
      const rows = await sql`
        with changed as (
          update jobs set status = 'queued', progress = null, revision = revision + 1
          where account_id = ${accountId} and id = ${id} and attempt = ${attempt} and status = 'running'
          returning id)
        select pg_notify('jobs', id) from changed`;
      return rows.length === 1;
    },

    /** Gives up a job whose workers were lost, unless an attempt later than `attempt` has it. */
    async lose({ accountId, id, attempt }: Fence, error: StoredFault): Promise<void> {
      await sql`
        with changed as (
          update jobs set status = 'failed', error = ${sql.json(error)}, finished_at = now(), revision = revision + 1,
            input = '{}'
          where account_id = ${accountId} and id = ${id} and attempt <= ${attempt} and finished_at is null
          returning id)
        select pg_notify('jobs', id) from changed`;
    },

    /** Ends a waiting job and asks a running one to end. Undefined when there was nothing to ask any more. */
    async cancel(accountId: string, id: string): Promise<Job | undefined> {
      const [row] = await sql`
        with changed as (
          update jobs set cancel_requested = true, revision = revision + 1,
            finished_at = case status when 'queued' then now() end,
            input = case status when 'queued' then '{}' else input end,
            status = case status when 'queued' then 'canceled' else status end
          where account_id = ${accountId} and id = ${id} and finished_at is null and not cancel_requested
          returning seq, id, account_id, tool, input, caller, locale, base_url, status, attempt, revision, progress,
            result, error, cancel_requested, created_at, started_at, finished_at)
        select changed.*, pg_notify('jobs', id || ' cancel') from changed`;
      return row && Job.parse(row);
    },

    /** Unfinished jobs of all accounts that nobody has touched for an hour, oldest first. */
    async idle(limit: number): Promise<z.output<typeof Idle>[]> {
      const rows = await sql`
        select account_id, id, attempt from jobs
        where finished_at is null and coalesce(heartbeat_at, created_at) < now() - interval '1 hour'
        order by seq limit ${limit}`;
      return z.array(Idle).parse(rows);
    },

    async sweep(): Promise<void> {
      await sql`delete from jobs where finished_at < now() - interval '7 days'`;
    },
  };
}
