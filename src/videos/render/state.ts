import { z } from 'zod';
import type { Warning } from '../../language.ts';
import type { Sql, Tx } from '../../platform/database/database.ts';
import type { StoredFault } from '../../platform/stored-fault.ts';
import type { FencingToken } from '../../platform/work/attempt.ts';
import { StoredWarnings } from '../stored-warning.ts';
import { VideoEngine, VideoFormat } from '../video.ts';
import { VideoFiles } from '../video-repo.ts';
import { Step } from './step-repo.ts';

// The only statements that change the status of a video. Each raises its revision and is announced on the channel `videos`.

export type VideoRef = { readonly accountId: string; readonly videoId: string };

/** How a video ends. */
export type VideoOutcome =
  | {
      readonly status: 'completed';
      readonly files: VideoFiles;
      /** Null for a still. */
      readonly engine: z.output<typeof VideoEngine> | null;
      readonly contentHash: string;
      /** What rendering found. */
      readonly warnings: readonly Warning[];
    }
  | {
      readonly status: 'failed';
      readonly error: StoredFault;
      /** A retry begins from nothing. */
      readonly dropsPieces?: boolean;
    }
  | { readonly status: 'canceled' };

/** A step with what its work needs to know of the video. */
export const ClaimedStep = Step.extend({
  video: z.object({
    id: z.string(),
    account_id: z.string(),
    format: VideoFormat,
    quality: z.enum(['draft', 'standard', 'high']),
    width: z.number(),
    height: z.number(),
    frames: z.number(),
    poster_frame: z.number(),
    content_hash: z.string().nullable(),
  }),
});
export type ClaimedStep = z.output<typeof ClaimedStep>;
export type ClaimedVideo = ClaimedStep['video'];

/** More have to be looked at only where the newest have lost their bytes. */
const MAX_SAME = 20;
const SameVideo = z.object({ files: VideoFiles, engine: VideoEngine.nullable(), warnings: StoredWarnings });
const Remade = z.object({ remade: z.number() });
const Ended = z.object({ is_awaited: z.boolean() });

/**
 * Until the end of the transaction no other one starts, ends or deletes a video of the account, or ends a step of this one.
 * It comes before any of their rows: progress locks the row of its step and then that of the video, and so do all others.
 */
export async function lockAccountAndVideo(tx: Tx, { accountId, videoId }: VideoRef): Promise<void> {
  await tx`
    select pg_advisory_xact_lock(hashtextextended('videos ' || ${accountId}::text, 0)),
      pg_advisory_xact_lock(hashtextextended(${videoId}, 0))`;
}

/** Until the end of the transaction no other step of the video ends. */
export async function lockVideo(tx: Tx, { videoId }: VideoRef): Promise<void> {
  await tx`select pg_advisory_xact_lock(hashtextextended(${videoId}, 0))`;
}

/**
 * Gives the step to the attempt: undefined when it is done or deleted, or when this or a later attempt has it. A `pending` video is
 * `rendering` with its first chunk.
 */
export async function claimStep(
  sql: Sql | Tx,
  { accountId, id, attempt }: FencingToken,
): Promise<ClaimedStep | undefined> {
  const [row] = await sql`
    with claimed as (
      update video_steps set status = 'running', attempt = ${attempt}, frames_done = 0
      where account_id = ${accountId} and id = ${id} and attempt < ${attempt} and status in ('queued', 'running')
        and exists (select from accounts a where a.id = account_id and a.deleted_at is null)
      returning id, account_id, video_id, kind, idx, from_frame, to_frame, status, attempt, fingerprint, engine,
        blob_key, poster, warnings, done_at),
    started as (
      update videos v set status = 'rendering', started_at = now(), revision = revision + 1
      from claimed c
      where v.account_id = ${accountId} and v.id = c.video_id and c.kind = 'chunk' and v.status = 'pending'
      returning v.id)
    select c.*, (select pg_notify('videos', started.id) from started) as announced,
      jsonb_build_object('id', v.id, 'account_id', v.account_id, 'format', v.format, 'quality', v.quality,
        'width', v.width, 'height', v.height, 'frames', v.frames, 'poster_frame', v.poster_frame, 'content_hash', v.content_hash) as video
    from claimed c join videos v on v.account_id = ${accountId} and v.id = c.video_id`;
  return row && ClaimedStep.parse(row);
}

/** The chunks are known. Those kept from an earlier attempt do not count for the pace of this one. */
export async function setPrepared(
  tx: Tx,
  { accountId, videoId }: VideoRef,
  contentHash: string,
): Promise<void> {
  await tx`
    with changed as (
      update videos set content_hash = ${contentHash}, revision = revision + 1, frames_kept = (
        select coalesce(sum(frames_done), 0)::int from video_steps where video_id = ${videoId} and kind = 'chunk')
      where account_id = ${accountId} and id = ${videoId}
      returning id)
    select pg_notify('videos', id) from changed`;
}

/** More of the video is done. */
export async function announceProgress(tx: Tx, { accountId, videoId }: VideoRef): Promise<void> {
  await tx`
    with changed as (
      update videos set revision = revision + 1 where account_id = ${accountId} and id = ${videoId} returning id)
    select pg_notify('videos', id) from changed`;
}

/** All frames are rendered. With all chunks kept from an earlier attempt it was never `rendering` in this one. */
export async function setFinalizing(tx: Tx, { accountId, videoId }: VideoRef): Promise<void> {
  await tx`
    with changed as (
      update videos set status = 'finalizing', started_at = coalesce(started_at, now()), revision = revision + 1
      where account_id = ${accountId} and id = ${videoId} returning id)
    select pg_notify('videos', id) from changed`;
}

/** Counts the rounds in which mismatched chunks are rendered again. */
export async function countRemake(tx: Tx, { accountId, videoId }: VideoRef): Promise<number> {
  const [row] = await tx`
    update videos set remade = remade + 1 where account_id = ${accountId} and id = ${videoId} returning remade`;
  return Remade.parse(row).remade;
}

/** Completed videos of the account with the same content, the newest first. */
export async function findSameVideos(
  tx: Tx,
  accountId: string,
  contentHash: string,
): Promise<z.output<typeof SameVideo>[]> {
  const rows = await tx`
    select files, engine, render_warnings as warnings from videos
    where account_id = ${accountId} and content_hash = ${contentHash} and status = 'completed'
      and files is not null
    order by seq desc limit ${MAX_SAME}`;
  return z.array(SameVideo).parse(rows);
}

/** Undefined when it had ended already. `isAwaited`: a webhook of the video or the account wants to know. */
export async function setEnded(
  tx: Tx,
  { accountId, videoId }: VideoRef,
  outcome: VideoOutcome,
): Promise<{ readonly isAwaited: boolean } | undefined> {
  const completed = outcome.status === 'completed' ? outcome : undefined;
  const [row] = await tx`
    with changed as (
      update videos set status = ${outcome.status}, ended_at = now(), revision = revision + 1,
        files = ${completed ? tx.json(completed.files) : null},
        render_warnings = ${tx.json([...(completed?.warnings ?? [])])},
        engine = ${completed?.engine ? tx.json(completed.engine) : null},
        content_hash = coalesce(${completed?.contentHash ?? null}::text, content_hash),
        error = ${outcome.status === 'failed' ? tx.json(outcome.error) : null}
      where account_id = ${accountId} and id = ${videoId} and status in ('pending', 'rendering', 'finalizing')
      returning id, webhook is not null or exists (
        select from webhooks w
        where w.account_id = ${accountId} and w.enabled and ${`video.${outcome.status}`} = any (w.events)
      ) as is_awaited)
    select is_awaited, pg_notify('videos', id) from changed`;
  return row && { isAwaited: Ended.parse(row).is_awaited };
}

/** Starts the next attempt of an ended video. False when it has not ended, or the account has `limit` unfinished videos. */
export async function setPendingAgain(
  tx: Tx,
  { accountId, videoId }: VideoRef,
  limit: number,
): Promise<boolean> {
  const rows = await tx`
    with changed as (
      update videos set status = 'pending', attempt = attempt + 1, revision = revision + 1, remade = 0, error = null,
        files = null, started_at = null, ended_at = null
      where account_id = ${accountId} and id = ${videoId} and status in ('failed', 'canceled', 'completed') and (
        select count(*) from videos
        where account_id = ${accountId} and status in ('pending', 'rendering', 'finalizing')) < ${limit}
      returning id)
    select pg_notify('videos', id) from changed`;
  return rows.length === 1;
}
