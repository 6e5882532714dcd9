import { z } from 'zod';
import type { Tx } from '../../platform/database/database.ts';
import type { StoredFault } from '../../platform/stored-fault.ts';
import { VideoFiles } from '../store.ts';
import { VideoEngine } from '../video.ts';

/** How a video ends. */
export type VideoEnd =
  | {
      readonly status: 'completed';
      readonly files: VideoFiles;
      /** Null for a still. */
      readonly engine: z.output<typeof VideoEngine> | null;
      readonly contentHash: string;
    }
  | { readonly status: 'failed'; readonly error: StoredFault }
  | { readonly status: 'canceled' };

const Lender = z.object({ files: VideoFiles, engine: VideoEngine.nullable() });
const Remade = z.object({ remade: z.number() });

/** The SQL of what becomes of a video, in the transaction that makes it so. Each change of a status raises its revision. */
export function createStateStore(tx: Tx) {
  return {
    /**
     * Until the end of the transaction no other step of the video ends. It comes before any of their rows: a step that
     * tells its progress holds its own row and then asks for that of the video, so whoever changes both does it in that order.
     */
    async lock(id: string): Promise<void> {
      await tx`select pg_advisory_xact_lock(hashtextextended(${id}, 0))`;
    },

    /** A completed video of the account that is the same. */
    async lender(accountId: string, contentHash: string): Promise<z.output<typeof Lender> | undefined> {
      const [row] = await tx`
        select files, engine from videos
        where account_id = ${accountId} and content_hash = ${contentHash} and status = 'completed'
          and files is not null
        order by seq desc limit 1`;
      return row && Lender.parse(row);
    },

    /** Before its chunks are queued; those it has already do not count for its pace. */
    async prepared(accountId: string, id: string, contentHash: string): Promise<void> {
      await tx`
        update videos set content_hash = ${contentHash}, frames_kept = (
          select coalesce(sum(frames_done), 0)::int from video_steps where video_id = ${id} and kind = 'chunk')
        where account_id = ${accountId} and id = ${id}`;
    },

    /** A reader may see that more of it is done. */
    async seen(accountId: string, id: string): Promise<void> {
      await tx`
        with changed as (
          update videos set revision = revision + 1 where account_id = ${accountId} and id = ${id} returning id)
        select pg_notify('videos', id) from changed`;
    },

    /** All its frames are there. One that had them all from before never was `rendering` in this attempt. */
    async finalizing(accountId: string, id: string): Promise<void> {
      await tx`
        with changed as (
          update videos set status = 'finalizing', started_at = coalesce(started_at, now()), revision = revision + 1
          where account_id = ${accountId} and id = ${id} returning id)
        select pg_notify('videos', id) from changed`;
    },

    /** How often chunks were made anew, with this time. */
    async remade(accountId: string, id: string): Promise<number> {
      const [row] = await tx`
        update videos set remade = remade + 1 where account_id = ${accountId} and id = ${id} returning remade`;
      return Remade.parse(row).remade;
    },

    /** False when it had ended already. */
    async end(accountId: string, id: string, end: VideoEnd): Promise<boolean> {
      const completed = end.status === 'completed' ? end : undefined;
      const rows = await tx`
        with changed as (
          update videos set status = ${end.status}, ended_at = now(), revision = revision + 1,
            files = ${completed ? tx.json(completed.files) : null},
            engine = ${completed?.engine ? tx.json(completed.engine) : null},
            content_hash = coalesce(${completed?.contentHash ?? null}::text, content_hash),
            error = ${end.status === 'failed' ? tx.json(end.error) : null}
          where account_id = ${accountId} and id = ${id} and status in ('pending', 'rendering', 'finalizing')
          returning id)
        select pg_notify('videos', id) from changed`;
      return rows.length === 1;
    },

    /** False when it has not failed and was not canceled, or the account has `limit` unfinished videos. */
    async retry(accountId: string, id: string, limit: number): Promise<boolean> {
      const rows = await tx`
        with changed as (
          update videos set status = 'pending', attempt = attempt + 1, revision = revision + 1, remade = 0, error = null,
            started_at = null, ended_at = null
          where account_id = ${accountId} and id = ${id} and status in ('failed', 'canceled') and (
            select count(*) from videos
            where account_id = ${accountId} and status in ('pending', 'rendering', 'finalizing')) < ${limit}
          returning id)
        select pg_notify('videos', id) from changed`;
      return rows.length === 1;
    },
  };
}
