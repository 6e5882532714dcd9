import { z } from 'zod';
import type { Sql, Tx } from '../../platform/database/database.ts';
import type { Fence } from '../../platform/work/attempt.ts';
import type { Progress } from '../../platform/work/progress-writer.ts';
import { Step } from './step.ts';

const Idle = z.object({ account_id: z.string(), id: z.string(), attempt: z.number() });

/** The SQL of steps as the work queue asks it. */
export function createStepWorkStore(sql: Sql | Tx) {
  return {
    /** The first chunk that is claimed begins the rendering of its video. */
    async claim({ accountId, id, attempt }: Fence): Promise<Step | undefined> {
      const [row] = await sql`
        with claimed as (
          update video_steps set status = 'running', attempt = ${attempt}, frames_done = 0, heartbeat_at = now()
          where account_id = ${accountId} and id = ${id} and attempt < ${attempt} and status in ('queued', 'running')
          returning id, account_id, video_id, kind, idx, from_frame, to_frame, status, attempt, fingerprint, engine,
            blob_key, poster, done_at),
        begun as (
          update videos v set status = 'rendering', started_at = now(), revision = revision + 1
          from claimed c
          where v.account_id = ${accountId} and v.id = c.video_id and c.kind = 'chunk' and v.status = 'pending'
          returning v.id)
        select claimed.*, (select pg_notify('videos', begun.id) from begun) as told from claimed`;
      return row && Step.parse(row);
    },

    async beat({ accountId, id, attempt }: Fence): Promise<{ cancel_requested: boolean } | undefined> {
      const rows = await sql`
        update video_steps set heartbeat_at = now()
        where account_id = ${accountId} and id = ${id} and attempt = ${attempt} and status = 'running'
        returning id`;
      return rows.length === 1 ? { cancel_requested: false } : undefined;
    },

    async advance({ accountId, id, attempt }: Fence, { done }: Progress): Promise<boolean> {
      const rows = await sql`
        with moved as (
          update video_steps set frames_done = ${done}, heartbeat_at = now()
          where account_id = ${accountId} and id = ${id} and attempt = ${attempt} and status = 'running'
          returning video_id),
        seen as (
          update videos v set revision = revision + 1 from moved
          where v.account_id = ${accountId} and v.id = moved.video_id returning v.id)
        select pg_notify('videos', id) from seen`;
      return rows.length === 1;
    },

    async release({ accountId, id, attempt }: Fence): Promise<boolean> {
      const rows = await sql`
        update video_steps set status = 'queued', frames_done = 0
        where account_id = ${accountId} and id = ${id} and attempt = ${attempt} and status = 'running'
        returning id`;
      return rows.length === 1;
    },

    /** Makes the step the attempt's own to give it up, once its workers were lost. */
    async takeLost({ accountId, id, attempt }: Fence): Promise<Step | undefined> {
      const [row] = await sql`
        update video_steps set status = 'running', attempt = ${attempt + 1}
        where account_id = ${accountId} and id = ${id} and attempt <= ${attempt} and status in ('queued', 'running')
        returning id, account_id, video_id, kind, idx, from_frame, to_frame, status, attempt, fingerprint, engine,
          blob_key, poster, done_at`;
      return row && Step.parse(row);
    },

    /** Steps of all accounts that should have a ticket and that nobody has touched for some minutes. */
    async idle(limit: number): Promise<z.output<typeof Idle>[]> {
      const rows = await sql`
        select account_id, id, attempt from video_steps
        where status in ('queued', 'running') and heartbeat_at < now() - interval '5 minutes'
        order by heartbeat_at limit ${limit}`;
      return z.array(Idle).parse(rows);
    },
  };
}
