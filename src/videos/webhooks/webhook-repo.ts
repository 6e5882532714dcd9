import { z } from 'zod';
import type { Sql, Tx } from '../../platform/database/database.ts';
import { StoredFault } from '../../platform/stored-fault.ts';
import { type Video, VideoEngine, VideoFormat, VideoStatus } from '../video.ts';
import { WebhookTarget } from '../video-repo.ts';

const VIDEO_EVENTS = ['video.completed', 'video.failed', 'video.canceled'] as const;

const moment = z.coerce.date();

/** A Video stored as JSON. */
const StoredVideo = z.object({
  id: z.string(),
  title: z.string(),
  duration: z.number(),
  template: z.string(),
  status: VideoStatus,
  format: VideoFormat,
  quality: z.enum(['draft', 'standard', 'high']),
  width: z.number(),
  height: z.number(),
  fps: z.number(),
  frames: z.object({ done: z.number(), total: z.number() }),
  etaSeconds: z.number().nullable(),
  error: StoredFault.nullable(),
  attempt: z.number(),
  revision: z.number(),
  engine: VideoEngine.nullable(),
  sizeBytes: z.number().nullable(),
  hasPoster: z.boolean(),
  hasCaptions: z.boolean(),
  createdAt: moment,
  startedAt: moment.nullable(),
  endedAt: moment.nullable(),
}) satisfies z.ZodType<Video>;

/** The event of an ended video; undefined while it has not ended. */
export function eventOf({ status }: Pick<Video, 'status'>): (typeof VIDEO_EVENTS)[number] | undefined {
  return VIDEO_EVENTS.find((type) => type === `video.${status}`);
}

const Delivery = z.object({
  id: z.string(),
  account_id: z.string(),
  type: z.enum(VIDEO_EVENTS),
  video: StoredVideo,
  target: WebhookTarget,
  tries: z.number(),
  created_at: z.date(),
});
export type Delivery = z.output<typeof Delivery>;

/** Result of an attempt: the response status, or why there was none. */
export type Outcome = { readonly status: number } | { readonly reason: string };

export async function insertWebhook(
  sql: Sql | Tx,
  delivery: Pick<Delivery, 'id' | 'account_id' | 'type' | 'target'>,
  video: { readonly id: string },
): Promise<void> {
  const { id, account_id, type, target } = delivery;
  await sql`
    insert into video_webhooks (id, account_id, video_id, type, video, target)
    values (${id}, ${account_id}, ${video.id}, ${type}, ${sql.json(video)}, ${sql.json(target)})`;
}

/** Claims due deliveries of all accounts in turn. No other process claims them for `seconds`. */
export async function claimDueWebhooks(sql: Sql | Tx, limit: number, seconds: number): Promise<Delivery[]> {
  const rows = await sql`
    update video_webhooks set tries = tries + 1, next_at = now() + make_interval(secs => ${seconds}::float8)
    where id in (
      select w.id from video_webhooks w join (
        select id, row_number() over (partition by account_id order by next_at) as nth
        from video_webhooks where status = 'waiting' and next_at <= now()) due on due.id = w.id
      where w.status = 'waiting' and w.next_at <= now()
      order by due.nth, w.next_at limit ${limit} for update of w skip locked)
    returning id, account_id, type, video, target, tries, created_at`;
  return z.array(Delivery).parse(rows);
}

/** Records an attempt. `seconds` is the delay before the next one; undefined when none follows. */
export async function recordAttempt(
  sql: Sql | Tx,
  { accountId, id }: { accountId: string; id: string },
  { outcome, arrived, seconds }: { outcome: Outcome; arrived: boolean; seconds: number | undefined },
): Promise<void> {
  const status = arrived ? 'delivered' : seconds === undefined ? 'failed' : 'waiting';
  await sql`
    update video_webhooks set status = ${status}, outcome = ${sql.json(outcome)},
      next_at = now() + make_interval(secs => ${seconds ?? 0}::float8)
    where account_id = ${accountId} and id = ${id}`;
}

/** Deletes finished deliveries that are older than 30 days. */
export async function deleteOldWebhooks(sql: Sql): Promise<void> {
  await sql`delete from video_webhooks where status <> 'waiting' and created_at < now() - interval '30 days'`;
}
