import { z } from 'zod';
import type { Sql, Tx } from '../../platform/database/database.ts';
import { WebhookTarget } from '../store.ts';
import { NEWS, StoredVideo } from './news.ts';

const Delivery = z.object({
  id: z.string(),
  account_id: z.string(),
  type: z.enum(NEWS),
  video: StoredVideo,
  target: WebhookTarget,
  tries: z.number(),
  created_at: z.date(),
});
export type Delivery = z.output<typeof Delivery>;

/** What came of a try: the status of the answer, or why there was none. */
export type Outcome = { readonly status: number } | { readonly reason: string };

/** The SQL of news on their way. */
export function createWebhookStore(sql: Sql | Tx) {
  return {
    async insert(
      delivery: Pick<Delivery, 'id' | 'account_id' | 'type' | 'target'>,
      video: { readonly id: string },
    ): Promise<void> {
      const { id, account_id, type, target } = delivery;
      await sql`
        insert into video_webhooks (id, account_id, video_id, type, video, target)
        values (${id}, ${account_id}, ${video.id}, ${type}, ${sql.json(video)}, ${sql.json(target)})`;
    },

    /** Takes what is due, of all accounts in turn: until `seconds` from now nobody else does. */
    async take(limit: number, seconds: number): Promise<Delivery[]> {
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
    },

    /** It has arrived, or is given up: `seconds` undefined; or else there is another try after so many. */
    async settle(
      { accountId, id }: { accountId: string; id: string },
      { outcome, arrived, seconds }: { outcome: Outcome; arrived: boolean; seconds: number | undefined },
    ): Promise<void> {
      const status = arrived ? 'delivered' : seconds === undefined ? 'failed' : 'waiting';
      await sql`
        update video_webhooks set status = ${status}, outcome = ${sql.json(outcome)},
          next_at = now() + make_interval(secs => ${seconds ?? 0}::float8)
        where account_id = ${accountId} and id = ${id}`;
    },

    /** Forgets what has ended some time ago. */
    async sweep(): Promise<void> {
      await sql`delete from video_webhooks where status <> 'waiting' and created_at < now() - interval '30 days'`;
    },
  };
}
