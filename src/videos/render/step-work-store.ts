import type { Sql, Tx } from '../../platform/database.ts';
import type { FencingToken } from '../../platform/work/attempt.ts';
import type { Progress } from '../../platform/work/progress-writer.ts';
import type { WorkItem } from '../../platform/work/work-handler.ts';
import { Step } from './step.ts';

/** The SQL of steps as the work queue asks it. */
export function createStepWorkStore(sql: Sql | Tx) {
  return {
    /** The first chunk that is claimed begins the rendering of its video. */
    async claim({ accountId, id, attempt }: FencingToken): Promise<Step | undefined> {
      const [row] = await sql`
        with claimed as (
          update video_steps set status = 'running', attempt = ${attempt}, frames_done = 0
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

    async check({ accountId, id, attempt }: FencingToken): Promise<WorkItem | undefined> {
      const rows = await sql`
        select id from video_steps
        where account_id = ${accountId} and id = ${id} and attempt = ${attempt} and status = 'running'`;
      return rows.length === 1 ? { cancel_requested: false } : undefined;
    },

    async advance({ accountId, id, attempt }: FencingToken, { done }: Progress): Promise<boolean> {
      const rows = await sql`
        with moved as (
          update video_steps set frames_done = ${done}
          where account_id = ${accountId} and id = ${id} and attempt = ${attempt} and status = 'running'
          returning video_id),
        seen as (
          update videos v set revision = revision + 1 from moved
          where v.account_id = ${accountId} and v.id = moved.video_id returning v.id)
        select pg_notify('videos', id) from seen`;
      return rows.length === 1;
    },

    async release({ accountId, id, attempt }: FencingToken): Promise<boolean> {
      const rows = await sql`
        update video_steps set status = 'queued', frames_done = 0
        where account_id = ${accountId} and id = ${id} and attempt = ${attempt} and status = 'running'
        returning id`;
      return rows.length === 1;
    },

    /** Makes the step the attempt's own to give it up, once its workers were lost. */
    async takeLost({ accountId, id, attempt }: FencingToken): Promise<Step | undefined> {
      const [row] = await sql`
        update video_steps set status = 'running', attempt = ${attempt + 1}
        where account_id = ${accountId} and id = ${id} and attempt <= ${attempt} and status in ('queued', 'running')
        returning id, account_id, video_id, kind, idx, from_frame, to_frame, status, attempt, fingerprint, engine,
          blob_key, poster, done_at`;
      return row && Step.parse(row);
    },
  };
}
