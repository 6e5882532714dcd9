import { z } from 'zod';
import type { Sql, Tx } from '../database/database.ts';
import { ABANDONED, MAX_DELIVERIES, QueuedJob } from './queue.ts';

/** A job that is not done, as `Queue.add` takes it. */
export const WaitingJob = z.object({ queue: z.string(), job: QueuedJob, ahead: z.boolean() });
export type WaitingJob = z.infer<typeof WaitingJob>;

const Row = z.object({ name: z.string(), data: QueuedJob, ahead: z.boolean(), attempts: z.int() });

/**
 * The jobs that are not done, in their order, for the queue of another database. A job that a worker has taken
 * counts one attempt; an abandoned job is delivered again. Jobs with `onceInSeconds` are left out: they are
 * added again in the next span.
 */
export async function readWaitingJobs(tx: Tx): Promise<WaitingJob[]> {
  const [found] = await tx<{ at: string | null }[]>`select to_regclass('pgboss.job')::text as at`;
  if (!found?.at) return [];
  // Not in a tagged template, which a test would prepare: the schema is there once a queue was open.
  const rows = await tx.unsafe(`
    select name, data, priority > 0 as ahead, case state when 'created' then 0 else retry_count + 1 end as attempts
    from pgboss.job where state < 'completed' and singleton_on is null order by created_on, id`);
  return rows.map((row) => {
    const { name, data, ahead, attempts } = Row.parse(row);
    const isAbandoned = name.endsWith(ABANDONED);
    const had = isAbandoned ? MAX_DELIVERIES : attempts;
    return {
      queue: isAbandoned ? name.slice(0, -ABANDONED.length) : name,
      job: { ...data, priorAttempts: data.priorAttempts + had },
      ahead,
    };
  });
}

/** Whether a database has jobs of its own. */
export async function hasJobs(sql: Sql): Promise<boolean> {
  const [found] = await sql<{ at: string | null }[]>`select to_regclass('pgboss.job')::text as at`;
  if (!found?.at) return false;
  const jobs = await sql.unsafe(`select from pgboss.job where name not like '\\_\\_pgboss%' limit 1`);
  return jobs.length > 0;
}
