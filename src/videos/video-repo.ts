import { z } from 'zod';
import type { Warning } from '../language.ts';
import type { Sql, Tx } from '../platform/database/database.ts';
import { idsOf } from '../platform/database/ids-of.ts';
import { StoredFault } from '../platform/stored-fault.ts';
import type { FilledPage } from './composition/composition.ts';
import type { VideoRequest } from './request.ts';
import { StoredWarnings } from './stored-warning.ts';
import { BrandTaken, VideoEngine, VideoFormat, VideoStatus } from './video.ts';

/** A stored file: the key of its blob, and its SHA-256 in hexadecimal. */
export const KeptFile = z.object({
  key: z.string(),
  bytes: z.number(),
  sha256: z.string(),
  /** Of a poster that is not a JPEG. */
  mediaType: z.literal('image/png').optional(),
});
export type KeptFile = z.output<typeof KeptFile>;

/** The files of a completed video. */
export const VideoFiles = z.object({
  file: KeptFile,
  poster: KeptFile.optional(),
  captions: KeptFile.optional(),
});
export type VideoFiles = z.output<typeof VideoFiles>;

/** Receiver of the webhook, its language, and the base address of links. */
const WebhookTarget = z.object({
  url: z.string(),
  locale: z.enum(['en', 'es']),
  baseUrl: z.string(),
});
type WebhookTarget = z.output<typeof WebhookTarget>;

export const VideoRow = z.object({
  seq: z.number(),
  id: z.string(),
  account_id: z.string(),
  title: z.string(),
  duration: z.number(),
  template: z.string(),
  template_version: z.number().nullable(),
  brand: BrandTaken.nullable(),
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
  warnings: StoredWarnings,
  render_warnings: StoredWarnings,
  created_at: z.date(),
  started_at: z.date().nullable(),
  ended_at: z.date().nullable(),
  /** Finished frames of all chunks. */
  frames_done: z.number(),
  /** Seconds since this attempt started rendering. */
  running_for: z.number().nullable(),
});
export type VideoRow = z.output<typeof VideoRow>;

export type NewVideo = {
  readonly id: string;
  readonly accountId: string;
  readonly request: VideoRequest;
  readonly page: FilledPage;
  /** Of the account's own template; null: a built-in one. */
  readonly templateVersion: number | null;
  readonly brand: BrandTaken | null;
  readonly warnings: readonly Warning[];
  /** Number of frames to render: one for a png. */
  readonly frames: number;
  readonly posterFrame: number;
  readonly webhook: WebhookTarget | null;
};

const PageRow = z.object({
  // Only written by `insertVideo`.
  page: z.custom<FilledPage>((value) => typeof value === 'object' && value !== null),
});
const Kept = z.object({ id: z.string(), key: z.string().nullable() });
const Keys = z.object({ key: z.string() });

/** Until the transaction ends, no other one starts, ends or deletes a video of the account. */
export async function lockVideos(sql: Sql | Tx, accountId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('videos ' || ${accountId}::text, 0))`;
}

/** Returns false when the account has `limit` unfinished videos. */
export async function insertVideo(sql: Sql | Tx, order: NewVideo, limit: number): Promise<boolean> {
  const { id, accountId, request, page, templateVersion, brand, warnings } = order;
  // An exact rate of NTSC has a column of its own beside the rounded one.
  const exactRate = Number.isInteger(page.fps) ? null : page.fps;
  const rows = await sql`
    insert into videos (id, account_id, title, duration, template, template_version, format, quality, width, height, fps,
      frame_rate, frames, poster_frame, request, page, webhook, warnings, brand)
    select ${id}, ${accountId}, ${request.title}, ${request.duration}, ${request.template}, ${templateVersion}::int,
      ${request.format}, ${request.quality}, ${page.width}, ${page.height}, ${Math.round(page.fps)},
      ${exactRate}, ${order.frames}, ${order.posterFrame}, ${sql.json(request)}, ${sql.json(page)},
      ${order.webhook ? sql.json(order.webhook) : null}, ${sql.json([...warnings])},
      ${brand && sql.json(brand)}
    where (select count(*) from videos
      where account_id = ${accountId} and status in ('pending', 'rendering', 'finalizing')) < ${limit}
    returning id`;
  return rows.length === 1;
}

export async function findVideo(sql: Sql | Tx, accountId: string, id: string): Promise<VideoRow | undefined> {
  const [row] = await sql`
    select v.seq, v.id, v.account_id, v.title, v.duration, v.template, v.template_version, v.brand, v.format,
      v.quality, v.width, v.height, v.frames, v.poster_frame, v.webhook, v.status, v.attempt, v.revision,
      v.content_hash, v.remade, v.frames_kept, v.files, v.engine, v.error, v.warnings, v.render_warnings,
      v.created_at, v.started_at, v.ended_at,
      coalesce(v.frame_rate, v.fps) as fps,
      (select coalesce(sum(s.frames_done), 0)::int from video_steps s where s.video_id = v.id) as frames_done,
      extract(epoch from clock_timestamp() - v.started_at)::float8 as running_for
    from videos v where v.account_id = ${accountId} and v.id = ${id}`;
  return row && VideoRow.parse(row);
}

export async function listVideos(
  sql: Sql | Tx,
  accountId: string,
  filter: { status: VideoStatus | null; template: string | null; before: number; limit: number },
): Promise<VideoRow[]> {
  const rows = await sql`
    select v.seq, v.id, v.account_id, v.title, v.duration, v.template, v.template_version, v.brand, v.format,
      v.quality, v.width, v.height, v.frames, v.poster_frame, v.webhook, v.status, v.attempt, v.revision,
      v.content_hash, v.remade, v.frames_kept, v.files, v.engine, v.error, v.warnings, v.render_warnings,
      v.created_at, v.started_at, v.ended_at,
      coalesce(v.frame_rate, v.fps) as fps,
      (select coalesce(sum(s.frames_done), 0)::int from video_steps s where s.video_id = v.id) as frames_done,
      extract(epoch from clock_timestamp() - v.started_at)::float8 as running_for
    from videos v
    where v.account_id = ${accountId} and v.seq < ${filter.before}
      and (${filter.status}::text is null or v.status = ${filter.status}::text)
      and (${filter.template}::text is null or v.template = ${filter.template}::text)
    order by v.seq desc limit ${filter.limit}`;
  return z.array(VideoRow).parse(rows);
}

export async function findPage(
  sql: Sql | Tx,
  accountId: string,
  id: string,
): Promise<FilledPage | undefined> {
  const [row] = await sql`select page from videos where account_id = ${accountId} and id = ${id}`;
  return row && PageRow.parse(row).page;
}

export async function deleteVideo(sql: Sql | Tx, accountId: string, id: string): Promise<void> {
  await sql`
    with gone as (delete from videos where account_id = ${accountId} and id = ${id} returning id)
    select pg_notify('videos', id) from gone`;
}

/** Returns whether a video of the account uses the blob. */
export async function hasFile(sql: Sql | Tx, accountId: string, key: string): Promise<boolean> {
  const rows = await sql`
    select id from videos
    where account_id = ${accountId} and files is not null
      and ${key}::text in (files -> 'file' ->> 'key', files -> 'poster' ->> 'key', files -> 'captions' ->> 'key')
    limit 1`;
  return rows.length > 0;
}

export async function hasVideo(sql: Sql | Tx, accountId: string, id: string): Promise<boolean> {
  const rows = await sql`select id from videos where account_id = ${accountId} and id = ${id}`;
  return rows.length === 1;
}

/** Returns which of the IDs exist, in any account, and the keys of their files and chunks. */
export async function findKept(
  sql: Sql | Tx,
  ids: readonly string[],
): Promise<{ ids: Set<string>; keys: Set<string> }> {
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
}

/** Videos that have not ended. */
export async function listUnfinishedIds(sql: Sql | Tx, accountId: string): Promise<string[]> {
  const rows = await sql`
    select id as key from videos
    where account_id = ${accountId} and status in ('pending', 'rendering', 'finalizing') order by seq`;
  return z
    .array(Keys)
    .parse(rows)
    .map(({ key }) => key);
}

export async function listVideoIds(sql: Sql | Tx, accountId: string): Promise<string[]> {
  const rows = await sql`select id as key from videos where account_id = ${accountId}`;
  return z
    .array(Keys)
    .parse(rows)
    .map(({ key }) => key);
}

/** Keys of all blobs of the account's videos except compositions. */
export async function listBlobKeys(sql: Sql | Tx, accountId: string): Promise<string[]> {
  const rows = await sql`
    select f.value ->> 'key' as key from videos v, jsonb_each(v.files) f where v.account_id = ${accountId}
    union select blob_key from video_steps where account_id = ${accountId} and blob_key is not null
    union select poster ->> 'key' from video_steps where account_id = ${accountId} and poster is not null`;
  return z
    .array(Keys)
    .parse(rows)
    .map(({ key }) => key);
}

/** Of these accounts, those whose oldest video is from before. */
export async function accountsWithOld(
  sql: Sql | Tx,
  accountIds: readonly string[],
  before: Date,
): Promise<string[]> {
  const rows = await sql`
    select a.id from unnest(${[...accountIds]}::text[]) a (id)
    where (select created_at from videos where account_id = a.id order by seq limit 1) < ${before}`;
  return idsOf(rows);
}

/** The account's oldest videos that ended before. */
export async function listOldIds(
  sql: Sql | Tx,
  accountId: string,
  before: Date,
  limit: number,
): Promise<string[]> {
  const rows = await sql`
    select id as key from videos where account_id = ${accountId} and ended_at < ${before} order by seq limit ${limit}`;
  return z
    .array(Keys)
    .parse(rows)
    .map(({ key }) => key);
}
