import { z } from 'zod';
import type { Caller } from '../identity/caller.ts';
import type { Sql, Tx } from '../platform/database/database.ts';
import type { StoredFault } from '../platform/stored-fault.ts';
import type { FencingToken } from '../platform/work/attempt.ts';
import type { WorkItem } from '../platform/work/work-handler.ts';
import {
  Job,
  type JobCaller,
  type JobProgress,
  type JobReader,
  type JobStatus,
  type Json,
  type NewJob,
} from './job.ts';

// The SQL of `jobs`. Every change a reader can see raises `revision` and is announced on the channel `jobs`.

export type JobEnd = { readonly result?: Json; readonly error?: StoredFault } & {
  readonly status: Exclude<JobStatus, 'queued' | 'running' | 'waiting'>;
};

const Count = z.object({ count: z.number() });
const Cancelable = z.object({ cancel_requested: z.boolean() });

/** Until the end of the transaction no other one adds a job to the account, so that its jobs can be counted. */
export async function lockAccount(tx: Tx, accountId: string): Promise<void> {
  await tx`select pg_advisory_xact_lock(7741904, hashtext(${accountId}))`;
}

/**
 * Undefined when the account has `limit` unfinished jobs that wait for no person. An adopted job already runs in this process,
 * as its first attempt.
 */
export async function insertJob(
  tx: Tx,
  id: string,
  { caller, job, limit, adopted = false }: { caller: Caller; job: NewJob; limit: number; adopted?: boolean },
): Promise<Job | undefined> {
  const { accountId, ...own } = caller;
  const stored: JobCaller = {
    ...own,
    ...(job.byModel && { byModel: true }),
    ...(job.asks && { asks: true }),
  };
  const [row] = await tx`
    insert into jobs (id, account_id, tool, input, questions, caller, locale, base_url, adopted, status, attempt, started_at)
    select ${id}, ${accountId}, ${job.tool}, ${tx.json(job.input)}, ${tx.json(job.questions ?? {})}, ${tx.json(stored)},
      ${job.locale}, ${job.baseUrl}, ${adopted}, ${adopted ? 'running' : 'queued'}, ${adopted ? 1 : 0},
      case when ${adopted} then now() end
    where (select count(*) from jobs where account_id = ${accountId} and finished_at is null and status <> 'waiting')
      < ${limit}
    returning seq, id, account_id, tool, input, caller, locale, base_url, status, attempt, revision, progress, questions,
      result, error, cancel_requested, created_at, started_at, finished_at`;
  return row && Job.parse(row);
}

/** Jobs of the account that wait for a person. */
export async function countWaiting(tx: Tx, accountId: string): Promise<number> {
  const [row] = await tx`
    select count(*)::int as count from jobs where account_id = ${accountId} and status = 'waiting'`;
  return Count.parse(row).count;
}

/** Fails adopted jobs that began before `hours`: their process is gone, or as good as. */
export async function abandonAdopted(sql: Sql | Tx, hours: number, error: StoredFault): Promise<void> {
  await sql`
    with changed as (
      update jobs set status = 'failed', error = ${sql.json(error)}, finished_at = now(), revision = revision + 1,
        input = '{}', questions = '{}'
      where adopted and finished_at is null and started_at < now() - make_interval(hours => ${hours})
      returning id)
    select pg_notify('jobs', id) from changed`;
}

export async function findJob(sql: Sql | Tx, accountId: string, id: string): Promise<Job | undefined> {
  const [row] = await sql`
    select seq, id, account_id, tool, input, caller, locale, base_url, status, attempt, revision, progress, questions,
      result, error, cancel_requested, created_at, started_at, finished_at
    from jobs where account_id = ${accountId} and id = ${id}`;
  return row && Job.parse(row);
}

export async function listJobs(
  sql: Sql | Tx,
  accountId: string,
  {
    status,
    before,
    limit,
    withResults,
    reader: { actor, scopes, keyId, appId, userId },
  }: { status: JobStatus | null; before: number; limit: number; withResults: boolean; reader: JobReader },
): Promise<Job[]> {
  const rows = await sql`
    select seq, id, account_id, tool, input, caller, locale, base_url, status, attempt, revision, progress, questions,
      case when ${withResults} then result end as result, error, cancel_requested, created_at, started_at, finished_at
    from jobs
    where account_id = ${accountId} and seq < ${before} and (${status}::text is null or status = ${status}::text)
      and (caller -> 'scopes' <@ to_jsonb(${[...scopes]}::text[]) or caller ->> 'actor' = ${actor}
        and caller ->> 'keyId' is not distinct from ${keyId ?? null}::text
        and caller ->> 'appId' is not distinct from ${appId ?? null}::text
        and caller ->> 'userId' is not distinct from ${userId ?? null}::text)
    order by seq desc limit ${limit}`;
  return z.array(Job).parse(rows);
}

/** Gives the job to the attempt: undefined when it is finished, or when this or a later attempt has it. */
export async function claimJob(
  sql: Sql | Tx,
  { accountId, id, attempt }: FencingToken,
): Promise<Job | undefined> {
  const [row] = await sql`
    with changed as (
      update jobs set status = 'running', attempt = ${attempt}, progress = null, revision = revision + 1,
        started_at = coalesce(started_at, now())
      where account_id = ${accountId} and id = ${id} and attempt < ${attempt} and finished_at is null
      returning seq, id, account_id, tool, input, caller, locale, base_url, status, attempt, revision, progress, questions,
        result, error, cancel_requested, created_at, started_at, finished_at)
    select changed.*, pg_notify('jobs', id) from changed`;
  return row && Job.parse(row);
}

/** Undefined when the attempt no longer owns the job. */
export async function checkJob(
  sql: Sql | Tx,
  { accountId, id, attempt }: FencingToken,
): Promise<WorkItem | undefined> {
  const [row] = await sql`
    select cancel_requested from jobs
    where account_id = ${accountId} and id = ${id} and attempt = ${attempt} and status = 'running'`;
  return row && Cancelable.parse(row);
}

/** False when the attempt no longer owns the job. */
export async function advanceJob(
  sql: Sql | Tx,
  { accountId, id, attempt }: FencingToken,
  progress: JobProgress,
): Promise<boolean> {
  const rows = await sql`
    with changed as (
      update jobs set progress = ${sql.json(progress)}, revision = revision + 1
      where account_id = ${accountId} and id = ${id} and attempt = ${attempt} and status = 'running'
      returning id)
    select pg_notify('jobs', id) from changed`;
  return rows.length === 1;
}

/** Drops the input and the questions, which have no further use. False when the attempt no longer owns the job. */
export async function finishJob(
  sql: Sql | Tx,
  { accountId, id, attempt }: FencingToken,
  { status, result, error }: JobEnd,
): Promise<boolean> {
  const rows = await sql`
    with changed as (
      update jobs set status = ${status}, finished_at = now(), revision = revision + 1, input = '{}',
        questions = '{}', result = ${result === undefined ? null : sql.json(result)}, error = ${error ? sql.json(error) : null}
      where account_id = ${accountId} and id = ${id} and attempt = ${attempt} and status = 'running'
      returning id)
    select pg_notify('jobs', id) from changed`;
  return rows.length === 1;
}

/** Returns the job to the queue, for a later attempt: false when the attempt no longer owns it. */
export async function releaseJob(sql: Sql | Tx, { accountId, id, attempt }: FencingToken): Promise<boolean> {
  const rows = await sql`
    with changed as (
      update jobs set status = 'queued', progress = null, revision = revision + 1
      where account_id = ${accountId} and id = ${id} and attempt = ${attempt} and status = 'running'
      returning id)
    select pg_notify('jobs', id) from changed`;
  return rows.length === 1;
}

/** Fails a job whose workers died, unless an attempt later than `attempt` has it. */
export async function abandonJob(
  sql: Sql | Tx,
  { accountId, id, attempt }: FencingToken,
  error: StoredFault,
): Promise<void> {
  await sql`
    with changed as (
      update jobs set status = 'failed', error = ${sql.json(error)}, finished_at = now(), revision = revision + 1,
        input = '{}', questions = '{}'
      where account_id = ${accountId} and id = ${id} and attempt <= ${attempt} and finished_at is null
      returning id)
    select pg_notify('jobs', id) from changed`;
}

/** Ends a waiting job and requests the end of a running one. Undefined when there was nothing left to cancel. */
export async function cancelJob(sql: Sql | Tx, accountId: string, id: string): Promise<Job | undefined> {
  const [row] = await sql`
    with changed as (
      update jobs set cancel_requested = true, revision = revision + 1,
        finished_at = case when status in ('queued', 'waiting') then now() end,
        input = case when status in ('queued', 'waiting') then '{}' else input end,
        questions = case when status in ('queued', 'waiting') then '{}' else questions end,
        status = case when status in ('queued', 'waiting') then 'canceled' else status end
      where account_id = ${accountId} and id = ${id} and finished_at is null and not cancel_requested
      returning seq, id, account_id, tool, input, caller, locale, base_url, status, attempt, revision, progress, questions,
        result, error, cancel_requested, created_at, started_at, finished_at)
    select changed.*, pg_notify('jobs', id || ' cancel') from changed`;
  return row && Job.parse(row);
}

/** As `cancelJob`, for all jobs of an account. */
export async function cancelJobs(sql: Sql | Tx, accountId: string): Promise<void> {
  await sql`
    with changed as (
      update jobs set cancel_requested = true, revision = revision + 1,
        finished_at = case when status in ('queued', 'waiting') then now() end,
        input = case when status in ('queued', 'waiting') then '{}' else input end,
        questions = case when status in ('queued', 'waiting') then '{}' else questions end,
        status = case when status in ('queued', 'waiting') then 'canceled' else status end
      where account_id = ${accountId} and finished_at is null and not cancel_requested
      returning id)
    select pg_notify('jobs', id || ' cancel') from changed`;
}

/** Ends the attempt until the questions are answered. False when the attempt no longer owns the job. */
export async function parkJob(
  sql: Sql | Tx,
  { accountId, id, attempt }: FencingToken,
  asked: Readonly<Record<string, Json>>,
): Promise<boolean> {
  const questions = Object.fromEntries(Object.entries(asked).map(([key, value]) => [key, { asked: value }]));
  const rows = await sql`
    with changed as (
      update jobs set status = case when cancel_requested then 'canceled' else 'waiting' end, progress = null,
        finished_at = case when cancel_requested then now() end,
        input = case when cancel_requested then '{}' else input end,
        questions = case when cancel_requested then '{}' else questions || ${sql.json(questions)} end,
        revision = revision + 1
      where account_id = ${accountId} and id = ${id} and attempt = ${attempt} and status = 'running'
      returning id)
    select pg_notify('jobs', id) from changed`;
  return rows.length === 1;
}

/** The job that waits, locked for a change in this transaction. */
export async function lockWaitingJob(tx: Tx, accountId: string, id: string): Promise<Job | undefined> {
  const [row] = await tx`
    select seq, id, account_id, tool, input, caller, locale, base_url, status, attempt, revision, progress, questions,
      result, error, cancel_requested, created_at, started_at, finished_at
    from jobs where account_id = ${accountId} and id = ${id} and status = 'waiting' for update`;
  return row && Job.parse(row);
}

/** Stores the answers. A job without open questions is queued again. */
export async function answerJob(
  tx: Tx,
  { account_id: accountId, id }: Pick<Job, 'account_id' | 'id'>,
  { questions, status }: Pick<Job, 'questions' | 'status'>,
): Promise<void> {
  await tx`
    with changed as (
      update jobs set questions = ${tx.json(questions)}, status = ${status}, revision = revision + 1
      where account_id = ${accountId} and id = ${id} and status = 'waiting'
      returning id)
    select pg_notify('jobs', id) from changed`;
}

/** Cancels the jobs created more than `hours` ago that still wait for an answer. */
export async function cancelUnanswered(sql: Sql | Tx, hours: number): Promise<void> {
  await sql`
    with changed as (
      update jobs set status = 'canceled', finished_at = now(), revision = revision + 1,
        input = '{}', questions = '{}'
      where status = 'waiting' and created_at < now() - make_interval(hours => ${hours})
      returning id)
    select pg_notify('jobs', id) from changed`;
}

/** At most `limit` jobs that ended more than 7 days ago; how many there were. */
export async function deleteOldJobs(sql: Sql | Tx, limit: number): Promise<number> {
  const rows = await sql`
    delete from jobs where seq in (
      select seq from jobs where finished_at < now() - interval '7 days' limit ${limit})`;
  return rows.count;
}
