import { z } from 'zod';
import type { Warning } from '../../language.ts';
import type { Sql, Tx } from '../../platform/database/database.ts';
import type { FencingToken } from '../../platform/work/attempt.ts';
import type { Progress } from '../../platform/work/progress-writer.ts';
import type { WorkItem } from '../../platform/work/work-handler.ts';
import { StoredWarnings } from '../stored-warning.ts';
import { VideoEngine } from '../video.ts';
import { KeptFile } from '../video-repo.ts';
import type { ChunkSpan } from './chunks.ts';
import type { VideoRef } from './state.ts';

// The SQL of `video_steps`. A transaction that changes steps and their video holds the video's lock (state.ts).

/** A part of rendering a video: preparing it, rendering some of its frames, or assembling it. */
export const Step = z.object({
  id: z.string(),
  account_id: z.string(),
  video_id: z.string(),
  kind: z.enum(['prepare', 'chunk', 'finish']),
  idx: z.number(),
  from_frame: z.number(),
  to_frame: z.number(),
  status: z.enum(['waiting', 'queued', 'running', 'done']),
  attempt: z.number(),
  fingerprint: z.string().nullable(),
  engine: VideoEngine.nullable(),
  blob_key: z.string().nullable(),
  poster: KeptFile.nullable(),
  warnings: StoredWarnings.nullable(),
  done_at: z.date().nullable(),
  /** Always false: canceling a video deletes its steps. */
  cancel_requested: z.literal(false).default(false),
});
export type Step = z.output<typeof Step>;

/** A chunk that was rendered. */
export type RenderedChunk = {
  readonly fingerprint: string;
  /** Null for a still. */
  readonly engine: z.output<typeof VideoEngine> | null;
  readonly blobKey: string;
  readonly poster: KeptFile | null;
  /** What was found while it was rendered. */
  readonly warnings: readonly Warning[];
};

const QueuedStep = z.object({ account_id: z.string(), id: z.string(), attempt: z.number() });
export type QueuedStep = z.output<typeof QueuedStep>;

const QueuedChunks = z.object({
  /** Chunks that are not done. */
  remaining: z.number(),
  /** How many engines rendered the chunks. */
  engines: z.number(),
  queued: z.array(QueuedStep),
});

const Blobs = z.object({ blob_key: z.string().nullable(), poster: KeptFile.nullable() });

/** A step that waits for its turn, or is queued already. */
export async function insertStep(
  tx: Tx,
  { accountId, videoId }: VideoRef,
  { id, kind, status }: { id: string; kind: 'prepare' | 'finish'; status: 'waiting' | 'queued' },
): Promise<void> {
  await tx`
    insert into video_steps (id, account_id, video_id, kind, status)
    values (${id}, ${accountId}, ${videoId}, ${kind}, ${status})`;
}

/** Inserts the chunks that are missing. */
export async function insertChunks(
  tx: Tx,
  { accountId, videoId }: VideoRef,
  spans: readonly ChunkSpan[],
): Promise<void> {
  await tx`
    insert into video_steps (id, account_id, video_id, kind, idx, from_frame, to_frame)
    select s ->> 'id', ${accountId}, ${videoId}, 'chunk', (s ->> 'idx')::int, (s ->> 'from')::int,
      (s ->> 'to')::int
    from jsonb_array_elements(${tx.json([...spans])}) s
    on conflict (video_id, kind, idx) do nothing`;
}

/** In the order of their frames. */
export async function findChunks(sql: Sql | Tx, { accountId, videoId }: VideoRef): Promise<Step[]> {
  const rows = await sql`
    select id, account_id, video_id, kind, idx, from_frame, to_frame, status, attempt, fingerprint, engine, blob_key,
      poster, warnings, done_at
    from video_steps where account_id = ${accountId} and video_id = ${videoId} and kind = 'chunk' order by idx`;
  return z.array(Step).parse(rows);
}

/** Sets the next waiting chunks to `queued`, up to `limit` that are queued or running, and returns how the chunks stand. */
export async function queueNextChunks(
  tx: Tx,
  { accountId, videoId }: VideoRef,
  limit: number,
): Promise<z.output<typeof QueuedChunks>> {
  const [row] = await tx`
    with chunks as (
      select id, idx, status, fingerprint from video_steps
      where account_id = ${accountId} and video_id = ${videoId} and kind = 'chunk'),
    queued as (
      update video_steps set status = 'queued', frames_done = 0
      where account_id = ${accountId} and id in (
        select id from chunks where status = 'waiting' order by idx
        limit greatest(0, ${limit}::int - (select count(*)::int from chunks where status in ('queued', 'running'))))
      returning account_id, id, attempt, idx)
    select
      (select count(*)::int from chunks where status <> 'done') as remaining,
      (select count(distinct fingerprint)::int from chunks) as engines,
      (select coalesce(jsonb_agg(to_jsonb(queued) order by idx), '[]') from queued) as queued`;
  return QueuedChunks.parse(row);
}

/** Sets steps that are done to `queued` again. */
export async function requeueSteps(tx: Tx, accountId: string, ids: readonly string[]): Promise<void> {
  await tx`
    update video_steps set status = 'queued', frames_done = 0
    where account_id = ${accountId} and id in (select jsonb_array_elements_text(${tx.json([...ids])}))`;
}

/** Queues the first step of the account's oldest waiting videos, while fewer than `limit` of its videos are rendered. */
export async function queueNextVideos(tx: Tx, accountId: string, limit: number): Promise<QueuedStep[]> {
  const rows = await tx`
    update video_steps set status = 'queued'
    where account_id = ${accountId} and id in (
      select s.id from video_steps s join videos v on v.id = s.video_id
      where s.account_id = ${accountId} and s.kind = 'prepare' and s.status = 'waiting'
      order by v.seq
      limit greatest(0, ${limit}::int - (
        select count(*)::int from videos w
        where w.account_id = ${accountId} and w.status in ('pending', 'rendering', 'finalizing') and not exists (
          select from video_steps p where p.video_id = w.id and p.kind = 'prepare' and p.status = 'waiting'))))
    returning account_id, id, attempt`;
  return z.array(QueuedStep).parse(rows);
}

/** Undefined when the attempt no longer owns the step. */
export async function checkStep(
  sql: Sql | Tx,
  { accountId, id, attempt }: FencingToken,
): Promise<WorkItem | undefined> {
  const rows = await sql`
    select id from video_steps
    where account_id = ${accountId} and id = ${id} and attempt = ${attempt} and status = 'running'`;
  return rows.length === 1 ? { cancel_requested: false } : undefined;
}

/** As `checkStep`, and until the end of the transaction no other attempt takes the step over. */
export async function holdStep(tx: Tx, { accountId, id, attempt }: FencingToken): Promise<boolean> {
  const rows = await tx`
    select id from video_steps
    where account_id = ${accountId} and id = ${id} and attempt = ${attempt} and status = 'running' for update`;
  return rows.length === 1;
}

/** False when the attempt no longer owns the step. */
export async function advanceStep(
  sql: Sql | Tx,
  { accountId, id, attempt }: FencingToken,
  { done }: Progress,
): Promise<boolean> {
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
}

/** False when the attempt no longer owns the step. */
export async function finishStep(
  tx: Tx,
  { accountId, id, attempt }: FencingToken,
  chunk?: RenderedChunk,
): Promise<boolean> {
  const rows = await tx`
    update video_steps set status = 'done', done_at = clock_timestamp(), frames_done = to_frame - from_frame,
      fingerprint = ${chunk?.fingerprint ?? null}, engine = ${chunk?.engine ? tx.json(chunk.engine) : null},
      blob_key = ${chunk?.blobKey ?? null}, poster = ${chunk?.poster ? tx.json(chunk.poster) : null},
      warnings = ${chunk ? tx.json([...chunk.warnings]) : null}
    where account_id = ${accountId} and id = ${id} and attempt = ${attempt} and status = 'running'
    returning id`;
  return rows.length === 1;
}

/** Returns the step to the queue: false when the attempt no longer owns it. */
export async function releaseStep(tx: Tx, { accountId, id, attempt }: FencingToken): Promise<boolean> {
  const rows = await tx`
    update video_steps set status = 'queued', frames_done = 0
    where account_id = ${accountId} and id = ${id} and attempt = ${attempt} and status = 'running'
    returning id`;
  return rows.length === 1;
}

/** Takes a step whose workers died, as the attempt after `attempt`, to give it up. */
export async function takeAbandonedStep(
  sql: Sql | Tx,
  { accountId, id, attempt }: FencingToken,
): Promise<Step | undefined> {
  const [row] = await sql`
    update video_steps set status = 'running', attempt = ${attempt + 1}
    where account_id = ${accountId} and id = ${id} and attempt <= ${attempt} and status in ('queued', 'running')
    returning id, account_id, video_id, kind, idx, from_frame, to_frame, status, attempt, fingerprint, engine,
      blob_key, poster, warnings, done_at`;
  return row && Step.parse(row);
}

/**
 * Deletes steps of a video and ends those that run. `except`: `done chunks` may be reused by a retry.
 * @returns the blob keys of the deleted chunks
 */
export async function deleteSteps(
  tx: Tx,
  { accountId, videoId }: VideoRef,
  except: 'done chunks' | 'nothing',
): Promise<string[]> {
  const rows = await tx`
    with gone as (
      delete from video_steps
      where account_id = ${accountId} and video_id = ${videoId}
        and (${except} = 'nothing' or kind <> 'chunk' or status <> 'done')
      returning id, status, blob_key, poster)
    select blob_key, poster, case status when 'running' then pg_notify('videos', id || ' cancel') end from gone`;
  return keysOf(rows);
}

/** @returns the blob keys of the chunks */
export async function deleteChunks(tx: Tx, { accountId, videoId }: VideoRef): Promise<string[]> {
  const rows = await tx`
    delete from video_steps where account_id = ${accountId} and video_id = ${videoId} and kind = 'chunk'
    returning blob_key, poster`;
  return keysOf(rows);
}

function keysOf(rows: readonly unknown[]): string[] {
  return z
    .array(Blobs)
    .parse(rows)
    .flatMap(({ blob_key, poster }) => [blob_key ?? [], poster?.key ?? []].flat());
}
