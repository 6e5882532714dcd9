import { z } from 'zod';
import type { Sql, Tx } from '../../platform/database/database.ts';
import type { Fence } from '../../platform/work/attempt.ts';
import type { KeptFile } from '../store.ts';
import type { VideoEngine } from '../video.ts';
import type { ChunkSpan } from './chunk-grid.ts';
import { Step } from './step.ts';

/** A chunk that was made. */
export type MadeChunk = {
  readonly fingerprint: string;
  /** Null for a still. */
  readonly engine: z.output<typeof VideoEngine> | null;
  readonly blobKey: string;
  readonly poster: KeptFile | null;
};

const Ticketless = z.object({ account_id: z.string(), id: z.string(), attempt: z.number() });

/** The SQL of steps as their video goes on. */
export function createStepStore(sql: Sql | Tx) {
  return {
    /** A step waits for its turn. */
    async insert(accountId: string, videoId: string, id: string, kind: 'prepare' | 'finish'): Promise<void> {
      await sql`
        insert into video_steps (id, account_id, video_id, kind) values (${id}, ${accountId}, ${videoId}, ${kind})`;
    },

    /** Chunks that are not there yet. */
    async insertChunks(accountId: string, videoId: string, spans: readonly ChunkSpan[]): Promise<void> {
      await sql`
        insert into video_steps (id, account_id, video_id, kind, idx, from_frame, to_frame)
        select s ->> 'id', ${accountId}, ${videoId}, 'chunk', (s ->> 'idx')::int, (s ->> 'from')::int,
          (s ->> 'to')::int
        from jsonb_array_elements(${sql.json([...spans])}) s
        on conflict (video_id, kind, idx) do nothing`;
    },

    /** By their place in the video. */
    async chunks(accountId: string, videoId: string): Promise<Step[]> {
      const rows = await sql`
        select id, account_id, video_id, kind, idx, from_frame, to_frame, status, attempt, fingerprint, engine, blob_key,
          poster, done_at
        from video_steps where account_id = ${accountId} and video_id = ${videoId} and kind = 'chunk' order by idx`;
      return z.array(Step).parse(rows);
    },

    /** Gives steps their turn: those are to have tickets. */
    async queue(accountId: string, ids: readonly string[]): Promise<void> {
      await sql`
        update video_steps set status = 'queued', frames_done = 0, heartbeat_at = now()
        where account_id = ${accountId} and id in (select jsonb_array_elements_text(${sql.json([...ids])}))`;
    },

    /** Gives the oldest videos of the account their turn, while fewer than `most` of it are worked at; answers their steps. */
    async queueVideos(accountId: string, most: number): Promise<z.output<typeof Ticketless>[]> {
      const rows = await sql`
        update video_steps set status = 'queued', heartbeat_at = now()
        where account_id = ${accountId} and id in (
          select s.id from video_steps s join videos v on v.id = s.video_id
          where s.account_id = ${accountId} and s.kind = 'prepare' and s.status = 'waiting'
          order by v.seq
          limit greatest(0, ${most}::int - (
            select count(*)::int from videos w
            where w.account_id = ${accountId} and w.status in ('pending', 'rendering', 'finalizing') and not exists (
              select from video_steps p where p.video_id = w.id and p.kind = 'prepare' and p.status = 'waiting'))))
        returning account_id, id, attempt`;
      return z.array(Ticketless).parse(rows);
    },

    /** Until the end of the transaction the step stays the attempt's own: false when it is not any more. */
    async hold({ accountId, id, attempt }: Fence): Promise<boolean> {
      const rows = await sql`
        select id from video_steps
        where account_id = ${accountId} and id = ${id} and attempt = ${attempt} and status = 'running' for update`;
      return rows.length === 1;
    },

    async done({ accountId, id }: Pick<Fence, 'accountId' | 'id'>, made?: MadeChunk): Promise<void> {
      await sql`
        update video_steps set status = 'done', done_at = clock_timestamp(), frames_done = to_frame - from_frame,
          fingerprint = ${made?.fingerprint ?? null}, engine = ${made?.engine ? sql.json(made.engine) : null},
          blob_key = ${made?.blobKey ?? null}, poster = ${made?.poster ? sql.json(made.poster) : null}
        where account_id = ${accountId} and id = ${id}`;
    },

    /** Removes steps of a video, and has those that run end at once; `keep` says what of it may be of use again. */
    async drop(accountId: string, videoId: string, keep: 'chunks' | 'nothing'): Promise<void> {
      await sql`
        with gone as (
          delete from video_steps
          where account_id = ${accountId} and video_id = ${videoId}
            and (${keep} = 'nothing' or kind <> 'chunk' or status <> 'done')
          returning id, status)
        select pg_notify('videos', id || ' cancel') from gone where status = 'running'`;
    },

    async dropChunks(accountId: string, videoId: string): Promise<void> {
      await sql`
        delete from video_steps where account_id = ${accountId} and video_id = ${videoId} and kind = 'chunk'`;
    },
  };
}
