import { z } from 'zod';
import type { Sql, Tx } from '../platform/database/database.ts';
import { StoredFault } from '../platform/stored-fault.ts';
import type { FilledPage } from './composition/composition.ts';
import type { VideoRequest } from './request.ts';
import { VideoEngine, VideoFormat, VideoStatus } from './video.ts';

/** Bytes that are kept, by the key of their blob; `sha256` in hexadecimal. */
export const KeptFile = z.object({ key: z.string(), bytes: z.number(), sha256: z.string() });
export type KeptFile = z.output<typeof KeptFile>;

/** What a completed video is. */
export const VideoFiles = z.object({
  file: KeptFile,
  poster: KeptFile.optional(),
  captions: KeptFile.optional(),
});
export type VideoFiles = z.output<typeof VideoFiles>;

/** Whom its end is told, in what language, with links that begin with what. */
export const WebhookTarget = z.object({
  url: z.string(),
  locale: z.enum(['en', 'es']),
  baseUrl: z.string(),
});
export type WebhookTarget = z.output<typeof WebhookTarget>;

export const VideoRow = z.object({
  seq: z.number(),
  id: z.string(),
  account_id: z.string(),
  title: z.string(),
  duration: z.number(),
  template: z.string(),
  format: VideoFormat,
  quality: z.enum(['draft', 'standard', 'high']),
  width: z.number(),
  height: z.number(),
  fps: z.number(),
  frames: z.number(),
  poster_frame: z.number(),
  webhook: WebhookTarget.nullable(),
  status: VideoStatus,
  attempt: z.number(),
  revision: z.number(),
  content_hash: z.string().nullable(),
  remade: z.number(),
  frames_kept: z.number(),
  files: VideoFiles.nullable(),
  engine: VideoEngine.nullable(),
  error: StoredFault.nullable(),
  created_at: z.date(),
  started_at: z.date().nullable(),
  ended_at: z.date().nullable(),
  /** Frames of all its pieces. */
  frames_done: z.number(),
  /** Seconds since this attempt began to paint. */
  running_for: z.number().nullable(),
});
export type VideoRow = z.output<typeof VideoRow>;

export type VideoOrder = {
  readonly id: string;
  readonly accountId: string;
  readonly request: VideoRequest;
  readonly page: FilledPage;
  /** How many are painted: one for a png. */
  readonly frames: number;
  readonly posterFrame: number;
  readonly webhook: WebhookTarget | null;
};

const PageRow = z.object({
  // Written by ourselves, from a FilledPage.
  page: z.custom<FilledPage>((value) => typeof value === 'object' && value !== null),
});
const Kept = z.object({ id: z.string(), key: z.string().nullable() });
const Keys = z.object({ key: z.string() });

/** The SQL of videos as their owners see them. What a reader can see of a change is announced on the channel `videos`. */
export function createVideoStore(sql: Sql | Tx) {
  return {
    /** Until the end of the transaction nobody else begins, ends or removes a video of the account. */
    async lock(accountId: string): Promise<void> {
      await sql`select pg_advisory_xact_lock(hashtextextended('videos ' || ${accountId}::text, 0))`;
    },

    /** False when the account has `limit` unfinished videos. */
    async insert(order: VideoOrder, limit: number): Promise<boolean> {
      const { id, accountId, request, page } = order;
      const rows = await sql`
        insert into videos (id, account_id, title, duration, template, format, quality, width, height, fps, frames,
          poster_frame, request, page, webhook)
        select ${id}, ${accountId}, ${request.title}, ${request.duration}, ${request.template}, ${request.format},
          ${request.quality}, ${page.width}, ${page.height}, ${page.fps}, ${order.frames}, ${order.posterFrame},
          ${sql.json(request)}, ${sql.json(page)}, ${order.webhook ? sql.json(order.webhook) : null}
        where (select count(*) from videos
          where account_id = ${accountId} and status in ('pending', 'rendering', 'finalizing')) < ${limit}
        returning id`;
      return rows.length === 1;
    },

    async find(accountId: string, id: string): Promise<VideoRow | undefined> {
      const [row] = await sql`
        select v.seq, v.id, v.account_id, v.title, v.duration, v.template, v.format, v.quality, v.width, v.height,
          v.fps, v.frames, v.poster_frame, v.webhook, v.status, v.attempt, v.revision, v.content_hash, v.remade,
          v.frames_kept, v.files, v.engine, v.error, v.created_at, v.started_at, v.ended_at,
          (select coalesce(sum(s.frames_done), 0)::int from video_steps s where s.video_id = v.id) as frames_done,
          extract(epoch from clock_timestamp() - v.started_at)::float8 as running_for
        from videos v where v.account_id = ${accountId} and v.id = ${id}`;
      return row && VideoRow.parse(row);
    },

    async list(
      accountId: string,
      filter: { status: VideoStatus | null; template: string | null; before: number; limit: number },
    ): Promise<VideoRow[]> {
      const rows = await sql`
        select v.seq, v.id, v.account_id, v.title, v.duration, v.template, v.format, v.quality, v.width, v.height,
          v.fps, v.frames, v.poster_frame, v.webhook, v.status, v.attempt, v.revision, v.content_hash, v.remade,
          v.frames_kept, v.files, v.engine, v.error, v.created_at, v.started_at, v.ended_at,
          (select coalesce(sum(s.frames_done), 0)::int from video_steps s where s.video_id = v.id) as frames_done,
          extract(epoch from clock_timestamp() - v.started_at)::float8 as running_for
        from videos v
        where v.account_id = ${accountId} and v.seq < ${filter.before}
          and (${filter.status}::text is null or v.status = ${filter.status}::text)
          and (${filter.template}::text is null or v.template = ${filter.template}::text)
        order by v.seq desc limit ${filter.limit}`;
      return z.array(VideoRow).parse(rows);
    },

    async page(accountId: string, id: string): Promise<FilledPage | undefined> {
      const [row] = await sql`select page from videos where account_id = ${accountId} and id = ${id}`;
      return row && PageRow.parse(row).page;
    },

    async delete(accountId: string, id: string): Promise<void> {
      await sql`
        with gone as (delete from videos where account_id = ${accountId} and id = ${id} returning id)
        select pg_notify('videos', id) from gone`;
    },

    /** Whether a video has the file whose blob has this key. */
    async hasFile(accountId: string, key: string): Promise<boolean> {
      const rows = await sql`
        select id from videos
        where account_id = ${accountId} and files is not null
          and ${key}::text in (files -> 'file' ->> 'key', files -> 'poster' ->> 'key', files -> 'captions' ->> 'key')
        limit 1`;
      return rows.length > 0;
    },

    async has(accountId: string, id: string): Promise<boolean> {
      const rows = await sql`select id from videos where account_id = ${accountId} and id = ${id}`;
      return rows.length === 1;
    },

    /** Of videos of all accounts: which of those are there, and the keys of their files and chunks. */
    async kept(ids: readonly string[]): Promise<{ ids: Set<string>; keys: Set<string> }> {
      const rows = await sql`
        with asked as (select jsonb_array_elements_text(${sql.json([...ids])}) as id)
        select v.id, f.value ->> 'key' as key
        from asked join videos v using (id) left join lateral jsonb_each(v.files) f on true
        union select v.id, s.blob_key from asked join videos v using (id) join video_steps s on s.video_id = v.id
        union select v.id, s.poster ->> 'key'
        from asked join videos v using (id) join video_steps s on s.video_id = v.id`;
      const found = z.array(Kept).parse(rows);
      return {
        ids: new Set(found.map(({ id }) => id)),
        keys: new Set(found.flatMap(({ key }) => key ?? [])),
      };
    },

    async idsOf(accountId: string): Promise<string[]> {
      const rows = await sql`select id as key from videos where account_id = ${accountId}`;
      return z
        .array(Keys)
        .parse(rows)
        .map(({ key }) => key);
    },

    /** What the account's videos have kept beside their compositions. */
    async blobsOf(accountId: string): Promise<string[]> {
      const rows = await sql`
        select f.value ->> 'key' as key from videos v, jsonb_each(v.files) f where v.account_id = ${accountId}
        union select blob_key from video_steps where account_id = ${accountId} and blob_key is not null
        union select poster ->> 'key' from video_steps where account_id = ${accountId} and poster is not null`;
      return z
        .array(Keys)
        .parse(rows)
        .map(({ key }) => key);
    },
  };
}
